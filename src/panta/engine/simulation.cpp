#include "panta/engine/simulation.h"

#include "panta/core/error_format.h"
#include "panta/engine/methods.h"
#include "panta/frame/contact_finder.h"
#include "panta/particles/standard_columns.h"
#include "panta/solver/solver.h"

namespace panta {

Simulation::Simulation(const Scene& scene, std::unique_ptr<Solver> solver)
    : scene_(scene), solver_(std::move(solver)) {}

Simulation::~Simulation() = default;

void Simulation::advance_to(double time) { solver_->advance_to(time); }
void Simulation::advance_by(double duration) { solver_->advance_to(solver_->time() + duration); }
double Simulation::time() const { return solver_->time(); }
std::uint64_t Simulation::steps() const { return solver_->steps(); }
double Simulation::last_dt() const { return solver_->last_dt(); }
std::size_t Simulation::size() const { return solver_->size(); }
double Simulation::particle_mass(std::uint32_t phase) const {
  return solver_->particle_mass(phase);
}
double Simulation::rest_density(std::uint32_t phase) const { return solver_->rest_density(phase); }
double Simulation::mean_neighbors() { return solver_->mean_neighbors(); }
DeviceKind Simulation::device() const { return solver_->device(); }
int Simulation::threads() const { return solver_->threads(); }
ParticleFrame Simulation::snapshot() { return solver_->snapshot(); }
std::vector<std::string> Simulation::sets() { return solver_->sets(); }
ParticleFrame Simulation::snapshot(const std::string& set) { return solver_->snapshot_of(set); }
std::vector<StageTime> Simulation::stages() { return solver_->stages(); }
std::uint64_t Simulation::emitted() const { return solver_->emitted(); }
std::uint64_t Simulation::removed() const { return solver_->removed(); }
std::vector<Counter> Simulation::counters() { return solver_->counters(); }
std::optional<ConvergenceReport> Simulation::convergence() { return solver_->convergence(); }
void Simulation::add(const std::vector<Fluid>& fluids) { solver_->add(fluids); }
void Simulation::clear(const Shape& region) { solver_->clear(region); }
std::vector<ColumnInfo> Simulation::columns(const std::string& set) const {
  return solver_->columns(set);
}
ColumnView Simulation::view(const std::string& column, const std::string& set) {
  return solver_->view(column, set);
}
void Simulation::write_words(const std::string& column, const std::vector<std::uint32_t>& values,
                             const std::string& set) {
  solver_->write_words(column, values, set);
}
void Simulation::values_written() { solver_->values_written(); }
void Simulation::set_forces(const std::vector<Vec3>& forces) { solver_->set_forces(forces); }
void Simulation::set_body_pose(std::size_t body, const BodyPose& pose) {
  solver_->set_body_pose(body, pose);
}
void Simulation::set_body_force(std::size_t body, const Vec3d& force, const Vec3d& torque) {
  solver_->set_body_force(body, force, torque);
}
void Simulation::save(State& state) { solver_->save(state); }
std::shared_ptr<const KeptState> Simulation::keep() { return solver_->keep(); }
void Simulation::restore(const KeptState& state) { solver_->restore(state); }

ContactFrame Simulation::contacts() {
  if (!contact_finder_) contact_finder_ = std::make_unique<ContactFinder>(scene_);
  return contact_finder_->find(snapshot());
}

void Simulation::take_scene(const Scene& scene) {
  scene_ = scene;
  contact_finder_.reset();
}

// Throws Error(usage) if the method uses one mass for all particles of a material.
void Simulation::require_masses() const {
  if (find_method(scene_.method).own_masses) return;
  std::string able;
  for (const MethodInfo& method : methods())
    if (method.own_masses) able += (able.empty() ? ": use '" : " or '") + method.name + "'";
  throw Error(ErrorKind::usage, "the method '{}' has no masses of single particles{}",
              scene_.method, able);
}

void Simulation::check_masses(const State& state) const {
  if (state.has("column " + standard_columns::mass().name)) require_masses();
}

void Simulation::write(const std::string& column, const std::vector<float>& values,
                       const std::string& set) {
  if (column == standard_columns::mass().name && set == scene_particles) require_masses();
  solver_->write(column, values, set);
}

void Simulation::restore(const State& state) {
  check_masses(state);
  solver_->restore(state);
}

void Simulation::split(const std::vector<SplitRequest>& requests) {
  require_masses();
  solver_->split(requests);
}

void Simulation::split(const std::vector<std::uint32_t>& ids, const Vec3& offset,
                       std::uint32_t children) {
  std::vector<SplitRequest> requests;
  for (const std::uint32_t id : ids) requests.push_back({id, offset, children});
  split(requests);
}

void Simulation::merge(const std::vector<MergeRequest>& pairs) {
  require_masses();
  solver_->merge(pairs);
}

void Simulation::change(const Scene& scene) {
  solver_->change(scene);
  take_scene(scene);
}

void Simulation::restore_changed(const Scene& scene, const State& state) {
  check_masses(state);
  solver_->restore_changed(scene, state);
  take_scene(scene);
}

}  // namespace panta
