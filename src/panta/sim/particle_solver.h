// What all particle methods have in common: particles that come and go, their order by cell, walls
// and sources on the device, the clock, batches of steps, changes of the scene, saving and
// restoring. A method derives from it and says what a step does.
//
// Construction is in two parts, because a method's setup belongs to the method: its constructor
// makes the setup and then calls start().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "panta/core/recording.h"
#include "panta/core/stopwatch.h"
#include "panta/geometry/walls.h"
#include "panta/neighbors/lists.h"
#include "panta/particles/particles.h"
#include "panta/scene/sample.h"
#include "panta/sim/contact_finder.h"
#include "panta/sim/simulation.h"
#include "panta/sim/space.h"
#include "panta/sim/step_state.h"
#include "panta/sources/sources.h"

namespace panta {

// The part of a method's setup that is not the method's own, worked out on the host.
struct ParticleSetup {
  double spacing = 0;  // m
  int dimensions = 3;
  GridOptions grid;
  WallList walls;
  Vec3 gravity;
  std::vector<ForceField> fields;
  EmitterList emitters;
  SinkList sinks;
  Index list_capacity = 0;  // first guess

  Space space() const { return {grid.period, grid.period_origin, dimensions}; }
};

// For a method that feels particles and walls within `support`, m.
ParticleSetup make_particle_setup(const Scene& scene, double support);

// How many particles of a full lattice lie within a distance, in spacings.
double expected_neighbors(double ratio, int dimensions);

// Throws Error(usage) unless a running simulation of `before` can go on as `after`.
void check_change(const Scene& before, const Scene& after);

// Throws Error(io) if saved particles refer to materials or emitters the scene does not have.
void check_saved(const std::vector<std::uint32_t>& phase, const std::vector<std::uint32_t>& held,
                 const Scene& scene);

// The elements that are kept, in their order.
template <class T>
std::vector<T> filtered(const std::vector<T>& values, const std::vector<std::size_t>& kept) {
  std::vector<T> out;
  out.reserve(kept.size());
  for (const std::size_t i : kept) out.push_back(values[i]);
  return out;
}

template <class D>
class ParticleSolver : public Simulation {
 public:
  void advance(double until) override;
  double time() const override { return state_.time; }
  std::uint64_t steps() const override { return state_.steps; }
  double last_dt() const override { return state_.dt_before; }
  std::size_t size() const override { return population_.living(); }
  double mean_neighbors() override;
  ContactFrame contacts() override;
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

 protected:
  ParticleSolver(const Scene& scene, const DeviceOptions& options, D exec);

  // Takes over the setup and the particles the scene starts with.
  void start(const ParticleSet& particles);

  // What a method provides.
  virtual ParticleSetup& setup() = 0;
  virtual void remake_setup(const Scene& scene) = 0;  // after a change of the scene
  virtual void upload_setup() {}                      // what the method itself needs of it
  virtual void resize(Index slots) = 0;               // its own arrays
  virtual double expected_step() const = 0;           // s, of the next one
  virtual void step() = 0;                            // enqueues a step
  virtual void evaluate() = 0;  // lists, and what else is read out, of the positions as they are
  virtual void evaluated() {}   // nobody needs that any more
  virtual bool exploded(double fastest) const = 0;
  virtual Error explosion(std::uint32_t id, const Vec3& x, const Vec3& v) const = 0;
  // Where the method keeps something of particles that is no attribute of theirs:
  virtual void follow_sort(Index) {}                    // takes it to their new places
  virtual void begin_with(std::size_t, std::size_t) {}  // for fresh particles: first, count
  virtual void lengthen_rows(std::uint32_t) {}          // StepState::longest_row did not fit
  virtual void save_more(State&, const std::vector<std::size_t>&) {}
  virtual void restore_more(const State&, std::size_t) {}

  void sort_particles() { sort_particles(particles_.position()); }
  void sort_particles(Field4View<D> by);  // places by which to sort; w: gone, as in positions
  void evaluate_at_rest();                // sort and evaluate() the positions as they are
  void undo_sort();                       // of evaluate_at_rest()
  void set_capacity(Index longest);
  Index active();                                             // slots that a launch has to cover
  bool fresh() const { return state_.steps == 0 && !warm_; }  // the step is the first of the run
  bool some_may_go() const { return some_gone_; }             // particles, from step to step
  void make_room(Index slots);
  void forget_recording();
  std::uint32_t* held() { return held_ < 0 ? nullptr : particles_.words(held_); }
  StepGate gate() {
    return {device_state_.data(), lists_.view().longest,
            static_cast<std::uint32_t>(lists_.capacity())};
  }

  D exec_;
  Scene scene_;
  Particles<D> particles_;
  Grid<D> grid_;
  NeighborLists<D> lists_;
  Walls<D> walls_;
  Sources<D> sources_;
  Buffer<D, ForceField> fields_;
  DeviceValue<D, StepState> device_state_;
  StepState state_;        // as last read from the device
  Population population_;  // likewise
  StageTimer<D> timer_;

 private:
  void take_setup();
  ContactFinder& contact_finder();
  void upload_population();
  Index roomy(Index particles) const;
  void drop_gone();
  void fit_grid();
  void run_steps(int count);
  void check_progress();
  [[noreturn]] void report_failure();

  Buffer<D, Bounds> bounds_scratch_;
  Buffer<D, std::uint32_t> way_back_;  // from the order of evaluate_at_rest()
  Population before_;                  // as it was before
  Index sorted_ = 0;                   // slots
  int held_ = -1;           // the attribute: 1 + the emitter that holds a particle; -1 without any
  bool some_gone_ = false;  // particles may be gone, or slots empty
  Recording<D> recording_;
  bool warm_ = false;  // every buffer has its size: the step can be recorded
  bool profile_ = false;
  std::unique_ptr<ContactFinder> contact_finder_;  // made when it is needed
};

}  // namespace panta
