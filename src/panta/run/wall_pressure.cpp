#include "panta/run/wall_pressure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace panta {

namespace {

constexpr double reach_in_spacings = 2.5;
constexpr double behind_in_spacings = 0.5;  // particles that overlap the wall are included
constexpr double ridge = 0.003;
constexpr double filled_corner = 0.125;
constexpr int least_samples = 4;  // along each side

// A particle in the coordinates of the patch, in spacings: along the wall (s, t), away from it (d).
struct PatchParticle {
  double s = 0, t = 0, d = 0, pressure = 0, volume = 0;
};

struct Side {
  Vec3d direction;
  double half = 0;  // of the patch, m
};

std::array<Side, 2> sides_of(const WallPatch& patch) {
  const Vec3d n = patch.normal;
  std::array<Side, 2> sides;
  if (patch.dimensions == 2) {
    sides[0].direction = {-n.y, n.x, 0};
    sides[1].direction = {0, 0, 1};
  } else {
    const Vec3d axis = std::abs(n.x) < 0.6   ? Vec3d{1, 0, 0}
                       : std::abs(n.y) < 0.6 ? Vec3d{0, 1, 0}
                                             : Vec3d{0, 0, 1};
    const Vec3d s = axis - n * dot(axis, n);
    sides[0].direction = s * (1 / std::sqrt(dot(s, s)));
    sides[1].direction = cross(n, sides[0].direction);
  }
  for (Side& side : sides)
    side.half = patch.radius > 0 ? patch.radius
                                 : 0.5 * (std::abs(side.direction.x) * patch.size.x +
                                          std::abs(side.direction.y) * patch.size.y +
                                          std::abs(side.direction.z) * patch.size.z);
  if (patch.dimensions == 2) sides[1].half = 0;
  return sides;
}

bool covers(const WallPatch& patch, const Vec3d& arm) {
  if (patch.radius > 0) return dot(arm, arm) <= patch.radius * patch.radius;
  for (int axis = 0; axis < patch.dimensions; ++axis)
    if (std::abs(arm[axis]) > 0.5 * patch.size[axis] * (1 + 1e-9) &&
        std::abs(patch.normal[axis]) < 1 - 1e-6)
      return false;
  return true;
}

// The particles near the patch in bins along it; in a bin they keep their order.
class Bins {
 public:
  Bins(const WallPatch& patch, const std::array<Side, 2>& sides,
       const std::vector<PressurePoint>& particles) {
    for (std::size_t k = 0; k < 2; ++k)
      low_[k] = -sides[k].half / patch.spacing - reach_in_spacings,
      count_[k] = static_cast<int>(std::ceil(-2 * low_[k] / reach_in_spacings)) + 1;
    bins_.resize(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]));
    for (const PressurePoint& p : particles) {
      const Vec3d arm = (p.x - patch.center) * (1 / patch.spacing);
      const PatchParticle particle{dot(arm, sides[0].direction), dot(arm, sides[1].direction),
                                   dot(arm, patch.normal), p.pressure,
                                   p.volume / std::pow(patch.spacing, patch.dimensions)};
      if (particle.d > reach_in_spacings || particle.d < -behind_in_spacings) continue;
      if (particle.s < low_[0] || particle.s > -low_[0] || particle.t < low_[1] ||
          particle.t > -low_[1])
        continue;
      bins_[number(bin(particle.s, 0), bin(particle.t, 1))].push_back(particle);
    }
  }

  template <class Visit>
  void each_near(double s, double t, const Visit& visit) const {
    const int a = bin(s, 0), b = bin(t, 1);
    for (int j = std::max(b - 1, 0); j <= std::min(b + 1, count_[1] - 1); ++j)
      for (int i = std::max(a - 1, 0); i <= std::min(a + 1, count_[0] - 1); ++i)
        for (const PatchParticle& particle : bins_[number(i, j)]) visit(particle);
  }

 private:
  int bin(double x, std::size_t side) const {
    return static_cast<int>((x - low_[side]) / reach_in_spacings);
  }
  std::size_t number(int i, int j) const { return static_cast<std::size_t>(j * count_[0] + i); }

  std::array<double, 2> low_ = {};
  std::array<int, 2> count_ = {};
  std::vector<std::vector<PatchParticle>> bins_;
};

// Sums of a weighted fit of 1, s, t and d: the matrix A and the right-hand side b.
struct Fit {
  std::array<std::array<double, 4>, 4> a = {};
  std::array<double, 4> b = {};

  void add(const std::array<double, 4>& basis, double weight, double value) {
    for (std::size_t i = 0; i < 4; ++i) {
      b[i] += weight * basis[i] * value;
      for (std::size_t j = 0; j < 4; ++j) a[i][j] += weight * basis[i] * basis[j];
    }
  }

  // The value of the fit at the origin, by Gaussian elimination; A is positive definite.
  double at_origin() {
    for (std::size_t k = 3; k > 0; --k) a[k][k] += ridge * a[0][0];
    for (std::size_t k = 3; k > 0; --k)
      for (std::size_t i = 0; i < k; ++i) {
        const double factor = a[i][k] / a[k][k];
        for (std::size_t j = 0; j < k; ++j) a[i][j] -= factor * a[k][j];
        b[i] -= factor * b[k];
      }
    return b[0] / a[0][0];
  }
};

double pressure_at(const Bins& bins, double s, double t, int dimensions) {
  constexpr double pi = std::numbers::pi, reach2 = reach_in_spacings * reach_in_spacings;
  Fit fit;
  bins.each_near(s, t, [&](const PatchParticle& p) {
    const double x = p.s - s, y = p.t - t;
    const double closeness = 1 - (x * x + y * y + p.d * p.d) / reach2;
    if (closeness > 0)
      fit.add({1, x, y, p.d}, p.volume * closeness * closeness * closeness, p.pressure);
  });
  const double weight = fit.a[0][0];
  if (weight == 0) return 0;
  const double integral =
      dimensions == 3 ? 64 * pi / 315 * reach2 * reach_in_spacings : pi / 4 * reach2;
  return fit.at_origin() * std::min(1.0, weight / (filled_corner * integral));
}

}  // namespace

double mean_pressure(const WallPatch& patch, const std::vector<PressurePoint>& particles) {
  const std::array<Side, 2> sides = sides_of(patch);
  const Bins bins(patch, sides, particles);
  const auto samples = [&](const Side& side) {
    if (side.half == 0) return 1;
    return std::max(least_samples, static_cast<int>(std::ceil(4 * side.half / patch.spacing)));
  };
  const auto place = [&](const Side& side, int k) {
    return side.half * ((2 * k + 1.0) / samples(side) - 1);
  };
  double sum = 0, count = 0;
  for (int j = 0; j < samples(sides[1]); ++j)
    for (int i = 0; i < samples(sides[0]); ++i) {
      const double s = place(sides[0], i), t = place(sides[1], j);
      if (!covers(patch, sides[0].direction * s + sides[1].direction * t)) continue;
      sum += pressure_at(bins, s / patch.spacing, t / patch.spacing, patch.dimensions);
      ++count;
    }
  return count > 0 ? sum / count : 0;
}

}  // namespace panta
