#include "panta/scene/fluid_space.h"

#include <cmath>
#include <cstdint>

namespace panta {
namespace {

constexpr float clearance_of_particles = 0.25f;  // spacings

// The part of a shape inside the domain's walls and periods.
Shape within_domain(const Scene& scene, const Shape& shape, ShapeBounds& bounds) {
  if (!scene.has_domain) return shape;
  Shape inside = shape;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const bool upper = side % 2 == 1;
    if (!scene.domain.walls[static_cast<std::size_t>(side)] &&
        !scene.domain.periodic[static_cast<std::size_t>(axis)])
      continue;
    double& edge = upper ? bounds.max[axis] : bounds.min[axis];
    const double limit = upper ? scene.domain.max[axis] : scene.domain.min[axis];
    if (upper ? edge <= limit : edge >= limit) continue;
    edge = limit;
    Vec3 point, normal;
    point[axis] = static_cast<float>(limit);
    normal[axis] = upper ? 1.0f : -1.0f;
    inside = intersect(inside, Shape::plane(point, normal));
  }
  return inside;
}

}  // namespace

FluidSpace::FluidSpace(const Scene& scene, const Fluid& fluid, const PosedBodies& bodies)
    : bounds_(shape_bounds(fluid.shape)),
      scene_(scene),
      shape_(within_domain(scene, fluid.shape, bounds_)),
      bodies_(bodies),
      material_(fluid.material),
      clearance_(clearance_of_particles * static_cast<float>(scene.spacing)) {}

Distance FluidSpace::operator()(const Vec3& x) const {
  Distance d = distance(shape_, x);
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (bodies_.touched_by(k, material_)) d = intersection(d, inverted(bodies_.to_surface(k, x)));
  return d;
}

double FluidSpace::volume() const {
  const int dimensions = scene_.dimensions, across = dimensions == 2 ? 8 : 4;
  const double spacing = scene_.spacing, half = 0.5 * std::sqrt(double(dimensions)) * spacing;
  std::int64_t count[3] = {1, 1, 1};
  for (int axis = 0; axis < dimensions; ++axis)
    count[axis] = std::int64_t(std::ceil((bounds_.max[axis] - bounds_.min[axis]) / spacing));
  const int parts[3] = {across, across, dimensions == 2 ? 1 : across};
  const std::int64_t whole = parts[0] * parts[1] * parts[2];
  const auto point = [&](const std::int64_t(&cell)[3], const Vec3d& share) {
    Vec3d x;
    for (int axis = 0; axis < dimensions; ++axis)
      x[axis] = bounds_.min[axis] + (double(cell[axis]) + share[axis]) * spacing;
    return to_float(x);
  };
  std::int64_t inside = 0;
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : inside)
  for (std::int64_t k = 0; k < count[2]; ++k)
    for (std::int64_t j = 0; j < count[1]; ++j)
      for (std::int64_t i = 0; i < count[0]; ++i) {
        const std::int64_t cell[3] = {i, j, k};
        const double d = (*this)(point(cell, {0.5, 0.5, 0.5})).value;
        if (std::abs(d) > half) {
          inside += d < 0 ? whole : 0;
          continue;
        }
        for (int n = 0; n < whole; ++n) {
          const int at[3] = {n % across, n / across % across, n / across / across};
          Vec3d share;
          for (int axis = 0; axis < 3; ++axis) share[axis] = (at[axis] + 0.5) / parts[axis];
          inside += (*this)(point(cell, share)).value < 0;
        }
      }
  return double(inside) / double(whole);
}

bool FluidSpace::clear_of_walls(const Vec3& x) const {
  for (int side = 0; side < 2 * scene_.dimensions && scene_.has_domain; ++side) {
    const int axis = side / 2;
    const double inside = side % 2 == 1 ? scene_.domain.max[axis] - double{x[axis]}
                                        : double{x[axis]} - scene_.domain.min[axis];
    if (scene_.domain.walls[static_cast<std::size_t>(side)] && inside < double{clearance_})
      return false;
  }
  return true;
}

}  // namespace panta
