#include "panta/methods/viscoelastic_clavet2005/lattice_sums.h"

#include <cmath>
#include <numbers>

#include "panta/solver/lattice.h"

namespace panta::viscoelastic {

namespace {

constexpr int wall_sums = 4;

// Adds (1-q)^2, (1-q)^3 and their gradients along z, `count` times, of a place at (s, z).
void add_place(double r, double z, double h, double count, double (&sums)[wall_sums]) {
  const double reach = 1 - r / h;
  sums[0] += count * reach * reach;
  sums[1] += count * reach * reach * reach;
  sums[2] += count * reach * z / r;
  sums[3] += count * reach * reach * z / r;
}

// A flat layer at distance z, on average over places.
void add_layer(double h, double spacing, int dimensions, double z, double (&sums)[wall_sums]) {
  if (z >= h) return;
  constexpr int rings = 200;
  const double reach = std::sqrt(h * h - z * z), width = reach / rings;
  for (int k = 0; k < rings; ++k) {
    const double s = (k + 0.5) * width;
    const double area = (dimensions == 3 ? 2 * std::numbers::pi * s : 2.0) * width;
    add_place(std::sqrt(s * s + z * z), z, h, area / std::pow(spacing, dimensions - 1), sums);
  }
}

}  // namespace

LatticeSums lattice_sums(double support, double spacing, int dimensions) {
  LatticeSums sums;
  each_in_lattice(support, spacing, dimensions, [&](double x, double, double, double r) {
    const double q = r / support, reach = 1 - q;
    sums.density += reach * reach;
    sums.near_density += reach * reach * reach;
    sums.moment += reach * q;
    sums.near_moment += reach * reach * q;
    sums.reach += reach;
    sums.spread += reach * q * q;
    if (x < 0.5 * spacing) return;
    sums.missing += reach * reach;
    sums.near_missing += reach * reach * reach;
    sums.gradient += reach * reach * x / r;
  });
  return sums;
}

std::vector<WallLiquid> make_wall_liquid(double support, double spacing, int dimensions) {
  const LatticeSums lattice = lattice_sums(support, spacing, dimensions);
  const double whole = lattice.density + 1, whole_near = lattice.near_density + 1;
  constexpr int entries = WallLiquid::table_size;
  std::vector<WallLiquid> table(entries);
  for (int k = 0; k < entries; ++k) {
    const double distance = support * k / (entries - 1);
    double sums[wall_sums] = {};
    for (double z = distance + 0.5 * spacing; z < support; z += spacing)
      add_layer(support, spacing, dimensions, z, sums);
    const auto f = [](double sum) { return static_cast<float>(sum); };
    table[static_cast<std::size_t>(k)] = {f(sums[0] / whole), f(sums[1] / whole_near),
                                          f(0.5 * sums[2]), f(0.5 * sums[3])};
  }
  return table;
}

}  // namespace panta::viscoelastic
