#include "panta/engine/simulation.h"

#include "panta/frame/contact_finder.h"

namespace panta {

Simulation::Simulation(const Scene& scene, std::unique_ptr<Solver> solver)
    : start_(scene), solver_(std::move(solver)) {}

Simulation::~Simulation() = default;

ContactFinder& Simulation::contact_finder() {
  if (!contact_finder_) contact_finder_ = std::make_unique<ContactFinder>(start_);
  return *contact_finder_;
}

ContactFrame Simulation::contacts() { return contact_finder().find(snapshot()); }

void Simulation::change(const Scene& scene) {
  solver_->change(scene);
  // Which particles are one body is known from the scene they started in.
  if (contact_finder_ || !start_.solids.empty()) contact_finder().change(scene);
}

}  // namespace panta
