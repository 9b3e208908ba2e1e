#include "panta/methods/unified_macklin2014/steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/scene/expected_speed.h"
#include "panta/scene/grain_depth.h"
#include "panta/scene/liquid_depth.h"

namespace panta::unified {

namespace {

constexpr double compression_at_sides = 1.5, compression_elsewhere = 2.05;  // see steps.h
constexpr double wanted_compression = 0.02;
constexpr double usual_substeps = 4, most_substeps = 64;
constexpr double longest_step = 1.0 / 120;  // s, between searches
constexpr double travel_per_substep = 0.2;  // spacings
constexpr double travel_of_grains = 0.7;    // spacings, between searches
constexpr double most_shortened = 4;        // largest factor for fast particles

double wanted_of_grains(const Scene& scene) { return scene.dimensions == 2 ? 0.011 : 0.0065; }

double compression_scale(const Scene& scene) {
  const auto& walls = scene.domain.walls;
  const bool has_sides =
      scene.has_domain && std::any_of(walls.begin(), walls.end(), [](bool wall) { return wall; });
  return has_liquids(scene) && has_sides ? compression_at_sides : compression_elsewhere;
}

// s; infinite without load.
double longest_substep(const Scene& scene, const Params& params) {
  const bool wet = has_liquids(scene);
  const double head = (wet ? filled_depth(scene) : grain_depth(scene)) * length(scene.gravity);
  if (!(head > 0)) return HUGE_VAL;
  const double wanted = wet ? wanted_compression : wanted_of_grains(scene);
  return scene.spacing * std::sqrt(params.iterations * wanted / (compression_scale(scene) * head));
}

// s, between searches; `dt`: the longest substep.
double usual_step(const Scene& scene, const Params& params, double dt) {
  const bool wet = has_liquids(scene);
  const double step =
      std::min(longest_step, (params.substeps > 0 ? params.substeps : usual_substeps) * dt);
  const double speed = wet ? 0 : expected_speed(scene);
  if (!(speed > 0)) return step;
  return std::clamp(travel_of_grains * scene.spacing / speed, step / most_shortened, step);
}

}  // namespace

bool has_liquids(const Scene& scene) {
  return std::any_of(scene.materials.begin(), scene.materials.end(),
                     [](const Material& m) { return m.kind == MaterialKind::liquid; });
}

double longest_step_of_tension(const Material& material, double spacing) {
  const double k = std::numbers::pi / spacing;
  return std::sqrt(material.density / (k * k * k * material.surface_tension));
}

Params with_steps(const Scene& scene, Params params) {
  const double dt = longest_substep(scene, params);
  const bool open = params.time_step == 0;
  if (open) params.time_step = usual_step(scene, params, dt);
  if (params.substeps == 0)
    params.substeps =
        std::clamp(std::ceil(params.time_step / dt * (1 - 1e-9)), usual_substeps, most_substeps);
  if (!open) return params;
  for (const Material& m : scene.materials)
    if (m.kind == MaterialKind::liquid && m.surface_tension > 0)
      params.time_step = std::min(params.time_step, longest_step_of_tension(m, scene.spacing));
  return params;
}

StepByTravel step_limits(const Scene& scene, const Params& params, const Params& given) {
  const bool open = given.time_step == 0 && given.max_travel == 0 && has_liquids(scene);
  const double travel = open ? travel_per_substep * params.substeps : params.max_travel;
  return {params.time_step, params.time_step / most_shortened, travel * scene.spacing};
}

double expected_compression(const Scene& scene, const Params& params, double depth) {
  const double dt = params.time_step / (params.substeps * std::sqrt(params.iterations));
  return compression_scale(scene) * depth * length(scene.gravity) * dt * dt /
         (scene.spacing * scene.spacing);
}

double expected_overlap(const Scene& scene, const Params& params) {
  if (has_liquids(scene)) return 0;
  return expected_compression(scene, params, grain_depth(scene)) * overlap_of_grains /
         wanted_of_grains(scene);
}

}  // namespace panta::unified
