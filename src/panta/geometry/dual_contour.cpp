#include "panta/geometry/dual_contour.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "panta/geometry/contour_cell.h"
#include "panta/geometry/feature_point.h"
#include "panta/geometry/sparse_lattice.h"
#include "panta/geometry/surface_cells.h"

namespace panta {

namespace {

constexpr float accuracy = 1e-5f;  // of crossings, in cubes
// An uneven offset keeps lattice points off faces that are parallel to the axes.
constexpr Vec3 offset{1.3717f, 1.4142f, 1.3291f};  // of the solid's box in the lattice, in cubes

constexpr std::int32_t unknown = -1, empty = -2;

LatticeIndex shifted(LatticeIndex i, int axis, int by) {
  i[static_cast<std::size_t>(axis)] += by;
  return i;
}

LatticeIndex corner_of(LatticeIndex cube, int corner) {
  for (int axis = 0; axis < 3; ++axis) cube = shifted(cube, axis, corner >> axis & 1);
  return cube;
}

struct Cube {
  LatticeIndex index;
  unsigned inside = 0;          // a bit for each corner
  unsigned around_outside = 0;  // a bit for each face, as in contour_loops
  ContourLoops loops = {};
  std::uint32_t first_vertex = 0;
};

// A crossed edge of the lattice.
struct Crossing {
  LatticeIndex from;  // its lower end
  int axis;
  SurfacePoint point;
};

class Contourer {
 public:
  Contourer(const DistanceFunction& distance, const Vec3& min, const Vec3& max, float cube)
      : distance_(distance),
        size_(cube),
        origin_(min - offset * cube),
        points_(points_for(max)),
        value_(points_, std::numeric_limits<float>::quiet_NaN()),
        cube_at_(points_, unknown),
        crossing_at_(points_, {unknown, unknown, unknown}) {}

  DualContour run(const Vec3& max) {
    find_cubes(max);
    join_faces();
    find_crossings();
    place_vertices();
    add_triangles();
    result_.cubes = cubes_.size();
    return std::move(result_);
  }

 private:
  LatticeIndex points_for(const Vec3& max) const {
    LatticeIndex points;
    for (int axis = 0; axis < 3; ++axis)
      points[static_cast<std::size_t>(axis)] =
          static_cast<int>(std::ceil((max[axis] - origin_[axis]) / size_)) + 4;
    return points;
  }

  // In halves of a cube, so that centres of cubes and faces have integer indices too.
  Vec3 half_point(const LatticeIndex& i) const {
    return origin_ +
           Vec3{static_cast<float>(i[0]), static_cast<float>(i[1]), static_cast<float>(i[2])} *
               (0.5f * size_);
  }
  Vec3 point(const LatticeIndex& i) const { return half_point({2 * i[0], 2 * i[1], 2 * i[2]}); }
  Vec3 centre(const LatticeIndex& i) const {
    return half_point({2 * i[0] + 1, 2 * i[1] + 1, 2 * i[2] + 1});
  }

  float value(const LatticeIndex& i) {
    float& value = value_.at(i);
    if (std::isnan(value)) value = distance_(point(i)).value;
    return value;
  }

  bool in_lattice(const LatticeIndex& i) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (i[axis] < 0 || i[axis] + 1 >= points_[axis]) return false;
    return true;
  }

  // Classifies a cube, once; false if all its corners are on the same side.
  bool classify_cube(const LatticeIndex& index) {
    std::int32_t& known = cube_at_.at(index);
    if (known != unknown) return known >= 0;
    Cube cube{index};
    for (int corner = 0; corner < 8; ++corner)
      cube.inside |= (value(corner_of(index, corner)) < 0 ? 1u : 0u) << corner;
    known = empty;
    if (cube.inside == 0 || cube.inside == 0xff) return false;
    known = static_cast<std::int32_t>(cubes_.size());
    cubes_.push_back(cube);
    return true;
  }

  // Whether x belongs to a wall or gap thinner than a cube, tested from one side (1: outside).
  bool is_thin(const Vec3& x, float side) const {
    const Distance d = distance_(x);
    return d.value * side < 0 && distance_(x - d.normal * (side * size_)).value * side > 0;
  }

  // Whether a cube with all corners on one side contains a thin part: at its centre, or where the
  // surface point nearest to the centre lies well inside the cube.
  bool cube_has_thin_part(const LatticeIndex& index, float at_centre) const {
    const float side = value_.at(index) < 0 ? -1.0f : 1.0f;
    const Vec3 x = centre(index);
    if (at_centre * side < 0) return is_thin(x, side);
    const Vec3 normal = distance_(x).normal, step = normal * at_centre;
    if (std::max({std::abs(step.x), std::abs(step.y), std::abs(step.z)}) > 0.4f * size_)
      return false;
    return is_thin(x - step - normal * (0.05f * side * size_), side);
  }

