#include "panta/walls/wall.h"

#include <algorithm>
#include <cmath>

#include "panta/geometry/bounds.h"
#include "panta/geometry/distance_grid.h"
#include "panta/geometry/mass_properties.h"
#include "panta/scene/contact_rules.h"

namespace panta {

namespace {

constexpr float far_away = 1e30f;
constexpr std::size_t few_parts =
    4;  // up to this number of nodes a solid is evaluated without a distance grid
constexpr double most_cells_across = 400;
constexpr double most_clearance_cells = 1 << 22;

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
  list.motions.push_back(motion.whole_program(static_cast<int>(list.keys.size())));
  list.keys.insert(list.keys.end(), motion.keys.begin(), motion.keys.end());
}

bool has_blend(const Shape& shape) {
  return std::any_of(shape.nodes().begin(), shape.nodes().end(), [](const ShapeNode& n) {
    return (n.op == ShapeOp::unite || n.op == ShapeOp::intersect) && n.amount > 0;
  });
}

// The solid in the form that steps evaluate.
Shape evaluated_shape(const WallSolidKey& key) {
  const ShapeBounds bounds = shape_bounds(key.shape);
  const Shape whole = key.hollow ? key.shape.complement() : key.shape;
  if (key.shape.nodes().size() <= few_parts || !has_blend(key.shape) || !bounds.finite())
    return whole;
  const double cell =
      std::max(0.5 * key.spacing, length(bounds.max - bounds.min) / most_cells_across);
  const auto grid = std::make_shared<const DistanceGrid>(
      [&](const Vec3& x) { return distance(key.shape, x); }, to_float(bounds.min),
      to_float(bounds.max), static_cast<float>(cell), key.reach + static_cast<float>(cell));
  return key.hollow ? Shape::grid(grid).complement() : Shape::grid(grid);
}

// Marks the cells that may contain a point within reach of the solid.
void set_clearance(const WallSolidKey& key, WallSolid& solid) {
  const ShapeBounds bounds = shape_bounds(key.shape);
  const bool simple = key.shape.nodes().size() <= few_parts && key.shape.grids().empty();
  if (simple || !bounds.finite()) return;
  Clearance& c = solid.clearance;
  const float reach = key.reach;
  const Shape whole = key.hollow ? key.shape.complement() : key.shape;
  const Vec3d size = bounds.max - bounds.min + Vec3d{2 * reach, 2 * reach, 2 * reach};
  const double cell =
      std::max(double(reach), std::cbrt(size.x * size.y * size.z / most_clearance_cells));
  c.origin = to_float(bounds.min) - Vec3{reach, reach, reach};
  c.inverse_cell = static_cast<float>(1 / cell);
  c.solid_outside = key.hollow;
  for (int axis = 0; axis < 3; ++axis)
    c.count[axis] = static_cast<int>(std::ceil(size[axis] / cell)) + 1;
  solid.near_cells.resize(static_cast<std::size_t>(c.count[0]) *
                          static_cast<std::size_t>(c.count[1]) *
                          static_cast<std::size_t>(c.count[2]));
  const float far_enough = reach + static_cast<float>(0.5 * std::sqrt(3.0) * cell * 1.001);
#pragma omp parallel for schedule(static)
  for (int k = 0; k < c.count[2]; ++k)
    for (int j = 0; j < c.count[1]; ++j)
      for (int i = 0; i < c.count[0]; ++i) {
        const Vec3 middle = to_float(to_double(c.origin) + Vec3d{i + 0.5, j + 0.5, k + 0.5} * cell);
        const std::size_t at = static_cast<std::size_t>((k * c.count[1] + j) * c.count[0] + i);
        solid.near_cells[at] = distance(whole, middle).value < far_enough;
      }
}

// The frame of a free body's wall has its origin at the centre of mass, about which the body
// rotates.
WallSolid make_wall_solid(WallSolidKey key) {
  WallSolid made;
  if (key.free) {
    made.mass = mass_properties(key.shape, key.flat);
    key.shape = key.shape.moved(to_float(made.mass.centre * -1.0));
  }
  made.solid = evaluated_shape(key);
  set_clearance(key, made);
  const ShapeBounds bounds = shape_bounds(made.solid);
  const Vec3 margin{key.reach, key.reach, key.reach};
  made.box_min = to_float(bounds.min) - margin;
  made.box_max = to_float(bounds.max) + margin;
  return made;
}

void add_body(const Body& body, const WallSolid& made, WallList& list) {
  WallBody wall;
  wall.solid = list.solids.add(made.solid);
  wall.surface = body.surface;
  wall.clearance = made.clearance;
  wall.clearance.first = static_cast<std::uint32_t>(list.near_cells.size());
  list.near_cells.insert(list.near_cells.end(), made.near_cells.begin(), made.near_cells.end());
  wall.box_min = made.box_min;
  wall.box_max = made.box_max;
  if (body.motion.moves()) {
    wall.motion = static_cast<int>(list.motions.size());
    add_motion(body.motion, list);
  }
  list.bodies.push_back(wall);
}

// One bit for each material.
std::uint32_t materials_that_ignore(const Body& body, const Scene& scene) {
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < scene.materials.size() && k < 32; ++k)
    if (!touches(scene.materials[k], body)) bits |= 1u << k;
  return bits;
}

}  // namespace

WallList make_walls(const Scene& scene, float reach, const WallList* before) {
  WallList list;
  add_domain(scene, reach, list);
  for (const Body& body : scene.bodies) {
    if (body.trigger) continue;
    const WallSolidKey key{body.shape,    body.hollow, body.free.has_value(), scene.dimensions == 2,
                           scene.spacing, reach};
    const WallSolid& made =
        list.kept.get(key, before ? &before->kept : nullptr, [&] { return make_wall_solid(key); });
    if (body.free)
      list.free.push_back({static_cast<int>(&body - scene.bodies.data()),
                           static_cast<int>(list.bodies.size()), made.mass});
    add_body(body, made, list);
    list.bodies.back().surface.ignored_by = materials_that_ignore(body, scene);
  }
  for (std::size_t k = 0; k < list.free.size(); ++k) {
    WallBody& wall = list.bodies[static_cast<std::size_t>(list.free[k].wall)];
    wall.free = static_cast<int>(k);
    wall.motion = static_cast<int>(list.motions.size() + k);
  }
  return list;
}

}  // namespace panta
