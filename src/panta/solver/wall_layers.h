// Walls as layers of particles behind a surface, to tabulate the contribution of a wall to a
// particle's sums. Layers are planes, or concentric spheres (circles in 2-D) below a curved
// surface.
#pragma once

#include <algorithm>
#include <cmath>

namespace panta {

// Integral over [a, b], Simpson's rule.
template <class F>
double integrate(double a, double b, const F& f) {
  constexpr int n = 400;
  if (b <= a) return 0;
  const double step = (b - a) / n;
  double sum = f(a) + f(b);
  for (int k = 1; k < n; ++k) sum += f(a + k * step) * (k % 2 ? 4 : 2);
  return sum * step / 3;
}

// Integral of f(r, z) over a layer, for f that vanishes for r >= h; z is the component of r along
// the normal. The layer is the plane at distance z (a line in 2-D) if `radius` is 0, else the
// sphere (circle) of that radius whose surface is at distance z.
template <class F>
double over_layer(double h, int dimensions, double z, double radius, const F& f) {
  constexpr double pi = 3.14159265358979323846;
  if (z >= h) return 0;
  if (radius == 0) {
    const double reach = std::sqrt(h * h - z * z);
    return integrate(0, reach, [&](double s) {
      return f(std::sqrt(s * s + z * z), z) * (dimensions == 3 ? 2 * pi * s : 2.0);
    });
  }
  const double from_center = radius + z;
  const double cosine =
      (from_center * from_center + radius * radius - h * h) / (2 * from_center * radius);
  return integrate(0, std::acos(std::max(-1.0, cosine)), [&](double angle) {
    const double height = from_center - radius * std::cos(angle), side = radius * std::sin(angle);
    return f(std::sqrt(height * height + side * side), height) *
           (dimensions == 3 ? 2 * pi * side * radius : 2 * radius);
  });
}

// visit(z, depth, radius) for the layers of a lattice. The first layer is half a spacing below a
// surface at distance d. Layers are planes if `outer` is 0, else spheres inside one of radius
// `outer`.
template <class Visit>
void each_layer(double h, double spacing, double d, double outer, const Visit& visit) {
  for (double depth = 0.5 * spacing; d + depth < h; depth += spacing) {
    if (outer > 0 && depth >= outer) return;
    visit(d + depth, depth, outer > 0 ? outer - depth : 0.0);
  }
}

}  // namespace panta
