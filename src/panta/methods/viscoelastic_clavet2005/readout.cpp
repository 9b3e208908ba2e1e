// What a simulation gives away: densities of the places as they are, frames, saved states.
#include "panta/methods/viscoelastic_clavet2005/solver.h"
#include "panta/sim/snapshot.h"

namespace panta::viscoelastic {

template <class D>
void Solver<D>::evaluate() {
  launch(exec_, active(),
         StandStill<D>{particles_.position(), searched_.view(), middle_.view(), places()});
  lists_.build(exec_, grid_.view(), searched_.view(), searched_.view(), active(), true,
               setup_.kernel.h, NoSum{});
  if (!bodies_.empty()) bodies_.place(exec_, walls_);
  walls_.find_contacts(exec_, searched_.view(), particles_.phase(), active(), setup_.kernel.h);
  find_pressures(0);
}

template <class D>
void Solver<D>::save_more(State& state, const std::vector<std::size_t>& kept) {
  springs_.save(state, particles_, kept);
  bodies_.save(state);
}

template <class D>
void Solver<D>::restore_more(const State& state, std::size_t) {
  springs_.restore(state, particles_);
  if (springs_.used()) set_row_capacity();
  bodies_.restore(state);
}

template <class D>
std::vector<Counter> Solver<D>::counters() {
  const SpringCounts c =
      springs_.counts(exec_, particles_, static_cast<Index>(population_.occupied));
  std::vector<Counter> out;
  if (springs_.used())
    out = {{"springs", c.springs}, {"springs_added", c.added}, {"springs_removed", c.removed}};
  out.push_back({"clamped", c.clamped});
  return out;
}

template <class D>
ParticleFrame Solver<D>::snapshot() {
  if (population_.living() == 0) {
    ParticleFrame frame = frame_of(state_.time, {}, {});
    frame.bodies = bodies_.poses();
    return frame;
  }
  Base::evaluate_at_rest();
  auto id = particles_.download_words(particles_.id_handle());
  id.resize(population_.occupied);
  ParticleFrame frame =
      frame_of(state_.time, std::move(id), particles_.download_words(particles_.phase_handle()));
  const auto position = particles_.download_vectors(particles_.position_handle());
  const auto velocity = particles_.download_vectors(particles_.velocity_handle());
  const auto records = records_.download();
  evaluated();
  const LatticeSums& lattice = setup_.lattice;
  const double per_unit = setup_.support / (2 * setup_.dimensions);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const float rest = setup_.substances.rest_density[frame.phase[i]];
    const Vec4 sums = records[i].second;
    frame.position[i] = position[i].xyz();
    frame.velocity[i] = velocity[i].xyz();
    frame.density[i] = static_cast<float>(sums.z / lattice.density) * rest;
    frame.pressure[i] = static_cast<float>(
        rest * per_unit * (records[i].first.w * lattice.moment + sums.x * lattice.near_moment));
  }
  sort_by_id(frame);
  frame.bodies = bodies_.poses();
  return frame;
}

template void Solver<PANTA_DEVICE>::evaluate();
template void Solver<PANTA_DEVICE>::save_more(State&, const std::vector<std::size_t>&);
template void Solver<PANTA_DEVICE>::restore_more(const State&, std::size_t);
template std::vector<Counter> Solver<PANTA_DEVICE>::counters();
template ParticleFrame Solver<PANTA_DEVICE>::snapshot();

}  // namespace panta::viscoelastic
