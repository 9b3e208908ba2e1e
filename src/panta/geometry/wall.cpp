#include "panta/geometry/wall.h"

namespace panta {

namespace {

Vec3 unit(int axis, float sign) {
  Vec3 v;
  v[axis] = sign;
  return v;
}

void add_domain(const Scene& scene, float reach, WallList& list) {
  list.clear_min = {-1e30f, -1e30f, -1e30f};
  list.clear_max = {1e30f, 1e30f, 1e30f};
  if (!scene.has_domain) return;
  const Domain& domain = scene.domain;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    if (!domain.walls[static_cast<std::size_t>(side)] || axis >= scene.dimensions) continue;
    const bool upper = side % 2 == 1;
    const Vec3 corner = to_float(upper ? domain.max : domain.min);
    list.walls.push_back({WallPiece::solid, Shape::plane(corner, unit(axis, upper ? -1.0f : 1.0f)),
                          domain.surfaces[static_cast<std::size_t>(side)]});
    (upper ? list.clear_max : list.clear_min)[axis] = corner[axis] + (upper ? -reach : reach);
  }
  list.planes = static_cast<int>(list.walls.size());
}

void add_plane(const Body& body, const Vec3& point, const Vec3& normal, WallList& list) {
  list.walls.push_back({WallPiece::solid, Shape::plane(point, normal), body.surface});
}

void add_hollow(const Body& body, int dimensions, WallList& list) {
  const Shape& s = body.shape;
  switch (s.type) {
    case ShapeType::box:
      for (int axis = 0; axis < dimensions; ++axis) {
        add_plane(body, s.a, unit(axis, 1), list);
        add_plane(body, s.b, unit(axis, -1), list);
      }
      return;
    case ShapeType::sphere:
      list.walls.push_back({WallPiece::hollow_sphere, s, body.surface});
      return;
    case ShapeType::cylinder:
      list.walls.push_back({WallPiece::hollow_side, s, body.surface});
      add_plane(body, s.a, s.b - s.a, list);
      add_plane(body, s.b, s.a - s.b, list);
      return;
    case ShapeType::plane:
      add_plane(body, s.a, -s.b, list);
      return;
  }
}

}  // namespace

WallList make_walls(const Scene& scene, float reach) {
  WallList list;
  add_domain(scene, reach, list);
  for (const Body& body : scene.bodies) {
    if (body.hollow) {
      add_hollow(body, scene.dimensions, list);
    } else {
      list.walls.push_back({WallPiece::solid, body.shape, body.surface});
    }
  }
  return list;
}

}  // namespace panta
