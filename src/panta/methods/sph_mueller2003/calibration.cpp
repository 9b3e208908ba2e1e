#include "panta/methods/sph_mueller2003/calibration.h"

#include <cmath>

#include "panta/solver/wall_layers.h"

namespace panta::sph {

namespace {

// The contribution of layers of fluid beyond distance d that fill half the space, or a sphere.
WallEntry layers(const ReferenceKernels& k, const LatticeFactors& f, double spacing, double d,
                 double radius) {
  const double lever = std::max(d, 0.25 * spacing);  // bounds the drag of a touching particle
  double filled = 0, push = 0, drag = 0, normal = 0, along = 0, across = 0;
  each_layer(k.h, spacing, d, radius, [&](double away, double depth, double layer_radius) {
    const auto sum = [&](const auto& value) {
      return spacing * over_layer(k.h, k.dim, away, layer_radius, value);
    };
    filled += sum([&](double r, double) { return k.density(r); });
    push -= sum([&](double r, double z) { return k.spiky_slope(r) * z / r; });
    across -= sum([&](double r, double z) { return k.spiky_slope(r) * z * z / r; });
    along -= sum(
        [&](double r, double z) { return k.spiky_slope(r) * (r * r - z * z) / ((k.dim - 1) * r); });
    normal -= sum([&](double r, double z) { return k.poly6_slope(r) * z / r; });
    drag += (1 + depth / lever) * sum([&](double r, double) { return k.viscosity_laplacian(r); });
  });
  return {static_cast<float>(filled / f.density), static_cast<float>(push / f.pressure),
          static_cast<float>(drag / f.viscosity), static_cast<float>(normal / f.colour),
          static_cast<float>(along / f.pressure), static_cast<float>(across / f.pressure)};
}

// Area of a flat surface over the sum of V |n| below it; n there is what the missing layers would
// cancel.
double surface_factor(const ReferenceKernels& k, const LatticeFactors& f, double spacing) {
  double sum = 0;
  for (double depth = 0.5 * spacing; depth < k.h; depth += spacing)
    sum += spacing * double(layers(k, f, spacing, depth, 0).normal);
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
  return make_wall_entries<WallEntry>(
      k.h, [&](double d, double radius) { return layers(k, f, spacing, d, radius); });
}

Calibration make_calibration(const CalibrationKey& key) {
  const LatticeFactors factors = lattice_factors(key.kernels, key.spacing);
  return {calibrated_constants(key.kernels, factors, key.spacing),
          make_wall_table(key.kernels, factors, key.spacing)};
}

}  // namespace panta::sph
