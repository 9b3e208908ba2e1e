#include "panta/surface/clean_mesh.h"

#include <algorithm>
#include <array>
#include <utility>

#include "panta/core/make_exec.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/surface/edge_collapse.h"

namespace panta {

namespace {

constexpr std::size_t blocks = 16;
constexpr float flat_share = 0.003f;  // of the shortest edge: lower triangles are removed too

struct Edge {
  std::uint32_t u, v;
};

struct ShortEdges {
  SurfaceMesh& mesh;
  float shortest;
  int threads;

  bool is_short(std::uint32_t u, std::uint32_t v) const {
    const Vec3 d = mesh.position[u] - mesh.position[v];
    return dot(d, d) < shortest * shortest;
  }

  std::size_t block_of(std::uint32_t vertex) const {
    return vertex * blocks / mesh.position.size();
  }

  // Sorted by the block of their first ends, in the order of the triangles. A closed mesh has each
  // edge once in each direction.
  std::array<std::vector<Edge>, blocks> find() const {
    std::array<std::array<std::vector<Edge>, blocks>, blocks> found;  // by part of the triangles
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t part = 0; part < blocks; ++part) {
      const std::size_t count = mesh.triangles.size();
      for (std::size_t t = count * part / blocks; t < count * (part + 1) / blocks; ++t) {
        const Triangle& corner = mesh.triangles[t];
        for (std::size_t k = 0; k < 3; ++k) {
          const std::uint32_t u = corner[k], v = corner[k == 2 ? 0 : k + 1];
          if (u < v && is_short(u, v)) found[part][block_of(u)].push_back({u, v});
        }
      }
    }
    std::array<std::vector<Edge>, blocks> edges;
    for (const auto& part : found)
      for (std::size_t b = 0; b < blocks; ++b)
        edges[b].insert(edges[b].end(), part[b].begin(), part[b].end());
    return edges;
  }

  bool lies_in(std::size_t block, const EdgeCollapser::Fan& fan) const {
    return std::all_of(fan.next.begin(), fan.next.begin() + static_cast<std::ptrdiff_t>(fan.size),
                       [&](std::uint32_t v) { return block_of(v) == block; });
  }

  // The point where the edge's ends may be merged without a change of volume: from the middle along
  // the area vector of the fan around it. Volumes are relative to the middle, times six.
  Vec3 merged_place(std::uint32_t u, const EdgeCollapser::Fan& fan_u, std::uint32_t v,
                    const EdgeCollapser::Fan& fan_v) const {
    const Vec3 middle = (mesh.position[u] + mesh.position[v]) * 0.5f;
    Vec3 area;
    float volume = 0;
    const auto add = [&](std::uint32_t vertex, const EdgeCollapser::Fan& fan, std::uint32_t other) {
      const Vec3 x = mesh.position[vertex] - middle;
      for (std::size_t k = 0; k < fan.size; ++k) {
        const Vec3 opposite =
            cross(mesh.position[fan.next[k]] - middle, mesh.position[fan.after[k]] - middle);
        const bool shared = fan.next[k] == other || fan.after[k] == other;
        volume += dot(x, opposite) * (shared ? 0.5f : 1.0f);
        if (!shared) area += opposite;
      }
    };
    add(u, fan_u, v);
    add(v, fan_v, u);
    const float square = dot(area, area);
    if (!(square > 0)) return middle;
    const Vec3 shift = area * (volume / square);
    return dot(shift, shift) < shortest * shortest ? middle + shift : middle;
  }

  void try_collapse(EdgeCollapser& collapser, std::uint32_t u, const EdgeCollapser::Fan& fan_u,
                    std::uint32_t v, const EdgeCollapser::Fan& fan_v) const {
    const Vec3 place = merged_place(u, fan_u, v, fan_v);
    if (!collapser.may_collapse(u, fan_u, v, fan_v, place)) return;
    collapser.collapse(u, v, place, 0.5f);
    // A piece reduced to a tetrahedron is removed; smoothing would shrink it to a point.
    if (fan_u.size + fan_v.size == 7) collapser.drop_tetrahedron_at(u);
  }

  // Collapses edges whose surroundings are inside the block; returns the rest.
  std::vector<Edge> collapse_in_block(EdgeCollapser& collapser, std::size_t block,
                                      const std::vector<Edge>& edges) const {
    std::vector<Edge> rest;
    for (const Edge& edge : edges) {
      if (block_of(edge.v) != block) {
        rest.push_back(edge);
        continue;
      }
      const std::uint32_t u = collapser.representative(edge.u),
                          v = collapser.representative(edge.v);
      if (u == v || !is_short(u, v)) continue;
      const EdgeCollapser::Fan fan_u = collapser.fan(u), fan_v = collapser.fan(v);
      if (lies_in(block, fan_u) && lies_in(block, fan_v)) {
        try_collapse(collapser, u, fan_u, v, fan_v);
      } else {
        rest.push_back(edge);
      }
    }
    return rest;
  }

  void collapse_all(EdgeCollapser& collapser, const std::vector<Edge>& edges) const {
    for (const Edge& edge : edges) {
      const std::uint32_t u = collapser.representative(edge.u),
                          v = collapser.representative(edge.v);
      if (u != v && is_short(u, v))
        try_collapse(collapser, u, collapser.fan(u), v, collapser.fan(v));
    }
  }
};

// Triangles lower than a height: of three corners nearly on a line, the middle one is merged into
// the nearer of the others or, if that fails, into the farther one.
struct FlatTriangles {
  SurfaceMesh& mesh;
  float lowest;
  int threads;

