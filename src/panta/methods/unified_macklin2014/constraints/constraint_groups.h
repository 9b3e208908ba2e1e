// All constraints between named particles of a simulation: one group per type, solved one after the
// other in the order of the list of types.
//
//   groups.set(lists);    of scene_constraints.h
//   after each sort:      groups.locate(exec, ids, slots, living, masses);
//   in each iteration:    groups.solve(exec, substep, periodicity, relaxation);
#pragma once

#include "panta/core/fill_array.h"
#include "panta/methods/unified_macklin2014/constraints/explicit_constraints.h"
#include "panta/methods/unified_macklin2014/constraints/registered.h"
#include "panta/methods/unified_macklin2014/constraints/summed_constraints.h"

namespace panta::unified {

struct NoteSlots {
  const std::uint32_t* ids;
  const std::uint32_t* living;
  std::uint32_t known_ids;  // ids in constraints are below
  Index* slot_of;
  PANTA_HD void operator()(Index i) const {
    if (static_cast<std::uint32_t>(i) < *living && ids[i] < known_ids) slot_of[ids[i]] = i;
  }
};

// The solver of a type.
template <class D, ConstraintType T>
struct ConstraintSolver {
  using type = ExplicitConstraints<D, T>;
};
template <class D, SummedConstraint T>
struct ConstraintSolver<D, T> {
  using type = SummedConstraints<D, T>;
};

template <class D, class Types = RegisteredConstraints>
class ConstraintGroups;

template <class D, class... T>
class ConstraintGroups<D, ConstraintTypes<T...>> {
 public:
  using Types = ConstraintTypes<T...>;

  void set(const ConstraintLists<Types>& lists) {
    (of<T>().set(std::get<ConstraintList<T>>(lists.all)), ...);
    std::size_t known = 0;
    const auto widen = [&](const std::vector<std::uint32_t>& ids) {
      for (const std::uint32_t id : ids) known = std::max(known, std::size_t{id} + 1);
    };
    (widen(std::get<ConstraintList<T>>(lists.all).particles), ...);
    slot_of_.upload(std::vector<Index>(known, no_slot));
  }

  bool empty() const { return (of<T>().size() + ... + 0) == 0; }

  // Device memory in use.
  double bytes() const {
    return static_cast<double>(slot_of_.size() * sizeof(Index)) + (of<T>().bytes() + ... + 0);
  }

  // To be called when the slots of particles have changed: ids by slot, of `slots` slots the first
  // *living are in use.
  void locate(const D& exec, const std::uint32_t* ids, Index slots, const std::uint32_t* living,
              const InverseMasses& masses) {
    if (empty()) return;
    const Index known = static_cast<Index>(slot_of_.size());
    launch(exec, known, FillArray<Index>{slot_of_.data(), no_slot});
    launch(exec, slots, NoteSlots{ids, living, static_cast<std::uint32_t>(known), slot_of_.data()});
    (of<T>().locate(exec, slot_of_.data(), masses), ...);
  }

  // One iteration over all groups; moves the candidates of `substep`.
  void solve(const D& exec, const Substep<D>& substep, const Periodicity& periodicity,
             const Relaxation& relaxation) {
    (of<T>().solve(exec, substep, periodicity, relaxation), ...);
  }

  template <class Type>
  using Group = typename ConstraintSolver<D, Type>::type;

  template <class Type>
  Group<Type>& of() {
    return std::get<Group<Type>>(groups_);
  }
  template <class Type>
  const Group<Type>& of() const {
    return std::get<Group<Type>>(groups_);
  }

 private:
  std::tuple<Group<T>...> groups_;
  Buffer<D, Index> slot_of_;  // by id
};

}  // namespace panta::unified
