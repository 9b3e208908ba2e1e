// The SPH solver of Mueller et al. 2003: the order of things. The maths is in density.h, colour.h,
// forces.h and motion.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "panta/core/recording.h"
#include "panta/core/stopwatch.h"
#include "panta/geometry/walls.h"
#include "panta/methods/sph_mueller2003/density.h"
#include "panta/methods/sph_mueller2003/forces.h"
#include "panta/methods/sph_mueller2003/method.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/setup.h"
#include "panta/neighbors/lists.h"
#include "panta/particles/particles.h"
#include "panta/sim/simulation.h"
#include "panta/sources/sources.h"

namespace panta::sph {

template <class D>
class Solver final : public Simulation {
 public:
  Solver(const Scene& scene, const DeviceOptions& options, D exec);

  void advance(double until) override;
  double time() const override { return state_.time; }
  std::uint64_t steps() const override { return state_.steps; }
  double last_dt() const override { return state_.dt_before; }
  std::size_t size() const override { return population_.living(); }
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
  std::uint64_t emitted() const override { return population_.emitted; }
  std::uint64_t removed() const override { return population_.removed + population_.gone; }
  void change(const Scene& scene) override;
  void add(const std::vector<Fluid>& fluids) override;
  void clear(const Shape& region) override;
  void save(State& state) override;
  void restore(const State& state) override;

 private:
  void upload_setup();
  void upload_population();
  void make_room(Index slots);  // for that many particles
  Index roomy(Index particles) const;
  Index active();  // slots that a launch has to cover
  void drop_gone();
  void reorder_accelerations(Index n);
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
  template <bool Bodies>
  void move_among_walls(const std::uint32_t* longest, std::uint32_t capacity);
  void evaluate_at_rest();  // sort, lists and density of the positions as they are

  RecordsView<D> records() { return {records_.data()}; }
  std::uint32_t* held() { return held_ < 0 ? nullptr : particles_.words(held_); }
  WallTable wall_table() const;
  SameFluid same_fluid();

  D exec_;
  Scene scene_;
  Setup setup_;
  Particles<D> particles_;
  Grid<D> grid_;
  NeighborLists<D> lists_;
  Buffer<D, Record8> records_;
  Field4<D> acceleration_, normal_;
  Walls<D> walls_;
  Sources<D> sources_;
  Buffer<D, WallEntry> wall_entries_;
  Buffer<D, ForceField> fields_;
  Buffer<D, float> same_;
  Buffer<D, Bounds> bounds_scratch_;
  DeviceValue<D, Phases> phases_;
  DeviceValue<D, StepState> device_state_;
  StepState state_;         // as last read from the device
  Population population_;   // likewise
  int held_ = -1;           // the attribute: 1 + the emitter that holds a particle; -1 without any
  bool some_gone_ = false;  // particles may be gone, or slots empty
  Recording<D> recording_;
  bool warm_ = false;  // every buffer has its size: the step can be recorded
  bool profile_ = false;
  StageTimer<D> timer_;
};

}  // namespace panta::sph