  static bool is_gone(const Triangle& t) { return t[0] == EdgeCollapser::none; }

  float square_between(std::uint32_t u, std::uint32_t v) const {
    const Vec3 d = mesh.position[u] - mesh.position[v];
    return dot(d, d);
  }

  bool is_flat(const Triangle& t) const {
    if (is_gone(t)) return false;
    const Vec3& a = mesh.position[t[0]];
    const Vec3 area = cross(mesh.position[t[1]] - a, mesh.position[t[2]] - a);  // twice
    const float longest = std::max(
        {square_between(t[0], t[1]), square_between(t[1], t[2]), square_between(t[2], t[0])});
    return dot(area, area) <= lowest * lowest * longest;
  }

  std::vector<std::uint32_t> find() const {
    std::array<std::vector<std::uint32_t>, blocks> found;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t part = 0; part < blocks; ++part) {
      const std::size_t count = mesh.triangles.size();
      for (std::size_t t = count * part / blocks; t < count * (part + 1) / blocks; ++t)
        if (is_flat(mesh.triangles[t])) found[part].push_back(static_cast<std::uint32_t>(t));
    }
    std::vector<std::uint32_t> flat;
    for (const auto& part : found) flat.insert(flat.end(), part.begin(), part.end());
    return flat;
  }

  bool merge(EdgeCollapser& collapser, std::uint32_t into, std::uint32_t vertex) const {
    const Vec3 place = mesh.position[into];
    if (!collapser.may_collapse(into, collapser.fan(into), vertex, collapser.fan(vertex), place))
      return false;
    collapser.collapse(into, vertex, place, 0);
    return true;
  }

  // The vertex that another was merged into, or `none`.
  std::uint32_t remove(EdgeCollapser& collapser, const Triangle& t) const {
    std::size_t middle = 0;  // opposite to the longest edge
    float longest = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      const float square = square_between(t[(k + 1) % 3], t[(k + 2) % 3]);
      if (square > longest) longest = square, middle = k;
    }
    std::uint32_t near = t[(middle + 1) % 3], far = t[(middle + 2) % 3];
    if (square_between(t[middle], far) < square_between(t[middle], near)) std::swap(near, far);
    for (const std::uint32_t into : {near, far})
      if (merge(collapser, into, t[middle])) return into;
    return EdgeCollapser::none;
  }

  std::uint32_t remove_at(EdgeCollapser& collapser, std::uint32_t vertex) const {
    const EdgeCollapser::Fan fan = collapser.fan(vertex);
    for (std::size_t k = 0; k < fan.size; ++k) {
      const Triangle t{vertex, fan.next[k], fan.after[k]};
      const std::uint32_t into = is_flat(t) ? remove(collapser, t) : EdgeCollapser::none;
      if (into != EdgeCollapser::none) return into;
    }
    return EdgeCollapser::none;
  }

  // A merge may make other triangles flat, so these are checked again.
  void remove_all(EdgeCollapser& collapser, const std::vector<std::uint32_t>& flat) const {
    for (const std::uint32_t t : flat) {
      const Triangle corners = mesh.triangles[t];
      if (!is_flat(corners)) continue;
      for (std::uint32_t into = remove(collapser, corners); into != EdgeCollapser::none;)
        into = remove_at(collapser, into);
    }
  }
};

}  // namespace

std::vector<std::uint32_t> merge_short_edges(SurfaceMesh& mesh, float shortest, int threads) {
  threads = make_exec<Cpu>(threads).threads;
  const ShortEdges short_edges{mesh, shortest, threads};
  EdgeCollapser collapser(mesh, threads);
  std::array<std::vector<Edge>, blocks> edges = short_edges.find();
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::size_t b = 0; b < blocks; ++b)
    edges[b] = short_edges.collapse_in_block(collapser, b, edges[b]);
  for (const std::vector<Edge>& rest : edges) short_edges.collapse_all(collapser, rest);
  const FlatTriangles flat{mesh, flat_share * shortest, threads};
  flat.remove_all(collapser, flat.find());
  return collapser.compact();
}

bool remove_flat_triangles(SurfaceMesh& mesh, float lowest, int threads) {
  threads = make_exec<Cpu>(threads).threads;
  const FlatTriangles flat{mesh, lowest, threads};
  const std::vector<std::uint32_t> found = flat.find();
  if (found.empty()) return false;
  EdgeCollapser collapser(mesh, threads);
  flat.remove_all(collapser, found);
  collapser.compact();
  return true;
}

std::vector<std::uint32_t> remove_small_pieces(SurfaceMesh& mesh, std::size_t fewest_triangles) {
  const MeshComponents pieces = mesh_components(mesh.triangles, mesh.position.size());
  std::vector<std::size_t> triangles(pieces.count, 0);
  for (const Triangle& t : mesh.triangles) ++triangles[pieces.of_vertex[t[0]]];
  std::vector<bool> keep(mesh.position.size());
  for (std::size_t v = 0; v < keep.size(); ++v)
    keep[v] =
        pieces.of_vertex[v] != no_component && triangles[pieces.of_vertex[v]] >= fewest_triangles;
  return keep_vertices(mesh, keep);
}

}  // namespace panta
