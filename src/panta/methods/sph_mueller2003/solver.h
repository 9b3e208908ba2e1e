// The SPH solver of Mueller et al. 2003: the order of things. The maths is in density.h, colour.h,
// forces.h and motion.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "panta/core/recording.h"
#include "panta/core/stopwatch.h"
#include "panta/methods/sph_mueller2003/density.h"
#include "panta/methods/sph_mueller2003/forces.h"
#include "panta/methods/sph_mueller2003/method.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/setup.h"
#include "panta/neighbors/lists.h"
#include "panta/particles/particles.h"
#include "panta/sim/simulation.h"

namespace panta::sph {

template <class D>
class Solver final : public Simulation {
 public:
  Solver(const Scene& scene, const DeviceOptions& options, D exec);

  void advance(double until) override;
  double time() const override { return state_.time; }
  std::uint64_t steps() const override { return state_.steps; }
  double last_dt() const override { return state_.dt_before; }
  std::size_t size() const override { return static_cast<std::size_t>(particles_.size()); }
  double particle_mass(std::uint32_t phase) const override { return setup_.phases.mass[phase]; }
  double rest_density(std::uint32_t phase) const override {
    return setup_.phases.rest_density[phase];
  }
  double mean_neighbors() override;
  ParticleFrame snapshot() override;
  std::vector<StageTime> stages() override;
  PositionPointers positions() override;
  DeviceKind device() const override { return D::kind; }
  int threads() const override;

 private:
  void fit_grid();
  void run_steps(int count);
  void check_progress();
  [[noreturn]] void report_failure();
  void grow_lists();

  // The stages of a step, each enqueued on the device.
  void step();
  void sort_particles();
  void sum_density();
  void sum_colour();
  void sum_forces();
  template <TensionModel Tension, bool Several>
  void sum_forces_as();
  void move_particles();
  void evaluate_at_rest();  // sort, lists and density of the positions as they are

  RecordsView<D> records() { return {records_.data()}; }
  WallsView walls_view() const;
  WallTable wall_table() const;
  SameFluid same_fluid();

  D exec_;
  Setup setup_;
  Particles<D> particles_;
  Grid<D> grid_;
  NeighborLists<D> lists_;
  Buffer<D, Record8> records_;
  Field4<D> acceleration_, normal_;
  Buffer<D, Wall> walls_;
  Buffer<D, WallEntry> wall_entries_;
  Buffer<D, ForceField> fields_;
  Buffer<D, float> same_;
  Buffer<D, Bounds> bounds_scratch_;
  DeviceValue<D, Phases> phases_;
  DeviceValue<D, StepState> device_state_;
  StepState state_;  // as last read from the device
  Recording<D> recording_;
  bool warm_ = false;  // every buffer has its size: the step can be recorded
  bool profile_ = false;
  StageTimer<D> timer_;
};

}  // namespace panta::sph
