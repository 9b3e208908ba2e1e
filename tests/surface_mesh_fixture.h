// Surface meshes for tests. Round ones are the zero level of a field, by marching tetrahedra on a
// lattice, six to a cube around its diagonal, with shared vertices: closed and manifold if the
// field is positive on the border of the lattice, with many slivers.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "panta/geometry/surface_mesh.h"

namespace panta {

template <class Field>
class MarchedMesh {
 public:
  MarchedMesh(const Field& field, const Vec3& origin, float cell, int cells)
      : origin_(origin), cell_(cell), points_(static_cast<std::size_t>(cells) + 1) {
    const std::size_t count = points_ * points_ * points_;
    value_.resize(count);
    for (std::size_t p = 0; p < count; ++p) value_[p] = field(place(p));
    vertex_.assign(7 * count, unused);
    constexpr int axes[6][2] = {{1, 2}, {2, 4}, {4, 1}, {2, 1}, {4, 2}, {1, 4}};
    for (std::size_t p = 0; p < count; ++p) {
      if (p % points_ == points_ - 1 || p / points_ % points_ == points_ - 1 ||
          p / (points_ * points_) == points_ - 1)
        continue;
      for (int k = 0; k < 6; ++k) {  // the first three are right-handed
        std::array<int, 4> corner = {0, axes[k][0], axes[k][0] | axes[k][1], 7};
        if (k >= 3) std::swap(corner[1], corner[2]);
        cut(p, corner);
      }
    }
  }

  SurfaceMesh mesh;

 private:
  static constexpr std::uint32_t unused = ~std::uint32_t{0};

  Vec3 place(std::size_t p) const {
    const Vec3 index{static_cast<float>(p % points_), static_cast<float>(p / points_ % points_),
                     static_cast<float>(p / (points_ * points_))};
    return origin_ + index * cell_;
  }
  std::size_t corner_point(std::size_t p, int corner) const {
    return p + static_cast<std::size_t>(corner & 1) +
           points_ * (static_cast<std::size_t>(corner >> 1 & 1) +
                      points_ * static_cast<std::size_t>(corner >> 2));
  }

  // The vertex on the edge between two corners of a cube; one corner's bits include the other's.
  std::uint32_t vertex(std::size_t p, int a, int b) {
    if (a > b) std::swap(a, b);
    const std::size_t from = corner_point(p, a), to = corner_point(p, b);
    std::uint32_t& v = vertex_[7 * from + static_cast<std::size_t>((a ^ b) - 1)];
    if (v == unused) {
      v = static_cast<std::uint32_t>(mesh.position.size());
      const float t = value_[from] / (value_[from] - value_[to]);
      mesh.position.push_back(place(from) + (place(to) - place(from)) * t);
    }
    return v;
  }

  void cut(std::size_t p, const std::array<int, 4>& corner) {
    std::array<int, 4> in{}, out{};
    std::size_t inside = 0, outside = 0;
    bool odd = false;  // the permutation that sorts the corners into inside and outside
    for (const int c : corner) {
      if (value_[corner_point(p, c)] < 0) {
        in[inside++] = c;
        odd ^= outside % 2 != 0;
      } else {
        out[outside++] = c;
      }
    }
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      mesh.triangles.push_back(odd ? Triangle{a, c, b} : Triangle{a, b, c});
    };
    const auto at = [&](std::size_t i, std::size_t o) { return vertex(p, in[i], out[o]); };
    if (inside == 1) add(at(0, 0), at(0, 1), at(0, 2));
    if (inside == 3) add(at(0, 0), at(1, 0), at(2, 0));
    if (inside == 2) {
      add(at(0, 0), at(0, 1), at(1, 1));
      add(at(0, 0), at(1, 1), at(1, 0));
    }
  }

  Vec3 origin_;
  float cell_;
  std::size_t points_;
  std::vector<float> value_;
  std::vector<std::uint32_t> vertex_;  // of the seven edges that begin at a point
};

// For the cube from `origin` with this number of cells along each edge.
template <class Field>
SurfaceMesh marched_mesh(const Field& field, const Vec3& origin, float cell, int cells) {
  return MarchedMesh<Field>(field, origin, cell, cells).mesh;
}

// The cell size is 1 in all functions below.
inline SurfaceMesh sphere(float radius, const Vec3& centre = {0.17f, 0.29f, 0.41f}) {
  const int cells = static_cast<int>(2 * radius) + 6;
  const Vec3 origin = Vec3{1, 1, 1} * (-0.5f * static_cast<float>(cells));
  return marched_mesh([&](const Vec3& x) { return length(x - centre) - radius; }, origin, 1, cells);
}

inline SurfaceMesh torus(float ring, float tube) {
  const int cells = static_cast<int>(2 * (ring + tube)) + 6;
  const Vec3 origin = Vec3{1, 1, 1} * (-0.5f * static_cast<float>(cells) + 0.13f);
  const auto field = [&](const Vec3& x) {
    return std::hypot(std::hypot(x.x, x.z) - ring, x.y) - tube;
  };
  return marched_mesh(field, origin, 1, cells);
}

inline SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b, const Vec3& shift) {
  SurfaceMesh all = a;
  const auto first = static_cast<std::uint32_t>(a.position.size());
  for (const Vec3& x : b.position) all.position.push_back(x + shift);
  for (const Triangle& t : b.triangles)
    all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return all;
}

// The surface of a cube with its corners at 0 and n, cut into squares of edge 1, then triangles.
inline SurfaceMesh cube(int n) {
  SurfaceMesh mesh;
  const int points = n + 1;
  std::vector<std::uint32_t> vertex(static_cast<std::size_t>(points * points * points), 0);
  const auto at = [&](const std::array<int, 3>& i) {
    std::uint32_t& v = vertex[static_cast<std::size_t>((i[2] * points + i[1]) * points + i[0])];
    if (v == 0) {
      mesh.position.push_back(
          {static_cast<float>(i[0]), static_cast<float>(i[1]), static_cast<float>(i[2])});
      v = static_cast<std::uint32_t>(mesh.position.size());
    }
    return v - 1;
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const int side : {0, n})
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          std::array<std::uint32_t, 4> corner;
          for (std::size_t k = 0; k < 4; ++k) {
            std::array<int, 3> place;
            place[axis] = side;
            place[(axis + 1) % 3] = i + (k == 1 || k == 2);
            place[(axis + 2) % 3] = j + (k >= 2);
            corner[k] = at(place);
          }
          if (side == 0) std::swap(corner[1], corner[3]);
          mesh.triangles.push_back({corner[0], corner[1], corner[2]});
          mesh.triangles.push_back({corner[0], corner[2], corner[3]});
        }
  return mesh;
}

// A flat grid in the plane z = 0, from 0 to n along x and y.
inline SurfaceMesh plane(int n) {
  SurfaceMesh mesh;
  const auto index = [&](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      mesh.position.push_back({static_cast<float>(i), static_cast<float>(j), 0});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  return mesh;
}

}  // namespace panta
