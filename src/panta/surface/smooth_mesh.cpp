#include "panta/surface/smooth_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/core/error_format.h"
#include "panta/core/make_exec.h"
#include "panta/surface/mesh_normals.h"

namespace panta {

namespace {

constexpr float lambda = 0.8f;  // stable: the factor of every wave number is at most 0.6

// Weights of the rings' edges in steps of 1/255.
using EdgeWeights = std::vector<std::uint8_t>;

struct Smoother {
  std::vector<Vec3>& position;
  std::span<const Triangle> triangles;
  const VertexRings& rings;
  std::span<const float> vertex_weight;
  int threads;
  EdgeWeights weight = {};

  float mobility(std::size_t v) const { return vertex_weight.empty() ? 1.0f : vertex_weight[v]; }

  // Averaged once over the ring, so that a single crooked triangle does not make a crease.
  std::vector<Vec3> steadied_normals() const {
    const std::vector<Vec3> normal =
        vertex_normals(position, triangles, rings, NormalWeights::area, threads);
    std::vector<Vec3> steadied = normal;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t v = 0; v < position.size(); ++v) {
      for (const std::uint32_t r : rings.of(v)) steadied[v] += normal[r];
      steadied[v] = normalized(steadied[v]);
    }
    return steadied;
  }

  void weigh_edges(float feature_angle) {
    weight.assign(rings.neighbour.size(), 255);
    if (feature_angle > 0) {
      const std::vector<Vec3> normal = steadied_normals();
      // The normal of a vertex on the crease is half-way between those of its sides.
      const float radians = 0.5f * feature_angle * std::numbers::pi_v<float> / 180;
      const float none_below = std::cos(radians), all_above = std::cos(0.5f * radians);
#pragma omp parallel for num_threads(threads) schedule(static)
      for (std::size_t v = 0; v < position.size(); ++v)
        for (std::uint32_t e = rings.first[v]; e < rings.first[v + 1]; ++e) {
          const float cosine = dot(normal[v], normal[rings.neighbour[e]]);
          const float share = (cosine - none_below) / (all_above - none_below);
          weight[e] = static_cast<std::uint8_t>(255 * std::clamp(share, 0.0f, 1.0f) + 0.5f);
        }
    }
    for (const std::uint32_t v : rings.irregular)
      std::fill(weight.begin() + rings.first[v], weight.begin() + rings.first[v + 1], 0);
  }

  void move_towards_rings(std::vector<Vec3>& moved) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t v = 0; v < position.size(); ++v) {
      Vec3 sum;
      float weights = 0;
      for (std::uint32_t e = rings.first[v]; e < rings.first[v + 1]; ++e) {
        const float w = weight[e];
        sum += position[rings.neighbour[e]] * w;
        weights += w;
      }
      moved[v] = position[v];
      if (weights > 0) {
        // Slower if most of the ring has a small weight.
        const float all = 255 * static_cast<float>(rings.first[v + 1] - rings.first[v]);
        const float share = weights / std::max(weights, 0.5f * all);
        moved[v] += (sum * (1 / weights) - position[v]) * (lambda * share * mobility(v));
      }
    }
  }

  // Twice the area vector of the triangles around a vertex.
  Vec3 fan_area(const std::vector<Vec3>& at, std::size_t v) const {
    Vec3 area;
    const std::span<const std::uint32_t> ring = rings.of(v);
    for (std::size_t k = 0; k < ring.size(); ++k)
      area += cross(at[ring[k]] - at[v], at[ring[k + 1 < ring.size() ? k + 1 : 0]] - at[v]);
    return area;
  }

  // The volume that a vertex has lost and the area that it represents, both times twelve and
  // divided by the sum of the weights around it. A moving vertex sweeps the volume of its path
  // times the mean of its area vectors before and after.
  struct Loss {
    float volume, area;
  };

  static constexpr float own_weight = 255;

  float weight_around(std::size_t v) const {
    float sum = own_weight;
    for (std::uint32_t e = rings.first[v]; e < rings.first[v + 1]; ++e) sum += weight[e];
    return sum;
  }

  void find_losses(const std::vector<Vec3>& before, std::vector<Loss>& loss,
                   std::vector<Vec3>& normal) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t v = 0; v < position.size(); ++v) {
      const Vec3 was = fan_area(before, v), is = fan_area(position, v);
      const float share = 1 / weight_around(v);
      normal[v] = normalized(is);
      loss[v] = {dot(before[v] - position[v], was + is) * share,
                 (length(was) + length(is)) * share};
    }
  }

  // Every vertex distributes its value to its ring and itself, so that the sum is conserved.
  void spread(const std::vector<Loss>& loss, std::vector<Loss>& spread) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t v = 0; v < position.size(); ++v) {
      float weights = own_weight;
      float volume = own_weight * loss[v].volume, area = own_weight * loss[v].area;
      for (std::uint32_t e = rings.first[v]; e < rings.first[v + 1]; ++e) {
        const Loss& other = loss[rings.neighbour[e]];
        const float w = weight[e];
        volume += w * other.volume;
        area += w * other.area;
        weights += w;
      }
      spread[v] = {volume / weights, area / weights};
    }
  }

  void restore_volume(const std::vector<Loss>& loss, const std::vector<Vec3>& normal) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t v = 0; v < position.size(); ++v)
      if (loss[v].area > 0)
        position[v] += normal[v] * (loss[v].volume / loss[v].area * mobility(v));
  }
};

}  // namespace

void smooth_mesh(SurfaceMesh& mesh, const VertexRings& rings, const SmoothOptions& options,
                 std::span<const float> weight) {
  if (options.passes <= 0) return;
  if (!weight.empty() && weight.size() != mesh.position.size())
    throw Error(ErrorKind::usage, "smoothing got {} weights for {} vertices; give one for each",
                weight.size(), mesh.position.size());
  mesh.normal.clear();
  const int threads = make_exec<Cpu>(options.threads).threads;
  Smoother smoother{mesh.position, mesh.triangles, rings, weight, threads};
  smoother.weigh_edges(options.feature_angle);
  const std::vector<Vec3> before = mesh.position;
  {
    std::vector<Vec3> moved(before.size());
    for (int pass = 0; pass < options.passes; ++pass) {
      smoother.move_towards_rings(moved);
      std::swap(mesh.position, moved);
    }
  }
  std::vector<Vec3> normal(before.size());
  std::vector<Smoother::Loss> loss(before.size()), spread(before.size());
  smoother.find_losses(before, loss, normal);
  for (int pass = 0; pass < options.passes; ++pass) {
    smoother.spread(loss, spread);
    std::swap(loss, spread);
  }
  smoother.restore_volume(loss, normal);
}

void smooth_mesh(SurfaceMesh& mesh, const SmoothOptions& options, std::span<const float> weight) {
  smooth_mesh(mesh, vertex_rings(mesh.triangles, mesh.position.size(), options.threads), options,
              weight);
}

}  // namespace panta
