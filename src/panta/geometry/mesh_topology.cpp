#include "panta/geometry/mesh_topology.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "panta/geometry/vertex_parts.h"

namespace panta {

namespace {

// For every vertex the corners (3 * triangle + position in it) that use it, ascending.
void gather_corners(std::span<const Triangle> triangles, std::size_t vertices, int threads,
                    VertexRings& rings) {
  rings.first.assign(vertices + 1, 0);
  rings.neighbour.resize(3 * triangles.size());
  for_vertex_parts(vertices, threads, [&](std::uint32_t begin, std::uint32_t size) {
    for (const Triangle& t : triangles)
      for (const std::uint32_t v : t)
        if (v - begin < size) ++rings.first[v + 1];
  });
  // Converts counts to beginnings, shifted by one; filling the rows moves them into place.
  std::uint32_t begin_of_row = 0;
  for (std::size_t v = 1; v <= vertices; ++v)
    begin_of_row += std::exchange(rings.first[v], begin_of_row);
  for_vertex_parts(vertices, threads, [&](std::uint32_t begin, std::uint32_t size) {
    std::uint32_t corner = 0;
    for (const Triangle& t : triangles)
      for (const std::uint32_t v : t) {
        if (v - begin < size) rings.neighbour[rings.first[v + 1]++] = corner;
        ++corner;
      }
  });
}

// The other corners of a vertex's triangles, `next` and `after` it.
struct FanEdge {
  std::uint32_t next, after;
};

// Sorts the edges opposite to a vertex into one cycle; false if they do not form one.
bool order_fan(std::uint32_t vertex, std::span<FanEdge> fan) {
  if (fan.size() < 3) return false;
  for (std::size_t k = 0; k < fan.size(); ++k) {
    if (fan[k].next == vertex || fan[k].after == vertex) return false;
    for (std::size_t j = 0; j < k; ++j)
      if (fan[j].next == fan[k].next) return false;
  }
  for (std::size_t k = 0; k + 1 < fan.size(); ++k) {
    std::size_t j = k + 1;
    while (j < fan.size() && fan[j].next != fan[k].after) ++j;
    if (j == fan.size()) return false;
    std::swap(fan[k + 1], fan[j]);
  }
  return fan.back().after == fan.front().next;
}

// Converts a vertex's corners to its ring; false if it has none.
bool make_ring(std::span<const Triangle> triangles, std::uint32_t vertex,
               std::span<std::uint32_t> row, std::vector<FanEdge>& fan) {
  fan.clear();
  for (const std::uint32_t corner : row) {
    const Triangle& t = triangles[corner / 3];
    const std::uint32_t k = corner % 3;
    fan.push_back({t[(k + 1) % 3], t[(k + 2) % 3]});
  }
  const bool regular = order_fan(vertex, fan);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = fan[k].next;
  return regular || row.empty();
}

// The sum of f(triangle), in blocks of a fixed size.
template <class F>
double sum_over_triangles(const SurfaceMesh& mesh, int threads, const F& f) {
  constexpr std::size_t block = 4096;
  const std::size_t count = mesh.triangles.size(), blocks = (count + block - 1) / block;
  std::vector<double> part(blocks, 0);
#pragma omp parallel for num_threads(make_exec <Cpu>(threads).threads) schedule(static)
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t t = b * block; t < std::min(count, (b + 1) * block); ++t)
      part[b] += f(mesh.triangles[t]);
  return std::accumulate(part.begin(), part.end(), 0.0);
}

template <class T>
void keep_entries(std::vector<T>& entries, const std::vector<std::uint32_t>& kept) {
  if (entries.empty()) return;
  for (std::size_t v = 0; v < kept.size(); ++v) entries[v] = entries[kept[v]];
  entries.resize(kept.size());
}

std::size_t vertices_in_use(const SurfaceMesh& mesh) {
  std::vector<bool> used(mesh.position.size(), false);
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) used[v] = true;
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
}

}  // namespace

