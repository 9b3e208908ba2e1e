#include "panta/methods/unified_macklin2014/setup.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/geometry/bounds.h"
#include "panta/methods/unified_macklin2014/cohesion.h"
#include "panta/methods/unified_macklin2014/columns.h"
#include "panta/scene/contact_rules.h"
#include "panta/scene/sample.h"
#include "panta/solver/whole_number.h"

namespace panta::unified {

namespace {

constexpr double explosion_supports = 100;  // farther in a step is an explosion
constexpr double most_smoothing = 0.5;      // beyond it velocities of neighbours would swap
constexpr double thin = 0.01;               // share of smoothing that needs no no-slip walls

void check_tension(const Material& m, const Setup& s) {
  const double longest = longest_step_of_tension(m, s.spacing),
               share = longest / s.params.time_step;
  if (share >= 1 - 1e-9) return;
  throw Error(ErrorKind::usage,
              "unified: steps of {:.4g} s carry a surface tension of at most {:.4g} N/m at this "
              "spacing, that of '{}' is {:.4g}: set solver.time_step to {:.3g} or less",
              s.params.time_step, m.surface_tension * share * share, m.name, m.surface_tension,
              longest);
}

void set_forces(const Material& m, std::size_t k, Setup& s) {
  s.substances.weight[k] = static_cast<float>(m.weight);
  if (m.kind != MaterialKind::liquid || m.surface_tension == 0) return;
  check_tension(m, s);
  const CohesionScales scales = make_cohesion(s.support, s.spacing, s.dimensions);
  s.substances.pull[k] = static_cast<float>(m.surface_tension * scales.pull / s.substances.mass[k]);
  s.substances.bend[k] = static_cast<float>(m.surface_tension * scales.bend / m.density);
  s.blunt_normal = scales.blunt;
  s.cohesive = true;
}

bool sticky(const WallList& walls) {
  const auto holds = [](const auto& wall) { return wall.surface.adhesion > 0; };
  return std::any_of(walls.planes.begin(), walls.planes.end(), holds) ||
         std::any_of(walls.bodies.begin(), walls.bodies.end(), holds);
}

// Grains or solids.
bool has_contacts(const Scene& scene) {
  return std::any_of(scene.materials.begin(), scene.materials.end(),
                     [](const Material& m) { return m.kind != MaterialKind::liquid; });
}

void set_filter(const Scene& scene, Setup& s) {
  check_contact_rules(scene);
  for (std::size_t a = 0; a < scene.materials.size(); ++a)
    for (std::size_t b = 0; b < scene.materials.size(); ++b) {
      const bool meet = materials_meet(scene.materials[a], scene.materials[b]);
      s.substances.meets[a][b] = meet ? 1.0f : 0.0f;
      s.filtered = s.filtered || !meet;
    }
  for (std::size_t k = 0; k < scene.materials.size(); ++k)
    s.substances.rest_distance[k] = static_cast<float>(scene.materials[k].rest_distance);
  s.rest_distances = has_rest_distances(scene);
  s.filtered = s.filtered || s.rest_distances;
}

// The smoothing factor of XSPH per step, for the explicit form (velocities.h).
double smoothing_by_viscosity(const Material& m, const Setup& s, double diffused) {
  return 2 * s.dimensions * m.viscosity / m.density * s.params.time_step / diffused;
}

// The implicit form is used where the explicit one cannot carry the viscosity, or where no-slip
// walls touch a liquid that is not thin.
void choose_viscosity(const Scene& scene, Setup& s) {
  const double diffused = lattice_second_moment(s.support, s.spacing, s.dimensions);
  double most = 0;
  std::string thickest;
  for (const Material& m : scene.materials) {
    const double share = smoothing_by_viscosity(m, s, diffused);
    if (m.kind != MaterialKind::liquid || !(share > most)) continue;
    most = share;
    thickest = m.name;
  }
  const bool carried = most <= (has_no_slip_walls(scene) ? thin : most_smoothing);
  if (choose_implicit(s.params.viscosity, carried)) {
    s.viscosity = make_viscosity_setup(scene, s.params.viscosity, s.search_radius);
    s.on_failure = s.params.viscosity.on_failure;
  } else if (most > most_smoothing) {
    throw Error(ErrorKind::usage,
                "unified: explicit steps of {:.4g} s cannot carry the viscosity of '{}' at this "
                "spacing: set solver.viscosity_solver to auto, or solver.time_step to {:.3g} or "
                "less",
                s.params.time_step, thickest, s.params.time_step * most_smoothing / most);
  }
}

void set_substances(const Scene& scene, Setup& s) {
  set_materials(s.substances, scene, "unified");
  double lightest = 1e300;
  const auto is_liquid = [](const Material& m) { return m.kind == MaterialKind::liquid; };
  const bool wet = std::any_of(scene.materials.begin(), scene.materials.end(), is_liquid);
  for (const Material& m : scene.materials)
    if (is_liquid(m) || !wet) lightest = std::min(lightest, m.density);
  const double diffused = lattice_second_moment(s.support, s.spacing, s.dimensions);
  s.liquids = has_liquids(scene);
  s.contacts = has_contacts(scene);
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    const Material& m = scene.materials[k];
    const double by_viscosity = smoothing_by_viscosity(m, s, diffused);
    s.substances.kind[k] = m.kind;
    s.mixed = s.mixed || m.kind != MaterialKind::liquid;
    s.substances.mobility[k] = static_cast<float>(lightest / m.density);
    s.uneven = s.uneven || (is_liquid(m) && m.density > lightest);
    s.substances.body_distance[k] =
        m.kind == MaterialKind::liquid ? 0.0f : static_cast<float>(0.5 * s.spacing);
    s.substances.fills[k] =
        m.kind == MaterialKind::liquid ? 1.0f : static_cast<float>(s.params.solid_pressure);
    if (m.kind == MaterialKind::liquid)
      s.substances.smoothing[k] =
          static_cast<float>(artificial_beside(by_viscosity, s.params.smoothing) +
                             (s.viscosity.implicit ? 0 : by_viscosity));
    s.smooth = s.smooth || s.substances.smoothing[k] > 0;
    set_forces(m, k, s);
  }
}

// For parameters whose value -1 means automatic.
void check_chosen(const char* name, double value) {
  if (value >= 0 || value == -1) return;
  throw Error(ErrorKind::usage, "unified: 'solver.{}' must be -1 or at least 0, got {}", name,
              value);
}

// Spacings.
double mean_size(const Scene& scene, const Params& params) {
  if (params.grain_size > 0) return params.grain_size;
  return scene.dimensions == 2 ? 1.03 : 1.045;
}

// The radius of the search in spacings. Solids interact in contact only, and may approach each
// other by more than liquids do before the next search.
double search_reach(const Scene& scene, const Params& params) {
  constexpr double dry_margin = 0.35;
  const auto is_liquid = [](const Material& m) { return m.kind == MaterialKind::liquid; };
  if (std::any_of(scene.materials.begin(), scene.materials.end(), is_liquid))
    return params.support + params.margin;
  const double widest = mean_size(scene, params) * (1 + params.size_spread);
  return std::max(1.0, widest) + std::max(dry_margin, params.margin);
}

GrainSizes make_sizes(const Scene& scene, const Params& params) {
  const double spacing = scene.spacing, g = length(scene.gravity);
  return {static_cast<float>(0.5 * spacing * mean_size(scene, params)),
          static_cast<float>(params.size_spread),
          static_cast<float>(0.5 * growth * std::sqrt(g * spacing))};
}

}  // namespace

