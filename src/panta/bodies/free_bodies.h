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

#include <algorithm>
#include <string>
#include <vector>

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

struct BeginBodies {
  const FreeBodySpec* specs;
  const FreeBodyState* states;
  FreeBodyState* work;
  Vec3d* pushes;
  const BodyLoad* external;  // N, N m
  BodyForces forces;
  StepGate gate;

  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    const double dt = gate.state->dt;
    FreeBodyState s = states[b];
    Vec3d a = forces.gravity;
    for (int k = 0; k < forces.field_count; ++k)
      a += to_double(field_acceleration(forces.fields[k], to_float(s.place), to_float(s.velocity),
                                        static_cast<float>(gate.state->time)));
    a += external[b].impulse * (1 / specs[b].mass);
    Vec3d torque = external[b].moment;
    if (specs[b].flat) a.z = torque.x = torque.y = 0;
    s.velocity += a * dt;
    s.angular_momentum += torque * dt;
    work[b] = s;
    pushes[b] = {};
  }
};

// Particles are to meet a body that rests on another as one at rest, not as one that falls: what
// contacts would give it in a single substep is expected for the whole step.
struct ExpectSupport {
  const FreeBodySpec* specs;
  const FreeBodyState* work;
  FreeBodyState* ends;
  BodySupport* support;
  const int* touched;
  StepGate gate;
  int substeps;
  Pose *starts, *finishes;

  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    const double dt = gate.state->dt;
    support[b] = {};
    if (touched[b])
      support[b] = {ends[b].velocity - work[b].velocity,
                    ends[b].angular_momentum - work[b].angular_momentum};
    ends[b] = expected_end(specs[b], work[b], support[b], dt, substeps);
    starts[specs[b].slot] = wall_pose(work[b], work[b], ends[b], dt);
    finishes[specs[b].slot] = wall_pose(ends[b], work[b], ends[b], dt);
  }
};

// Contacts begin where the bodies were and as fast as they were.
struct OpenContacts {
  const FreeBodyState* states;
  FreeBodyState* ends;
  int* touched;
  StepGate gate;
  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    ends[b] = states[b];
    touched[b] = 0;
  }
};

// A body that came near no other goes where it was expected to when particles met it. In contact
// the shares of the substeps take it less far, by half of what forces do in a step.
struct FinishBodies {
  const FreeBodySpec* specs;
  FreeBodyState* states;
  const FreeBodyState* work;
  FreeBodyState* ends;
  const int* touched;
  BodyLoads* loads;
  StepGate gate;
  int substeps;
  Pose *starts, *finishes;
  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    const double dt = gate.state->dt;
    if (!touched[b]) ends[b] = advanced(specs[b], work[b], dt, substeps);
    if (touched[b])
      loads[b].contacts.add((ends[b].velocity - work[b].velocity) * specs[b].mass,
                            ends[b].angular_momentum - work[b].angular_momentum);
    starts[specs[b].slot] = wall_pose(states[b], states[b], ends[b], dt);
    finishes[specs[b].slot] = wall_pose(ends[b], states[b], ends[b], dt);
    states[b] = ends[b];
  }
};

struct PlaceBodies {
  const FreeBodySpec* specs;
  const FreeBodyState* states;
  Pose *starts, *finishes;
  PANTA_HD void operator()(Index b) const {
    Pose pose = wall_pose(states[b], states[b], states[b], 0);
    pose.velocity = to_float(states[b].velocity);
    pose.spin = to_float(spin_of(specs[b], states[b]));
    starts[specs[b].slot] = finishes[specs[b].slot] = pose;
  }
};

}  // namespace detail

template <class D>
class FreeBodies {
 public:
  // Bodies that it has already stay where they are and as fast as they are; their number cannot
  // change then.
  void set(const FreeBodyList& list) {
    const std::vector<FreeBodyState> states = empty() ? list.states : carried_over(list);
    specs_.upload(list.specs);
    host_specs_ = list.specs;
    states_.upload(states);
    pairs_.upload(list.pairs);
    points_.upload(list.points);
    substeps_ = list.substeps;
    sticky_ = list.sticky;
    const std::size_t bodies = list.specs.size(), pairs = list.pairs.size();
    for (Buffer<D, FreeBodyState>* of_step : {&work_, &ends_}) of_step->upload(states);
    pushes_.upload(std::vector<Vec3d>(bodies));
    if (loads_.size() != bodies) {
      loads_.upload(std::vector<BodyLoads>(bodies));
      external_.upload(std::vector<BodyLoad>(bodies));
    }
    parts_.upload(std::vector<double>(bodies));
    solved_.resize(bodies + 1);
    touched_.resize(bodies);
    support_.upload(std::vector<BodySupport>(bodies));
    places_.resize(pairs * static_cast<std::size_t>(places_per_pair));
    found_.resize(pairs);
    contacts_.resize(pairs * most_contacts);
    colours_.resize(pairs + 1);
    kept_.upload(std::vector<int>(pairs));
    kept_pushes_.upload(std::vector<KeptPush>(pairs * most_contacts));
  }
  bool empty() const { return host_specs_.empty(); }
  std::size_t size() const { return host_specs_.size(); }