VertexRings vertex_rings(std::span<const Triangle> triangles, std::size_t vertices, int threads) {
  threads = make_exec<Cpu>(threads).threads;
  VertexRings rings;
  gather_corners(triangles, vertices, threads, rings);
  // One list per thread for its part of the vertices, concatenated in order.
  std::vector<std::vector<std::uint32_t>> irregular(static_cast<std::size_t>(threads));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int part = 0; part < threads; ++part) {
    const auto bound = [&](int k) {
      return vertices * static_cast<std::size_t>(k) / static_cast<std::size_t>(threads);
    };
    std::vector<FanEdge> fan;
    for (std::size_t v = bound(part); v < bound(part + 1); ++v) {
      const std::span<std::uint32_t> row(rings.neighbour.data() + rings.first[v],
                                         rings.neighbour.data() + rings.first[v + 1]);
      const auto vertex = static_cast<std::uint32_t>(v);
      if (!make_ring(triangles, vertex, row, fan))
        irregular[static_cast<std::size_t>(part)].push_back(vertex);
    }
  }
  for (const std::vector<std::uint32_t>& part : irregular)
    rings.irregular.insert(rings.irregular.end(), part.begin(), part.end());
  return rings;
}

bool is_closed_manifold(const SurfaceMesh& mesh, int threads) {
  return vertex_rings(mesh.triangles, mesh.position.size(), threads).irregular.empty();
}

MeshComponents mesh_components(std::span<const Triangle> triangles, std::size_t vertices) {
  // Union-find: a vertex's parent has a lower index; a vertex without one represents a component.
  std::vector<std::uint32_t> parent(vertices);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root_of = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  MeshComponents components;
  components.of_vertex.assign(vertices, no_component);
  for (const Triangle& t : triangles) {
    std::array<std::uint32_t, 3> root = {root_of(t[0]), root_of(t[1]), root_of(t[2])};
    const std::uint32_t lowest = *std::min_element(root.begin(), root.end());
    for (const std::uint32_t r : root) parent[r] = lowest;
    components.of_vertex[t[0]] = components.of_vertex[t[1]] = components.of_vertex[t[2]] = 0;
  }
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (components.of_vertex[v] == no_component) continue;
    const std::uint32_t root = root_of(v);
    components.of_vertex[v] = root == v ? components.count++ : components.of_vertex[root];
  }
  return components;
}

std::int64_t euler_characteristic(const SurfaceMesh& mesh) {
  const auto vertices = static_cast<std::int64_t>(vertices_in_use(mesh));
  return vertices - static_cast<std::int64_t>(mesh.triangles.size()) / 2;  // 3 F / 2 edges
}

std::int64_t genus(const SurfaceMesh& mesh) {
  const std::uint32_t pieces = mesh_components(mesh.triangles, mesh.position.size()).count;
  return pieces - euler_characteristic(mesh) / 2;
}

double mesh_area(const SurfaceMesh& mesh, int threads) {
  return sum_over_triangles(mesh, threads, [&](const Triangle& t) {
    const Vec3d a = to_double(mesh.position[t[0]]);
    const Vec3d b = to_double(mesh.position[t[1]]), c = to_double(mesh.position[t[2]]);
    return 0.5 * length(cross(b - a, c - a));
  });
}

double mesh_volume(const SurfaceMesh& mesh, int threads) {
  if (mesh.position.empty()) return 0;
  // Relative to a vertex, not to a distant origin, so that no large terms cancel.
  const Vec3d origin = to_double(mesh.position[0]);
  const auto corner = [&](std::uint32_t v) { return to_double(mesh.position[v]) - origin; };
  return sum_over_triangles(mesh, threads, [&](const Triangle& t) {
    return dot(corner(t[0]), cross(corner(t[1]), corner(t[2]))) / 6;
  });
}

std::vector<std::uint32_t> keep_vertices(SurfaceMesh& mesh, const std::vector<bool>& keep) {
  std::vector<std::uint32_t> kept, new_index(mesh.position.size(), 0);
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    if (!keep[v]) continue;
    new_index[v] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(static_cast<std::uint32_t>(v));
  }
  std::size_t triangles = 0;
  for (const Triangle& t : mesh.triangles)
    if (keep[t[0]] && keep[t[1]] && keep[t[2]])
      mesh.triangles[triangles++] = {new_index[t[0]], new_index[t[1]], new_index[t[2]]};
  mesh.triangles.resize(triangles);
  keep_entries(mesh.position, kept);
  keep_entries(mesh.normal, kept);
  keep_entries(mesh.velocity, kept);
  keep_entries(mesh.value, kept);
  return kept;
}

}  // namespace panta
