// Small scenes of grains and free solids for the tests of the unified method, and measurements on
// them.
#pragma once

#include <algorithm>
#include <cmath>

#include "device_list.h"
#include "panta/scene/sample_solids.h"
#include "panta/validation/unified_scenes.h"

namespace panta {

using validation::earth_gravity;
using validation::fastest_of;
using validation::material_of;

// One material, no domain, no gravity.
inline Scene empty_space(MaterialKind kind, double spacing = 0.05) {
  Scene scene = validation::unified_scene(material_of(kind), spacing);
  scene.gravity = {};
  return scene;
}

// A wide floor at y = 0 with this friction, and gravity.
inline Scene above_floor(MaterialKind kind, float friction, double spacing = 0.05) {
  return validation::above_floor(material_of(kind), spacing, friction);
}

// A single particle.
inline Fluid grain_at(const Vec3& x, const Vec3& velocity = {}, int material = 0) {
  const Vec3 half{1e-3f, 1e-3f, 1e-3f};
  return {material, Shape::box(x - half, x + half), velocity};
}

// A free box with its lower corner at `low`, of this many particles along each axis.
inline Solid block_at(const Scene& scene, const Vec3& low, int nx, int ny, int nz) {
  const float s = static_cast<float>(scene.spacing);
  return validation::block_at(
      scene, low,
      {s * static_cast<float>(nx), s * static_cast<float>(ny), s * static_cast<float>(nz)});
}

// Mean of the values [first, first + count); of all values without a count.
inline Vec3d mean_of(const std::vector<Vec3>& values, std::size_t first = 0,
                     std::size_t count = ~std::size_t{0}) {
  const std::size_t end = first + std::min(count, values.size() - first);
  Vec3d sum;
  for (std::size_t i = first; i < end; ++i) sum += to_double(values[i]);
  return sum * (1.0 / static_cast<double>(end - first));
}

inline Vec3d momentum_of(const Simulation& sim, const ParticleFrame& frame) {
  Vec3d sum;
  for (std::size_t i = 0; i < frame.size(); ++i)
    sum += to_double(frame.velocity()[i]) * sim.particle_mass(frame.phase()[i]);
  return sum;
}

inline bool all_finite(const ParticleFrame& frame) {
  const auto finite = [](const Vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
  };
  return std::all_of(frame.position().begin(), frame.position().end(), finite) &&
         std::all_of(frame.velocity().begin(), frame.velocity().end(), finite);
}

// Largest relative change of any distance between particles of a body.
inline double deformation(const ParticleFrame& before, const ParticleFrame& now, std::size_t first,
                          std::size_t count) {
  double worst = 0;
  for (std::size_t i = first; i < first + count; ++i)
    for (std::size_t j = i + 1; j < first + count; ++j) {
      const double was = length(before.position()[i] - before.position()[j]);
      const double is = length(now.position()[i] - now.position()[j]);
      worst = std::max(worst, std::abs(is / was - 1));
    }
  return worst;
}

}  // namespace panta
