// Solids in closed form and generated meshes, for the tests of meshes, grids and sampling.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "panta/geometry/distance_function.h"
#include "panta/geometry/triangle_mesh.h"

namespace panta::test {

struct Solid {
  DistanceFunction distance;
  Vec3 min, max;  // a box around it, tight along the coordinate axes
  double volume = 0, area = 0;
};

inline Solid sphere_solid(float radius, const Vec3& centre = {}) {
  const double pi = std::numbers::pi, r = radius;
  const Vec3 half{radius, radius, radius};
  return {[=](const Vec3& x) {
            const Vec3 d = x - centre;
            return Distance{length(d) - radius, normalized(d)};
          },
          centre - half, centre + half, 4 * pi / 3 * r * r * r, 4 * pi * r * r};
}

// A ring around the y axis.
inline Solid torus_solid(float ring, float tube) {
  const double pi = std::numbers::pi;
  return {[=](const Vec3& x) {
            const Vec3 d = x - normalized(Vec3{x.x, 0, x.z}, {1, 0, 0}) * ring;
            return Distance{length(d) - tube, normalized(d)};
          },
          {-ring - tube, -tube, -ring - tube},
          {ring + tube, tube, ring + tube},
          2 * pi * pi * ring * tube * tube,
          4 * pi * pi * ring * tube};
}

inline Distance slab_distance(float x, float half, const Vec3& axis) {
  return x < 0 ? Distance{-x - half, -axis} : Distance{x - half, axis};
}

inline Solid box_solid(const Vec3& half) {
  return {[=](const Vec3& x) {
            return intersection(intersection(slab_distance(x.x, half.x, {1, 0, 0}),
                                             slab_distance(x.y, half.y, {0, 1, 0})),
                                slab_distance(x.z, half.z, {0, 0, 1}));
          },
          -half, half, 8.0 * half.x * half.y * half.z,
          8.0 * (half.x * half.y + half.y * half.z + half.z * half.x)};
}

// Upright, with its base circle in y = 0.
inline Solid cone_solid(float radius, float height) {
  const double pi = std::numbers::pi, slant = std::hypot(radius, height);
  return {[=](const Vec3& x) {
            const Vec3 out = normalized(Vec3{x.x, 0, x.z}, {1, 0, 0});
            const Vec3 normal = normalized(out * height + Vec3{0, radius, 0});
            return intersection({dot(x - out * radius, normal), normal}, {-x.y, {0, -1, 0}});
          },
          {-radius, 0, -radius},
          {radius, height, radius},
          pi / 3 * radius * radius * height,
          pi * radius * (radius + slant)};
}

inline Solid cylinder_solid(float radius, float half_height) {
  const double pi = std::numbers::pi;
  return {[=](const Vec3& x) {
            const Vec3 radial{x.x, 0, x.z};
            return intersection({length(radial) - radius, normalized(radial, {1, 0, 0})},
                                slab_distance(x.y, half_height, {0, 1, 0}));
          },
          {-radius, -half_height, -radius},
          {radius, half_height, radius},
          2 * pi * radius * radius * half_height,
          2 * pi * radius * (radius + 2.0 * half_height)};
}

// Rotated about the origin; for solids symmetric about it.
inline Solid turned(const Solid& solid, const Quat& by) {
  const Mat3 turn = rotation(by);
  Vec3 reach;
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 3; ++k) reach[axis] += std::abs(turn.row[axis][k]) * solid.max[k];
  return {[=, distance = solid.distance](const Vec3& x) {
            const Distance d = distance(transpose(turn) * x);
            return Distance{d.value, turn * d.normal};
          },
          -reach, reach, solid.volume, solid.area};
}

// An icosahedron whose triangles are split in four `levels` times, vertices on the sphere.
inline TriangleMesh icosphere(float radius, int levels) {
  const float g = std::numbers::phi_v<float>;
  std::vector<Vec3> unit = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                            {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                            {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  std::vector<Triangle> triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, fresh] =
          middles.emplace(std::minmax(a, b), static_cast<std::uint32_t>(unit.size()));
      if (fresh) unit.push_back(normalized(normalized(unit[a]) + normalized(unit[b])));
      return at->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  for (Vec3& v : unit) v = normalized(v) * radius;
  return {unit, triangles, "icosphere"};
}

inline TriangleMesh torus_mesh(float ring, float tube, int around, int across) {
  TriangleMesh mesh;
  mesh.source = "torus";
  const float turn = 2 * std::numbers::pi_v<float>;
  const auto index = [&](int i, int j) {
    return static_cast<std::uint32_t>(i % around * across + j % across);
  };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const float a = turn * static_cast<float>(i) / static_cast<float>(around);
      const float b = turn * static_cast<float>(j) / static_cast<float>(across);
      const float r = ring + tube * std::cos(b);
      mesh.vertices.push_back({r * std::cos(a), tube * std::sin(b), -r * std::sin(a)});
    }
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  return mesh;
}

inline TriangleMesh box_mesh(const Vec3& lo, const Vec3& hi) {
  TriangleMesh mesh;
  mesh.source = "box";
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(
        {corner & 1 ? hi.x : lo.x, corner & 2 ? hi.y : lo.y, corner & 4 ? hi.z : lo.z});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

}  // namespace panta::test
