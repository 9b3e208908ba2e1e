#include <cmath>
#include <numbers>

#include "panta/core/error_format.h"
#include "panta/scene/contact_rules.h"
#include "panta/solver/particle_setup.h"

namespace panta {

double expected_neighbors(double ratio, int dimensions) {
  constexpr double pi = std::numbers::pi;
  return dimensions == 3 ? 4.0 / 3 * pi * ratio * ratio * ratio : pi * ratio * ratio;
}

// Scene files are checked when they are read; programs may set any values.
static void check_materials(const Scene& scene) {
  for (const Material& m : scene.materials)
    if (!(m.density > 0 && std::isfinite(m.density)))
      throw Error(ErrorKind::usage, "the density of material '{}' must be above 0, got {}", m.name,
                  m.density);
}

ParticleSetup make_particle_setup(const Scene& scene, double support, const ParticleSetup* before) {
  check_materials(scene);
  ParticleSetup s;
  s.spacing = scene.spacing;
  s.dimensions = scene.dimensions;
  s.grid.radius = static_cast<float>(support);
  s.grid.dimensions = scene.dimensions;
  s.grid.spacing = static_cast<float>(scene.spacing);
  s.grid.period_origin = to_float(scene.domain.min);
  for (int axis = 0; axis < scene.dimensions; ++axis)
    if (scene.has_domain && scene.domain.periodic[static_cast<std::size_t>(axis)])
      s.grid.period[axis] = static_cast<float>(scene.domain.max[axis] - scene.domain.min[axis]);
  s.walls = make_walls(scene, static_cast<float>(support), before ? &before->walls : nullptr);
  s.gravity = to_float(scene.gravity);
  if (scene.dimensions == 2) s.gravity.z = 0;
  s.fields = scene.fields;
  s.emitters = make_emitters(scene, support);
  s.sinks = make_sinks(scene);
  s.list_capacity =
      static_cast<Index>(expected_neighbors(support / scene.spacing, scene.dimensions)) * 5 / 4 + 8;
  return s;
}

void set_free_bodies(ParticleSetup& setup, const Scene& scene, double longest_step,
                     const ParticleSetup* before) {
  setup.bodies =
      make_free_bodies(scene, setup.walls, longest_step, before ? &before->bodies : nullptr);
}

void check_change(const Scene& before, const Scene& after) {
  const auto require = [](bool same, const char* what) {
    if (!same)
      throw Error(ErrorKind::usage, "'{}' cannot change during a run: start a new one", what);
  };
  require(before.method == after.method, "method");
  require(before.spacing == after.spacing, "spacing");
  require(before.dimensions == after.dimensions, "dimensions");
  require(before.materials.size() == after.materials.size(), "the number of materials");
  for (std::size_t k = 0; k < before.materials.size(); ++k)
    require(before.materials[k].kind == after.materials[k].kind, "the kind of a material");
  require(has_rest_distances(before) == has_rest_distances(after),
          "whether materials have a rest distance");
  require(before.solids.size() == after.solids.size(), "the number of solids");
  require(before.emitters.size() == after.emitters.size(), "the number of emitters");
  require(before.domain.periodic == after.domain.periodic, "domain.periodic");
  for (int axis = 0; axis < 3; ++axis)
    require(!before.domain.periodic[static_cast<std::size_t>(axis)] ||
                (before.domain.min[axis] == after.domain.min[axis] &&
                 before.domain.max[axis] == after.domain.max[axis]),
            "the period of 'domain'");
}

void check_saved(const std::vector<std::uint32_t>& phase, const std::vector<std::uint32_t>& held,
                 const Scene& scene) {
  for (const std::uint32_t k : phase)
    if (k >= scene.materials.size())
      throw Error(ErrorKind::io, "the saved state has a particle of material {}, the scene has {}",
                  k, scene.materials.size());
  for (const std::uint32_t k : held)
    if (k > scene.emitters.size())
      throw Error(ErrorKind::io, "the saved state has a particle of emitter {}, the scene has {}",
                  k, scene.emitters.size());
}

}  // namespace panta
