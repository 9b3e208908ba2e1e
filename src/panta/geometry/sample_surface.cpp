#include "panta/geometry/sample_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "panta/core/error_format.h"
#include "panta/core/random.h"
#include "panta/geometry/surface_cells.h"

namespace panta {

namespace {

// In spacings. With this disk radius a random packing has one point per spacing^2.
constexpr float disk_radius = 0.785f;
constexpr float candidate_pitch = 0.25f;
constexpr float push_radius = 1.6f;
constexpr float push = 0.25f;          // displacement by a neighbour at distance 0
constexpr float longest_push = 0.15f;  // largest displacement in one sweep
constexpr float on_surface = 2e-3f;    // largest distance of a point on the surface
constexpr int sweeps = 30;

// Points sorted by cubes, for neighbour queries up to a cube's edge length.
class PointCubes {
 public:
  explicit PointCubes(float edge) : edge_(edge) {}

  void add(const Vec3& x, std::uint32_t index) { cubes_[key(x, 0, 0, 0)].push_back(index); }

  template <class Visit>
  void visit_around(const Vec3& x, const Visit& visit) const {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const auto cube = cubes_.find(key(x, dx, dy, dz));
          if (cube == cubes_.end()) continue;
          for (const std::uint32_t index : cube->second) visit(index);
        }
  }

 private:
  // 21 bits of each coordinate: distant cubes may share a key, which costs only extra comparisons.
  std::uint64_t key(const Vec3& x, int dx, int dy, int dz) const {
    const auto part = [&](float coordinate, int step) {
      return static_cast<std::uint64_t>(std::llround(std::floor(coordinate / edge_)) + step) &
             0x1FFFFF;
    };
    return part(x.x, dx) | part(x.y, dy) << 21 | part(x.z, dz) << 42;
  }

  float edge_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cubes_;
};

bool face_alike(const Vec3& a, const Vec3& b) { return dot(a, b) > -0.8f; }

// Moves x onto the surface; false on failure.
bool put_on_surface(const DistanceFunction& distance, float spacing, Vec3& x, Vec3& normal) {
  for (int step = 0; step < 8; ++step) {
    const Distance d = distance(x);
    normal = d.normal;
    if (std::abs(d.value) <= on_surface * spacing) return true;
    x -= d.normal * d.value;
  }
  return false;
}

// For each cell the nearest point of the surface and, if the solid is thinner than a cell, the one
// on its other side.
SurfaceSamples candidates(const DistanceFunction& distance, const SurfaceCells& cells,
                          float spacing) {
  const auto count = static_cast<std::int64_t>(cells.centre.size());
  struct Pair {
    bool found[2] = {};
    Vec3 position[2], normal[2];
  };
  std::vector<Pair> pairs(cells.centre.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    Pair& pair = pairs[static_cast<std::size_t>(i)];
    pair.position[0] = cells.centre[static_cast<std::size_t>(i)];
    pair.found[0] = put_on_surface(distance, spacing, pair.position[0], pair.normal[0]);
    pair.position[1] = pair.position[0] - pair.normal[0] * cells.size;
    if (pair.found[0] && !face_alike(distance(pair.position[1]).normal, pair.normal[0]))
      pair.found[1] = put_on_surface(distance, spacing, pair.position[1], pair.normal[1]);
  }
  SurfaceSamples dense;
  for (const Pair& pair : pairs)
    for (int side = 0; side < 2; ++side) {
      if (!pair.found[side]) continue;
      dense.position.push_back(pair.position[side]);
      dense.normal.push_back(pair.normal[side]);
    }
  return dense;
}

SurfaceSamples keep_poisson_disks(const SurfaceSamples& dense, float radius) {
  std::vector<std::uint32_t> order(dense.position.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
    return std::pair(mix_bits(a), a) < std::pair(mix_bits(b), b);
  });
  SurfaceSamples kept;
  PointCubes cubes(radius);
  for (const std::uint32_t i : order) {
    const Vec3 &x = dense.position[i], &normal = dense.normal[i];
    bool free = true;
    cubes.visit_around(x, [&](std::uint32_t other) {
      if (length(kept.position[other] - x) < radius && face_alike(kept.normal[other], normal))
        free = false;
    });
    if (!free) continue;
    cubes.add(x, static_cast<std::uint32_t>(kept.position.size()));
    kept.position.push_back(x);
    kept.normal.push_back(normal);
  }
  return kept;
}

// The point displaced along the surface by its neighbours.
Vec3 pushed(const SurfaceSamples& samples, const PointCubes& cubes, std::size_t i, float spacing) {
  const Vec3 x = samples.position[i], normal = samples.normal[i];
  Vec3 move;
  cubes.visit_around(x, [&](std::uint32_t other) {
    const Vec3 arm = x - samples.position[other];
    const float r = length(arm) / (push_radius * spacing);
    if (other == i || r >= 1 || !(r > 0) || !face_alike(samples.normal[other], normal)) return;
    move += normalized(arm) * ((1 - r) * (1 - r) * push * spacing);
  });
  move -= normal * dot(move, normal);
  const float size = length(move), longest = longest_push * spacing;
  return size > longest ? move * (longest / size) : move;
}

void spread(const DistanceFunction& distance, float spacing, SurfaceSamples& samples) {
  const auto count = static_cast<std::int64_t>(samples.position.size());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    PointCubes cubes(push_radius * spacing);
    for (std::size_t i = 0; i < samples.position.size(); ++i)
      cubes.add(samples.position[i], static_cast<std::uint32_t>(i));
    SurfaceSamples next = samples;
#pragma omp parallel for schedule(static)
    for (std::int64_t k = 0; k < count; ++k) {
      const auto i = static_cast<std::size_t>(k);
      Vec3 x = samples.position[i] + pushed(samples, cubes, i, spacing), normal;
      if (!put_on_surface(distance, spacing, x, normal)) continue;
      next.position[i] = x;
      next.normal[i] = normal;
    }
    samples = std::move(next);
  }
}

}  // namespace

SurfaceSamples sample_surface(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                              float spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing))
    throw Error(ErrorKind::usage, "the spacing of samples must be positive, not {} m", spacing);
  const SurfaceCells cells = find_surface_cells(distance, min, max, candidate_pitch * spacing);
  SurfaceSamples samples =
      keep_poisson_disks(candidates(distance, cells, spacing), disk_radius * spacing);
  spread(distance, spacing, samples);
  return samples;
}

}  // namespace panta
