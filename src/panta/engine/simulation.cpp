#include "panta/engine/simulation.h"

#include "panta/core/error.h"
#include "panta/engine/methods.h"
#include "panta/frame/contact_finder.h"
#include "panta/particles/standard_columns.h"

namespace panta {

Simulation::Simulation(const Scene& scene, std::unique_ptr<Solver> solver)
    : scene_(scene), solver_(std::move(solver)) {}

Simulation::~Simulation() = default;

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
