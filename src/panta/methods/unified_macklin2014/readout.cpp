// What a simulation gives away: densities of the places as they are, frames, saved states.
#include "panta/methods/unified_macklin2014/solver.h"
#include "panta/sim/snapshot.h"

namespace panta::unified {

template <class D>
void Solver<D>::evaluate() {
  launch(exec_, active(), CopyField<D>{particles_.position(), searched_.view()});
  launch(exec_, active(), StandAsTheyAre<D>{substep(setup_.rhythm)});
  const float reach = felt_walls(0).h;
  lists_.build(exec_, grid_.view(), searched_.view(), searched_.view(), active(), true, reach,
               NoSum{});
  walls_.find_contacts(exec_, searched_.view(), particles_.phase(), active(), reach);
  if (!setup_.liquids) return;
  find_density(felt_walls(0), 1.0f, {particles_.scalars(allowance_), 1}, true);
}

// Where particles start, and of what they are, in the attribute of that name.
template <class D>
void Solver<D>::begin_with(std::size_t first, std::size_t count) {
  if (start_ < 0) return;
  const auto place = particles_.download_vectors(particles_.position_handle());
  const auto phase = particles_.download_words(particles_.phase_handle());
  auto start = particles_.download_vectors(start_);
  for (std::size_t i = first; i < first + count; ++i) {
    const Vec3 x = place[i].xyz();
    start[i] = {x.x, x.y, x.z, static_cast<float>(phase[i])};
  }
  particles_.upload_vectors(start_, start);
}

template <class D>
void Solver<D>::save_more(State& state, const std::vector<std::size_t>& kept) {
  if (allowance_ >= 0)
    state.put("allowance", filtered(particles_.download_words(allowance_), kept));
  if (anchor_ >= 0) state.put("anchor", filtered(particles_.download_vectors(anchor_), kept));
  if (start_ >= 0) state.put("start", filtered(particles_.download_vectors(start_), kept));
  bodies_.save(state);
}

template <class D>
void Solver<D>::restore_more(const State& state, std::size_t count) {
  const auto checked = [&](const auto& values) -> const auto& {
    if (values.size() != count)
      throw Error(ErrorKind::io, std::string("the saved state is inconsistent: its arrays differ"));
    return values;
  };
  if (allowance_ >= 0)
    particles_.upload_words(allowance_, checked(state.get<std::uint32_t>("allowance")));
  if (anchor_ >= 0) particles_.upload_vectors(anchor_, checked(state.get<Vec4>("anchor")));
  if (start_ >= 0) particles_.upload_vectors(start_, checked(state.get<Vec4>("start")));
  bodies_.restore(state);
}

template <class D>
ParticleFrame Solver<D>::snapshot() {
  if (population_.living() == 0) return frame_of(state_.time, {}, {});
  Base::evaluate_at_rest();
  auto id = particles_.download_words(particles_.id_handle());
  id.resize(population_.occupied);
  ParticleFrame frame =
      frame_of(state_.time, std::move(id), particles_.download_words(particles_.phase_handle()));
  const auto position = particles_.download_vectors(particles_.position_handle());
  const auto velocity = particles_.download_vectors(particles_.velocity_handle());
  const auto filled = density_.download();
  evaluated();
  const double shortened = state_.dt_before > 0 ? setup_.params.time_step / state_.dt_before : 1.0;
  const double per_unit = setup_.pressure_per_unit * shortened * shortened;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const std::uint32_t k = frame.phase[i];
    const float rest = setup_.substances.rest_density[k];
    const bool is_liquid = setup_.substances.kind[k] == MaterialKind::liquid;
    frame.position[i] = position[i].xyz();
    frame.velocity[i] = velocity[i].xyz();
    frame.density[i] = is_liquid ? filled[i] * rest : rest;
    const float multiplier = is_liquid ? velocity[i].w : 0.0f;
    frame.pressure[i] =
        static_cast<float>(multiplier * per_unit) * rest * setup_.substances.mobility[k];
  }
  sort_by_id(frame);
  return frame;
}

template void Solver<PANTA_DEVICE>::evaluate();
template void Solver<PANTA_DEVICE>::begin_with(std::size_t, std::size_t);
template void Solver<PANTA_DEVICE>::save_more(State&, const std::vector<std::size_t>&);
template void Solver<PANTA_DEVICE>::restore_more(const State&, std::size_t);
template ParticleFrame Solver<PANTA_DEVICE>::snapshot();

}  // namespace panta::unified
