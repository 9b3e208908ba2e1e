#include "panta/geometry/wall.h"

#include "panta/geometry/bounds.h"

namespace panta {

namespace {

constexpr float far_away = 1e30f;

Vec3 unit(int axis, float sign) {
  Vec3 v;
  v[axis] = sign;
  return v;
}

void add_domain(const Scene& scene, float reach, WallList& list) {
  list.clear_min = {-far_away, -far_away, -far_away};
  list.clear_max = {far_away, far_away, far_away};
  if (!scene.has_domain) return;
  const Domain& domain = scene.domain;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    if (!domain.walls[static_cast<std::size_t>(side)] || axis >= scene.dimensions) continue;
    const bool upper = side % 2 == 1;
    const Vec3 corner = to_float(upper ? domain.max : domain.min);
    list.planes.push_back({corner, unit(axis, upper ? -1.0f : 1.0f),
                           domain.surfaces[static_cast<std::size_t>(side)]});
    (upper ? list.clear_max : list.clear_min)[axis] = corner[axis] + (upper ? -reach : reach);
  }
}

void add_motion(const Motion& motion, WallList& list) {
  MotionProgram program = motion.program;
  program.first_key = static_cast<int>(list.keys.size());
  program.key_count = static_cast<int>(motion.keys.size());
  list.motions.push_back(program);
  list.keys.insert(list.keys.end(), motion.keys.begin(), motion.keys.end());
}

void add_body(const Body& body, float reach, WallList& list) {
  const Shape solid = solid_of(body);
  WallBody wall;
  wall.first_node = static_cast<int>(list.nodes.size());
  wall.node_count = static_cast<int>(solid.nodes().size());
  wall.surface = body.surface;
  const auto first_grid = static_cast<std::int32_t>(list.grids.size());
  for (ShapeNode node : solid.nodes()) {
    node.grid += first_grid;
    list.nodes.push_back(node);
  }
  list.grids.insert(list.grids.end(), solid.grids().begin(), solid.grids().end());
  const ShapeBounds bounds = shape_bounds(solid);
  const Vec3 margin{reach, reach, reach};
  wall.box_min = to_float(bounds.min) - margin;
  wall.box_max = to_float(bounds.max) + margin;
  if (body.motion.moves()) {
    wall.motion = static_cast<int>(list.motions.size());
    add_motion(body.motion, list);
  }
  list.bodies.push_back(wall);
}

}  // namespace

Shape solid_of(const Body& body) { return body.hollow ? body.shape.complement() : body.shape; }

WallList make_walls(const Scene& scene, float reach) {
  WallList list;
  add_domain(scene, reach, list);
  for (const Body& body : scene.bodies) add_body(body, reach, list);
  return list;
}

}  // namespace panta
