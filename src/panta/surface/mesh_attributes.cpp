#include "panta/surface/mesh_attributes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/core/make_exec.h"

namespace panta {

namespace {

using Cell = std::array<int, 3>;

constexpr std::size_t most_buckets_per_particle = 4;
constexpr int farthest_cells = 4;  // search limit; beyond it all particles are tested

// Particles sorted by cubes as wide as the radius. Cubes are numbered along x, then y, then z; if
// there are too many, several cubes share a bucket by that number.
class ParticleBins {
 public:
  ParticleBins(std::span<const Vec3> positions, float width) : positions_(positions) {
    Vec3 high = positions[0];
    low_ = positions[0];
    for (const Vec3& x : positions)
      for (int axis = 0; axis < 3; ++axis) {
        low_[axis] = std::min(low_[axis], x[axis]);
        high[axis] = std::max(high[axis], x[axis]);
      }
    per_width_ = 1 / width;
    last_ = cell_of(high);
    double cells = 1;
    for (const int n : last_) cells *= n + 1.0;
    row_ = static_cast<std::size_t>(last_[0]) + 1;
    layer_ = row_ * (static_cast<std::size_t>(last_[1]) + 1);
    const std::size_t most = most_buckets_per_particle * positions.size() + 1;
    buckets_ = cells < static_cast<double>(most) ? static_cast<std::size_t>(cells) : most;
    sort();
  }

  Cell cell_of(const Vec3& x) const {
    Cell cell;
    for (int axis = 0; axis < 3; ++axis) {
      const float place = std::floor((x[axis] - low_[axis]) * per_width_);
      cell[static_cast<std::size_t>(axis)] =
          static_cast<int>(std::clamp(place, -1e6f, 1e6f));  // keeps the layers' numbers in range
    }
    return cell;
  }

  // Calls visit(particle) for all particles of the cube, in the order of their numbers.
  template <class F>
  void visit(const Cell& cell, const F& visit) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (cell[axis] < 0 || cell[axis] > last_[axis]) return;
    const std::size_t b = bucket(cell);
    for (std::uint32_t k = first_[b]; k < first_[b + 1]; ++k)
      if (cell_of(positions_[order_[k]]) == cell) visit(order_[k]);
  }

 private:
  std::size_t bucket(const Cell& cell) const {
    return (static_cast<std::size_t>(cell[0]) + row_ * static_cast<std::size_t>(cell[1]) +
            layer_ * static_cast<std::size_t>(cell[2])) %
           buckets_;
  }

  void sort() {
    first_.assign(buckets_ + 1, 0);
    order_.resize(positions_.size());
    for (const Vec3& x : positions_) ++first_[bucket(cell_of(x)) + 1];
    std::uint32_t begin = 0;
    for (std::size_t b = 1; b <= buckets_; ++b) begin += std::exchange(first_[b], begin);
    for (std::size_t p = 0; p < positions_.size(); ++p)
      order_[first_[bucket(cell_of(positions_[p])) + 1]++] = static_cast<std::uint32_t>(p);
  }

  std::span<const Vec3> positions_;
  Vec3 low_;
  Cell last_;
  float per_width_ = 0;
  std::size_t row_ = 1, layer_ = 1, buckets_ = 1;
  std::vector<std::uint32_t> first_, order_;
};

struct Interpolation {
  std::span<const Vec3> positions, velocities;
  std::span<const float> values;
  float radius;
  ParticleBins bins;

  float squared_distance(std::uint32_t particle, const Vec3& x) const {
    const Vec3 d = positions[particle] - x;
    return dot(d, d);
  }

  // Calls visit(cell) for the cubes at a distance of exactly `away` cells from the middle one.
  template <class F>
  static void visit_shell(const Cell& middle, int away, const F& visit) {
    for (int k = -away; k <= away; ++k)
      for (int j = -away; j <= away; ++j) {
        const bool all = std::max(std::abs(j), std::abs(k)) == away;
        for (int i = -away; i <= away; i += all || away == 0 ? 1 : 2 * away)
          visit(Cell{middle[0] + i, middle[1] + j, middle[2] + k});
      }
  }

