#include "panta/methods/sph_mueller2003/calibration.h"

#include <cmath>

namespace panta::sph {

namespace {

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

// Integral of f(r) over the plane (3-D) or line (2-D) at distance z, for f that vanishes beyond h.
template <class F>
double over_plane(const ReferenceKernels& k, double z, const F& f) {
  if (z >= k.h) return 0;
  const double reach = std::sqrt(k.h * k.h - z * z);
  return integrate(0, reach, [&](double s) {
    const double r = std::sqrt(s * s + z * z);
    return f(r) * (k.dim == 3 ? 2 * pi * s : 2.0);
  });
}

// The slope of the colour field that layers of fluid beyond distance d contribute.
double layers_slope(const ReferenceKernels& k, const LatticeFactors& f, double spacing, double d) {
  double slope = 0;
  for (double z = d + 0.5 * spacing; z < k.h; z += spacing)
    slope -= spacing * over_plane(k, z, [&](double r) { return k.poly6_slope(r) * z / r; });
  return slope / f.colour;
}

// Area of a flat surface over the sum of V |n| below it; n there is what the missing layers would
// cancel.
double surface_factor(const ReferenceKernels& k, const LatticeFactors& f, double spacing) {
  double sum = 0;
  for (double depth = 0.5 * spacing; depth < k.h; depth += spacing)
    sum += spacing * layers_slope(k, f, spacing, depth);
  return 1 / sum;
}

}  // namespace

LatticeFactors lattice_factors(const ReferenceKernels& k, double spacing) {
  const int reach = static_cast<int>(std::ceil(k.h / spacing));
  const double volume = std::pow(spacing, k.dim);
  LatticeFactors f{volume * k.density(0), 0, 0, 0};
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = k.dim == 3 ? -reach : 0; z <= (k.dim == 3 ? reach : 0); ++z) {
        const double r = spacing * std::sqrt(double(x * x + y * y + z * z));
        if (r == 0 || r >= k.h) continue;
        f.density += volume * k.density(r);
        f.pressure -= volume * r * k.spiky_slope(r) / k.dim;
        f.viscosity += volume * r * r * k.viscosity_laplacian(r) / (2 * k.dim);
        f.colour -= volume * r * k.poly6_slope(r) / k.dim;
      }
  return f;
}

KernelConstants calibrated_constants(const ReferenceKernels& k, const LatticeFactors& f,
                                     double spacing) {
  KernelConstants c;
  c.h = static_cast<float>(k.h);
  c.h2 = c.h * c.h;
  c.dim = static_cast<float>(k.dim);
  c.choice = k.choice;
  c.density_factor = static_cast<float>(k.density_factor() / f.density);
  c.pressure_factor = static_cast<float>(3 * k.spiky_factor() / f.pressure);
  c.colour_factor = static_cast<float>(6 * k.poly6_factor() / f.colour);
  c.surface_factor = static_cast<float>(surface_factor(k, f, spacing));
  c.viscosity = static_cast<float>(k.viscosity_factor() / f.viscosity);
  return c;
}

std::vector<WallEntry> make_wall_table(const ReferenceKernels& k, const LatticeFactors& f,
                                       double spacing) {
  std::vector<WallEntry> table(wall_table_size);
  for (int entry = 0; entry + 1 < wall_table_size; ++entry) {
    const double d = k.h * entry / (wall_table_size - 1);
    const double lever =
        std::max(d, 0.25 * spacing);  // keeps the drag of a touching particle finite
    double filled = 0, push = 0, drag = 0, along = 0;
    for (int layer = 0;; ++layer) {
      const double depth = (layer + 0.5) * spacing, z = d + depth;
      if (z >= k.h) break;
      filled += spacing * over_plane(k, z, [&](double r) { return k.density(r); });
      push -= spacing * over_plane(k, z, [&](double r) { return k.spiky_slope(r) * z / r; });
      along -= spacing * over_plane(k, z, [&](double r) {
                 const double t2 = (r * r - z * z) / (k.dim - 1);
                 return k.spiky_slope(r) * t2 / r;
               });
      drag += spacing * (1 + depth / lever) *
              over_plane(k, z, [&](double r) { return k.viscosity_laplacian(r); });
    }
    table[static_cast<std::size_t>(entry)] = {
        static_cast<float>(filled / f.density), static_cast<float>(push / f.pressure),
        static_cast<float>(drag / f.viscosity), static_cast<float>(layers_slope(k, f, spacing, d)),
        static_cast<float>(along / f.pressure)};
  }
  return table;
}

Calibration make_calibration(const CalibrationKey& key) {
  const LatticeFactors factors = lattice_factors(key.kernels, key.spacing);
  return {calibrated_constants(key.kernels, factors, key.spacing),
          make_wall_table(key.kernels, factors, key.spacing)};
}

}  // namespace panta::sph
