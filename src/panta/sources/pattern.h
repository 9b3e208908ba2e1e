// The pattern of points in which an emitter's layers enter: a square lattice in the profile with
// pitch p such that N points cover the profile's area A = N p^2 exactly, and layers at the distance
// L such that each point represents a particle's volume, p^2 L = spacing^3. Of all patterns near
// the spacing the one with p and L nearest to it is chosen.
#pragma once

#include <vector>

#include "panta/scene/scene.h"
#include "panta/sources/emitter.h"

namespace panta {

struct EmitterPattern {
  std::vector<Vec3> points;  // at the entry plane
  double area = 0;           // m2 (m in 2-D), of the profile
  double layer = 0;          // m, distance of the layers, L
  float depth = 0;           // m, from the entry to the opening: a whole number of layers
};

// `reach`: distance behind the opening at which particles still influence others, m. Error(usage)
// for a profile without area or too small for one point.
EmitterPattern make_pattern(const Emitter& emitter, double spacing, int dimensions, double reach);

// The scene's emitters for the device; specs[e] describes pattern[e]; the points of all patterns
// are concatenated.
struct EmitterList {
  std::vector<EmitterSpec> specs;
  std::vector<Vec3> points;
  std::vector<std::uint32_t> emitter_of;
};
EmitterList make_emitters(const Scene& scene, double reach);

}  // namespace panta