Setup make_setup(const Scene& scene, const Setup* before) {
  Setup s;
  const Params given = make_parameters<Params>(scene.solver);
  check_chosen("friction", given.friction);
  check_chosen("static_friction", given.static_friction);
  check_chosen("rolling", given.rolling);
  s.params = with_steps(scene, given);
  s.counts.substeps = whole_number(s.params.substeps, "substeps");
  s.step_limits = step_limits(scene, s.params, given);
  s.counts.iterations = whole_number(s.params.iterations, "iterations");
  s.contact_iterations = whole_number(s.params.contact_iterations, "contact_iterations");
  s.stabilization = whole_number(s.params.stabilization, "stabilization");
  s.support = s.params.support * scene.spacing;
  const double radius = search_reach(scene, s.params) * scene.spacing;
  s.search_radius = static_cast<float>(radius);
  s.sizes = make_sizes(scene, s.params);
  static_cast<ParticleSetup&>(s) = make_particle_setup(scene, radius, before);
  s.kernel = make_density_kernel(s.support, s.spacing, s.dimensions);
  s.wall_shares = make_wall_shares(s.support, s.spacing, s.dimensions);
  s.reference_radius = static_cast<float>(reference_sphere * s.support / (s.dimensions - 1));
  const double dt = s.params.time_step / s.counts.substeps;
  s.pressure_per_unit =
      lattice_first_moment(s.support, s.spacing, s.dimensions) / (s.dimensions * dt * dt);
  // In a lattice that turns with spin W, sum_j (W x -d) x d reach/r = -W sum r reach (1 - 1/dim);
  // the vorticity is 2 W. The first moment is that of 2 reach / (h full).
  const double lever = lattice_first_moment(s.support, s.spacing, s.dimensions) * s.support / 2 /
                       s.kernel.inverse_full;
  s.spin_scale = static_cast<float>(-2 / (lever * (1 - 1.0 / s.dimensions)));
  choose_viscosity(scene, s);
  set_substances(scene, s);
  set_filter(scene, s);
  s.adhesive = sticky(s.walls);
  const double g = length(scene.gravity);
  if (g > 0) s.shock.up = to_float(scene.gravity * (-1 / g));
  s.shock.k = g > 0 ? static_cast<float>(s.params.shock_propagation) : 0.0f;
  if (scene.has_domain) s.shock.ground = dot(to_float(scene.domain.min), s.shock.up);
  set_free_bodies(s, scene, s.params.time_step, before);
  s.usual_step = s.params.time_step;
  s.highest_speed = explosion_supports * s.support / s.params.time_step;
  s.remedy = "lower solver.time_step or solver.relaxation, or set solver.max_speed";
  s.order_matters = true;
  return s;
}

