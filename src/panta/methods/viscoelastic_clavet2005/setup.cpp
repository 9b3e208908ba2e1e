#include "panta/methods/viscoelastic_clavet2005/setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/methods/viscoelastic_clavet2005/columns.h"
#include "panta/particles/standard_columns.h"
#include "panta/scene/expected_speed.h"
#include "panta/solver/whole_number.h"

namespace panta::viscoelastic {

namespace {

constexpr double explosion_supports = 100;  // farther in a step is an explosion
constexpr double most_shortened = 4;        // largest factor for fast liquid
// Motion of sound in a step, in supports. The paper's numbers (k = 0.004, k_near = 0.01 at 1/30 s)
// give 0.27; beyond about 0.38 neighbours begin to pass through each other.
constexpr double usual_travel = 0.25, most_travel = 0.33;
constexpr double sound_per_flow = 7;        // speed of sound over that of the flow
constexpr double longest_step = 1.0 / 120;  // s, of automatic steps
constexpr double usual_flow = 0.1;          // supports, motion of particles in automatic steps
constexpr double start_decay = 10;         // supports, motion of sound while excess densities decay
constexpr double liquid_crowd = 1.2;       // times the density at rest, where DensityBounds begin
constexpr double most_spring_pull = 0.6;   // sum over a lattice, per pass
constexpr double spring_crowd = 1.5;       // springs with full force, over those of a lattice
constexpr double viscosity_reserve = 1.3;  // for regions denser than a lattice

Units units_of(const Params& params, double support) {
  return params.units == UnitSystem::paper ? Units::paper(support) : Units{};
}

// c^2 over k_near alone, and over k where k_near is `ratio` k (lattice_sums.h).
double squared_speed_per_near_stiffness(const Setup& s) {
  return s.support / (2 * s.dimensions) * s.lattice.near_density * s.lattice.near_moment;
}
double squared_speed_per_stiffness(const Setup& s, double ratio) {
  return s.support / (2 * s.dimensions) * s.lattice.density * s.lattice.moment +
         ratio * squared_speed_per_near_stiffness(s);
}

double near_ratio_of(const Params& p) {
  return p.near_stiffness > 0 ? p.near_stiffness / p.stiffness : p.near_ratio;
}

// c where stiffness is given.
double speed_of_stiffness(const Setup& s) {
  const double k = units_of(s.params, s.support).acceleration(s.params.stiffness);
  return std::sqrt(k * squared_speed_per_stiffness(s, near_ratio_of(s.params)));
}

// Sound speed of k and k_near together, m/s; `open`: steps are automatic.
double cohesion_speed(const Scene& scene, const Setup& s, bool open) {
  const Params& p = s.params;
  if (p.stiffness > 0) return s.sound_speed;
  if (p.cohesion_speed > 0) return std::min(p.cohesion_speed, s.sound_speed);
  const double g = length(scene.gravity);
  if (!open) return s.sound_speed;
  return std::min(s.sound_speed,
                  g > 0 ? 2 * std::sqrt(g * s.spacing) : usual_travel * s.support / longest_step);
}

double heaviest_over_lightest(const Scene& scene) {
  double least = 1e300, most = 0;
  for (const Material& m : scene.materials) {
    least = std::min(least, m.density);
    most = std::max(most, m.density);
  }
  return scene.materials.empty() ? 1 : most / least;
}

// Automatic steps. The heaviest of several liquids has the lowest sound speed, which must be
// sound_per_flow times the expected speed: then a liquid of depth H is at most g H / c^2 = 1 % too
// dense at its bottom.
void choose_steps(const Scene& scene, Setup& s, const Setup* before) {
  Params& p = s.params;
  s.chosen_steps = p.time_step == 0;
  if (s.chosen_steps && before && before->chosen_steps) p.time_step = before->params.time_step;
  if (s.chosen_steps) {
    double c = sound_per_flow * expected_speed(scene) * std::sqrt(heaviest_over_lightest(scene));
    if (p.sound_speed > 0) c = p.sound_speed;
    if (p.stiffness > 0) c = speed_of_stiffness(s);
    if (p.time_step == 0)
      p.time_step = c > 0 ? std::min(longest_step, usual_travel * s.support / c) : longest_step;
    if (p.max_travel == 0) p.max_travel = usual_flow * p.support;
  }
  s.step_length = {p.time_step, p.time_step / most_shortened, p.max_travel * s.spacing};
}

void set_stiffness(const Scene& scene, Setup& s) {
  const Params& p = s.params;
  if (p.sound_speed > 0 && p.stiffness > 0)
    throw Error(
        ErrorKind::usage,
        "viscoelastic: solver.sound_speed and solver.stiffness set the same property, give one");
  if (p.near_stiffness > 0 && p.stiffness == 0)
    throw Error(ErrorKind::usage, "viscoelastic: solver.near_stiffness needs solver.stiffness");
  const double ratio = near_ratio_of(p);
  double c = usual_travel * s.support / p.time_step;
  if (p.sound_speed > 0) c = p.sound_speed;
  if (p.stiffness > 0) c = speed_of_stiffness(s);
  const double most = most_travel * s.support / p.time_step;
  if (c > most * (1 + 1e-6)) {
    s.held_back.push_back(fmt::format(
        "steps of {:.4g} s allow a sound speed of {:.4g} m/s at this spacing, less than the "
        "{:.4g} m/s requested: the liquid is softer; set solver.time_step to {:.3g} or less",
        p.time_step, most, c, p.time_step * most / c));
    c = most;
  }
  s.sound_speed = c;
  s.cohesion_speed = cohesion_speed(scene, s, s.chosen_steps);
  const double pulling = s.cohesion_speed * s.cohesion_speed;
  const double k = pulling / squared_speed_per_stiffness(s, ratio);
  const double squeezing = 0.5 * (c * c - pulling);  // by each density
  s.kernel.squeeze = static_cast<float>(squeezing / squared_speed_per_stiffness(s, 0));
  s.kernel.near_squeeze = static_cast<float>(squeezing / squared_speed_per_near_stiffness(s));
  s.kernel.near_lattice = static_cast<float>(s.lattice.near_density);
  s.kernel.lattice = static_cast<float>(s.lattice.density);
  s.kernel.stiffness = static_cast<float>(k);
  s.kernel.near = static_cast<float>(ratio * k);
  const double at_spacing =
      s.lattice.density + ratio * s.lattice.near_density * s.lattice.near_moment / s.lattice.moment;
  const double rest = p.rest_density > 0 ? p.rest_density : at_spacing;
  s.kernel.rest = static_cast<float>(rest);
  const double dense = liquid_crowd * rest / at_spacing;  // both sums grow in proportion
  s.density_bounds = {static_cast<float>(dense * s.lattice.density),
                      static_cast<float>(dense * s.lattice.near_density)};
}

SurfaceLaw surface_law(const LatticeSums& lattice) {
  SurfaceLaw law;
  law.least = static_cast<float>(least_gradient * lattice.gradient);
  law.ramp = static_cast<float>(gradient_ramp * lattice.gradient);
  const double missing = double{law.missing(static_cast<float>(lattice.gradient))};
  law.density = static_cast<float>(lattice.missing / missing);
  law.near = static_cast<float>(lattice.near_missing / missing);
  return law;
}

SpringLaw spring_law(const MaterialParams& v, const Units& units) {
  SpringLaw law;
  law.stiffness = static_cast<float>(units.stiffness(v.springs));
  const auto given_or = [](double value, double other) { return value >= 0 ? value : other; };
  const double flow[2] = {v.plasticity, given_or(v.compression_plasticity, v.plasticity)};
  const double yield[2] = {v.yield, given_or(v.compression_yield, v.yield)};
  for (int k = 0; k < 2; ++k) {
    law.flow[k] = static_cast<float>(units.rate(flow[k]));
    law.yield[k] = static_cast<float>(yield[k]);
  }
  law.from_support = v.spring_length == SpringLength::support;
  law.once = v.spring_length == SpringLength::once;
  return law;
}

// Limits the stiffness of springs to that which a pass allows.
void hold_back_springs(const Material& m, SpringLaw& law, Setup& s) {
  const double dt = s.params.time_step;
  const double pull = law.stiffness * dt * dt * s.lattice.reach / s.dimensions / s.spring_passes;
  if (!(pull > most_spring_pull)) return;
  const double share = most_spring_pull / pull;
  s.held_back.push_back(fmt::format(
      "springs of '{}' are limited to {:.0f} % of their stiffness, the most at steps of "
      "{:.4g} s; set solver.spring_passes to {:.0f}, or solver.time_step to {:.3g}",
      m.name, 100 * share, dt, std::ceil(s.spring_passes / share), dt * std::sqrt(share)));
  law.stiffness *= static_cast<float>(share);
}

// kappa that stands for a kinematic viscosity nu = kappa h^2 sum (1-q) q^2 / (4 dim (dim + 2))
// (README.md).
double both_ways_for(double nu, const Setup& s) {
  return nu * 4 * s.dimensions * (s.dimensions + 2) / (s.support * s.support * s.lattice.spread);
}

// The number of explicit passes over the neighbours that the viscosity needs.
double passes_needed(const Scene& scene, const Setup& s) {
  const double dt = s.params.time_step;
  double largest = 0;
  for (std::size_t k = 0; k < scene.materials.size(); ++k)
    largest = std::max(largest, 0.5 * dt * (s.substances.linear[k] + s.substances.both_ways[k]) *
                                    viscosity_reserve * s.lattice.reach);
  return largest;
}

void set_explicit_viscosity(const Scene& scene, Setup& s) {
  const double dt = s.params.time_step;
  const Substances& all = s.substances;
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    s.viscous = s.viscous || all.linear[k] > 0 || all.quadratic[k] > 0 || all.both_ways[k] > 0;
    s.unequally_viscous = s.unequally_viscous || all.linear[k] != all.linear[0] ||
                          all.quadratic[k] != all.quadratic[0] ||
                          all.both_ways[k] != all.both_ways[0];
  }
  s.most_viscosity = static_cast<float>(1 / (viscosity_reserve * s.lattice.reach));
  const double needed = passes_needed(scene, s);
  s.viscous_passes = viscous_passes(needed);
  const double share = s.viscous_passes / needed;
  if (share < 1)
    s.held_back.push_back(fmt::format(
        "viscosity is limited to {:.0f} %, the most at steps of {:.4g} s; set solver.time_step to "
        "{:.3g} or less, or give it in Pa s",
        100 * share, dt, dt * share));
}

// Whether explicit passes are sufficient for the viscosity. Springs use the velocities before the
// implicit form changes them, which is unstable in steps as long as a frame
// (papers/clavet2005/mould). With given steps, as in the paper, several passes are cheaper than a
// system of equations.
bool explicit_is_enough(const Scene& scene, const Setup& s) {
  const double passes = passes_needed(scene, s);
  const bool elastic =  // now, or when an event switches springs on
      std::any_of(scene.materials.begin(), scene.materials.end(), [](const Material& m) {
        const auto v = material_parameters<MaterialParams>(m, method_name);
        return v.springs > 0 || v.spring_length == SpringLength::once;
      });
  return passes <= 1 || elastic || (!s.chosen_steps && passes <= most_viscous_passes);
}

// Explicit passes where they are sufficient, else the implicit form.
void set_viscosity(const Scene& scene, Setup& s) {
  double artificial = 0;  // m2/s
  bool own = false;
  const auto set = [&](bool with_own) {
    for (std::size_t k = 0; k < scene.materials.size(); ++k) {
      const Material& m = scene.materials[k];
      const double nu = m.viscosity / m.density;
      own = own || nu > 0;
      s.substances.both_ways[k] = static_cast<float>(
          both_ways_for((with_own ? nu : 0) + artificial_beside(nu, artificial), s));
    }
  };
  artificial = s.params.artificial_viscosity * (s.sound_speed - s.cohesion_speed) * s.support / 8;
  set(true);
  if (choose_implicit(s.params.viscosity, !own || explicit_is_enough(scene, s))) {
    s.viscosity = make_viscosity_setup(scene, s.params.viscosity, s.support);
    s.on_failure = s.params.viscosity.on_failure;
    set(false);
  }
  set_explicit_viscosity(scene, s);
}

void set_substances(const Scene& scene, Setup& s) {
  set_materials(s.substances, scene, method_name);
  const Units units = units_of(s.params, s.support);
  double lightest = 1e300;
  for (const Material& m : scene.materials) lightest = std::min(lightest, m.density);
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    const Material& m = scene.materials[k];
    const auto v = material_parameters<MaterialParams>(m, method_name);
    s.unequally_heavy = s.unequally_heavy || m.density > lightest;
    s.substances.mobility[k] = static_cast<float>(lightest / m.density);
    s.substances.linear[k] = static_cast<float>(units.rate(v.linear_viscosity));
    s.substances.quadratic[k] = static_cast<float>(units.per_length(v.quadratic_viscosity));
    SpringLaw& law = s.substances.springs[k] = spring_law(v, units);
    hold_back_springs(m, law, s);
    s.springs = s.springs || law.exist();
  }
  set_viscosity(scene, s);
}

