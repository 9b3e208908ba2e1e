#include "panta/geometry/triangle_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "panta/core/error_format.h"

namespace panta {

namespace {

// One use of an edge by a triangle.
struct EdgeUse {
  std::uint32_t low, high;  // vertex indices
  bool forward;             // the triangle runs from low to high
};

bool same_edge(const EdgeUse& a, const EdgeUse& b) { return a.low == b.low && a.high == b.high; }

bool has_repeated_corner(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

Vec3d area_vector(const TriangleMesh& mesh, std::size_t t) {
  const Vec3d a = mesh.corner(t, 0);
  return cross(mesh.corner(t, 1) - a, mesh.corner(t, 2) - a) * 0.5;
}

// All uses of edges, sorted by edge. A triangle with a repeated corner is skipped.
std::vector<EdgeUse> sorted_edge_uses(const TriangleMesh& mesh) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    if (has_repeated_corner(t)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = t[k], to = t[(k + 1) % 3];
      uses.push_back({std::min(from, to), std::max(from, to), from < to});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.forward) < std::tie(b.low, b.high, b.forward);
  });
  return uses;
}

void note(MeshDefect& defect, const TriangleMesh& mesh, std::uint32_t from, std::uint32_t to) {
  if (defect.count++ == 0) defect = {1, mesh.vertices[from], mesh.vertices[to], from, to};
}

void add_sentence(std::string& text, const char* title, const MeshDefect& defect, const char* one,
                  const char* many) {
  if (defect.count == 0) return;
  if (!text.empty()) text += "; ";
  text += fmt::format("{}: {} {}, the first from ({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g})", title,
                      defect.count, defect.count == 1 ? one : many, defect.from.x, defect.from.y,
                      defect.from.z, defect.to.x, defect.to.y, defect.to.z);
}

}  // namespace

MeshBounds mesh_bounds(const TriangleMesh& mesh) {
  if (mesh.vertices.empty())
    throw Error(ErrorKind::usage, "the mesh '{}' has no vertices", mesh.source);
  MeshBounds bounds{mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& v : mesh.vertices)
    for (int axis = 0; axis < 3; ++axis) {
      bounds.min[axis] = std::min(bounds.min[axis], v[axis]);
      bounds.max[axis] = std::max(bounds.max[axis], v[axis]);
    }
  return bounds;
}

double mesh_area(const TriangleMesh& mesh) {
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += length(area_vector(mesh, t));
  return area;
}

double mesh_volume(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  // Relative to a vertex, not to a distant origin, so that no large terms cancel.
  const Vec3d origin = to_double(mesh.vertices[0]);
  double six_volumes = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3d a = mesh.corner(t, 0) - origin, b = mesh.corner(t, 1) - origin;
    six_volumes += dot(a, cross(b, mesh.corner(t, 2) - origin));
  }
  return six_volumes / 6;
}

void merge_vertices(TriangleMesh& mesh) {
  const std::size_t n = mesh.vertices.size();
  std::vector<std::uint32_t> order(n), first_at(n);
  std::iota(order.begin(), order.end(), 0u);
  const auto place = [&](std::uint32_t i) {
    const Vec3& v = mesh.vertices[i];
    return std::tie(v.x, v.y, v.z);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return place(a) != place(b) ? place(a) < place(b) : a < b;
  });
  for (std::size_t k = 0; k < n; ++k) {
    const bool repeated = k > 0 && place(order[k]) == place(order[k - 1]);
    first_at[order[k]] = repeated ? first_at[order[k - 1]] : order[k];
  }
  std::vector<bool> used(n, false);
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) used[first_at[v]] = true;
  std::vector<std::uint32_t> new_index(n, 0);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!used[i]) continue;
    new_index[i] = kept;
    mesh.vertices[kept++] = mesh.vertices[i];
  }
  mesh.vertices.resize(kept);
  for (Triangle& t : mesh.triangles)
    for (std::uint32_t& v : t) v = new_index[first_at[v]];
}

void flip_triangles(TriangleMesh& mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

MeshReport inspect_mesh(const TriangleMesh& mesh) {
  MeshReport report;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (has_repeated_corner(mesh.triangles[t]) || length(area_vector(mesh, t)) == 0)
      note(report.degenerate_triangles, mesh, mesh.triangles[t][0], mesh.triangles[t][1]);
  const std::vector<EdgeUse> uses = sorted_edge_uses(mesh);
  for (std::size_t begin = 0, end; begin < uses.size(); begin = end) {
    end = begin + 1;
    while (end < uses.size() && same_edge(uses[end], uses[begin])) ++end;
    const std::uint32_t from = uses[begin].low, to = uses[begin].high;
    if (end - begin == 1) {
      note(report.open_edges, mesh, from, to);
    } else if (end - begin > 2) {
      note(report.crowded_edges, mesh, from, to);
    } else if (uses[begin].forward == uses[begin + 1].forward) {
      note(report.misoriented_edges, mesh, from, to);
    }
  }
  return report;
}

std::string describe(const MeshReport& report) {
  std::string text;
  add_sentence(text, "open", report.open_edges, "edge belongs to one triangle only",
               "edges belong to one triangle only");
  add_sentence(text, "branching", report.crowded_edges, "edge belongs to more than two triangles",
               "edges belong to more than two triangles");
  add_sentence(text, "inconsistently oriented", report.misoriented_edges,
               "edge has the same direction in both its triangles",
               "edges have the same direction in both their triangles");
  add_sentence(text, "degenerate", report.degenerate_triangles, "triangle has no area",
               "triangles have no area");
  return text.empty() ? "closed and consistently oriented" : text;
}

}  // namespace panta
