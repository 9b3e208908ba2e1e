#include "panta/surface/mesh_normals.h"

#include "panta/core/make_exec.h"

namespace panta {

namespace {

// Contribution of a triangle to the normal at its corner x: twice its area vector, or Max's weight
// of it.
Vec3 corner_normal(const Vec3& x, const Vec3& next, const Vec3& after, NormalWeights weights) {
  const Vec3 a = next - x, b = after - x;
  const Vec3 area = cross(a, b);
  if (weights == NormalWeights::area) return area;
  const float squares = dot(a, a) * dot(b, b);
  return squares > 0 ? area * (1 / squares) : Vec3{};
}

}  // namespace

std::vector<Vec3> vertex_normals(const std::vector<Vec3>& position,
                                 std::span<const Triangle> triangles, const VertexRings& rings,
                                 NormalWeights weights, int threads) {
  std::vector<Vec3> normal(position.size());
#pragma omp parallel for num_threads(make_exec <Cpu>(threads).threads) schedule(static)
  for (std::size_t v = 0; v < position.size(); ++v) {
    const std::span<const std::uint32_t> ring = rings.of(v);
    if (ring.empty()) continue;
    Vec3 last = position[ring.back()];
    for (const std::uint32_t r : ring) {
      normal[v] += corner_normal(position[v], last, position[r], weights);
      last = position[r];
    }
  }
  if (!rings.irregular.empty()) {  // their rings are not fans: sum over the triangles
    std::vector<bool> irregular(position.size(), false);
    for (const std::uint32_t v : rings.irregular) irregular[v] = true, normal[v] = {};
    for (const Triangle& t : triangles)
      for (std::size_t k = 0; k < 3; ++k)
        if (irregular[t[k]])
          normal[t[k]] += corner_normal(position[t[k]], position[t[(k + 1) % 3]],
                                        position[t[(k + 2) % 3]], weights);
  }
#pragma omp parallel for num_threads(make_exec <Cpu>(threads).threads) schedule(static)
  for (std::size_t v = 0; v < position.size(); ++v) normal[v] = normalized(normal[v]);
  return normal;
}

}  // namespace panta
