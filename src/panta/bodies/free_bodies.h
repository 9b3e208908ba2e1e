// The free rigid bodies of a scene on a device. A step of a method:
//
//   bodies.begin_step(...)  they get the step's forces; walls know where they will be, which for
//                           bodies that rest on something is where they are
//   (particles move to x*)
//   bodies.couple(...)      particles near them and they push each other
//   bodies.resolve(...)     they touch each other and the walls; walls know where they are
//   (particles still inside them are pushed out: bodies are now infinitely heavy)
//
// Everything is enqueued on the device, without a word from the host, without atomics, and nothing
// is kept of a step that cannot be made (StepGate): it begins anew from the same states.
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

// What acts on bodies besides particles and contacts; fields are on the device and act at the
// centre of mass.
struct BodyForces {
  Vec3d gravity;
  const ForceField* fields = nullptr;
  int field_count = 0;
};

namespace detail {

// A few pairs or bodies are looked at sooner than threads wake up.
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
  // Bodies that it has already stay where they are and as fast as they are; their number cannot
  // change then.
  void set(const FreeBodyList& list);
  bool empty() const { return host_specs_.empty(); }
  std::size_t size() const { return host_specs_.size(); }

  // Room for the hits of so many particles.
  void reserve(Index particles) {
    if (empty()) return;
    hits_.resize(static_cast<std::size_t>(particles));
    chunk_hits_.resize(static_cast<std::size_t>(chunks_of(particles)));
    chunk_grips_.resize(chunk_hits_.size() * size() * OpenBodySubsteps::sums);
    sums_.resize(chunk_hits_.size() * size());
  }

  // Tells the walls where the bodies are, outside of steps.
  void place(const D& exec, Walls<D>& walls);

  void begin_step(const D& exec, const StepGate& gate, const BodyForces& forces, Walls<D>& walls);

  void couple(const D& exec, const StepGate& gate, const CoupledParticles<D>& particles,
              Walls<D>& walls, int turns = 4);

  void resolve(const D& exec, const StepGate& gate, Walls<D>& walls);

  // Gives bodies the opposite of what walls do to particles: `force` tells which (wall_forces.h).
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
    push_by_sums(exec, gate, chunks, false, walls);
  }

  // Bodies as walls of constraints, body_substeps.h: after begin_step() and the search for walls,
  template <class Near>
  void open_substeps(const D& exec, const StepGate& gate, int substeps, float unit_mass,
                     float unit_density, const Near& near, Index particles) {
    if (empty()) return;
    const Index chunks = chunks_of(particles);
    launch_teams(exec, chunks, hits_per_chunk,
                 FindBodyGrips<Near>{near, substepped(), gate, particles, chunk_hits_.data(),
                                     chunk_grips_.data()});
    launch_teams(detail::executor_for(count(), exec), count(), chunks,
                 OpenBodySubsteps{substepped(),
                                  gate,
                                  {substeps, substeps_},
                                  unit_mass,
                                  unit_density,
                                  chunk_grips_.data(),
                                  chunks});
  }
  // and after each solve.
  template <class Pushed>
  void push_in_substep(const D& exec, const StepGate& gate, int substeps, const BodySubstepEnd& now,
                       const Pushed& pushed, Index particles, Walls<D>& walls) {
    if (empty()) return;
    const Index chunks = chunks_of(particles);
    launch_teams(exec, chunks, hits_per_chunk,
                 SumBodyPushes<Pushed>{pushed, substepped(), gate, particles, chunk_hits_.data(),
                                       chunk_grips_.data(), sums_.data()});
    launch_teams(detail::executor_for(count(), exec), count(), chunks,
                 MoveBodies{substepped(),
                            gate,
                            {substeps, substeps_},
                            chunk_grips_.data(),
                            sums_.data(),
                            chunks,
                            now,
                            walls.poses_start(),
                            walls.poses_end()});
  }
  const BodyDeviation* deviations() const { return deviations_.data(); }

  // Sets where a body is and how it moves, between steps; forces and torques in `pose` are ignored.
  void set_pose(std::size_t body, const BodyPose& pose);

  // A force and a torque about the centre of mass that act on a body until they are set anew.
  void set_force(std::size_t body, const Vec3d& force, const Vec3d& torque);

  const std::vector<FreeBodySpec>& specs() const { return host_specs_; }
  // On the device: the bodies, and their states at the start of the step.
  const FreeBodySpec* device_specs() const { return specs_.data(); }
  const FreeBodyState* starts() const { return states_.data(); }
  // Where their path leads in the step.
  const FreeBodyState* ends() const { return ends_.data(); }
  std::vector<FreeBodyState> states() const { return states_.download(); }

  // In the order of the scene's free bodies.
  std::vector<BodyPose> poses() const;

  // What has acted on each body since the start.
  std::vector<BodyLoads> loads() const { return loads_.download(); }

  // kg m/s that particles gave each body in the last step.
  std::vector<Vec3d> pushes() const { return pushes_.download(); }

  void save(State& state) const;
  void restore(const State& state);

 private:
  Index count() const { return static_cast<Index>(size()); }
  static Index chunks_of(Index particles) {
    return (particles + hits_per_chunk - 1) / hits_per_chunk;
  }

  // Contacts of a step in substeps, from the step's start to `ends_`.
  void touch(const D& exec, const StepGate& gate, Walls<D>& walls, int substeps, bool keeps);

  CoupledBodies coupled();
  SubsteppedBodies substepped();

  void couple_once(const D& exec, const StepGate& gate, const CoupledParticles<D>& particles,
                   Walls<D>& walls, const CouplingTurn& turn);

  // Gives the bodies what `sums_` says of so many chunks of particles.
  void push_by_sums(const D& exec, const StepGate& gate, Index chunks, bool counts,
                    Walls<D>& walls);

  // An event may give a body another density or shape.
  std::vector<FreeBodyState> carried_over(const FreeBodyList& list) const;

  std::vector<FreeBodySpec> host_specs_;
  Buffer<D, FreeBodySpec> specs_;
  Buffer<D, FreeBodyState> states_;       // at the start of the step
  Buffer<D, FreeBodyState> work_, ends_;  // with what acts in it; at its end
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
  Buffer<D, NearPlace> places_;
  Buffer<D, int> found_, colours_, touched_, kept_;
  Buffer<D, KeptPush> kept_pushes_;
  Buffer<D, BodyContact> contacts_;
  Buffer<D, SolvedBody> solved_;
  Buffer<D, BodyHit> hits_;
  Buffer<D, double> chunk_hits_, chunk_grips_;
  Buffer<D, BodySum> sums_;
  int substeps_ = 1;
  bool sticky_ = false;
};

}  // namespace panta
