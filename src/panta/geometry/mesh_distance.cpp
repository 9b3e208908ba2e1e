#include "panta/geometry/mesh_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "panta/core/error_format.h"

namespace panta {

namespace {

// Deep enough for any balanced tree over 2^32 triangles.
constexpr std::size_t stack_size = 80;

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& x) {
  const Vec3d along = b - a;
  const double length2 = dot(along, along);
  const double t = length2 > 0 ? std::clamp(dot(x - a, along) / length2, 0.0, 1.0) : 0.0;
  return a + along * t;
}

// The foot of the perpendicular if it lies in the triangle, else the closest point of the three
// sides; also right for triangles without area.
Vec3d closest_on_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& x) {
  const Vec3d u = b - a, v = c - a, w = x - a;
  const Vec3d n = cross(u, v);
  const double n2 = dot(n, n);
  if (n2 > 0) {
    const double beta = dot(cross(w, v), n), gamma = dot(cross(u, w), n);  // times n2
    if (beta >= 0 && gamma >= 0 && beta + gamma <= n2) return x - n * (dot(w, n) / n2);
  }
  Vec3d best = closest_on_segment(a, b, x);
  double best2 = dot(x - best, x - best);
  for (const auto& [from, to] : {std::pair{b, c}, std::pair{c, a}}) {
    const Vec3d p = closest_on_segment(from, to, x);
    const double distance2 = dot(x - p, x - p);
    if (distance2 < best2) best = p, best2 = distance2;
  }
  return best;
}

// After van Oosterom and Strackee (1983).
double solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double la = length(a), lb = length(b), lc = length(c);
  const double numerator = dot(a, cross(b, c));
  const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return 2 * std::atan2(numerator, denominator);
}

double squared_distance_to_box(const Vec3& lo, const Vec3& hi, const Vec3d& x) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double outside = std::max({lo[axis] - x[axis], x[axis] - hi[axis], 0.0});
    sum += outside * outside;
  }
  return sum;
}

}  // namespace

MeshDistance::MeshDistance(const TriangleMesh& mesh) {
  if (mesh.triangles.empty())
    throw Error(ErrorKind::usage, "the mesh '{}' has no triangles, so there is no distance to it",
                mesh.source);
  std::vector<Corners> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    triangles.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
  nodes_.reserve(triangles.size());
  build(triangles, 0, static_cast<std::uint32_t>(triangles.size()));
  triangles_ = std::move(triangles);
  dipoles_.reserve(nodes_.size());
  for (const Node& node : nodes_) dipoles_.push_back(make_dipole(node));
}

// Splits at the median of the centres along the longest side of their box.
std::uint32_t MeshDistance::build(std::vector<Corners>& triangles, std::uint32_t begin,
                                  std::uint32_t end) {
  const auto centre = [](const Corners& t, int axis) { return t.a[axis] + t.b[axis] + t.c[axis]; };
  constexpr float infinite = std::numeric_limits<float>::infinity();
  Node node{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}, begin, end, 0};
  Vec3 low = node.min, high = node.max;  // of the centres, three times as far out
  for (std::uint32_t t = begin; t < end; ++t) {
    const Corners& corners = triangles[t];
    for (int axis = 0; axis < 3; ++axis) {
      const auto [lo, hi] = std::minmax({corners.a[axis], corners.b[axis], corners.c[axis]});
      node.min[axis] = std::min(node.min[axis], lo);
      node.max[axis] = std::max(node.max[axis], hi);
      low[axis] = std::min(low[axis], centre(corners, axis));
      high[axis] = std::max(high[axis], centre(corners, axis));
    }
  }
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  if (end - begin <= leaf_triangles) return index;
  const Vec3 size = high - low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(
      triangles.begin() + begin, triangles.begin() + middle, triangles.begin() + end,
      [&](const Corners& a, const Corners& b) { return centre(a, axis) < centre(b, axis); });
  build(triangles, begin, middle);
  const std::uint32_t second = build(triangles, middle, end);
  nodes_[index].second_child = second;
  return index;
}

