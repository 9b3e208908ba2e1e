// What is read from a simulation between steps, and accelerations, which it keeps beside the
// particles. Reading sorts the particles as the next step would, and changes nothing else.
#include "panta/methods/sph_mueller2003/solver.h"
#include "panta/sim/snapshot.h"

namespace panta::sph {

namespace {

// A field follows its particles to their new places.
template <class D>
struct GatherField {
  const std::uint32_t* order;
  Field4View<D> from, to;
  PANTA_HD void operator()(Index k) const { to.set(k, from.vec4(static_cast<Index>(order[k]))); }
};

}  // namespace

// In steps accelerations are computed after the sort; outside of them they follow it.
template <class D>
void Solver<D>::follow_sort(Index n) {
  launch(exec_, n, GatherField<D>{grid_.order(), acceleration_.view(), normal_.view()});
  launch(exec_, n, CopyField<D>{normal_.view(), acceleration_.view()});
}

template <class D>
void Solver<D>::begin_with(std::size_t first, std::size_t count) {
  acceleration_.upload(first, std::vector<Vec4>(count));
}

template <class D>
void Solver<D>::save_more(State& state, const std::vector<std::size_t>& kept) {
  state.put("acceleration", filtered(acceleration_.download(), kept));
}

template <class D>
void Solver<D>::restore_more(const State& state, std::size_t count) {
  const auto acceleration = state.get<Vec4>("acceleration");
  if (acceleration.size() != count)
    throw Error(ErrorKind::io, "the saved state is inconsistent: its arrays differ in length");
  acceleration_.upload(0, acceleration);
}

template <class D>
ParticleFrame Solver<D>::snapshot() {
  if (population_.living() == 0) return frame_of(state_.time, {}, {});
  Base::evaluate_at_rest();
  sum_colour();
  exec_.synchronize();
  auto id = particles_.download_words(particles_.id_handle());
  id.resize(population_.occupied);
  ParticleFrame frame =
      frame_of(state_.time, std::move(id), particles_.download_words(particles_.phase_handle()));
  const auto record = records_.download();
  const auto normal = normal_.download();
  const auto acceleration = acceleration_.download();
  const float half_step = static_cast<float>(0.5 * state_.dt_before);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    frame.position[i] = record[i].first.xyz();
    frame.velocity[i] =
        record[i].second.xyz() + acceleration[i].xyz() * half_step;  // v(n) from v(n-1/2)
    const float volume = record[i].second.w;
    frame.density[i] = setup_.phases.mass[frame.phase[i]] / volume;
    frame.pressure[i] = record[i].first.w / (volume * volume) - setup_.phases.background;
    if (normal[i].w > setup_.params.surface_threshold)
      frame.normal[i] = normalized(-normal[i].xyz());
  }
  sort_by_id(frame);
  return frame;
}

template void Solver<PANTA_DEVICE>::follow_sort(Index);
template void Solver<PANTA_DEVICE>::begin_with(std::size_t, std::size_t);
template void Solver<PANTA_DEVICE>::save_more(State&, const std::vector<std::size_t>&);
template void Solver<PANTA_DEVICE>::restore_more(const State&, std::size_t);
template ParticleFrame Solver<PANTA_DEVICE>::snapshot();

}  // namespace panta::sph
