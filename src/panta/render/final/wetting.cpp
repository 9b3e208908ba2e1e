#include "panta/render/final/wetting.h"

namespace panta {

namespace {

constexpr float overlap =
    0.1f;                   // relative to the gap: how far the liquid then extends into the solid
constexpr float slant = 2;  // search distance in gaps, as a normal may meet a wall obliquely
constexpr float least_tangential = 0.3f;  // least tangential part of a normal for another search

struct Contact {
  bool found = false;
  Vec3 normal;     // of the wall, towards the liquid
  float away = 0;  // m from the wall to the vertex
};

Contact find_wall(const Vec3& vertex, const Vec3& direction, const RayScene& solids,
                  const std::optional<Ground>& ground, float gap) {
  // Starts slightly inside, for vertices that lie on a wall already.
  const Ray ray{vertex - direction * (overlap * gap), direction};
  SurfaceHit hit;
  bool found = solids.nearest(ray, slant * gap, hit) && hit.front;
  if (ground && direction.y < 0) {
    const float down = (ground->center.y - ray.origin.y) / direction.y;
    if (down >= 0 && down < std::min(slant * gap, hit.distance)) {
      hit.distance = down;
      hit.normal = {0, 1, 0};
      found = true;
    }
  }
  const Vec3 wall = ray.origin + direction * hit.distance;
  const float away = found ? dot(hit.normal, vertex - wall) : 0;
  return {found && away < gap, hit.normal, away};
}

// The new position of the vertex. In edges and corners it touches up to three walls: each is
// searched along the part of the normal that is tangential to the walls found before.
Vec3 moved_into_walls(const Vec3& vertex, const Vec3& normal, const RayScene& solids,
                      const std::optional<Ground>& ground, float gap) {
  Vec3 to = vertex, direction = normal;
  for (int wall = 0; wall < 3; ++wall) {
    const Contact contact = find_wall(vertex, normalized(direction), solids, ground, gap);
    if (!contact.found) break;
    to -= contact.normal * (contact.away + overlap * gap);
    direction -= contact.normal * dot(direction, contact.normal);
    if (length(direction) < least_tangential) break;
  }
  return to;
}

}  // namespace

SurfaceMesh wetted(const SurfaceMesh& liquid, const RayScene& solids,
                   const std::optional<Ground>& ground, float gap) {
  SurfaceMesh out = liquid;
  if (liquid.normal.size() != liquid.position.size()) return out;
  for (std::size_t k = 0; k < out.position.size(); ++k)
    out.position[k] = moved_into_walls(liquid.position[k], liquid.normal[k], solids, ground, gap);
  return out;
}

}  // namespace panta
