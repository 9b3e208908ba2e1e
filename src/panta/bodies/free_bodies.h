// The free rigid bodies of a scene on a device. A step of a method:
//
//   bodies.begin_step(...)  applies the step's forces and sets the expected motion of the walls;
//                           bodies that rest on others are expected to stay at rest
//   (particles move to x*)
//   bodies.couple(...)      particles and the bodies near them exchange impulses
//   bodies.resolve(...)     solves contacts of bodies with each other and with walls, and sets the
//                           final motion of the walls
//   (particles still inside bodies are moved out without a reaction)
//
// Everything is enqueued on the device, without waiting for the host and without atomics. A step
// that has to be repeated (StepGate) changes no state.
#pragma once

#include <vector>

#include "panta/bodies/body_substeps.h"
#include "panta/bodies/coupling.h"
#include "panta/bodies/free_body_list.h"
#include "panta/bodies/solve_contacts.h"
#include "panta/bodies/wall_forces.h"
#include "panta/core/state.h"
#include "panta/fields/force_field.h"
#include "panta/frame/body_pose.h"
#include "panta/walls/walls.h"

namespace panta {

// Forces on bodies other than those of particles and contacts; fields are in device memory and are
// evaluated at the centre of mass.
struct GravityAndFields {
  Vec3d gravity;
  const ForceField* fields = nullptr;
  int field_count = 0;
};

namespace detail {

// For few pairs or bodies one thread is faster than starting several.
template <class D>
D executor_for(Index count, const D& exec) {
  constexpr Index few = 64;
  if constexpr (D::kind == DeviceKind::cpu) return count < few ? D{1} : exec;
  return exec;
}

}  // namespace detail

template <class D>
class FreeBodies {
 public:
  // Existing bodies keep their poses and velocities; their number cannot change then.
  void set(const FreeBodyList& list);
  bool empty() const { return host_specs_.empty(); }
  std::size_t size() const { return host_specs_.size(); }

  // Allocates hits for this number of particles.
  void reserve(Index particles) {
    if (empty()) return;
    hits_.resize(static_cast<std::size_t>(particles));
    chunk_hits_.resize(static_cast<std::size_t>(chunks_of(particles)));
    chunk_grips_.resize(chunk_hits_.size() * size() * OpenBodySubsteps::sums);
    sums_.resize(chunk_hits_.size() * size());
  }

  // Sets the walls' poses from the bodies' states, outside of steps.
  void place(const D& exec, Walls<D>& walls);

  void begin_step(const D& exec, const StepGate& gate, const GravityAndFields& forces,
                  Walls<D>& walls);

  void couple(const D& exec, const StepGate& gate, const CoupledParticles<D>& particles,
              Walls<D>& walls, int passes = 4);

  void resolve(const D& exec, const StepGate& gate, Walls<D>& walls);

  // Applies the reaction of wall forces on particles to bodies; `force` computes the forces
  // (wall_forces.h).
  template <class Force>
  void take_wall_forces(const D& exec, const StepGate& gate, const Force& force, Index particles,
                        Walls<D>& walls) {
    if (empty()) return;
    const Index chunks = chunks_of(particles);
    launch_teams(exec, chunks, hits_per_chunk,
                 SumWallForces<Force>{.force = force,
                                      .ends = ends_.data(),
                                      .bodies = static_cast<int>(size()),
                                      .particles = particles,
                                      .gate = gate,
                                      .chunk_hits = chunk_hits_.data(),
                                      .sums = sums_.data()});
    apply_sums(exec, gate, chunks, false, walls);
  }

