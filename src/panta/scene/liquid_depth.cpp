#include "panta/scene/liquid_depth.h"

#include <algorithm>
#include <cmath>

#include "panta/geometry/bounds.h"

namespace panta {

namespace {

// Depth of the fluids whose material satisfies `counts(material)`.
template <class Counts>
double depth_of(const Scene& scene, const Counts& counts) {
  const double g = length(scene.gravity);
  if (!(g > 0)) return 0;
  const Vec3d up = scene.gravity * (-1 / g);
  double low = 1e300, high = -1e300;
  for (const Fluid& fluid : scene.fluids) {
    const Material& material = scene.materials[static_cast<std::size_t>(fluid.material)];
    const ShapeBounds box = shape_bounds(fluid.shape);
    if (!counts(material) || box.empty() || !box.finite()) continue;
    const Vec3d middle = (box.min + box.max) * 0.5, half = (box.max - box.min) * 0.5;
    const double reach =
        std::abs(up.x) * half.x + std::abs(up.y) * half.y + std::abs(up.z) * half.z;
    low = std::min(low, dot(middle, up) - reach);
    high = std::max(high, dot(middle, up) + reach);
  }
  return std::max(0.0, high - low);
}

}  // namespace

double liquid_depth(const Scene& scene) {
  return depth_of(scene, [](const Material& m) { return m.kind == MaterialKind::liquid; });
}

double filled_depth(const Scene& scene) {
  return depth_of(scene, [](const Material&) { return true; });
}

}  // namespace panta
