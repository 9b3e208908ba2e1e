// With corners a, b, c of a triangle and the origin, a tetrahedron of signed volume
// v = a . (b x c) / 6 has
//   the first moment   int x dV     = v/4 (a + b + c)
//   the second moment  int x x^T dV = v/20 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c,
// and the tetrahedra of a closed mesh sum to its inside. The inertia is tr(C) 1 - C of the second
// moment C about the centre.
//
// The vertices of the mesh lie on the surface, so a round solid loses the volume between the
// surface and the triangles, in proportion to the square of their size. Two meshes, one twice as
// coarse, give an estimate of this error (Richardson extrapolation).
#include "panta/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/geometry/bounds.h"
#include "panta/geometry/shape_mesh.h"

namespace panta {

namespace {

constexpr int cells_across = 40;
constexpr double layer_cells = 4;  // thickness of the layer that represents a flat solid

struct Moments {
  double volume = 0;
  Vec3d first;
  Mat3d second;
};

Moments moments_about(const Vec3d& origin, const SurfaceMesh& mesh) {
  Moments sum;
  for (const Triangle& triangle : mesh.triangles) {
    const Vec3d a = to_double(mesh.position[triangle[0]]) - origin,
                b = to_double(mesh.position[triangle[1]]) - origin,
                c = to_double(mesh.position[triangle[2]]) - origin, s = a + b + c;
    const double v = dot(a, cross(b, c)) / 6;
    sum.volume += v;
    sum.first += s * (v / 4);
    sum.second = sum.second + (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s)) * (v / 20);
  }
  return sum;
}

Moments combined(const Moments& a, double of_a, const Moments& b, double of_b) {
  return {a.volume * of_a + b.volume * of_b, a.first * of_a + b.first * of_b,
          a.second * of_a + b.second * of_b};
}

Mat3d inertia_of(const Mat3d& second) {
  const double trace = second.row[0].x + second.row[1].y + second.row[2].z;
  return diagonal(trace, trace, trace) + second * -1.0;
}

double longest_side(const ShapeBounds& bounds, bool flat) {
  const Vec3d size = bounds.max - bounds.min;
  return std::max({size.x, size.y, flat ? 0.0 : size.z});
}

Moments moments_of(const Shape& shape, const Vec3d& about, bool flat) {
  const auto with_cells = [&](int cells) {
    const double thickness =
        flat ? layer_cells * longest_side(shape_bounds(shape), flat) / cells : 1;
    return combined(moments_about(about, body_mesh(shape, cells, flat)), 1 / thickness, {}, 0);
  };
  const Moments fine = with_cells(cells_across), coarse = with_cells(cells_across / 2);
  const bool resolved = std::abs(fine.volume - coarse.volume) < 0.03 * fine.volume;
  return resolved ? combined(fine, 4.0 / 3, coarse, -1.0 / 3) : fine;
}

}  // namespace

SurfaceMesh body_mesh(const Shape& shape, int cells, bool flat) {
  ShapeBounds bounds = shape_bounds(shape);
  if (shape.empty() || bounds.empty() || !bounds.finite())
    throw Error(ErrorKind::usage,
                "a body that moves freely must have a shape of finite size, this one {}",
                shape.empty() || bounds.empty() ? "is empty" : "reaches to infinity");
  const double cell = longest_side(bounds, flat) / cells;
  const ShapeMeshOptions closed{0, 2};
  if (!flat) return mesh_shape(shape, static_cast<float>(cell), closed);
  const Vec3d margin = Vec3d{cell, cell, 0};
  bounds.min = bounds.min - margin;
  bounds.max = bounds.max + margin;
  bounds.min.z = -0.5 * layer_cells * cell;
  bounds.max.z = -bounds.min.z;
  return mesh_shape(shape, bounds, static_cast<float>(cell), closed);
}

MassProperties mass_properties(const Shape& shape, bool flat) {
  const ShapeBounds bounds = shape_bounds(shape);
  const Vec3d middle = (bounds.min + bounds.max) * 0.5;
  const Moments m = moments_of(shape, middle, flat);
  if (!(m.volume > 0))
    throw Error(ErrorKind::usage, "a body that moves freely has a shape without volume{}",
                flat ? " in the plane z = 0" : "");
  const Vec3d offset = m.first * (1 / m.volume);
  MassProperties p;
  p.volume = m.volume;
  p.centre = middle + offset;
  if (flat) p.centre.z = 0;
  p.inertia = inertia_of(m.second + outer(offset, offset) * -m.volume);
  return p;
}

}  // namespace panta