  std::uint32_t nearest(const Vec3& x) const {
    std::uint32_t nearest = 0;
    float least = std::numeric_limits<float>::infinity();
    const auto consider = [&](std::uint32_t p) {
      const float d = squared_distance(p, x);
      if (d < least || (d == least && p < nearest)) nearest = p, least = d;
    };
    const Cell middle = bins.cell_of(x);
    for (int away = 0; away <= farthest_cells; ++away) {
      // Particles in this shell or beyond are at least this far away.
      const float nearest_in_shell = static_cast<float>(std::max(0, away - 1)) * radius;
      if (least < nearest_in_shell * nearest_in_shell) return nearest;
      visit_shell(middle, away, [&](const Cell& cell) { bins.visit(cell, consider); });
    }
    if (!(least < std::numeric_limits<float>::infinity()))
      for (std::uint32_t p = 0; p < positions.size(); ++p) consider(p);
    return nearest;
  }

  void interpolate(const Vec3& x, Vec3* velocity, float* value) const {
    // Sums of differences from the first particle found, so that constants are reproduced exactly.
    const float per_square = 1 / (radius * radius);
    float weights = 0, value_sum = 0;
    Vec3 velocity_sum;
    std::uint32_t first = 0;
    const auto add = [&](std::uint32_t p, float weight) {
      if (weights == 0) first = p;
      weights += weight;
      if (velocity) velocity_sum += (velocities[p] - velocities[first]) * weight;
      if (value) value_sum += (values[p] - values[first]) * weight;
    };
    const Cell middle = bins.cell_of(x);
    for (int away = 0; away <= 1; ++away)
      visit_shell(middle, away, [&](const Cell& cell) {
        bins.visit(cell, [&](std::uint32_t p) {
          const float rest = 1 - squared_distance(p, x) * per_square;
          if (rest > 0) add(p, rest * rest * rest);
        });
      });
    if (!(weights > 0)) add(nearest(x), 1);
    if (velocity) *velocity = velocities[first] + velocity_sum * (1 / weights);
    if (value) *value = values[first] + value_sum / weights;
  }
};

void check(std::span<const Vec3> positions, std::span<const Vec3> velocities,
           std::span<const float> values, float radius) {
  if (!(radius > 0 && std::isfinite(radius)))
    throw Error(ErrorKind::usage,
                "attributes of a surface: the radius is {} m; it must be positive", radius);
  const std::size_t n = positions.size();
  if (n == 0 || (!velocities.empty() && velocities.size() != n) ||
      (!values.empty() && values.size() != n))
    throw Error(ErrorKind::usage,
                "attributes of a surface: {} particles with {} velocities and {} values; give one "
                "of each for every particle",
                n, velocities.size(), values.size());
}

}  // namespace

void interpolate_attributes(SurfaceMesh& mesh, std::span<const Vec3> positions,
                            std::span<const Vec3> velocities, std::span<const float> values,
                            float radius, int threads) {
  const std::size_t vertices = mesh.position.size();
  mesh.velocity.resize(velocities.empty() ? 0 : vertices);
  mesh.value.resize(values.empty() ? 0 : vertices);
  if (vertices == 0 || (velocities.empty() && values.empty())) return;
  check(positions, velocities, values, radius);
  const Interpolation interpolation{positions, velocities, values, radius,
                                    ParticleBins(positions, radius)};
#pragma omp parallel for num_threads(make_exec <Cpu>(threads).threads) schedule(dynamic, 1024)
  for (std::size_t v = 0; v < vertices; ++v)
    interpolation.interpolate(mesh.position[v], velocities.empty() ? nullptr : &mesh.velocity[v],
                              values.empty() ? nullptr : &mesh.value[v]);
}

}  // namespace panta