  // Room for the hits of so many particles.
  void reserve(Index particles) {
    if (empty()) return;
    hits_.resize(static_cast<std::size_t>(particles));
    chunk_hits_.resize(static_cast<std::size_t>(chunks_of(particles)));
    sums_.resize(chunk_hits_.size() * size());
  }

  // Tells the walls where the bodies are, outside of steps.
  void place(const D& exec, Walls<D>& walls) {
    if (!empty())
      launch(exec, count(),
             detail::PlaceBodies{specs_.data(), states_.data(), walls.poses_start(),
                                 walls.poses_end()});
  }

  void begin_step(const D& exec, const StepGate& gate, const BodyForces& forces, Walls<D>& walls) {
    if (empty()) return;
    launch(exec, count(),
           detail::BeginBodies{specs_.data(), states_.data(), work_.data(), pushes_.data(),
                               external_.data(), forces, gate});
    touch(exec, gate, walls, 1, false);
    launch(exec, count(),
           detail::ExpectSupport{specs_.data(), work_.data(), ends_.data(), support_.data(),
                                 touched_.data(), gate, substeps_, walls.poses_start(),
                                 walls.poses_end()});
  }

  void couple(const D& exec, const StepGate& gate, const CoupledParticles<D>& particles,
              Walls<D>& walls, int turns = 4) {
    if (empty()) return;
    const auto make = [&](const CouplingTurn& turn) {
      couple_once(exec, gate, particles, walls, turn);
    };
    if (sticky_) {
      make({.pulls = true, .counts = true});
      make({.pulls = true});
    }
    make({.counts = true});
    for (int turn = 0; turn < turns; ++turn) make({});
  }

