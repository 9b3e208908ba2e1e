#include "panta/surface/level_set_step.h"

#include <algorithm>
#include <cmath>

namespace panta {
namespace {

constexpr float driven_width = 2.5f;    // |phi| up to which phi follows the equation
constexpr float largest_misfit = 0.4f;  // of such a phi from the distance that fits its neighbours
constexpr float largest_curvature = 2;  // that of a ball of one cell
constexpr float largest_change = 0.5f;  // in a step
constexpr float steepest = 1.2f;        // upper limit of |grad phi|
constexpr float room = 1.8f;            // safety factor for the narrowest deviation's rate
constexpr int phi_margin = 1;
constexpr int force_margin = 4;  // the front is up to driven_width away, plus one for the cubic

float square(float a) { return a * a; }

// Distance next to points with smaller distances: the upwind solution of |grad d| = 1; a, b, c are
// the smaller neighbours along each axis.
float fitting_distance(float a, float b, float c) {
  if (a > b) std::swap(a, b);
  if (b > c) std::swap(b, c);
  if (a > b) std::swap(a, b);
  const float one = a + 1;
  if (one <= b) return one;
  const float two = 0.5f * (a + b + std::sqrt(std::max(2 - square(a - b), 0.0f)));
  if (two <= c) return two;
  const float sum = a + b + c;
  return (sum + std::sqrt(std::max(square(sum) - 3 * (a * a + b * b + c * c - 1), 0.0f))) / 3;
}

struct Derivatives {
  Vec3 gradient;
  float curvature;  // div(grad phi / |grad phi|)
};

// Central differences at a point of a block.
Derivatives derivatives(const float* at, int row, int layer) {
  const auto second = [&](int i, int j) { return at[i + j] - at[i - j] - at[j - i] + at[-i - j]; };
  const float c = 2 * at[0];
  const Vec3 g{0.5f * (at[1] - at[-1]), 0.5f * (at[row] - at[-row]),
               0.5f * (at[layer] - at[-layer])};
  const float xx = at[1] - c + at[-1], yy = at[row] - c + at[-row], zz = at[layer] - c + at[-layer];
  const float xy = 0.25f * second(1, row), xz = 0.25f * second(1, layer),
              yz = 0.25f * second(row, layer);
  const float g2 = std::max(dot(g, g), 0.01f);
  const float sum = xx * (g.y * g.y + g.z * g.z) + yy * (g.x * g.x + g.z * g.z) +
                    zz * (g.x * g.x + g.y * g.y) -
                    2 * (g.x * g.y * xy + g.x * g.z * xz + g.y * g.z * yz);
  return {g, std::clamp(sum / (g2 * std::sqrt(g2)), -largest_curvature, largest_curvature)};
}

// Godunov's |grad phi|, upwind with respect to the motion of the front.
float upwind_slope(const float* at, int row, int layer, bool outwards) {
  float sum = 0;
  for (const int step : {1, row, layer}) {
    const float below = at[0] - at[-step], above = at[step] - at[0];
    const float from_below = outwards ? std::min(below, 0.0f) : std::max(below, 0.0f);
    const float from_above = outwards ? std::max(above, 0.0f) : std::min(above, 0.0f);
    sum += std::max(square(from_below), square(from_above));
  }
  return std::sqrt(sum);
}

// Weights of the values at -1, 0, 1 and 2 for a position t between 0 and 1 (Catmull and Rom 1974).
struct CubicWeights {
  float of[4];
  explicit CubicWeights(float t)
      : of{0.5f * t * (-1 + t * (2 - t)), 1 + t * t * (-2.5f + 1.5f * t),
           0.5f * t * (1 + t * (4 - 3 * t)), 0.5f * t * t * (t - 1)} {}
};

}  // namespace

float FrontMotion::bounded(float phi, float force) const {
  if (force == threshold) return std::min(phi, -0.5f);
  if (force == deep) return std::max(phi, 0.5f);
  return phi;
}

// The rates of the widest and the narrowest deviation; the latter with a safety factor for slopes
// and curvatures that differ from those of a distance.
FrontPace fast_pace(const FrontMotion& motion) {
  const float wide = std::sqrt(motion.slope);
  const float narrow = std::sqrt(room * (8 * motion.mu + motion.slope));
  return {4 / square(narrow + wide), square((narrow - wide) / (narrow + wide))};
}
FrontPace slow_pace(const FrontMotion& motion) { return {1 / (8 * motion.mu + motion.slope), 0}; }

FrontStepper::FrontStepper(const FrontTiles& tiles, const FrontMotion& motion)
    : tiles_(tiles),
      motion_(motion),
      phi_row_(tiles.across() + 2 * phi_margin),
      force_row_(tiles.across() + 2 * force_margin),
      phi_(static_cast<std::size_t>(phi_row_ * phi_row_ * phi_row_ + pack_width)),
      force_(static_cast<std::size_t>(force_row_ * force_row_ * force_row_)) {}

float FrontStepper::step(std::size_t block, const FrontPace& pace, const std::vector<float>& force,
                         const std::vector<float>& phi, std::vector<float>& before) {
  const std::size_t tile = tiles_.tile(block);
  const int across = tiles_.across();
  pace_ = pace;
  way_ = 0;
  tiles_.gather(tile, phi, {-band_width, band_width},
                {phi_margin, phi_margin, phi_row_, phi_row_ * phi_row_}, phi_.data());
  float* to = before.data() + block * tiles_.block_size();
  const float far = phi_[0] < 0 ? -band_width : band_width;
  if (std::all_of(phi_.begin(), phi_.end() - pack_width,
                  [&](float value) { return value == far; })) {
    std::fill_n(to, tiles_.block_size(), far);
    return 0;
  }
  tiles_.gather(tile, force, {motion_.threshold, motion_.deep},
                {force_margin, force_margin, force_row_, force_row_ * force_row_}, force_.data());
  for (int z = 0; z < across; ++z)
    for (int y = 0; y < across; ++y)
      for (int first = 0; first < across; first += pack_width) {
        const int last = std::min(first + pack_width, across);
        const LaneMask far_ones = far_points(first, y, z);
        for (int x = first; x < last; ++x, ++to)
          *to = far_ones >> (x - first) & 1 ? *point(x, y, z) : moved(x, y, z, *to);
      }
  return way_;
}

const float* FrontStepper::point(int x, int y, int z) const {
  return phi_.data() +
         ((z + phi_margin) * phi_row_ + y + phi_margin) * static_cast<std::ptrdiff_t>(phi_row_) +
         x + phi_margin;
}

// The lanes whose points lie, with their neighbours, outside the band on one side.
LaneMask FrontStepper::far_points(int x, int y, int z) const {
  const float* const at = point(x, y, z);
  LaneMask not_above = 0, not_below = 0;
  for (const int side :
       {0, -1, 1, -phi_row_, phi_row_, -phi_row_ * phi_row_, phi_row_ * phi_row_}) {
    const F16 phi = load(at + side);
    not_above |= lanes_below(phi, band_width);
    not_below |= lanes_below(splat(-band_width), phi);
  }
  return ~(not_above & not_below);
}

float FrontStepper::moved(int x, int y, int z, float before) {
  const int row = phi_row_, layer = row * row;
  const float* const at = point(x, y, z);
  const bool inside = at[0] >= 0;
  const float depth = std::abs(at[0]);
  bool crossed = false;
  float nearest[3];
  int axis = 0;
  for (const int step : {1, row, layer}) {
    crossed = crossed || (at[-step] >= 0) != inside || (at[step] >= 0) != inside;
    nearest[axis++] = std::min(std::abs(at[-step]), std::abs(at[step]));
  }
  if (!crossed) {
    const float fitting = fitting_distance(nearest[0], nearest[1], nearest[2]);
    if (depth >= driven_width || std::abs(depth - fitting) > largest_misfit)
      return inside ? std::min(fitting, band_width) : -std::min(fitting, band_width);
  }
  const float phi = crossed ? std::clamp(at[0], -1.0f, 1.0f) : at[0];
  x += force_margin, y += force_margin, z += force_margin;
  const float speed =
      speed_near(at, {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}, phi);
  const float growth = speed * std::min(upwind_slope(at, row, layer, speed > 0), steepest);
  if (crossed) way_ = std::max(way_, std::abs(growth) / motion_.slope);
  const float change = pace_.time_step * growth + pace_.momentum * (at[0] - before);
  const float next = phi + std::clamp(change, -largest_change, largest_change);
  return motion_.bounded(std::clamp(next, -band_width, band_width),
                         force_[static_cast<std::size_t>((z * force_row_ + y) * force_row_ + x)]);
}

float FrontStepper::speed_near(const float* at, const Vec3& place, float phi) const {
  const auto [gradient, curvature] = derivatives(at, phi_row_, phi_row_ * phi_row_);
  const Vec3 to_front = gradient * (-phi / std::max(length(gradient), 0.5f));
  // The curvature of the front follows from that at x: the radii of the two level sets differ by
  // phi.
  const float wider = std::clamp(1 - 0.5f * phi * curvature, 0.75f, 1.5f);
  return force_near(place + to_front) + motion_.mu * curvature / wider;
}

float FrontStepper::force_near(const Vec3& place) const {
  const Vec3 first{std::floor(place.x), std::floor(place.y), std::floor(place.z)};
  const CubicWeights x(place.x - first.x), y(place.y - first.y), z(place.z - first.z);
  const float* const corner =
      force_.data() +
      ((static_cast<int>(first.z) - 1) * force_row_ + static_cast<int>(first.y) - 1) * force_row_ +
      static_cast<int>(first.x) - 1;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) {
      const float* const values = corner + (k * force_row_ + j) * force_row_;
      sum +=
          z.of[k] * y.of[j] *
          (x.of[0] * values[0] + x.of[1] * values[1] + x.of[2] * values[2] + x.of[3] * values[3]);
    }
  return sum;
}

}  // namespace panta
