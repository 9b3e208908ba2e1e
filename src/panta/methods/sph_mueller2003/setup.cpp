#include "panta/methods/sph_mueller2003/setup.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/methods/sph_mueller2003/columns.h"
#include "panta/particles/standard_columns.h"
#include "panta/scene/expected_speed.h"

namespace panta::sph {

namespace {

constexpr double default_mach = 0.1;
constexpr double explosion_mach = 10;  // faster than so many sound speeds is an explosion
// Implicit viscosity: steps resolve the decay of a shear wave 20 spacings long, nu k^2 dt = 0.3,
// but are not made shorter than this share of those of sound.
constexpr double resolved_wave = 3, least_share_of_sound = 1.0 / 16;

// The implicit form, where viscosity would make steps shorter than sound does, or than they are
// fixed to; `own`: the largest kinematic viscosity of a material.
void choose_viscosity(const Scene& scene, double own, Setup& s) {
  const double by_sound = s.params.cfl * s.support / s.sound_speed;
  const double usual = s.params.time_step > 0 ? s.params.time_step : by_sound;
  if (!choose_implicit(s.params.viscosity, own == 0 || s.limits.viscous_step >= usual)) return;
  s.viscosity = make_viscosity_setup(scene, s.params.viscosity, s.support);
  s.on_failure = s.params.viscosity.on_failure;
  double explicit_part = 0;
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    const Material& m = scene.materials[k];
    s.phases.viscosity[k] -= static_cast<float>(m.viscosity);
    explicit_part = std::max(explicit_part, s.phases.viscosity[k] / m.density);
  }
  const double resolved = resolved_wave * s.spacing * s.spacing / own;
  s.limits.viscous_step = std::max(resolved, least_share_of_sound * by_sound);
  if (explicit_part > 0)
    s.limits.viscous_step = std::min(
        s.limits.viscous_step, s.params.viscous_limit * s.support * s.support / explicit_part);
}

void set_phases(const Scene& scene, Setup& s) {
  set_materials(s.phases, scene, "sph");
  const double volume = std::pow(s.spacing, s.dimensions);
  s.phases.rest_volume = static_cast<float>(volume);
  s.phases.sound_speed2 = static_cast<float>(s.sound_speed * s.sound_speed);
  s.phases.bulk_viscosity = static_cast<float>(s.params.bulk_viscosity * s.sound_speed * s.support);
  s.phases.background = static_cast<float>(s.params.background_pressure);
  s.phases.tait = s.params.state_equation == StateEquation::tait;
  s.phases.negative_pressure = s.params.negative_pressure;
  double most_kinematic = 0, own = 0;
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    const Material& m = scene.materials[k];
    const double artificial = artificial_beside(
        m.viscosity, s.params.artificial_viscosity * m.density * s.sound_speed * s.support / 8);
    s.phases.viscosity[k] = static_cast<float>(m.viscosity + artificial);
    s.phases.tension[k] = static_cast<float>(m.surface_tension);
    most_kinematic = std::max(most_kinematic, (m.viscosity + artificial) / m.density);
    own = std::max(own, m.viscosity / m.density);
    if (m.surface_tension > 0) s.tension = s.params.surface_tension;
  }
  if (most_kinematic > 0)
    s.limits.viscous_step = s.params.viscous_limit * s.support * s.support / most_kinematic;
  choose_viscosity(scene, own, s);
}

}  // namespace

Setup make_setup(const Scene& scene, const Setup* before) {
  Setup s;
  s.params = make_parameters<Params>(scene.solver);
  s.support = s.params.support * scene.spacing;
  s.sound_speed = s.params.sound_speed;
  if (s.sound_speed == 0)
    s.sound_speed = before ? before->sound_speed : expected_speed(scene) / default_mach;
  if (s.sound_speed == 0)
    throw Error(ErrorKind::usage,
                "sph: nothing moves the fluid, so no sound speed can be guessed; set "
                "solver.sound_speed to ten times the speed you expect");
  static_cast<ParticleSetup&>(s) = make_particle_setup(scene, s.support, before);
  s.several_fluids = scene.materials.size() > 1;
  const CalibrationKey key{{s.dimensions, s.support, s.params.kernels}, s.spacing};
  const Calibration& calibration = s.calibrations.get(key, before ? &before->calibrations : nullptr,
                                                      [&] { return make_calibration(key); });
  s.kernel = calibration.kernel;
  s.wall_table = calibration.wall_table;
  s.limits = {.h = s.support,
              .sound_speed = s.sound_speed,
              .cfl = s.params.cfl,
              .force_limit = s.params.force_limit,
              .max_step = s.params.max_time_step,
              .fixed_step = s.params.time_step};
  set_phases(scene, s);
  s.usual_step = s.limits.choose(0, 0);
  set_free_bodies(s, scene, s.usual_step, before);
  s.highest_speed = explosion_mach * s.sound_speed;
  s.remedy = fmt::format(
      "sound travels at {:.4g} m/s: lower solver.cfl or time_step, or raise solver.sound_speed",
      s.sound_speed);
  return s;
}

std::vector<ColumnInfo> columns(const Scene*) {
  return {density_before_column(),     correction_column(),          acceleration_column(),
          standard_columns::density(), standard_columns::pressure(), standard_columns::normal()};
}

double work_memory(const Scene& scene) {
  const Params params = make_parameters<Params>(scene.solver);
  const double neighbors = expected_neighbors(params.support, scene.dimensions);
  const double viscosity = make_setup(scene).viscosity.implicit ? memory_of_viscosity() : 0;
  // Record, stress and normal; keys and order of the sort; list with its start and length.
  return 2 * 32 + 16 + 6 * 4 + (1.25 * neighbors + 8) * 4 + 8 + viscosity;
}

}  // namespace panta::sph