  void resolve(const D& exec, const StepGate& gate, Walls<D>& walls) {
    if (empty()) return;
    touch(exec, gate, walls, substeps_, true);
    launch(exec, count(),
           detail::FinishBodies{specs_.data(), states_.data(), work_.data(), ends_.data(),
                                touched_.data(), loads_.data(), gate, substeps_,
                                walls.poses_start(), walls.poses_end()});
  }

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
    launch_teams(exec, count(), chunks,
                 PushedByHits{coupled(), chunk_hits_.data(), sums_.data(), chunks, gate, substeps_,
                              false, walls.poses_start(), walls.poses_end()});
  }

  // Sets where a body is and how it moves, between steps; forces and torques in `pose` are ignored.
  void set_pose(std::size_t body, const BodyPose& pose) {
    std::vector<FreeBodyState> states = states_.download();
    const FreeBodySpec& spec = host_specs_.at(body);
    const Quat& q = pose.rotation;
    const Quatd turn = normalized(Quatd{q.w, q.x, q.y, q.z});
    const Mat3d rotated = rotation(turn);
    FreeBodyState& s = states.at(body);
    s.rotation = turn;
    s.place = pose.position + rotated * spec.centre;
    s.velocity = pose.velocity;
    s.angular_momentum = rotated * (spec.inertia * (transpose(rotated) * pose.spin));
    states_.upload(states);
  }

  // A force and a torque about the centre of mass that act on a body until they are set anew.
  void set_force(std::size_t body, const Vec3d& force, const Vec3d& torque) {
    std::vector<BodyLoad> external = external_.download();
    external.at(body) = {force, torque};
    external_.upload(external);
  }

  const std::vector<FreeBodySpec>& specs() const { return host_specs_; }
  std::vector<FreeBodyState> states() const { return states_.download(); }

  // In the order of the scene's free bodies.
  std::vector<BodyPose> poses() const {
    std::vector<BodyPose> out;
    const std::vector<FreeBodyState> states = states_.download();
    for (std::size_t b = 0; b < states.size(); ++b) {
      const FreeBodyState& s = states[b];
      const Vec3d origin = s.place - rotation(s.rotation) * host_specs_[b].centre;
      out.push_back({.position = origin,
                     .rotation = rounded(s.rotation),
                     .velocity = s.velocity,
                     .spin = spin_of(host_specs_[b], s)});
    }
    return out;
  }

  // What has acted on each body since the start.
  std::vector<BodyLoads> loads() const { return loads_.download(); }

  // kg m/s that particles gave each body in the last step.
  std::vector<Vec3d> pushes() const { return pushes_.download(); }

  void save(State& state) const {
    if (empty()) return;
    state.put("free bodies", states_.download());
    state.put("body loads", loads_.download());
    state.put("body forces", external_.download());
    state.put("body contacts", kept_.download());
    state.put("body contact pushes", kept_pushes_.download());
  }
  void restore(const State& state) {
    if (empty()) return;
    const auto states = state.get<FreeBodyState>("free bodies");
    const auto kept = state.get<int>("body contacts");
    const auto pushes = state.get<KeptPush>("body contact pushes");
    const auto loads = state.get<BodyLoads>("body loads");
    const auto external = state.get<BodyLoad>("body forces");
    const auto valid = [](int count) { return count >= 0 && count <= most_contacts; };
    if (states.size() != size() || loads.size() != size() || external.size() != size() ||
        kept.size() != kept_.size() || pushes.size() != kept_pushes_.size() ||
        !std::all_of(kept.begin(), kept.end(), valid))
      throw Error(ErrorKind::io,
                  std::string("the saved state is inconsistent: it has other free bodies"));
    states_.upload(states);
    loads_.upload(loads);
    external_.upload(external);
    kept_.upload(kept);
    kept_pushes_.upload(pushes);
  }

 private:
  Index count() const { return static_cast<Index>(size()); }
  static Index chunks_of(Index particles) {
    return (particles + hits_per_chunk - 1) / hits_per_chunk;
  }

  // A few pairs are looked at sooner than threads wake up.
  static D executor_for(Index pairs, const D& exec) {
    constexpr Index few = 64;
    if constexpr (D::kind == DeviceKind::cpu) return pairs < few ? D{1} : exec;
    return exec;
  }

  // Contacts of a step in substeps, from the step's start to `ends_`.
  void touch(const D& exec, const StepGate& gate, Walls<D>& walls, int substeps, bool keeps) {
    launch(exec, count(),
           detail::OpenContacts{states_.data(), ends_.data(), touched_.data(), gate});
    const PairsView view{
        pairs_.data(),    points_.data(), places_.data(),      found_.data(),
        contacts_.data(), kept_.data(),   kept_pushes_.data(), static_cast<Index>(pairs_.size())};
    for (int substep = 0; substep < substeps; ++substep) {
      launch_teams(
          executor_for(view.count, exec), view.count, most_points,
          FindBodyContacts{view, specs_.data(), ends_.data(), states_.data(), work_.data(),
                           walls.moving(), gate, static_cast<int>(size()), substep, substeps});
      launch_teams(executor_for(1, exec), 1, view.count,
                   SolveBodyContacts{view, specs_.data(), ends_.data(), states_.data(),
                                     work_.data(), solved_.data(), colours_.data(), touched_.data(),
                                     gate, static_cast<int>(size()), substeps, keeps});
    }
  }

  CoupledBodies coupled() {
    return {specs_.data(), work_.data(),   ends_.data(),  support_.data(),
            parts_.data(), pushes_.data(), loads_.data(), static_cast<int>(size())};
  }

  void couple_once(const D& exec, const StepGate& gate, const CoupledParticles<D>& particles,
                   Walls<D>& walls, const CouplingTurn& turn) {
    const Index chunks = chunks_of(particles.count);
    launch(exec, particles.count,
           PushBodies<D>{coupled(), walls.at_end(), particles, gate, hits_.data(), turn});
    launch_teams(
        exec, chunks, hits_per_chunk,
        SumHits<D>{coupled(), particles, gate, hits_.data(), chunk_hits_.data(), sums_.data()});
    launch_teams(exec, count(), chunks,
                 PushedByHits{coupled(), chunk_hits_.data(), sums_.data(), chunks, gate, substeps_,
                              turn.counts, walls.poses_start(), walls.poses_end()});
  }

  // An event may give a body another density or shape.
  std::vector<FreeBodyState> carried_over(const FreeBodyList& list) const {
    if (list.specs.size() != size())
      throw Error(ErrorKind::usage,
                  std::string("the number of free bodies cannot change while a simulation runs: "
                              "there are ") +
                      std::to_string(size()) + ", not " + std::to_string(list.specs.size()));
    std::vector<FreeBodyState> states = states_.download();
    for (std::size_t b = 0; b < states.size(); ++b) {
      FreeBodyState& s = states[b];
      const Mat3d turn = rotation(s.rotation);
      const Vec3d spin = spin_of(host_specs_[b], s);
      s.place += turn * (list.specs[b].centre - host_specs_[b].centre);
      s.angular_momentum = turn * (list.specs[b].inertia * (transpose(turn) * spin));
    }
    return states;
  }

  std::vector<FreeBodySpec> host_specs_;
  Buffer<D, FreeBodySpec> specs_;
  Buffer<D, FreeBodyState> states_;       // at the start of the step
  Buffer<D, FreeBodyState> work_, ends_;  // with what acts in it; at its end
  Buffer<D, BodySupport> support_;
  Buffer<D, Vec3d> pushes_;
  Buffer<D, BodyLoads> loads_;
  Buffer<D, BodyLoad> external_;
  Buffer<D, double> parts_;
  Buffer<D, BodyPair> pairs_;
  Buffer<D, BodyPoint> points_;
  Buffer<D, NearPlace> places_;
  Buffer<D, int> found_, colours_, touched_, kept_;
  Buffer<D, KeptPush> kept_pushes_;
  Buffer<D, BodyContact> contacts_;
  Buffer<D, SolvedBody> solved_;
  Buffer<D, BodyHit> hits_;
  Buffer<D, double> chunk_hits_;
  Buffer<D, BodySum> sums_;
  int substeps_ = 1;
  bool sticky_ = false;
};

}  // namespace panta