  // Bodies in methods with substeps, see body_substeps.h. Call open_substeps after begin_step() and
  // the search for walls, push_in_substep after each solve.
  template <class Near>
  void open_substeps(const D& exec, const StepGate& gate, int substeps, float unit_mass,
                     float unit_density, const Near& near, Index particles) {
    if (empty()) return;
    const Index chunks = chunks_of(particles);
    launch_teams(exec, chunks, hits_per_chunk,
                 SumBodyMobilities<Near>{.near = near,
                                         .bodies = substepped(),
                                         .gate = gate,
                                         .particles = particles,
                                         .chunk_hits = chunk_hits_.data(),
                                         .chunk_grips = chunk_grips_.data()});
    launch_teams(detail::executor_for(count(), exec), count(), chunks,
                 OpenBodySubsteps{.bodies = substepped(),
                                  .gate = gate,
                                  .counts = {substeps, substeps_},
                                  .mass = unit_mass,
                                  .density = unit_density,
                                  .chunk_grips = chunk_grips_.data(),
                                  .chunks = chunks});
  }
  template <class Pushed>
  void push_in_substep(const D& exec, const StepGate& gate, int substeps, const BodySubstepEnd& now,
                       const Pushed& pushed, Index particles, Walls<D>& walls) {
    if (empty()) return;
    const Index chunks = chunks_of(particles);
    launch_teams(exec, chunks, hits_per_chunk,
                 SumBodyPushes<Pushed>{.pushed = pushed,
                                       .bodies = substepped(),
                                       .gate = gate,
                                       .particles = particles,
                                       .chunk_hits = chunk_hits_.data(),
                                       .chunk_grips = chunk_grips_.data(),
                                       .sums = sums_.data()});
    launch_teams(detail::executor_for(count(), exec), count(), chunks,
                 MoveBodies{.bodies = substepped(),
                            .gate = gate,
                            .counts = {substeps, substeps_},
                            .chunk_grips = chunk_grips_.data(),
                            .sums = sums_.data(),
                            .chunks = chunks,
                            .now = now,
                            .poses = poses_of(walls)});
  }
  const BodyDeviation* deviations() const { return deviations_.data(); }

  // Sets the pose and velocities of a body between steps; forces and torques in `pose` are ignored.
  void set_pose(std::size_t body, const BodyPose& pose);

  // A force (N) and a torque about the centre of mass (N m) that act on a body until they are set
  // again.
  void set_force(std::size_t body, const Vec3d& force, const Vec3d& torque);

  const std::vector<FreeBodySpec>& specs() const { return host_specs_; }
  // In device memory: the bodies, and their states at the start of the step.
  const FreeBodySpec* device_specs() const { return specs_.data(); }
  const FreeBodyState* starts() const { return states_.data(); }
  // Their states at the end of the expected path of the step.
  const FreeBodyState* ends() const { return ends_.data(); }
  std::vector<FreeBodyState> states() const { return states_.download(); }

  // In the order of the scene's free bodies.
  std::vector<BodyPose> poses() const;

  // Impulses on each body since the start of the simulation.
  std::vector<BodyLoads> loads() const { return loads_.download(); }

  // kg m/s, impulse of particles on each body in the last step.
  std::vector<Vec3d> pushes() const { return pushes_.download(); }

  void save(State& state) const;
  void restore(const State& state);

 private:
  Index count() const { return static_cast<Index>(size()); }
  static BodyWallPoses poses_of(Walls<D>& walls) {
    return {.starts = walls.poses_start(), .ends = walls.poses_end()};
  }

  // Solves the contacts of a step in substeps, from the states at its start to `ends_`.
  void solve_contacts(const D& exec, const StepGate& gate, Walls<D>& walls, int substeps,
                      bool keeps_forces);

  CoupledBodies coupled();
  SubsteppedBodies substepped();

  void couple_pass(const D& exec, const StepGate& gate, const CoupledParticles<D>& particles,
                   Walls<D>& walls, const CouplingPass& pass);

  // Applies `sums_`, of this number of chunks of particles, to the bodies.
  void apply_sums(const D& exec, const StepGate& gate, Index chunks, bool counts, Walls<D>& walls);

  // The states after an event that changes the density or shape of bodies.
  std::vector<FreeBodyState> states_after_change(const FreeBodyList& list) const;

  std::vector<FreeBodySpec> host_specs_;
  Buffer<D, FreeBodySpec> specs_;
  Buffer<D, FreeBodyState> states_;       // at the start of the step
  Buffer<D, FreeBodyState> work_, ends_;  // current velocity; at the end of the step
  Buffer<D, BodySupport> support_;
  Buffer<D, Vec3d> pushes_;
  Buffer<D, BodyLoads> loads_;
  Buffer<D, BodyLoad> external_, expected_, last_pushes_;
  Buffer<D, BodyInStep> in_step_;
  Buffer<D, BodyDeviation> deviations_;
  Buffer<D, BodyOffset> offsets_;
  Buffer<D, double> parts_;
  Buffer<D, BodyPair> pairs_;
  Buffer<D, BodyPoint> points_;
  Buffer<D, NearPoint> near_points_;
  Buffer<D, int> found_, colours_, touched_, warm_start_counts_;
  Buffer<D, WarmStart> warm_starts_;
  Buffer<D, BodyContact> contacts_;
  Buffer<D, SolvedBody> solved_;
  Buffer<D, BodyHit> hits_;
  Buffer<D, double> chunk_hits_, chunk_grips_;
  Buffer<D, BodySum> sums_;
  int substeps_ = 1;
  bool sticky_ = false;
};

}  // namespace panta
