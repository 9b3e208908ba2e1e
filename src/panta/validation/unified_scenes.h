// What the scenes of the unified method's studies and tests have in common.
#pragma once

#include "panta/engine/simulation.h"

namespace panta::validation {

inline constexpr double earth_gravity = 9.81;

Material material_of(MaterialKind kind, double density = 1000);

// One material, no domain.
Scene unified_scene(const Material& material, double spacing);

// The same above a floor at y = 0 that has this friction.
Scene above_floor(const Material& material, double spacing, double friction);

// A free box of the first material that is solid, with its lower corner at `low`.
Solid block_at(const Scene& scene, const Vec3& low, const Vec3& size);

Vec3d mean_of(const std::vector<Vec3>& values);
double fastest_of(const ParticleFrame& frame);

}  // namespace panta::validation
