// Signed distance to a triangle mesh, exact, on the host.
//
// A tree of boxes over the triangles finds the closest one. Inside or outside follows from the
// generalized winding number w = (1 / 4 pi) * sum of the triangles' solid angles (Jacobson et al.
// 2013): 1 inside and 0 outside a closed mesh, and close to these values if the mesh has holes,
// overlaps itself or has duplicate faces; a point counts as inside if w > 1/2. The sum is computed
// with the same tree, in which a distant group of triangles acts as a dipole (Barill et al. 2018):
// with the area vector A = sum a n, the area-weighted centre p and d = p - x,
//   solid angle = A . d / |d|^3   if |d| exceeds `dipole_reach` times the group's radius about p.
// Deviation: only the first term of the paper's expansion is used, with a larger `dipole_reach`.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/geometry/distance.h"
#include "panta/geometry/triangle_mesh.h"

namespace panta {

class MeshDistance {
 public:
  // Error(usage) for a mesh without triangles.
  explicit MeshDistance(const TriangleMesh& mesh);

  // Distance and unit normal; on the surface itself the normal is that of the triangle.
  // Thread-safe.
  Distance at(const Vec3& x) const;
  Vec3 closest_point(const Vec3& x) const { return to_float(closest(to_double(x)).point); }
  double winding_number(const Vec3& x) const;

 private:
  static constexpr double dipole_reach = 3;
  static constexpr std::uint32_t leaf_triangles = 4;

  struct Corners {
    Vec3 a, b, c;
  };
  struct Node {
    Vec3 min, max;
    std::uint32_t begin = 0, end = 0;  // its triangles
    std::uint32_t second_child = 0;    // 0 for a leaf; the first child follows its parent
  };
  struct Dipole {
    Vec3d centre, area;
    double reach2 = 0;  // beyond this squared distance the dipole replaces the node
  };
  struct Closest {
    Vec3d point;
    double distance2 = 0;
    std::uint32_t triangle = 0;
  };

  std::uint32_t build(std::vector<Corners>& triangles, std::uint32_t begin, std::uint32_t end);
  Dipole make_dipole(const Node& node) const;
  Closest closest(const Vec3d& x) const;

  std::vector<Corners> triangles_;  // in the order of the tree's leaves
  std::vector<Node> nodes_;
  std::vector<Dipole> dipoles_;  // of the nodes
};

}  // namespace panta
