#include "panta/bodies/free_bodies.h"

#include <algorithm>
#include <string>

#include "panta/core/error.h"

namespace panta {

namespace detail {

struct BeginBodies {
  const FreeBodySpec* specs;
  const FreeBodyState* states;
  FreeBodyState* work;
  Vec3d* pushes;
  const BodyLoad* external;  // N, N m
  const BodyLoad* last_pushes;
  BodyLoad* expected;
  BodyOffset* offsets;
  GravityAndFields forces;
  StepGate gate;

  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    const double dt = gate.state->dt;
    FreeBodyState s = states[b];
    Vec3d a = forces.gravity;
    a += to_double(fields_acceleration(forces.fields, forces.field_count, to_float(s.place),
                                       to_float(s.velocity), static_cast<float>(gate.state->time),
                                       static_cast<float>(dt)));
    a += external[b].impulse * (1 / specs[b].mass);
    Vec3d torque = external[b].moment;
    if (specs[b].flat) a.z = torque.x = torque.y = 0;
    s.velocity += a * dt;
    s.angular_momentum += torque * dt;
    const double before = gate.state->dt_before, again = before > 0 ? dt / before : 0;
    expected[b] = {last_pushes[b].impulse * again, last_pushes[b].moment * again};
    s.velocity += expected[b].impulse * (1 / specs[b].mass);
    s.angular_momentum += expected[b].moment;
    offsets[b] = {};
    work[b] = s;
    pushes[b] = {};
  }
};

// Particles must meet a body that rests on another one at rest, not falling. Therefore the walls'
// expected path includes the impulses of contacts, estimated by a single substep for the whole
// step, and the impulses of particles in the last step.
struct ExpectSupport {
  const FreeBodySpec* specs;
  FreeBodyState* work;
  FreeBodyState* ends;
  BodySupport* support;
  const BodyLoad* expected;
  const int* touched;
  StepGate gate;
  int substeps;
  BodyWallPoses poses;

  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    const double dt = gate.state->dt;
    support[b] = {};
    if (touched[b])
      support[b] = {ends[b].velocity - work[b].velocity,
                    ends[b].angular_momentum - work[b].angular_momentum};
    const Vec3d pushed = expected[b].impulse * (1 / specs[b].mass);
    work[b].velocity -= pushed;
    work[b].angular_momentum -= expected[b].moment;
    ends[b] = expected_end(
        specs[b], work[b],
        {support[b].velocity + pushed, support[b].angular_momentum + expected[b].moment}, dt,
        substeps);
    poses.set(specs[b], work[b], ends[b], dt);
  }
};

// Contacts start from the poses and velocities at the start of the step.
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

// A body without contacts moves along the path that particles met. In contact the substeps apply
// forces gradually, which displaces it less, by half of the forces' effect.
struct FinishBodies {
  const FreeBodySpec* specs;
  FreeBodyState* states;
  const FreeBodyState* work;
  FreeBodyState* ends;
  const int* touched;
  const BodyOffset* offsets;
  BodyLoads* loads;
  StepGate gate;
  int substeps;
  BodyWallPoses poses;
  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    const double dt = gate.state->dt;
    if (!touched[b]) {
      ends[b] = advanced(specs[b], work[b], dt, substeps);
      ends[b].place += offsets[b].shift;
      const Vec3d turn = offsets[b].turn;
      if (dot(turn, turn) > 0) ends[b].rotation = normalized(turn_by(turn) * ends[b].rotation);
    }
    if (touched[b])
      loads[b].contacts.add((ends[b].velocity - work[b].velocity) * specs[b].mass,
                            ends[b].angular_momentum - work[b].angular_momentum);
    poses.set(specs[b], states[b], ends[b], dt);
    states[b] = ends[b];
  }
};

struct PlaceBodies {
  const FreeBodySpec* specs;
  const FreeBodyState* states;
  BodyDeviation* deviations;
  BodyWallPoses poses;
  PANTA_HD void operator()(Index b) const {
    Pose pose = wall_pose(states[b], states[b], states[b], 0);
    pose.velocity = to_float(states[b].velocity);
    pose.spin = to_float(spin_of(specs[b], states[b]));
    poses.starts[specs[b].slot] = poses.ends[specs[b].slot] = pose;
    deviations[b] = {};
  }
};

}  // namespace detail