// Without springs.
bool has_liquid(const Setup& s, const Scene& scene) {
  for (std::size_t k = 0; k < scene.materials.size(); ++k)
    if (!s.substances.springs[k].exist()) return true;
  return false;
}

bool pulls(const WallList& walls) {
  const auto sticky = [](const auto& wall) { return wall.surface.stickiness > 0; };
  return std::any_of(walls.planes.begin(), walls.planes.end(), sticky) ||
         std::any_of(walls.bodies.begin(), walls.bodies.end(), sticky);
}

}  // namespace

bool has_springs(const Scene& scene) {
  return std::any_of(scene.materials.begin(), scene.materials.end(), [](const Material& m) {
    return material_parameters<MaterialParams>(m, method_name).springs > 0;
  });
}

bool ever_has_springs(const Scene& scene) {
  return has_springs(scene) ||
         std::any_of(scene.events.begin(), scene.events.end(),
                     [](const Event& e) { return e.changed && has_springs(*e.changed); });
}

Setup make_setup(const Scene& scene, const Setup* before) {
  Setup s;
  s.params = make_parameters<Params>(scene.solver);
  s.spring_passes = whole_number(s.params.spring_passes, "spring_passes");
  s.springs_borne =
      static_cast<float>(spring_crowd * expected_neighbors(s.params.support, scene.dimensions));
  s.support = s.params.support * scene.spacing;
  static_cast<ParticleSetup&>(s) = make_particle_setup(scene, s.support, before);
  s.lattice = lattice_sums(s.support, s.spacing, s.dimensions);
  s.kernel.h = static_cast<float>(s.support);
  s.kernel.inverse_h = static_cast<float>(1 / s.support);
  s.surface = surface_law(s.lattice);
  choose_steps(scene, s, before);
  set_stiffness(scene, s);
  if (s.params.wall_density) s.wall_liquid = make_wall_liquid(s.support, s.spacing, s.dimensions);
  set_substances(scene, s);
  // Pushes in turn and with leapfrog act along the line between two particles.
  s.corrected = s.chosen_steps && s.params.relaxation == Relaxation::gather &&
                s.params.velocity_update == VelocityUpdate::displacement && has_liquid(s, scene);
  if (s.corrected) s.start_decay = static_cast<float>(s.sound_speed / (start_decay * s.support));
  s.sticky = pulls(s.walls);
  set_free_bodies(s, scene, s.params.time_step, before);
  s.usual_step = s.params.time_step;
  s.highest_speed = explosion_supports * s.support / s.params.time_step;
  s.remedy = "lower solver.time_step or solver.stiffness, or set solver.max_speed";
  s.order_matters = true;
  return s;
}

std::vector<ColumnInfo> columns(const Scene* scene) {
  std::vector<ColumnInfo> out;
  if (!scene || make_parameters<Params>(scene->solver).time_step == 0) {
    out.push_back(stress_error_column());
    out.push_back(start_excess_column());
  }
  if (!scene || ever_has_springs(*scene)) {
    out.push_back(spring_row_column());
    out.push_back(spring_place_column());
  }
  out.push_back(standard_columns::density());
  out.push_back(standard_columns::pressure());
  return out;
}

double work_memory(const Scene& scene) {
  const Params params = make_parameters<Params>(scene.solver);
  const double neighbors = expected_neighbors(params.support, scene.dimensions);
  // Place of search, its middle, velocity in progress, place and record; keys and order of the
  // sort; list with its start and length.
  const double common = 3 * 16 + 16 + 32 + 6 * 4 + (1.25 * neighbors + 8) * 4 + 8;
  // Two generations of rows, the move.
  const double springs =
      ever_has_springs(scene) ? 2 * (8 * (1.25 * neighbors + 16) + 8) + 16 + 4 : 0;
  return common + springs + (make_setup(scene).viscosity.implicit ? memory_of_viscosity() : 0);
}

}  // namespace panta::viscoelastic