  // Whether a thin part crosses an edge between points on the same side; from their distances, only
  // the middle part of the edge has to be tested.
  bool edge_has_thin_part(const LatticeIndex& from, int axis) {
    const LatticeIndex to = shifted(from, axis, 1);
    const float a = value(from), b = value(to), side = a < 0 ? -1.0f : 1.0f;
    const float rest = size_ - std::abs(a) - std::abs(b);
    if (b * side < 0 || rest < 0.2f * size_) return false;
    const float share = (std::abs(a) + 0.5f * rest) / size_;
    return is_thin(point(from) + (point(to) - point(from)) * share, side);
  }

  void find_cubes(const Vec3& max) {
    const SurfaceCells near = find_surface_cells(distance_, origin_, max + offset * size_, size_);
    for (std::size_t k = 0; k < near.centre.size(); ++k) {
      LatticeIndex index;
      for (int axis = 0; axis < 3; ++axis)
        index[static_cast<std::size_t>(axis)] =
            static_cast<int>((near.centre[k][axis] - origin_[axis]) / size_);
      if (!in_lattice(index)) continue;
      if (!classify_cube(index) && cube_has_thin_part(index, near.distance[k])) ++result_.unseen;
      for (int axis = 0; axis < 3; ++axis) result_.unseen += edge_has_thin_part(index, axis);
    }
    follow_surface();
  }

  void follow_surface() {
    for (std::size_t c = 0; c < cubes_.size(); ++c)  // grows in the loop
      for (int face = 0; face < 6; ++face) {
        const LatticeIndex next = shifted(cubes_[c].index, face / 2, face % 2 ? 1 : -1);
        if (join_on_face(cubes_[c].inside, face, false)[0].first >= 0 && in_lattice(next))
          classify_cube(next);
      }
  }

  std::int8_t loop_of(const Cube& cube, int edge) const {
    return cube.loops.of_edge[static_cast<std::size_t>(edge)];
  }

  // Whether the two joined pairs of an ambiguous face belong to the same piece of surface.
  bool joins_one_piece(const Cube& cube, int face) const {
    const FacePairs pairs = join_on_face(cube.inside, face, cube.around_outside >> face & 1);
    return loop_of(cube, pairs[0].first) == loop_of(cube, pairs[1].first);
  }

  // Chooses how ambiguous faces join: around the outside corners if the face's middle is inside.
  void join_faces() {
    std::vector<std::pair<std::int32_t, int>> ambiguous;  // cubes and their upper faces
    for (std::size_t c = 0; c < cubes_.size(); ++c)
      for (int axis = 0; axis < 3; ++axis) {
        const int upper = 2 * axis + 1;
        if (!is_ambiguous(cubes_[c].inside, upper)) continue;
        ambiguous.emplace_back(static_cast<std::int32_t>(c), upper);
        const LatticeIndex& i = cubes_[c].index;
        const Vec3 middle =
            half_point(shifted({2 * i[0] + 1, 2 * i[1] + 1, 2 * i[2] + 1}, axis, 1));
        if (distance_(middle).value < 0) join_other_way(c, upper);
      }
    for (Cube& cube : cubes_) cube.loops = contour_loops(cube.inside, cube.around_outside);
    for (const auto& [c, face] : ambiguous) {
      Cube &cube = cubes_[static_cast<std::size_t>(c)], &next = beyond(cube, face);
      if (!joins_one_piece(cube, face) || !joins_one_piece(next, face - 1)) continue;
      join_other_way(static_cast<std::size_t>(c), face);
      cube.loops = contour_loops(cube.inside, cube.around_outside);
      next.loops = contour_loops(next.inside, next.around_outside);
    }
  }

  Cube& beyond(const Cube& cube, int upper_face) {
    const std::int32_t next = cube_at_.at(shifted(cube.index, upper_face / 2, 1));
    return cubes_[static_cast<std::size_t>(next)];
  }

  void join_other_way(std::size_t cube, int upper_face) {
    cubes_[cube].around_outside ^= 1u << upper_face;
    beyond(cubes_[cube], upper_face).around_outside ^= 1u << (upper_face - 1);
  }

