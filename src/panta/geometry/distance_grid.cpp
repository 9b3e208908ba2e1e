#include "panta/geometry/distance_grid.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/geometry/mesh_distance.h"
#include "panta/geometry/triangle_mesh.h"

namespace panta {

namespace {

constexpr double most_bytes = 2e9;

void check_bytes(double bytes, float cell) {
  if (bytes > most_bytes)
    throw Error(ErrorKind::usage,
                "a distance grid with cells of {} m would take {:.1f} GB, more than the {:.0f} GB "
                "allowed; use larger cells",
                cell, bytes * 1e-9, most_bytes * 1e-9);
}

DistanceSample to_sample(const Distance& d) { return {d.normal, d.value}; }

}  // namespace

DistanceGrid::DistanceGrid(const DistanceFunction& distance, const Vec3& solid_min,
                           const Vec3& solid_max, float cell, float band)
    : solid_min_(solid_min), solid_max_(solid_max), cell_(cell) {
  if (!(cell > 0) || !(band >= 0) || !std::isfinite(cell) || !std::isfinite(band))
    throw Error(ErrorKind::usage,
                "a distance grid needs a positive cell and band, not {} m and {} m", cell, band);
  const Vec3 margin = Vec3{1, 1, 1} * (band + cell);
  origin_ = solid_min - margin;
  choose_bricks(solid_max + margin);
  sample_corners(distance);
  sample_bricks(distance, find_near_bricks(distance, band));
}

void DistanceGrid::choose_bricks(const Vec3& max) {
  double table_bytes = sizeof(DistanceSample) + sizeof(std::int32_t);
  std::array<double, 3> count;
  for (int axis = 0; axis < 3; ++axis) {
    const double size = double{max[axis]} - double{origin_[axis]};
    if (!(size > 0) || !std::isfinite(size))
      throw Error(ErrorKind::usage, "a distance grid cannot cover a box from {} to {} along {}",
                  origin_[axis], max[axis], "xyz"[axis]);
    // Slightly less than the ratio, so that rounding adds no brick to a box of whole bricks.
    const double whole = std::max(1.0, std::ceil(size / (double{cell_} * brick_cells) - 1e-4));
    count[static_cast<std::size_t>(axis)] = whole;
    table_bytes *= whole + 1;
  }
  check_bytes(table_bytes, cell_);
  for (std::size_t axis = 0; axis < 3; ++axis) bricks_[axis] = static_cast<int>(count[axis]);
}

Vec3 DistanceGrid::point(int i, int j, int k) const {
  return origin_ +
         Vec3{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} * cell_;
}

void DistanceGrid::sample_corners(const DistanceFunction& distance) {
  const int nx = bricks_[0] + 1, ny = bricks_[1] + 1, nz = bricks_[2] + 1;
  corners_.resize(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
                  static_cast<std::size_t>(nz));
#pragma omp parallel for schedule(dynamic)
  for (int row = 0; row < ny * nz; ++row)
    for (int i = 0; i < nx; ++i)
      corners_[static_cast<std::size_t>(row) * static_cast<std::size_t>(nx) +
               static_cast<std::size_t>(i)] =
          to_sample(
              distance(point(i * brick_cells, row % ny * brick_cells, row / ny * brick_cells)));
}

// Whether the surface may come within the band of the brick: by the distance at its middle and, as
// the function may not be an exact distance, by its corners.
bool DistanceGrid::is_near(const DistanceFunction& distance, const std::array<int, 3>& brick,
                           float band) const {
  const float half = 0.5f * static_cast<float>(brick_cells) * cell_;
  const Vec3 middle =
      point(brick[0] * brick_cells, brick[1] * brick_cells, brick[2] * brick_cells) +
      Vec3{half, half, half};
  const float at_middle = distance(middle).value;
  if (std::abs(at_middle) <= band + half * std::sqrt(3.0f)) return true;
  for (int corner = 0; corner < 8; ++corner) {
    const int i = brick[0] + (corner & 1), j = brick[1] + (corner >> 1 & 1),
              k = brick[2] + (corner >> 2);
    const float value =
        corners_[static_cast<std::size_t>((k * (bricks_[1] + 1) + j) * (bricks_[0] + 1) + i)].value;
    if (std::abs(value) <= band || (value < 0) != (at_middle < 0)) return true;
  }
  return false;
}

// Numbers the bricks near the surface and returns their coordinates.
std::vector<std::array<int, 3>> DistanceGrid::find_near_bricks(const DistanceFunction& distance,
                                                               float band) {
  const auto place = [&](int b) {
    return std::array{b % bricks_[0], b / bricks_[0] % bricks_[1], b / bricks_[0] / bricks_[1]};
  };
  const int count = bricks_[0] * bricks_[1] * bricks_[2];
  brick_.resize(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic, 16)
  for (int b = 0; b < count; ++b)
    brick_[static_cast<std::size_t>(b)] = is_near(distance, place(b), band) ? 0 : -1;
  std::vector<std::array<int, 3>> near_bricks;
  for (int b = 0; b < count; ++b) {
    std::int32_t& number = brick_[static_cast<std::size_t>(b)];
    if (number < 0) continue;
    number = static_cast<std::int32_t>(near_bricks.size());
    near_bricks.push_back(place(b));
  }
  return near_bricks;
}

void DistanceGrid::sample_bricks(const DistanceFunction& distance,
                                 const std::vector<std::array<int, 3>>& near_bricks) {
  const auto count = static_cast<int>(near_bricks.size());
  check_bytes(static_cast<double>(bytes()) +
                  static_cast<double>(count) * brick_samples * sizeof(DistanceSample),
              cell_);
  samples_.resize(static_cast<std::size_t>(count) * brick_samples);
#pragma omp parallel for schedule(dynamic)
  for (int b = 0; b < count; ++b) {
    const auto [x, y, z] = near_bricks[static_cast<std::size_t>(b)];
    DistanceSample* sample = &samples_[static_cast<std::size_t>(b) * brick_samples];
    for (int k = 0; k < brick_points; ++k)
      for (int j = 0; j < brick_points; ++j)
        for (int i = 0; i < brick_points; ++i)
          *sample++ = to_sample(
              distance(point(x * brick_cells + i, y * brick_cells + j, z * brick_cells + k)));
  }
}

DistanceGridView DistanceGrid::view_of(const DistanceSample* samples, const DistanceSample* corners,
                                       const std::int32_t* brick) const {
  return {samples, corners, brick, origin_, cell_, {bricks_[0], bricks_[1], bricks_[2]}};
}

std::size_t DistanceGrid::bytes() const {
  return (samples_.size() + corners_.size()) * sizeof(DistanceSample) +
         brick_.size() * sizeof(std::int32_t);
}

DistanceGrid make_distance_grid(const TriangleMesh& mesh, float cell, float band) {
  const MeshDistance distance(mesh);
  const MeshBounds bounds = mesh_bounds(mesh);
  return DistanceGrid([&](const Vec3& x) { return distance.at(x); }, bounds.min, bounds.max, cell,
                      band);
}

}  // namespace panta
