// A running simulation of any method on any device: the interface of an embedding program.
//
//   panta::Scene scene = ...;
//   auto sim = panta::make_simulation(scene, {});
//   sim->advance_by(1.0 / 60);
//   panta::ParticleFrame frame = sim->snapshot();
#pragma once

#include <memory>

#include "panta/core/log.h"
#include "panta/frame/contacts.h"
#include "panta/solver/solver.h"

namespace panta {

class ContactFinder;

class Simulation {
 public:
  Simulation(const Scene& scene, std::unique_ptr<Solver> solver);
  ~Simulation();

  // Steps until exactly `time`, in seconds since the start, or for exactly `duration` seconds. A
  // time in the past changes nothing. Throws Error(simulation) on NaN or explosion, and on a solve
  // that fails if the scene requests it.
  void advance_to(double time) { solver_->advance_to(time); }
  void advance_by(double duration) { solver_->advance_to(solver_->time() + duration); }

  double time() const { return solver_->time(); }
  std::uint64_t steps() const { return solver_->steps(); }
  double last_dt() const { return solver_->last_dt(); }
  std::size_t size() const { return solver_->size(); }
  double particle_mass(std::uint32_t phase) const { return solver_->particle_mass(phase); }
  double rest_density(std::uint32_t phase) const { return solver_->rest_density(phase); }
  double mean_neighbors() { return solver_->mean_neighbors(); }
  DeviceKind device() const { return solver_->device(); }
  int threads() const { return solver_->threads(); }

  // The complete visible state, copied to the host.
  ParticleFrame snapshot() { return solver_->snapshot(); }
  // The sets of particles: those of the scene ("particles"), then additional sets of the method;
  // and a frame of one of them, by its name.
  std::vector<std::string> sets() { return solver_->sets(); }
  ParticleFrame snapshot(const std::string& set) { return solver_->snapshot_of(set); }

  // Contacts between particles and with walls, and particles inside triggers. Computed on the host
  // at each call; costs about as much as a snapshot and a neighbour search.
  ContactFrame contacts();

  // Milliseconds per stage since the last call.
  std::vector<StageTime> stages() { return solver_->stages(); }

  // Particles created by emitters and split(), and particles removed by sinks, clear() and merge(),
  // since the start.
  std::uint64_t emitted() const { return solver_->emitted(); }
  std::uint64_t removed() const { return solver_->removed(); }
  std::vector<Counter> counters() { return solver_->counters(); }

  // Report of the method's iterative solves since the last call; empty if it has none.
  std::optional<ConvergenceReport> convergence() { return solver_->convergence(); }

  // Replaces everything in the scene except particles; Error(usage) for values that cannot change
  // (spacing, dimensions, method, periods, number of emitters). Constraints that are no longer in
  // the scene are removed, new ones are added.
  void change(const Scene& scene);
  // Adds fluid where there is none yet; removes fluid inside a region.
  void add(const std::vector<Fluid>& fluids) { solver_->add(fluids); }
  void clear(const Shape& region) { solver_->clear(region); }
  // Splits particles into several, merges pairs into one (resample/requests.h): every column by its
  // rule (particles/column.h); mass, momentum and centre of mass are conserved. Children may lie in
  // walls; this is not checked. Throws Error(usage), without changes, for ids that are unknown or
  // named twice, particles of solids or held by emitters, pairs of different materials or objects,
  // and methods without masses of single particles.
  void split(const std::vector<SplitRequest>& requests);
  void split(const std::vector<std::uint32_t>& ids, const Vec3& offset, std::uint32_t children = 2);
  void merge(const std::vector<MergeRequest>& pairs);

  // Columns as stored by the simulation: their list; a view of one (solver/column_view.h), which is
  // invalid as soon as the simulation advances, is read out or changed; and new values in the order
  // of ids, with the components of one particle side by side. After writing velocities through a
  // view call values_written(), because the step length depends on the largest speed. Computed
  // columns, such as the density, exist in frames only.
  std::vector<ColumnInfo> columns(const std::string& set = scene_particles) const {
    return solver_->columns(set);
  }
  ColumnView view(const std::string& column, const std::string& set = scene_particles) {
    return solver_->view(column, set);
  }
  // Masses ("mass", kg) can be written if the method has them (MethodInfo::own_masses); particles
  // added later get the mass of their material, and those of solids keep theirs.
  void write(const std::string& column, const std::vector<float>& values,
             const std::string& set = scene_particles);
  // For columns of whole numbers. A new material ("phase") must be of the same kind as the old one,
  // liquid or granular; "id", "object" and "held" cannot be written.
  void write_words(const std::string& column, const std::vector<std::uint32_t>& values,
                   const std::string& set = scene_particles) {
    solver_->write_words(column, values, set);
  }
  void values_written() { solver_->values_written(); }

  // Forces on particles, N, in the order of ids; they act until they are set again.
  void set_forces(const std::vector<Vec3>& forces) { solver_->set_forces(forces); }

  // Free bodies, numbered as in ParticleFrame::bodies: pose and motion between steps; a force (N)
  // and a torque about the centre of mass (N m) that act until they are set again.
  void set_body_pose(std::size_t body, const BodyPose& pose) { solver_->set_body_pose(body, pose); }
  void set_body_force(std::size_t body, const Vec3d& force, const Vec3d& torque) {
    solver_->set_body_force(body, force, torque);
  }

  // The complete state for the next step; neither function changes the result. A state may be
  // restored into a simulation of the same scene on another device or with another number of
  // threads.
  void save(State& state) { solver_->save(state); }
  void restore(const State& state);
  // The state in device memory: for programs that go back often; costs about as much as copying the
  // columns. It can be restored into the simulation that made it while that exists and if no
  // constraint was changed since; parameters are not restored. Particles that got masses of their
  // own later have those of their material again.
  std::shared_ptr<const KeptState> keep() { return solver_->keep(); }
  void restore(const KeptState& state) { solver_->restore(state); }
  // As restore(State), for a state that was saved after change(); `scene` is the argument of that
  // change.
  void restore_changed(const Scene& scene, const State& state);

 private:
  void take_scene(const Scene& scene);
  void require_masses() const;
  void check_masses(const State& state) const;

  Scene scene_;  // as of the last change
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<ContactFinder> contact_finder_;  // for scene_, created at first use
};

// Builds the scene's method on the chosen device. Throws Error(usage) for parts of the scene that
// the method does not support and Error(device) for a missing GPU or too little memory.
std::unique_ptr<Simulation> make_simulation(const Scene& scene, const DeviceOptions& options,
                                            const Log& log = Log(LogLevel::warning));

}  // namespace panta
