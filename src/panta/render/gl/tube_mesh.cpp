#include <cmath>
#include <numbers>

#include "panta/render/gl/gl_picture.h"

namespace panta {

// The ring at each point is normal to the path's mean direction there; the direction of its first
// spoke is transported from ring to ring, so that the tube does not twist.
SurfaceMesh tube_along(const std::vector<Vec3>& path, float radius, int sides) {
  SurfaceMesh tube;
  const std::size_t rings = path.size();
  if (rings < 2) return tube;
  Vec3 spoke = {1, 0, 0};
  for (std::size_t k = 0; k < rings; ++k) {
    const Vec3 along =
        normalized(path[std::min(k + 1, rings - 1)] - path[k > 0 ? k - 1 : 0], {0, 1, 0});
    const Vec3 other = std::abs(along.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    const Vec3 kept = k > 0 ? spoke : other;
    spoke = normalized(kept - along * dot(kept, along), cross(along, {0, 0, 1}));
    const Vec3 across = cross(along, spoke);
    for (int side = 0; side < sides; ++side) {
      const float angle =
          2 * std::numbers::pi_v<float> * static_cast<float>(side) / static_cast<float>(sides);
      const Vec3 out = spoke * std::cos(angle) + across * std::sin(angle);
      tube.position.push_back(path[k] + out * radius);
      tube.normal.push_back(out);
    }
  }
  const auto count = static_cast<std::uint32_t>(sides);
  for (std::uint32_t ring = 0; ring + 1 < rings; ++ring)
    for (std::uint32_t side = 0; side < count; ++side) {
      const std::uint32_t next = (side + 1) % count;
      const std::uint32_t a = ring * count + side, b = ring * count + next;
      tube.triangles.push_back({a, b, b + count});
      tube.triangles.push_back({a, b + count, a + count});
    }
  return tube;
}

}  // namespace panta
