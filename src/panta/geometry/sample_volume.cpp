#include "panta/geometry/sample_volume.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/geometry/surface_cells.h"

namespace panta {

namespace {

constexpr double most_points = 2e9;
constexpr float same_distance = 1e-4f;  // in spacings: tolerance for equal distances (one shell)

struct Lattice {
  Vec3d first, pitch;
  std::array<int, 3> count = {};
  Vec3d layer_shift;     // of odd layers, in lattice spacings
  double row_shift = 0;  // of odd rows, along x in lattice spacings

  Vec3 point(int i, int j, int k) const {
    const bool odd_row = j % 2 == 1, odd_layer = k % 2 == 1;
    const Vec3d shift = odd_layer ? layer_shift : Vec3d{};
    const double x = i + shift.x + (odd_row ? (odd_layer ? -row_shift : row_shift) : 0.0);
    return to_float(
        {first.x + x * pitch.x, first.y + (j + shift.y) * pitch.y, first.z + k * pitch.z});
  }
};

Lattice make_lattice(const Vec3& min, const Vec3& max, float spacing, Packing packing) {
  Lattice lattice;
  lattice.pitch = {spacing, spacing, spacing};
  int margin = 1;
  if (packing == Packing::hexagonal) {
    const double neighbour = std::pow(2.0, 1.0 / 6.0) * spacing;
    lattice.pitch = {neighbour, neighbour * std::sqrt(0.75), neighbour * std::sqrt(2.0 / 3.0)};
    lattice.row_shift = 0.5;
    lattice.layer_shift = {0.5, 1.0 / 3.0, 0};
    margin = 2;
  }
  double points = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double extent = double{max[axis]} - double{min[axis]};
    const double across = std::max(1.0, std::round(extent / lattice.pitch[axis])) + 2 * margin;
    points *= across;
    if (!(points <= most_points))
      throw Error(
          ErrorKind::usage,
          "a spacing of {} m is too small for a solid of {} m: it would take more than {:g} "
          "points",
          spacing, extent, most_points);
    lattice.count[static_cast<std::size_t>(axis)] = static_cast<int>(across);
    const double middle = 0.5 * (double{max[axis]} + double{min[axis]});
    const double mean_shift = 0.5 * (lattice.layer_shift[axis]);
    lattice.first[axis] = middle - (0.5 * (across - 1) + mean_shift) * lattice.pitch[axis];
  }
  return lattice;
}

// The lattice points within the range of possible levels.
SolidSamples candidates(const DistanceFunction& distance, const Lattice& lattice, float reach) {
  std::vector<SolidSamples> layers(static_cast<std::size_t>(lattice.count[2]));
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k < lattice.count[2]; ++k) {
    SolidSamples& layer = layers[static_cast<std::size_t>(k)];
    for (int j = 0; j < lattice.count[1]; ++j)
      for (int i = 0; i < lattice.count[0]; ++i) {
        const Vec3 x = lattice.point(i, j, k);
        const Distance d = distance(x);
        if (d.value >= reach) continue;
        layer.position.push_back(x);
        layer.distance.push_back(d.value);
        layer.gradient.push_back(d.normal);
      }
  }
  SolidSamples all;
  for (const SolidSamples& layer : layers) {
    all.position.insert(all.position.end(), layer.position.begin(), layer.position.end());
    all.distance.insert(all.distance.end(), layer.distance.begin(), layer.distance.end());
    all.gradient.insert(all.gradient.end(), layer.gradient.begin(), layer.gradient.end());
  }
  return all;
}

}  // namespace

float fitting_level(std::vector<float> distances, double wanted, float spacing) {
  if (distances.empty()) return 0;
  std::sort(distances.begin(), distances.end());
  const float lowest = std::max(-0.5f * spacing, distances.front());
  float best = 0.5f * spacing;
  double least_error = std::abs(static_cast<double>(distances.size()) - wanted);
  for (std::size_t n = 1; n < distances.size(); ++n) {
    const float below = distances[n - 1], above = distances[n];
    if (below > 0.5f * spacing) break;
    if (above - below <= same_distance * spacing || above < lowest) continue;
    const double error = std::abs(static_cast<double>(n) - wanted);
    if (error >= least_error) continue;
    least_error = error;
    best = 0.5f * (below + above);
  }
  return best;
}

SolidSamples sample_around(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                           float spacing, float reach, Packing packing) {
  if (!(spacing > 0) || !std::isfinite(spacing))
    throw Error(ErrorKind::usage, "the spacing of samples must be positive, not {} m", spacing);
  SolidSamples all = candidates(distance, make_lattice(min, max, spacing, packing), reach);
  if (std::none_of(all.distance.begin(), all.distance.end(), [](float d) { return d < 0; }))
    return {};
  return all;
}

SolidSamples sample_volume(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                           float spacing, Packing packing) {
  SolidSamples all =
      sample_around(distance, min, max, spacing, (0.5f - same_distance) * spacing, packing);
  if (all.position.empty()) return {};
  const double volume = solid_volume(find_surface_cells(distance, min, max, 0.5f * spacing));
  const float level = fitting_level(all.distance, volume / std::pow(double{spacing}, 3), spacing);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.position.size(); ++i) {
    if (all.distance[i] >= level) continue;
    all.position[kept] = all.position[i];
    all.distance[kept] = all.distance[i];
    all.gradient[kept++] = all.gradient[i];
  }
  all.position.resize(kept);
  all.distance.resize(kept);
  all.gradient.resize(kept);
  return all;
}

}  // namespace panta
