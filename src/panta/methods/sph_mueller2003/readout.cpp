// What is read from a simulation between steps: particles, neighbours, times. Reading sorts the
// particles as the next step would, and changes nothing else.
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
template <class D>
struct CopyField {
  Field4View<D> from, to;
  PANTA_HD void operator()(Index k) const { to.set(k, from.vec4(k)); }
};

}  // namespace

// In steps accelerations are computed after the sort; outside of them they follow it.
template <class D>
void Solver<D>::reorder_accelerations(Index n) {
  launch(exec_, n, GatherField<D>{grid_.order(), acceleration_.view(), normal_.view()});
  launch(exec_, n, CopyField<D>{normal_.view(), acceleration_.view()});
}

// Until it is called, some of the occupied slots may hold nobody.
template <class D>
void Solver<D>::drop_gone() {
  if (population_.gone == 0) return;
  fit_grid();
  const Index n = active();
  sort_particles();
  reorder_accelerations(n);
  exec_.synchronize();
  population_ = sources_.population().get();
}

template <class D>
void Solver<D>::evaluate_at_rest() {
  fit_grid();
  walls_.update_poses(exec_, &device_state_.data()->time, &device_state_.data()->dt);
  for (;;) {
    const Index n = active();
    sort_particles();
    reorder_accelerations(n);
    sum_density();
    exec_.synchronize();
    if (lists_.longest() <= lists_.capacity()) break;
    state_.longest_list = static_cast<std::uint32_t>(lists_.longest());
    grow_lists();
  }
  population_ = sources_.population().get();
}

template <class D>
ParticleFrame Solver<D>::snapshot() {
  ParticleFrame frame;
  frame.time = state_.time;
  if (population_.living() == 0) return frame;
  evaluate_at_rest();
  sum_colour();
  exec_.synchronize();
  auto id = particles_.download_words(particles_.id_handle());
  id.resize(population_.occupied);
  const auto phase = particles_.download_words(particles_.phase_handle());
  const auto record = records_.download();
  const auto normal = normal_.download();
  const auto acceleration = acceleration_.download();
  const float half_step = static_cast<float>(0.5 * state_.dt_before);
  const std::size_t n = id.size();
  std::vector<Vec3> x(n), v(n), outward(n);
  std::vector<float> density(n), pressure(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = record[i].first.xyz();
    v[i] = record[i].second.xyz() + acceleration[i].xyz() * half_step;  // v(n) from v(n-1/2)
    const float volume = record[i].second.w;
    density[i] = setup_.phases.mass[phase[i]] / volume;
    pressure[i] = record[i].first.w / (volume * volume) - setup_.phases.background;
    if (normal[i].w > setup_.params.surface_threshold) outward[i] = normalized(-normal[i].xyz());
  }
  const std::vector<std::uint32_t> order = order_by_id(id);
  frame.id = in_order(id, order);
  frame.phase = in_order(phase, order);
  frame.position = in_order(x, order);
  frame.velocity = in_order(v, order);
  frame.density = in_order(density, order);
  frame.pressure = in_order(pressure, order);
  frame.normal = in_order(outward, order);
  return frame;
}

template <class D>
double Solver<D>::mean_neighbors() {
  if (population_.living() == 0) return 0;
  evaluate_at_rest();
  std::uint64_t total = 0;
  for (std::uint32_t count : lists_.download_counts()) total += count;
  return double(total) / double(size());
}

template <class D>
std::vector<StageTime> Solver<D>::stages() {
  std::vector<StageTime> out;
  for (const auto& [name, ms] : timer_.take()) out.push_back({name, ms});
  return out;
}

template <class D>
PositionPointers Solver<D>::positions() {
  drop_gone();
  PositionPointers p;
  p.device = D::kind;
  p.count = size();
  for (int k = 0; k < 3; ++k) p.component[k] = particles_.position().component(k);
  p.stride = Field4View<D>::stride;
  return p;
}

template void Solver<PANTA_DEVICE>::drop_gone();
template void Solver<PANTA_DEVICE>::evaluate_at_rest();
template ParticleFrame Solver<PANTA_DEVICE>::snapshot();
template double Solver<PANTA_DEVICE>::mean_neighbors();
template std::vector<StageTime> Solver<PANTA_DEVICE>::stages();
template PositionPointers Solver<PANTA_DEVICE>::positions();

}  // namespace panta::sph
