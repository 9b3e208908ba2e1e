#include "panta/surface/edge_collapse.h"

#include <algorithm>
#include <utility>

#include "panta/geometry/mesh_topology.h"
#include "panta/geometry/vertex_parts.h"

namespace panta {

namespace {

constexpr float smallest_cosine = 0.5f;
constexpr float flat_share = 1e-4f;  // of the squared area around: below, a direction is noise

using Fan = EdgeCollapser::Fan;

bool has_opposite_edge(const Fan& fan, std::uint32_t a, std::uint32_t b) {
  for (std::size_t k = 0; k < fan.size; ++k)
    if ((fan.next[k] == a && fan.after[k] == b) || (fan.next[k] == b && fan.after[k] == a))
      return true;
  return false;
}

bool link_condition(const Fan& u, const Fan& v) {
  std::array<std::uint32_t, 2> wing;
  std::size_t common = 0;
  for (std::size_t i = 0; i < u.size; ++i)
    for (std::size_t j = 0; j < v.size; ++j)
      if (u.next[i] == v.next[j]) {
        if (common == 2) return false;
        wing[common++] = u.next[i];
      }
  return common == 2 &&
         !(has_opposite_edge(u, wing[0], wing[1]) && has_opposite_edge(v, wing[0], wing[1]));
}

}  // namespace

EdgeCollapser::EdgeCollapser(SurfaceMesh& mesh, int threads) : mesh_(mesh) {
  mesh.normal.clear();
  const std::size_t vertices = mesh.position.size();
  first_corner_.assign(vertices, none);
  next_corner_.resize(3 * mesh.triangles.size());
  merged_into_.resize(vertices);
  for_vertex_parts(vertices, threads, [&](std::uint32_t begin, std::uint32_t size) {
    for (std::uint32_t v = begin; v < begin + size; ++v) merged_into_[v] = v;
    for (std::size_t t = mesh.triangles.size(); t-- > 0;)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = mesh.triangles[t][k];
        if (v - begin >= size) continue;
        const auto corner = static_cast<std::uint32_t>(3 * t + k);
        next_corner_[corner] = std::exchange(first_corner_[v], corner);
      }
  });
}

std::uint32_t EdgeCollapser::representative(std::uint32_t vertex) {
  while (merged_into_[vertex] != vertex)
    vertex = merged_into_[vertex] = merged_into_[merged_into_[vertex]];
  return vertex;
}

Fan EdgeCollapser::fan(std::uint32_t vertex) const {
  Fan fan;
  for (std::uint32_t c = first_corner_[vertex]; c != none; c = next_corner_[c]) {
    const Triangle& t = mesh_.triangles[c / 3];
    if (t[0] == none) continue;
    if (fan.size == most_corners) {
      fan.complete = false;
      break;
    }
    const std::uint32_t k = c % 3;
    fan.next[fan.size] = t[k == 2 ? 0 : k + 1];
    fan.after[fan.size++] = t[k == 0 ? 2 : k - 1];
  }
  return fan;
}

// Whether a remaining triangle of the fan changes its direction too much when its corner moves. A
// triangle with almost no area is judged by the mean direction of the fan, unless it remains
// without area.
bool EdgeCollapser::turns_too_far(const Vec3& from, const Vec3& to, const Fan& fan,
                                  std::uint32_t other_end, const Vec3& overall) const {
  if (from == to) return false;
  const float flat = flat_share * dot(overall, overall);
  for (std::size_t k = 0; k < fan.size; ++k) {
    if (fan.next[k] == other_end || fan.after[k] == other_end) continue;
    const Vec3 &a = mesh_.position[fan.next[k]], &b = mesh_.position[fan.after[k]];
    const Vec3 area = cross(a - from, b - from), moved = cross(a - to, b - to);
    const bool was_flat = dot(area, area) < flat;
    if (was_flat && dot(moved, moved) < flat) continue;
    const Vec3& before = was_flat ? overall : area;
    const float along = dot(before, moved);
    if (!(along > 0 && along * along > smallest_cosine * smallest_cosine * dot(before, before) *
                                           dot(moved, moved)))
      return true;
  }
  return false;
}

bool EdgeCollapser::may_collapse(std::uint32_t u, const Fan& fan_u, std::uint32_t v,
                                 const Fan& fan_v, const Vec3& to) const {
  if (!fan_u.complete || !fan_v.complete || fan_u.size + fan_v.size > most_corners + 4 ||
      !link_condition(fan_u, fan_v))
    return false;
  Vec3 overall;
  const auto add = [&](std::uint32_t vertex, const Fan& fan) {
    const Vec3& x = mesh_.position[vertex];
    for (std::size_t k = 0; k < fan.size; ++k)
      overall += cross(mesh_.position[fan.next[k]] - x, mesh_.position[fan.after[k]] - x);
  };
  add(u, fan_u);
  add(v, fan_v);
  return !turns_too_far(mesh_.position[u], to, fan_u, v, overall) &&
         !turns_too_far(mesh_.position[v], to, fan_v, u, overall);
}

void EdgeCollapser::collapse(std::uint32_t u, std::uint32_t v, const Vec3& to, float along) {
  for (std::uint32_t c = first_corner_[v]; c != none; c = next_corner_[c]) {
    Triangle& t = mesh_.triangles[c / 3];
    if (t[0] == none) continue;
    if (t[0] == u || t[1] == u || t[2] == u) {
      t[0] = none;
    } else {
      t[c % 3] = u;
    }
  }
  std::uint32_t* link = &first_corner_[u];
  for (const std::uint32_t list : {first_corner_[u], first_corner_[v]})
    for (std::uint32_t c = list; c != none; c = next_corner_[c])
      if (!is_gone(c)) *link = c, link = &next_corner_[c];
  *link = none;
  merged_into_[v] = u;
  mesh_.position[u] = to;
  const auto blend = [&](auto& entries) {
    if (!entries.empty()) entries[u] = entries[u] * (1 - along) + entries[v] * along;
  };
  blend(mesh_.velocity);
  blend(mesh_.value);
}

void EdgeCollapser::drop_tetrahedron_at(std::uint32_t vertex) {
  const Fan fan = this->fan(vertex);
  if (fan.size != 3 || this->fan(fan.next[0]).size != 3) return;
  for (const std::uint32_t v : {vertex, fan.next[0], fan.next[1], fan.next[2]}) {
    for (std::uint32_t c = first_corner_[v]; c != none; c = next_corner_[c])
      mesh_.triangles[c / 3][0] = none;
    merged_into_[v] = vertex;
    first_corner_[v] = none;
  }
}

std::vector<std::uint32_t> EdgeCollapser::compact() {
  std::vector<bool> keep(mesh_.position.size());
  for (std::size_t v = 0; v < keep.size(); ++v)
    keep[v] = merged_into_[v] == v && first_corner_[v] != none;
  std::erase_if(mesh_.triangles, [](const Triangle& t) { return t[0] == none; });
  return keep_vertices(mesh_, keep);
}

}  // namespace panta