MeshDistance::Dipole MeshDistance::make_dipole(const Node& node) const {
  Dipole dipole;
  double whole_area = 0;
  for (std::uint32_t t = node.begin; t < node.end; ++t) {
    const Vec3d a = to_double(triangles_[t].a), b = to_double(triangles_[t].b),
                c = to_double(triangles_[t].c);
    const Vec3d area = cross(b - a, c - a) * 0.5;
    whole_area += length(area);
    dipole.area += area;
    dipole.centre += (a + b + c) * (length(area) / 3);
  }
  dipole.centre =
      whole_area > 0 ? dipole.centre * (1 / whole_area) : to_double(triangles_[node.begin].a);
  double radius2 = 0;
  for (std::uint32_t t = node.begin; t < node.end; ++t)
    for (const Vec3& corner : {triangles_[t].a, triangles_[t].b, triangles_[t].c}) {
      const Vec3d arm = to_double(corner) - dipole.centre;
      radius2 = std::max(radius2, dot(arm, arm));
    }
  dipole.reach2 = dipole_reach * dipole_reach * radius2;
  return dipole;
}

MeshDistance::Closest MeshDistance::closest(const Vec3d& x) const {
  struct Visit {
    std::uint32_t node;
    double distance2;
  };
  std::array<Visit, stack_size> stack;
  std::size_t depth = 0;
  const auto visit = [&](std::uint32_t node) {
    return Visit{node, squared_distance_to_box(nodes_[node].min, nodes_[node].max, x)};
  };
  Closest best{{}, std::numeric_limits<double>::infinity(), 0};
  stack[depth++] = visit(0);
  while (depth > 0) {
    const Visit top = stack[--depth];
    if (top.distance2 >= best.distance2) continue;
    const Node& node = nodes_[top.node];
    if (node.second_child == 0) {
      for (std::uint32_t t = node.begin; t < node.end; ++t) {
        const Corners& corners = triangles_[t];
        const Vec3d p = closest_on_triangle(to_double(corners.a), to_double(corners.b),
                                            to_double(corners.c), x);
        const double distance2 = dot(x - p, x - p);
        if (distance2 < best.distance2) best = {p, distance2, t};
      }
      continue;
    }
    Visit nearer = visit(top.node + 1), farther = visit(node.second_child);
    if (farther.distance2 < nearer.distance2) std::swap(nearer, farther);
    stack[depth++] = farther;
    stack[depth++] = nearer;
  }
  return best;
}

double MeshDistance::winding_number(const Vec3& point) const {
  const Vec3d x = to_double(point);
  std::array<std::uint32_t, stack_size> stack;
  std::size_t depth = 0;
  double angle = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const Dipole& dipole = dipoles_[index];
    const Vec3d arm = dipole.centre - x;
    const double distance2 = dot(arm, arm);
    if (distance2 > dipole.reach2) {
      angle += dot(dipole.area, arm) / (distance2 * std::sqrt(distance2));
      continue;
    }
    const Node& node = nodes_[index];
    if (node.second_child == 0) {
      for (std::uint32_t t = node.begin; t < node.end; ++t)
        angle += solid_angle(to_double(triangles_[t].a) - x, to_double(triangles_[t].b) - x,
                             to_double(triangles_[t].c) - x);
      continue;
    }
    stack[depth++] = node.second_child;
    stack[depth++] = index + 1;
  }
  return angle / (4 * std::numbers::pi);
}

Distance MeshDistance::at(const Vec3& point) const {
  const Vec3d x = to_double(point);
  const Closest found = closest(x);
  const double distance = std::sqrt(found.distance2);
  const bool inside = winding_number(point) > 0.5;
  const Corners& corners = triangles_[found.triangle];
  const Vec3d a = to_double(corners.a);
  Vec3d outwards = cross(to_double(corners.b) - a, to_double(corners.c) - a);
  // If x is nearer than the resolution of float, the direction to the closest point is noise.
  const double noise = 1e-7 * (std::abs(x.x) + std::abs(x.y) + std::abs(x.z));
  if (distance > noise) outwards = (x - found.point) * (inside ? -1.0 : 1.0);
  const double size = length(outwards);
  return {static_cast<float>(inside ? -distance : distance),
          size > 0 ? to_float(outwards * (1 / size)) : Vec3{0, 1, 0}};
}

}  // namespace panta
