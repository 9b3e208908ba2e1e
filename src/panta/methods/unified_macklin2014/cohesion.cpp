#include "panta/methods/unified_macklin2014/cohesion.h"

#include <cmath>
#include <numbers>

#include "panta/solver/lattice.h"

namespace panta::unified {

namespace {

// The tension that drops show, by the periods of their oscillation, over s of the header.
constexpr double measured_gain = 2.8;
constexpr double pull_share = 1.3;   // of f: with less, protruding particles detach
constexpr double blunt_share = 0.3;  // n_0 over |n| of the outermost layer of a flat surface

// The tension of a pair force of unit size, 1/m.
double pair_tension(double h, double spacing, int dimensions) {
  double sum = 0;
  each_in_lattice(h, spacing, dimensions, [&](double, double, double, double r) {
    sum += r * r * double(cohesion_spline(static_cast<float>(r / h)));
  });
  return sum / std::pow(spacing, dimensions) / (dimensions == 3 ? 32 : 6 * std::numbers::pi);
}

// sum (1 - q)^2 d/r of a particle in a layer of a lattice that fills the lower half of space.
double layer_slope(double h, double spacing, int dimensions, int layer) {
  double sum = 0;
  each_in_lattice(h, spacing, dimensions, [&](double, double y, double, double r) {
    if (y < (layer + 0.5) * spacing) sum += (1 - r / h) * (1 - r / h) * y / r;
  });
  return std::abs(sum);
}

}  // namespace

CohesionScales make_cohesion(double h, double spacing, int dimensions) {
  double full = 1;
  each_in_lattice(h, spacing, dimensions,
                  [&](double, double, double, double r) { full += std::pow(1 - r / h, 3); });
  const double blunt = blunt_share * layer_slope(h, spacing, dimensions, 0);
  double psi = 0;  // over the layers of a flat surface; minus that of the inside
  for (int layer = 0; layer * spacing < h; ++layer) {
    const double slope = layer_slope(h, spacing, dimensions, layer);
    psi += slope > blunt ? slope - blunt / 2 : slope * slope / (2 * blunt);
  }
  const double area = 3 / (h * full) * spacing * psi;  // for b = 1
  CohesionScales scales;
  scales.pull = pull_share / (measured_gain * pair_tension(h, spacing, dimensions));
  scales.bend = 6 / (h * h * full * area) / measured_gain;
  scales.blunt = static_cast<float>(blunt);
  return scales;
}

}  // namespace panta::unified
