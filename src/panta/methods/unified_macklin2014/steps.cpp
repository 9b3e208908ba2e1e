#include "panta/methods/unified_macklin2014/steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/scene/liquid_depth.h"

namespace panta::unified {

namespace {

constexpr double compression_scale = 2.05;  // measured, see steps.h
constexpr double wanted_compression = 0.02, wanted_of_grains = 0.06;
constexpr double usual_substeps = 4, most_substeps = 64;
constexpr double longest_step = 1.0 / 120;  // s, between searches
constexpr double travel_per_substep = 0.2;  // spacings
constexpr double most_shortened = 4;        // fast particles make steps shorter, at most by this

bool has_liquids(const Scene& scene) {
  return std::any_of(scene.materials.begin(), scene.materials.end(),
                     [](const Material& m) { return m.kind == MaterialKind::liquid; });
}

// s; infinite where nothing presses.
double longest_substep(const Scene& scene, const Params& params) {
  const double head = filled_depth(scene) * length(scene.gravity);
  if (!(head > 0)) return HUGE_VAL;
  const double wanted = has_liquids(scene) ? wanted_compression : wanted_of_grains;
  return scene.spacing * std::sqrt(params.iterations * wanted / (compression_scale * head));
}

}  // namespace

double longest_step_of_tension(const Material& material, double spacing) {
  const double k = std::numbers::pi / spacing;
  return std::sqrt(material.density / (k * k * k * material.surface_tension));
}

Params with_steps(const Scene& scene, Params params) {
  const double dt = longest_substep(scene, params);
  const bool open = params.time_step == 0;
  if (params.substeps == 0)
    params.substeps =
        open ? usual_substeps
             : std::clamp(std::ceil(params.time_step / dt), usual_substeps, most_substeps);
  if (!open) return params;
  params.time_step = std::min(longest_step, params.substeps * dt);
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
  return compression_scale * depth * length(scene.gravity) * dt * dt /
         (scene.spacing * scene.spacing);
}

}  // namespace panta::unified