std::vector<ColumnInfo> columns(const Scene* scene) {
  std::vector<ColumnInfo> out = {multiplier_or_contacts_column()};
  if (!scene || has_contacts(*scene)) {
    out.push_back(anchor_column());
    out.push_back(anchor_age_column());
    out.push_back(radius_column(scene ? scene->spacing : 1));
  }
  if (!scene || has_rest_distances(*scene)) {
    out.push_back(standard_columns::start());
    out.push_back(start_material_column());
  }
  if (!scene || has_liquids(*scene)) {
    out.push_back(allowance_column());
    out.push_back(push_stress_column());
    out.push_back(push_potential_column());
    out.push_back(push_correction_column());
  }
  out.push_back(standard_columns::density());
  out.push_back(standard_columns::pressure());
  return out;
}

// The number of particles that may start inside a shape; an empty one contains all.
static double most_inside(const Shape& shape, const Scene& scene) {
  const double all = estimate_particles(scene);
  if (shape.empty()) return all;
  const ShapeBounds bounds = shape_bounds(shape);
  if (!bounds.finite()) return all;
  const Vec3d extent = bounds.max - bounds.min;
  double cells = 1;
  for (int axis = 0; axis < scene.dimensions; ++axis) cells *= extent[axis] / scene.spacing + 1;
  return std::min(all, cells);
}

// Of constraints between pairs that are chosen by their distance, per particle of the scene.
static double memory_of_pairs(const Scene& scene) {
  constexpr double of_a_pair = 120;  // particles, data, multiplier and moves, and lists on the host
  double pairs = 0;
  for (const Constraint& constraint : scene.constraints) {
    if (!(constraint.nearest > 0)) continue;
    const double inside = most_inside(constraint.within, scene);
    const double reach = constraint.nearest / scene.spacing;
    const double around =
        scene.dimensions == 3 ? 4.19 * reach * reach * reach : 3.14 * reach * reach;
    pairs += 0.5 * inside * std::min(inside, around);
  }
  return pairs > 0 ? of_a_pair * pairs / estimate_particles(scene) : 0;
}

double work_memory(const Scene& scene) {
  const Params params = make_parameters<Params>(scene.solver);
  const double neighbors = expected_neighbors(search_reach(scene, params), scene.dimensions);
  // Place of search, candidate, multiplier, records, pushes and density; keys and order of the
  // sort; list with its start and length.
  const double common = 16 + 16 + 16 + 64 + 16 + 4 + 6 * 4 + (1.25 * neighbors + 8) * 4 + 8;
  // Spin; surface, push and part of mirrors near bodies; where the step of solids began.
  const double vorticity = params.vorticity > 0 ? 16 : 0,
               bodies = scene.bodies.empty() ? 0 : 16 + 4;
  const double solids = scene.solids.empty() ? 0 : 16 + 16;
  const double viscosity = make_setup(scene).viscosity.implicit ? memory_of_viscosity() : 0;
  return common + viscosity + bodies + vorticity + solids + memory_of_pairs(scene);
}

}  // namespace panta::unified
