#include "panta/methods/unified_macklin2014/kernels.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "panta/solver/lattice.h"
#include "panta/solver/wall_layers.h"

namespace panta::unified {

namespace {

constexpr double pi = 3.14159265358979323846;

double weight(double r, double h) { return r < h ? (1 - r / h) * (1 - r / h) : 0; }
double slope(double r, double h) { return r < h ? -2 / h * (1 - r / h) : 0; }

double full_sum(double h, double spacing, int dimensions) {
  double sum = 1;
  each_in_lattice(h, spacing, dimensions,
                  [&](double, double, double, double r) { sum += weight(r, h); });
  return sum;
}

// The largest eigenvalue of J J^T in an infinite lattice: for multipliers cos(k . x) it is
// |sum_r grad W(r) sin(k . r)|^2. Waves along the axes and diagonals are looked at.
double stiffest_wave(double h, double spacing, int dimensions) {
  const Vec3d directions[] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
  double largest = 0;
  for (int d = 0; d < dimensions; ++d)
    for (int step = 1; step <= 64; ++step) {
      const Vec3d k = directions[d] * (pi / spacing * step / 64);
      Vec3d sum{};
      each_in_lattice(h, spacing, dimensions, [&](double x, double y, double z, double r) {
        const Vec3d at{x, y, z};
        sum += at * (slope(r, h) / r * std::sin(dot(k, at)));
      });
      largest = std::max(largest, dot(sum, sum));
    }
  return largest;
}

// The sum of f(r, z) over all layers behind a wall, flat or spherical (radius 0: flat).
template <class F>
double behind_wall(double h, double spacing, int dimensions, double distance, double radius,
                   const F& f) {
  double sum = 0;
  each_layer(h, spacing, distance, radius, [&](double z, double, double layer_radius) {
    sum += over_layer(h, dimensions, z, layer_radius, f);
  });
  return sum / std::pow(spacing, dimensions - 1);
}

// In a lattice whose first layer lies half a spacing from the wall.
double behind_wall_in_lattice(double h, double spacing, int dimensions) {
  double sum = 0;
  each_in_lattice(h, spacing, dimensions, [&](double, double y, double, double r) {
    if (y < 0) sum += weight(r, h);
  });
  return sum;
}

// Relative difference between the density sums of a lattice and of a settled liquid of as many
// particles per volume, measured in deep tanks with periodic sides. In two dimensions the square
// lattice turns into a triangular one; this is not corrected.
double looseness(double support_spacings, int dimensions) {
  constexpr double first = 1.6, step = 0.1;
  constexpr double measured[] = {0.011, 0.018, 0.023, 0.028, 0.030, 0.026, 0.021};
  constexpr int last = static_cast<int>(std::size(measured)) - 1;
  if (dimensions == 2) return 0;
  const double t = std::clamp((support_spacings - first) / step, 0.0, double(last));
  const int k = std::min(static_cast<int>(t), last - 1);
  return measured[k] + (t - k) * (measured[k + 1] - measured[k]);
}

// One over a direction's part of the sum of (1 - r/h) r over a lattice.
double moment_scale(double h, double spacing, int dimensions) {
  double sum = 0;
  each_in_lattice(h, spacing, dimensions,
                  [&](double, double, double, double r) { sum += (1 - r / h) * r; });
  return dimensions / sum;
}

}  // namespace

DensityKernel make_density_kernel(double h, double spacing, int dimensions) {
  const double full = full_sum(h, spacing, dimensions);
  double reach_sum = 0;
  each_in_lattice(h, spacing, dimensions,
                  [&](double, double, double, double r) { reach_sum += 1 - r / h; });
  DensityKernel k;
  k.h = static_cast<float>(h);
  k.inverse_h = static_cast<float>(1 / h);
  k.inverse_full = static_cast<float>(1 / full);
  k.slope_scale = static_cast<float>(2 / (h * full));
  k.stiffest_scale = static_cast<float>(stiffest_wave(h, spacing, dimensions) /
                                        (full * full * reach_sum * reach_sum));
  k.full_reach = static_cast<float>(reach_sum);
  k.moment_scale = static_cast<float>(moment_scale(h, spacing, dimensions));
  k.dimensions = static_cast<float>(dimensions);
  k.rest = static_cast<float>(1 - looseness(h / spacing, dimensions));
  return k;
}

std::vector<WallShare> make_wall_shares(double h, double spacing, int dimensions) {
  const auto layers = [&](double distance, double radius, const auto& f) {
    return behind_wall(h, spacing, dimensions, std::max(distance, 0.0), radius, f);
  };
  const auto weights = [&](double d, double radius) {
    return layers(d, radius, [&](double r, double) { return weight(r, h); });
  };
  const double scale = behind_wall_in_lattice(h, spacing, dimensions) / weights(0.5 * spacing, 0) /
                       full_sum(h, spacing, dimensions);
  const double moment = moment_scale(h, spacing, dimensions);
  const double step = h / (WallShare::table_size - 1);
  return make_wall_entries<WallShare>(h, [&](double d, double radius) -> WallShare {
    const double before = std::max(d - 0.5 * step, 0.0), after = d + 0.5 * step;
    const double fall = weights(before, radius) - weights(after, radius);
    const double along = layers(d, radius, [&](double r, double z) {
      return (1 - r / h) * (r * r - z * z) / ((dimensions - 1) * r);
    });
    const double across =
        layers(d, radius, [&](double r, double z) { return (1 - r / h) * z * z / r; });
    return {static_cast<float>(scale * weights(d, radius)),
            static_cast<float>(scale * fall / (after - before)), static_cast<float>(moment * along),
            static_cast<float>(moment * across)};
  });
}

double lattice_first_moment(double h, double spacing, int dimensions) {
  double sum = 0;
  each_in_lattice(h, spacing, dimensions,
                  [&](double, double, double, double r) { sum -= r * slope(r, h); });
  return sum / full_sum(h, spacing, dimensions);
}

double lattice_second_moment(double h, double spacing, int dimensions) {
  double sum = 0;
  each_in_lattice(h, spacing, dimensions,
                  [&](double, double, double, double r) { sum += r * r * weight(r, h); });
  return sum / full_sum(h, spacing, dimensions);
}

}  // namespace panta::unified