template <class D>
void FreeBodies<D>::set(const FreeBodyList& list) {
  const std::vector<FreeBodyState> states = empty() ? list.states : states_after_change(list);
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
    last_pushes_.upload(std::vector<BodyLoad>(bodies));
  }
  parts_.upload(std::vector<double>(bodies));
  solved_.resize(bodies + 1);
  touched_.resize(bodies);
  support_.upload(std::vector<BodySupport>(bodies));
  expected_.upload(std::vector<BodyLoad>(bodies));
  offsets_.upload(std::vector<BodyOffset>(bodies));
  in_step_.upload(std::vector<BodyInStep>(bodies));
  deviations_.upload(std::vector<BodyDeviation>(bodies));
  near_points_.resize(pairs * static_cast<std::size_t>(points_per_pair));
  found_.resize(pairs);
  contacts_.resize(pairs * most_contacts);
  colours_.resize(pairs + 1);
  warm_start_counts_.upload(std::vector<int>(pairs));
  warm_starts_.upload(std::vector<WarmStart>(pairs * most_contacts));
}

template <class D>
void FreeBodies<D>::place(const D& exec, Walls<D>& walls) {
  if (!empty())
    launch(exec, count(),
           detail::PlaceBodies{.specs = specs_.data(),
                               .states = states_.data(),
                               .deviations = deviations_.data(),
                               .poses = poses_of(walls)});
}

template <class D>
void FreeBodies<D>::begin_step(const D& exec, const StepGate& gate, const GravityAndFields& forces,
                               Walls<D>& walls) {
  if (empty()) return;
  launch(exec, count(),
         detail::BeginBodies{.specs = specs_.data(),
                             .states = states_.data(),
                             .work = work_.data(),
                             .pushes = pushes_.data(),
                             .external = external_.data(),
                             .last_pushes = last_pushes_.data(),
                             .expected = expected_.data(),
                             .offsets = offsets_.data(),
                             .forces = forces,
                             .gate = gate});
  solve_contacts(exec, gate, walls, 1, false);
  launch(exec, count(),
         detail::ExpectSupport{.specs = specs_.data(),
                               .work = work_.data(),
                               .ends = ends_.data(),
                               .support = support_.data(),
                               .expected = expected_.data(),
                               .touched = touched_.data(),
                               .gate = gate,
                               .substeps = substeps_,
                               .poses = poses_of(walls)});
}

template <class D>
void FreeBodies<D>::couple(const D& exec, const StepGate& gate,
                           const CoupledParticles<D>& particles, Walls<D>& walls, int passes) {
  if (empty()) return;
  const auto make = [&](const CouplingPass& turn) {
    couple_pass(exec, gate, particles, walls, turn);
  };
  if (sticky_) {
    make({.pulls = true, .counts = true});
    make({.pulls = true});
  }
  make({.counts = true});
  for (int turn = 0; turn < passes; ++turn) make({});
}

template <class D>
void FreeBodies<D>::resolve(const D& exec, const StepGate& gate, Walls<D>& walls) {
  if (empty()) return;
  solve_contacts(exec, gate, walls, substeps_, true);
  launch(exec, count(),
         detail::FinishBodies{.specs = specs_.data(),
                              .states = states_.data(),
                              .work = work_.data(),
                              .ends = ends_.data(),
                              .touched = touched_.data(),
                              .offsets = offsets_.data(),
                              .loads = loads_.data(),
                              .gate = gate,
                              .substeps = substeps_,
                              .poses = poses_of(walls)});
}

template <class D>
void FreeBodies<D>::set_pose(std::size_t body, const BodyPose& pose) {
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
  std::vector<BodyLoad> pushes = last_pushes_.download();
  pushes.at(body) = {};
  last_pushes_.upload(pushes);
}

template <class D>
void FreeBodies<D>::set_force(std::size_t body, const Vec3d& force, const Vec3d& torque) {
  std::vector<BodyLoad> external = external_.download();
  external.at(body) = {force, torque};
  external_.upload(external);
}

