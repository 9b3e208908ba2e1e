#include "panta/scene/true_distance.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error.h"
#include "panta/geometry/shape_mesh.h"

namespace panta {

namespace {

constexpr double skin_spacings = 1e-3;  // tolerance for rounded faces
constexpr double cell_spacings = 0.5;   // of the mesh, minimum
constexpr double most_cells = 100;      // of the mesh, across the shape
constexpr float near_skins = 2000;      // depth down to which the shape's own distance is tried
constexpr float projection_skins = 20;  // largest distance of a projected point from the surface
constexpr float projection_cosine = 0.999f;  // largest deviation of the projection from the normal
constexpr float on_surface = 10;             // skins, below which the shape's own normal is used
constexpr float end_face_cosine = 0.7f;

bool has_true_distance(const Shape& shape) {
  const ShapeNode* node = shape.primitive();
  return node && node->op != ShapeOp::ellipsoid && node->op != ShapeOp::grid;
}

TriangleMesh surface_of(const Shape& shape, double spacing, int dimensions) {
  ShapeMeshOptions options;
  options.crease_angle = 0;
  options.most_halvings = 0;
  ShapeBounds slab = shape_bounds(shape);
  const Vec3d size = slab.max - slab.min;
  const double extent = std::max({size.x, size.y, dimensions == 2 ? 0 : size.z});
  const auto cell = static_cast<float>(std::max(cell_spacings * spacing, extent / most_cells));
  SurfaceMesh mesh;
  if (dimensions == 2) {
    const double margin = 0.1 * double{cell};
    slab.min = {slab.min.x - margin, slab.min.y - margin, -2 * double{cell}};
    slab.max = {slab.max.x + margin, slab.max.y + margin, 2 * double{cell}};
    mesh = mesh_shape(shape, slab, cell, options);
  } else {
    mesh = mesh_shape(shape, cell, options);
  }
  TriangleMesh surface;
  surface.vertices = std::move(mesh.position);
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = surface.vertices[t[0]], b = surface.vertices[t[1]], c = surface.vertices[t[2]];
    const bool is_end = std::abs(normalized(cross(b - a, c - a)).z) > end_face_cosine;
    if (dimensions == 3 || !is_end) surface.triangles.push_back(t);
  }
  return surface;
}

}  // namespace

TrueDistance::TrueDistance(const Shape& shape, double spacing, int dimensions)
    : shape_(shape), skin_(static_cast<float>(skin_spacings * spacing)), dimensions_(dimensions) {
  if (has_true_distance(shape)) return;
  const TriangleMesh surface = surface_of(shape, spacing, dimensions);
  // A shape too thin for the mesh uses its own distance.
  if (!surface.triangles.empty()) surface_.emplace(surface);
}

// Slightly below the surface the shape's own distance is usually exact: it leads to a point of the
// surface, at a right angle. This also finds thin parts that the mesh misses.
bool TrueDistance::leads_to_surface(const Vec3& x, const Distance& own) const {
  if (own.value < -near_skins * skin_) return false;
  const Distance foot = distance(shape_, x - own.normal * own.value);
  const Distance beyond = distance(shape_, x + own.normal * (projection_skins * skin_ - own.value));
  return std::abs(foot.value) < projection_skins * skin_ && beyond.value > 0 &&
         dot(beyond.normal, own.normal) > projection_cosine;
}

Distance TrueDistance::at(const Vec3& x) const {
  Distance d = distance(shape_, x);
  if (surface_ && !leads_to_surface(x, d)) {
    const Vec3 gap = surface_->closest_point(x) - x;
    const float size = length(gap);
    d.value = d.value < skin_ ? -size : size;
    if (size > on_surface * skin_) d.normal = gap * (-1 / d.value);
  }
  if (dimensions_ == 2) d.normal = normalized(Vec3{d.normal.x, d.normal.y, 0});
  return d;
}

}  // namespace panta
