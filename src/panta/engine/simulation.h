// A running simulation of any method on any device: the interface of an embedding program.
//
//   panta::Scene scene = ...;
//   auto sim = panta::make_simulation(scene, {});
//   sim->advance_by(1.0 / 60);
//   panta::ParticleFrame frame = sim->snapshot();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panta/core/exec.h"
#include "panta/core/log.h"
#include "panta/core/state.h"
#include "panta/frame/contacts.h"
#include "panta/frame/frame_stats.h"
#include "panta/frame/particle_frame.h"
#include "panta/linear/convergence_report.h"
#include "panta/resample/requests.h"
#include "panta/scene/scene.h"
#include "panta/solver/column_view.h"
#include "panta/solver/device_options.h"

namespace panta {

class ContactFinder;
class KeptState;
class Solver;

class Simulation {
 public:
  Simulation(const Scene& scene, std::unique_ptr<Solver> solver);
  ~Simulation();

  // Steps until exactly `time`, in seconds since the start, or for exactly `duration` seconds. A
  // time in the past changes nothing. Throws Error(simulation) on NaN or explosion, and on a solve
  // that fails if the scene requests it.
  void advance_to(double time);
  void advance_by(double duration);

  double time() const;
  std::uint64_t steps() const;
  double last_dt() const;
  std::size_t size() const;
  double particle_mass(std::uint32_t phase) const;
  double rest_density(std::uint32_t phase) const;
  double mean_neighbors();
  DeviceKind device() const;
  int threads() const;

  // The complete visible state, copied to the host.
  ParticleFrame snapshot();
  // The sets of particles: those of the scene ("particles"), then additional sets of the method;
  // and a frame of one of them, by its name.
  std::vector<std::string> sets();
  ParticleFrame snapshot(const std::string& set);

  // Contacts between particles and with walls, and particles inside triggers. Computed on the host
  // at each call; costs about as much as a snapshot and a neighbour search.
  ContactFrame contacts();

  // Milliseconds per stage since the last call.
  std::vector<StageTime> stages();

  // Particles created by emitters and split(), and particles removed by sinks, clear() and merge(),
  // since the start.
  std::uint64_t emitted() const;
  std::uint64_t removed() const;
  std::vector<Counter> counters();

  // Report of the method's iterative solves since the last call; empty if it has none.
  std::optional<ConvergenceReport> convergence();

  // Replaces everything in the scene except particles; Error(usage) for values that cannot change
  // (spacing, dimensions, method, periods, number of emitters). Constraints that are no longer in
  // the scene are removed, new ones are added.
  void change(const Scene& scene);
  // Adds fluid where there is none yet; removes fluid inside a region.
  void add(const std::vector<Fluid>& fluids);
  void clear(const Shape& region);
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
  std::vector<ColumnInfo> columns(const std::string& set = scene_particles) const;
  ColumnView view(const std::string& column, const std::string& set = scene_particles);
  // Masses ("mass", kg) can be written if the method has them (MethodInfo::own_masses); particles
  // added later get the mass of their material, and those of solids keep theirs.
  void write(const std::string& column, const std::vector<float>& values,
             const std::string& set = scene_particles);
  // For columns of whole numbers. A new material ("phase") must be of the same kind as the old one,
  // liquid or granular; "id", "object" and "held" cannot be written.
  void write_words(const std::string& column, const std::vector<std::uint32_t>& values,
                   const std::string& set = scene_particles);
  void values_written();

  // Forces on particles, N, in the order of ids; they act until they are set again.
  void set_forces(const std::vector<Vec3>& forces);

  // Free bodies, numbered as in ParticleFrame::bodies: pose and motion between steps; a force (N)
  // and a torque about the centre of mass (N m) that act until they are set again.
  void set_body_pose(std::size_t body, const BodyPose& pose);
  void set_body_force(std::size_t body, const Vec3d& force, const Vec3d& torque);

  // The complete state for the next step; neither function changes the result. A state may be
  // restored into a simulation of the same scene on another device or with another number of
  // threads.
  void save(State& state);
  void restore(const State& state);
  // The state in device memory: for programs that go back often; costs about as much as copying the
  // columns. It can be restored into the simulation that made it while that exists and if no
  // constraint was changed since; parameters are not restored. Particles that got masses of their
  // own later have those of their material again.
  std::shared_ptr<const KeptState> keep();
  void restore(const KeptState& state);
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
