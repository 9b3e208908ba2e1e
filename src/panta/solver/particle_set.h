// A set of particles on a device: columns, the grid that sorts them, neighbour lists, and the
// number of particles. A simulation has one or more sets; the neighbours in lists may belong to
// another set (NeighborLists::build).
#pragma once

#include <string>

#include "panta/neighbors/lists.h"
#include "panta/particles/particles.h"
#include "panta/sources/population.h"

namespace panta {

template <class D>
struct ParticleSet {
  std::string name = "particles";
  Particles<D> columns;
  Grid<D> grid;
  NeighborLists<D> lists;
  DeviceValue<D, Population> population;
  Population counted;      // as last read from the device
  bool some_gone = false;  // some slots may be empty or contain removed particles
  int held = -1;           // column of particles that emitters move; -1 without emitters
  int object = -1;         // column; -1: there is one object only
  int slots_room = 0, lists_room = 1;  // numbers of its arrays for StepKit::room

  Field4View<D> position() { return columns.position(); }
  Field4View<D> velocity() { return columns.velocity(); }
  std::uint32_t* id() { return columns.id(); }
  std::uint32_t* phase() { return columns.phase(); }
  std::uint32_t* held_by() { return held < 0 ? nullptr : columns.words(held); }
  std::uint32_t* object_of() { return object < 0 ? nullptr : columns.words(object); }
  // The number of slots in use, on the device.
  const std::uint32_t* occupied() { return &population.data()->occupied; }

  // Slots that a launch has to cover.
  Index active() {
    if constexpr (D::kind == DeviceKind::cpu)
      return static_cast<Index>(population.data()->occupied);
    else
      return columns.size();
  }

  // The slots of the particles that are not removed.
  std::vector<std::size_t> living() {
    std::vector<std::size_t> kept;
    const auto x = columns.download_vectors(columns.position_handle());
    for (std::size_t i = 0; i < counted.occupied; ++i)
      if (!is_removed(x[i])) kept.push_back(i);
    return kept;
  }

  // Allocates this number of slots, and lists of this length.
  void make_room(Index slots, Index list_capacity) {
    columns.set_slots(slots);
    lists.reserve(slots, list_capacity);
    lists.set_living(some_gone ? occupied() : nullptr);
    upload_population();
  }

  // The population after the removed particles are dropped.
  Population settled() const {
    Population population = counted;
    population.occupied = population.living();
    population.removed += population.gone;
    population.gone = 0;
    return population;
  }

  void upload_population() {
    counted.slots = static_cast<std::uint32_t>(columns.size());
    population.set(counted);
  }

  // Sorts particles by cell; `by` contains the positions to sort by, w != 0: removed. Sets *invalid
  // if a position is not finite.
  void sort(const D& exec, Field4View<D> by, std::uint32_t* invalid) {
    order(exec, by, invalid);
    columns.reorder_in_step(exec, grid.order(), active());
    drop_gone(exec);
  }
  // The same outside of a step: also moves columns that steps compute after their sort.
  void sort_at_rest(const D& exec, std::uint32_t* invalid) {
    order(exec, position(), invalid);
    columns.reorder(exec, grid.order(), active());
    drop_gone(exec);
  }

 private:
  void order(const D& exec, Field4View<D> by, std::uint32_t* invalid) {
    grid.sort(exec, by, active(), invalid, some_gone);
  }
  void drop_gone(const D& exec) {
    if (some_gone) launch(exec, 1, DropGone{population.data()});
  }
};

}  // namespace panta
