#include "panta/geometry/shape_mesh.h"

#include <cmath>

#include "panta/core/error_format.h"
#include "panta/geometry/dual_contour.h"
#include "panta/geometry/shape_program.h"

namespace panta {

namespace {

constexpr double most_cells = 1e10;    // in the box; nearly all of them are never visited
constexpr double unseen_share = 1e-3;  // of the cells on the surface: limit of unresolved ones

void check(const ShapeBounds& box, float cell) {
  if (!(cell > 0 && std::isfinite(cell)))
    throw Error(ErrorKind::usage, "meshing a shape: the cell is {} m; it must be positive", cell);
  if (!box.finite())
    throw Error(ErrorKind::usage,
                "meshing a shape: it reaches to infinity; give the box that is to be meshed");
  const Vec3d size = box.max - box.min;
  if (size.x / cell * (size.y / cell) * (size.z / cell) > most_cells)
    throw Error(ErrorKind::usage,
                "meshing a shape: cells of {} m are too small for a box of {:g} x {:g} x {:g} m; "
                "use larger ones",
                cell, size.x, size.y, size.z);
}

}  // namespace

SurfaceMesh mesh_shape(const Shape& shape, const ShapeBounds& box, float cell,
                       const ShapeMeshOptions& options) {
  if (shape.empty() || box.empty()) return {};
  check(box, cell);
  const Vec3 min = to_float(box.min), max = to_float(box.max);
  const Shape cut = Shape::box(min, max);
  const DistanceFunction distance = [view = shape.view(), box = cut.view()](const Vec3& x) {
    return detail::combined(ShapeOp::intersect, 0, panta::distance(view, x),
                            panta::distance(box, x));
  };
  DualContour contour = dual_contour(distance, min, max, cell);
  for (int halving = 0; halving < options.most_halvings; ++halving) {
    const bool resolved =
        static_cast<double>(contour.unseen) <= unseen_share * static_cast<double>(contour.cubes);
    if (resolved) break;
    cell *= 0.5f;
    check(box, cell);
    contour = dual_contour(distance, min, max, cell);
  }
  if (options.crease_angle > 0) split_creases(contour.mesh, distance, options.crease_angle);
  return std::move(contour.mesh);
}

SurfaceMesh mesh_shape(const Shape& shape, float cell, const ShapeMeshOptions& options) {
  ShapeBounds box = shape_bounds(shape);
  check(box, cell);
  const Vec3d margin = Vec3d{0.1, 0.1, 0.1} * double{cell};  // so that the box cuts nothing
  return mesh_shape(shape, {box.min - margin, box.max + margin}, cell, options);
}

}  // namespace panta