  void find_crossings() {
    for (const Cube& cube : cubes_)
      for (int edge = 0; edge < 12; ++edge) {
        if (loop_of(cube, edge) < 0) continue;
        const CubeEdge ends = cube_edge(edge);
        const LatticeIndex from = corner_of(cube.index, ends.corner[0]);
        std::int32_t& known = crossing_at_.at(from)[static_cast<std::size_t>(ends.axis)];
        if (known != unknown) continue;
        known = static_cast<std::int32_t>(crossings_.size());
        crossings_.push_back({from, ends.axis, {}});
      }
    const auto& values = value_;
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
      Crossing& crossing = crossings_[c];
      LatticeIndex inside = crossing.from, outside = shifted(inside, crossing.axis, 1);
      if (values.at(outside) < 0) std::swap(inside, outside);
      crossing.point = find_crossing(distance_, point(inside), values.at(inside), point(outside),
                                     values.at(outside), accuracy * size_);
    }
  }

  void place_vertices() {
    std::uint32_t vertices = 0;
    for (Cube& cube : cubes_) {
      cube.first_vertex = vertices;
      vertices += static_cast<std::uint32_t>(cube.loops.count);
    }
    result_.mesh.position.resize(vertices);
    const auto& crossing_at = crossing_at_;
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t c = 0; c < cubes_.size(); ++c) {
      const Cube& cube = cubes_[c];
      for (int loop = 0; loop < cube.loops.count; ++loop) {
        std::array<SurfacePoint, 12> points;
        std::size_t count = 0;
        for (int edge = 0; edge < 12; ++edge) {
          if (loop_of(cube, edge) != loop) continue;
          const CubeEdge ends = cube_edge(edge);
          const LatticeIndex from = corner_of(cube.index, ends.corner[0]);
          const std::int32_t at = crossing_at.at(from)[static_cast<std::size_t>(ends.axis)];
          points[count++] = crossings_[static_cast<std::size_t>(at)].point;
        }
        result_.mesh.position[cube.first_vertex + static_cast<std::uint32_t>(loop)] =
            feature_point(distance_, {points.data(), count}, centre(cube.index), size_);
      }
    }
  }

  // The vertices around a crossed edge, counterclockwise seen from outside.
  std::array<std::uint32_t, 4> vertices_around(const Crossing& crossing) const {
    const int b = (crossing.axis + 1) % 3, c = (crossing.axis + 2) % 3;
    constexpr std::array<std::array<int, 2>, 4> around = {{{1, 1}, {0, 1}, {0, 0}, {1, 0}}};
    std::array<std::uint32_t, 4> vertex;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto [u, v] = around[k];  // positions of the edge in the cube
      const LatticeIndex index = shifted(shifted(crossing.from, b, -u), c, -v);
      const Cube& cube = cubes_[static_cast<std::size_t>(cube_at_.at(index))];
      const std::int8_t loop = loop_of(cube, 4 * crossing.axis + u + 2 * v);
      vertex[k] = cube.first_vertex + static_cast<std::uint32_t>(loop);
    }
    if (!(value_.at(crossing.from) < 0)) std::swap(vertex[1], vertex[3]);
    return vertex;
  }

  // Cost of cutting a quadrilateral from its first to its third corner: the cut's distance from the
  // surface, plus a large penalty if the two triangles are folded onto each other.
  float cost_of_cut(const std::array<std::uint32_t, 4>& v) const {
    const std::vector<Vec3>& x = result_.mesh.position;
    const Vec3 cut = x[v[2]] - x[v[0]];
    const Vec3 right = cross(x[v[1]] - x[v[0]], cut), left = cross(cut, x[v[3]] - x[v[0]]);
    const float along = dot(left, right);
    const bool folded = along < 0 && along * along > 0.5f * dot(left, left) * dot(right, right);
    const Vec3 middle = (x[v[0]] + x[v[2]]) * 0.5f;
    return std::abs(distance_(middle).value) + (folded ? size_ : 0);
  }

  void add_triangles() {
    result_.mesh.triangles.resize(2 * crossings_.size());
    const Contourer& settled = *this;
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
      std::array<std::uint32_t, 4> v = settled.vertices_around(crossings_[c]);
      const std::array<std::uint32_t, 4> turned = {v[1], v[2], v[3], v[0]};
      if (settled.cost_of_cut(turned) < settled.cost_of_cut(v)) v = turned;
      result_.mesh.triangles[2 * c] = {v[0], v[1], v[2]};
      result_.mesh.triangles[2 * c + 1] = {v[0], v[2], v[3]};
    }
  }

  const DistanceFunction& distance_;
  float size_;
  Vec3 origin_;
  LatticeIndex points_;
  SparseLattice<float> value_;
  SparseLattice<std::int32_t> cube_at_;                     // index of the cube, unknown or empty
  SparseLattice<std::array<std::int32_t, 3>> crossing_at_;  // by the edges' lower ends
  std::vector<Cube> cubes_;
  std::vector<Crossing> crossings_;
  DualContour result_;
};

}  // namespace

DualContour dual_contour(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                         float cube) {
  return Contourer(distance, min, max, cube).run(max);
}

}  // namespace panta
