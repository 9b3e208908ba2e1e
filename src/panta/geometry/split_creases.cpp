#include <array>
#include <cmath>
#include <numbers>

#include "panta/geometry/mesh_topology.h"
#include "panta/geometry/shape_mesh.h"

namespace panta {

namespace {

// Position of a sample between a vertex (0) and the middle of a triangle (1).
constexpr float near_vertex = 0.1f;

// Around every vertex the triangles are grouped into sides, which end at sharp edges. The direction
// of a triangle is the surface normal at its middle: the triangle's own normal is unreliable if it
// is thin.
struct CreaseSplitter {
  SurfaceMesh& mesh;
  const DistanceFunction& distance;
  float smallest_cosine;
  VertexRings rings;
  std::vector<Vec3> facing;                // surface normal of each triangle
  std::vector<std::uint32_t> triangle_at;  // the triangle after each entry of the rings
  std::vector<std::uint32_t> side_at;      // the side of that triangle, as a vertex of the result

  Vec3 middle(std::uint32_t triangle) const {
    const Triangle& t = mesh.triangles[triangle];
    return (mesh.position[t[0]] + mesh.position[t[1]] + mesh.position[t[2]]) * (1.0f / 3);
  }

  // The ring entry of a triangle at its corner k.
  std::uint32_t entry(const Triangle& t, std::size_t k) const {
    std::uint32_t e = rings.first[t[k]];
    while (rings.neighbour[e] != t[(k + 1) % 3]) ++e;
    return e;
  }

  void find_triangle_normals() {
    facing.resize(mesh.triangles.size());
    triangle_at.resize(rings.neighbour.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const auto t = static_cast<std::uint32_t>(i);
      facing[t] = distance(middle(t)).normal;
      for (std::size_t k = 0; k < 3; ++k) triangle_at[entry(mesh.triangles[t], k)] = t;
    }
  }

  bool is_sharp(std::uint32_t entry, std::uint32_t before) const {
    return dot(facing[triangle_at[entry]], facing[triangle_at[before]]) < smallest_cosine;
  }

  // Numbers the sides around a vertex from `next` on; returns their number. A single edge that ends
  // at the vertex does not split it.
  std::uint32_t number_sides(std::size_t vertex, std::uint32_t next) {
    const std::uint32_t begin = rings.first[vertex], end = rings.first[vertex + 1];
    std::uint32_t sharp = 0, first_sharp = begin;
    for (std::uint32_t e = end; e-- > begin;)
      if (is_sharp(e, e == begin ? end - 1 : e - 1)) ++sharp, first_sharp = e;
    const std::uint32_t sides = sharp < 2 ? 1 : sharp;
    std::uint32_t side = 0;
    for (std::uint32_t k = 0; k < end - begin; ++k) {
      const std::uint32_t e = begin + (first_sharp - begin + k) % (end - begin);
      const std::uint32_t before = e == begin ? end - 1 : e - 1;
      if (k > 0 && sides > 1 && is_sharp(e, before)) ++side;
      side_at[e] = next + side;
    }
    return sides;
  }

  bool faces_all_normals(const Vec3& normal, std::size_t vertex) const {
    for (std::uint32_t e = rings.first[vertex]; e < rings.first[vertex + 1]; ++e)
      if (dot(normal, facing[triangle_at[e]]) < smallest_cosine) return false;
    return true;
  }

  float area(std::uint32_t triangle) const {
    const Triangle& t = mesh.triangles[triangle];
    const Vec3& a = mesh.position[t[0]];
    return length(cross(mesh.position[t[1]] - a, mesh.position[t[2]] - a));
  }

  // The surface's normal at the vertex if it is defined. On an edge, the normal of a side is that
  // of the surface close to the vertex, on the side's triangles.
  void find_normals(std::size_t vertex, std::uint32_t first_side, std::uint32_t sides,
                    std::vector<Vec3>& normal) const {
    const Vec3& x = mesh.position[vertex];
    const Vec3 at_vertex = distance(x).normal;
    if (sides == 1 && faces_all_normals(at_vertex, vertex)) {
      normal[first_side] = at_vertex;
      return;
    }
    for (std::uint32_t e = rings.first[vertex]; e < rings.first[vertex + 1]; ++e) {
      const std::uint32_t t = triangle_at[e];
      const Vec3 close = x + (middle(t) - x) * near_vertex;
      normal[side_at[e]] += distance(close).normal * area(t);
    }
    for (std::uint32_t s = first_side; s < first_side + sides; ++s)
      normal[s] = normalized(normal[s], at_vertex);
  }

  void run() {
    find_triangle_normals();
    side_at.resize(rings.neighbour.size());
    const std::size_t vertices = mesh.position.size();
    std::vector<std::uint32_t> first_side(vertices + 1, 0);
    for (std::size_t v = 0; v < vertices; ++v)
      first_side[v + 1] = first_side[v] + number_sides(v, first_side[v]);
    std::vector<Vec3> position(first_side[vertices]), normal(first_side[vertices]);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < vertices; ++v) {
      const std::uint32_t sides = first_side[v + 1] - first_side[v];
      for (std::uint32_t s = 0; s < sides; ++s) position[first_side[v] + s] = mesh.position[v];
      find_normals(v, first_side[v], sides, normal);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      Triangle& t = mesh.triangles[i];
      t = {side_at[entry(t, 0)], side_at[entry(t, 1)], side_at[entry(t, 2)]};
    }
    mesh.position = std::move(position);
    mesh.normal = std::move(normal);
  }
};

}  // namespace

void split_creases(SurfaceMesh& mesh, const DistanceFunction& distance, float crease_angle) {
  const float cosine = std::cos(crease_angle * std::numbers::pi_v<float> / 180);
  CreaseSplitter{mesh, distance, cosine, vertex_rings(mesh.triangles, mesh.position.size()),
                 {},   {},       {}}
      .run();
}

}  // namespace panta
