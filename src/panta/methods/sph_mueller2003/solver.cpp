#include "panta/methods/sph_mueller2003/solver.h"

#include "panta/core/make_exec.h"
#include "panta/scene/sample.h"

namespace panta::sph {

namespace {

constexpr double explosion_mach = 10;  // faster than so many sound speeds is no simulation any more

std::vector<float> identity_matrix() {
  std::vector<float> m(max_phases * max_phases, 0.0f);
  for (int k = 0; k < max_phases; ++k) m[static_cast<std::size_t>(k * max_phases + k)] = 1.0f;
  return m;
}

}  // namespace

template <class D>
Solver<D>::Solver(const Scene& scene, const DeviceOptions& options, D exec)
    : Base(scene, options, exec), setup_(make_setup(scene)) {
  same_.upload(identity_matrix());
  Base::start(sample_fluids(scene));
}

template <class D>
void Solver<D>::remake_setup(const Scene& scene) {
  setup_ = make_setup(scene, setup_.sound_speed);
}

template <class D>
void Solver<D>::upload_setup() {
  wall_entries_.upload(setup_.wall_table);
  phases_.set(setup_.phases);
}

template <class D>
void Solver<D>::resize(Index slots) {
  const std::size_t size = static_cast<std::size_t>(slots);
  acceleration_.resize(size);
  normal_.resize(size);
  records_.resize(size);
}

template <class D>
double Solver<D>::expected_step() const {
  return state_.dt_before > 0 ? state_.dt_before : setup_.limits.choose(0, 0);
}

template <class D>
bool Solver<D>::exploded(double fastest) const {
  return !(fastest < explosion_mach * setup_.sound_speed);
}

template <class D>
Error Solver<D>::explosion(std::uint32_t id, const Vec3& x, const Vec3& v) const {
  return sph::explosion(state_, setup_.sound_speed, id, x, v);
}

template <class D>
void Solver<D>::step() {
  timer_.start(exec_);
  StepState* const now = device_state_.data();
  launch(exec_, 1, PlanStep<StepLimits>{now, setup_.limits});
  sources_.begin_step(exec_, particles_, held(), &now->time, &now->done);
  walls_.update_poses(exec_, &now->time, &now->dt);
  Base::sort_particles();
  timer_.mark(exec_, "sort");
  sum_density();
  timer_.mark(exec_, "lists and density");
  if (setup_.tension == TensionModel::morris2000) {
    sum_colour();
    timer_.mark(exec_, "colour");
  }
  sum_forces();
  timer_.mark(exec_, "forces");
  move_particles();
  timer_.mark(exec_, "move");
}

template <class D>
void Solver<D>::sum_density() {
  walls_.find_contacts(exec_, particles_.position(), particles_.phase(), active(), setup_.kernel.h);
  lists_.build(exec_, grid_.view(), particles_.position(), particles_.position(), active(), true,
               setup_.kernel.h,
               DensitySum<D>{setup_.kernel, walls_.near(), wall_table(), particles_.position(),
                             particles_.velocity(), records(), particles_.phase(), phases_.data(),
                             device_state_.data(), held()});
}

template <class D>
void Solver<D>::sum_colour() {
  sum_over_lists(exec_, records(), lists_.view(), setup_.grid.period,
                 ColourGradient<D>{setup_.kernel, walls_.near(), wall_table(), records(),
                                   normal_.view(), same_fluid(), phases_.data()});
}

template <class D>
void Solver<D>::sum_forces() {
  const bool several = setup_.several_fluids;
  switch (setup_.tension) {
    case TensionModel::none:
      return several ? sum_forces_as<TensionModel::none, true>()
                     : sum_forces_as<TensionModel::none, false>();
    case TensionModel::morris2000:
      return several ? sum_forces_as<TensionModel::morris2000, true>()
                     : sum_forces_as<TensionModel::morris2000, false>();
    case TensionModel::mueller2003:
      return several ? sum_forces_as<TensionModel::mueller2003, true>()
                     : sum_forces_as<TensionModel::mueller2003, false>();
  }
}

template <class D>
template <TensionModel Tension, bool Several>
void Solver<D>::sum_forces_as() {
  const Surroundings surroundings{setup_.gravity, fields_.data(), static_cast<int>(fields_.size())};
  sum_over_lists(
      exec_, records(), lists_.view(), setup_.grid.period,
      ForceSum<D, Tension, Several>{setup_.kernel, walls_.near(), wall_table(), records(),
                                    normal_.view(), acceleration_.view(), same_fluid(),
                                    phases_.data(), surroundings, &device_state_.data()->time});
}

template <class D>
void Solver<D>::move_particles() {
  StepState* const now = device_state_.data();
  if (walls_.have_bodies()) {
    move_among_walls<true>();
  } else {
    move_among_walls<false>();
  }
  launch(exec_, 1, FinishStep{now, gate().longest_list, gate().capacity});
  sources_.end_step(exec_, &now->time, &now->dt, &now->completed);
}

template <class D>
template <bool Bodies>
void Solver<D>::move_among_walls() {
  const float contact = static_cast<float>(0.1 * setup_.spacing);
  launch_maxima<2>(exec_, active(),
                   MoveParticles<D, Bodies>{gate(), particles_.position(), particles_.velocity(),
                                            acceleration_.view(), records(), particles_.phase(),
                                            phases_.data(), walls_.at_end(), contact,
                                            setup_.space(), sources_.population().data(),
                                            sources_.emitters().specs, held(), sources_.sinks()},
                   &device_state_.data()->now_fastest);
}

template <class D>
WallTable Solver<D>::wall_table() const {
  return {wall_entries_.data(), 1.0f / setup_.kernel.h};
}

template <class D>
SameFluid Solver<D>::same_fluid() {
  return {setup_.several_fluids, particles_.phase(), same_.data()};
}

template <class D>
std::unique_ptr<Simulation> make_solver(const Scene& scene, const DeviceOptions& options) {
  return std::make_unique<Solver<D>>(scene, options, make_exec<D>(options.threads));
}

// For readout.cpp.
template void Solver<PANTA_DEVICE>::sum_density();
template void Solver<PANTA_DEVICE>::sum_colour();

template std::unique_ptr<Simulation> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::sph