template <class D>
std::vector<BodyPose> FreeBodies<D>::poses() const {
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

template <class D>
void FreeBodies<D>::save(State& state) const {
  if (empty()) return;
  state.put("free bodies", states_.download());
  state.put("body loads", loads_.download());
  state.put("body forces", external_.download());
  state.put("body pushes", last_pushes_.download());
  state.put("body contacts", warm_start_counts_.download());
  state.put("body contact pushes", warm_starts_.download());
}

template <class D>
void FreeBodies<D>::restore(const State& state) {
  if (empty()) return;
  const auto states = state.get<FreeBodyState>("free bodies");
  const auto kept = state.get<int>("body contacts");
  const auto pushes = state.get<WarmStart>("body contact pushes");
  const auto loads = state.get<BodyLoads>("body loads");
  const auto external = state.get<BodyLoad>("body forces");
  const auto last_pushes =
      state.has("body pushes") ? state.get<BodyLoad>("body pushes") : std::vector<BodyLoad>(size());
  const auto valid = [](int count) { return count >= 0 && count <= most_contacts; };
  if (states.size() != size() || loads.size() != size() || external.size() != size() ||
      last_pushes.size() != size() || kept.size() != warm_start_counts_.size() ||
      pushes.size() != warm_starts_.size() || !std::all_of(kept.begin(), kept.end(), valid))
    throw Error(ErrorKind::io,
                std::string("the saved state is inconsistent: it has other free bodies"));
  states_.upload(states);
  loads_.upload(loads);
  external_.upload(external);
  last_pushes_.upload(last_pushes);
  warm_start_counts_.upload(kept);
  warm_starts_.upload(pushes);
}

template <class D>
void FreeBodies<D>::solve_contacts(const D& exec, const StepGate& gate, Walls<D>& walls,
                                   int substeps, bool keeps_forces) {
  launch(exec, count(),
         detail::OpenContacts{.states = states_.data(),
                              .ends = ends_.data(),
                              .touched = touched_.data(),
                              .gate = gate});
  const PairsView view{.pairs = pairs_.data(),
                       .points = points_.data(),
                       .near_points = near_points_.data(),
                       .found = found_.data(),
                       .contacts = contacts_.data(),
                       .warm_start_counts = warm_start_counts_.data(),
                       .warm_starts = warm_starts_.data(),
                       .count = static_cast<Index>(pairs_.size())};
  for (int substep = 0; substep < substeps; ++substep) {
    launch_teams(detail::executor_for(view.count, exec), view.count, most_points,
                 FindBodyContacts{.view = view,
                                  .specs = specs_.data(),
                                  .states = ends_.data(),
                                  .before = states_.data(),
                                  .predicted = work_.data(),
                                  .walls = walls.moving(),
                                  .gate = gate,
                                  .body_count = static_cast<int>(size()),
                                  .substep = substep,
                                  .substeps = substeps});
    launch_teams(detail::executor_for(1, exec), 1, view.count,
                 SolveBodyContacts{.view = view,
                                   .specs = specs_.data(),
                                   .states = ends_.data(),
                                   .before = states_.data(),
                                   .predicted = work_.data(),
                                   .bodies = solved_.data(),
                                   .colours = colours_.data(),
                                   .touched = touched_.data(),
                                   .gate = gate,
                                   .body_count = static_cast<int>(size()),
                                   .substeps = substeps,
                                   .keeps_forces = keeps_forces});
  }
}

template <class D>
void FreeBodies<D>::couple_pass(const D& exec, const StepGate& gate,
                                const CoupledParticles<D>& particles, Walls<D>& walls,
                                const CouplingPass& turn) {
  const Index chunks = chunks_of(particles.count);
  launch(exec, particles.count,
         PushParticles<D>{.bodies = coupled(),
                          .walls = walls.at_end(),
                          .particles = particles,
                          .gate = gate,
                          .hits = hits_.data(),
                          .pass = turn});
  launch_teams(exec, chunks, hits_per_chunk,
               SumHits<D>{.bodies = coupled(),
                          .particles = particles,
                          .gate = gate,
                          .hits = hits_.data(),
                          .chunk_hits = chunk_hits_.data(),
                          .sums = sums_.data()});
  apply_sums(exec, gate, chunks, turn.counts, walls);
}

template <class D>
void FreeBodies<D>::apply_sums(const D& exec, const StepGate& gate, Index chunks, bool counts,
                               Walls<D>& walls) {
  launch_teams(detail::executor_for(count(), exec), count(), chunks,
               ApplyHits{.bodies = coupled(),
                         .chunk_hits = chunk_hits_.data(),
                         .sums = sums_.data(),
                         .chunks = chunks,
                         .gate = gate,
                         .substeps = substeps_,
                         .counts = counts,
                         .poses = poses_of(walls)});
}

template <class D>
SubsteppedBodies FreeBodies<D>::substepped() {
  return {.specs = specs_.data(),
          .states = states_.data(),
          .work = work_.data(),
          .ends = ends_.data(),
          .support = support_.data(),
          .in_step = in_step_.data(),
          .deviations = deviations_.data(),
          .offsets = offsets_.data(),
          .expected = expected_.data(),
          .last_pushes = last_pushes_.data(),
          .pushes = pushes_.data(),
          .loads = loads_.data(),
          .count = static_cast<int>(size())};
}

template <class D>
CoupledBodies FreeBodies<D>::coupled() {
  return {.specs = specs_.data(),
          .work = work_.data(),
          .ends = ends_.data(),
          .support = support_.data(),
          .parts = parts_.data(),
          .pushes = pushes_.data(),
          .loads = loads_.data(),
          .count = static_cast<int>(size())};
}

template <class D>
std::vector<FreeBodyState> FreeBodies<D>::states_after_change(const FreeBodyList& list) const {
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

template class FreeBodies<PANTA_DEVICE>;

}  // namespace panta
