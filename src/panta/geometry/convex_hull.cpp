#include "panta/geometry/convex_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "panta/core/error_format.h"

namespace panta {

namespace {

// Relative to the extent of the points: rounding of float coordinates.
constexpr double relative_tolerance = 1e-7;

struct Face {
  Triangle corners;
  std::array<std::uint32_t, 3> across;  // the neighbour face at the side from corner k to k + 1
  Vec3d normal;                         // unit, outwards
  double offset = 0;                    // the plane is normal . x = offset
  std::vector<std::uint32_t> outside;   // points above it that are not assigned to another face
  bool removed = false;
};

// A side of a visible face whose neighbour is not visible from the new point; the new face starts
// there.
struct RimSide {
  std::uint32_t from, to;
  std::uint32_t beyond;  // the face that is not visible
};

class HullBuilder {
 public:
  explicit HullBuilder(const std::vector<Vec3>& points) {
    for (const Vec3& p : points) points_.push_back(to_double(p));
  }

  std::vector<Triangle> build() {
    start_with_tetrahedron();
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      while (!faces_[f].removed && !faces_[f].outside.empty()) add_farthest_point(f);
    std::vector<Triangle> triangles;
    for (const Face& face : faces_)
      if (!face.removed) triangles.push_back(face.corners);
    return triangles;
  }

 private:
  double height(const Face& face, std::uint32_t point) const {
    return dot(face.normal, points_[point]) - face.offset;
  }

  template <class Measure>
  std::uint32_t farthest(const Measure& measure) const {
    std::uint32_t best = 0;
    double most = -1;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      const double m = measure(points_[i]);
      if (m > most) best = i, most = m;
    }
    return best;
  }

  void start_with_tetrahedron() {
    const Vec3d origin = points_[0];
    const std::uint32_t a = farthest([&](const Vec3d& p) { return length(p - origin); });
    const std::uint32_t b = farthest([&](const Vec3d& p) { return length(p - points_[a]); });
    const Vec3d along = points_[b] - points_[a];
    const double extent = length(along);
    tolerance_ = relative_tolerance * extent;
    if (extent == 0) refuse("are all the same point");
    const Vec3d direction = along * (1 / extent);
    const auto off_line = [&](const Vec3d& p) { return length(cross(p - points_[a], direction)); };
    const std::uint32_t c = farthest(off_line);
    if (off_line(points_[c]) <= 10 * tolerance_) refuse("lie on a line");
    const Vec3d normal = cross(along, points_[c] - points_[a]);
    const auto off_plane = [&](const Vec3d& p) {
      return std::abs(dot(normal, p - points_[a])) / length(normal);
    };
    const std::uint32_t d = farthest(off_plane);
    if (off_plane(points_[d]) <= 10 * tolerance_) refuse("lie in a plane");
    const bool behind = dot(normal, points_[d] - points_[a]) < 0;
    const std::uint32_t second = behind ? b : c, third = behind ? c : b;
    // All faces point outwards: the base away from d, the sides along the base's edges reversed.
    add_face({a, second, third});
    add_face({second, a, d});
    add_face({third, second, d});
    add_face({a, third, d});
    faces_[0].across = {1, 2, 3};
    faces_[1].across = {0, 3, 2};
    faces_[2].across = {0, 1, 3};
    faces_[3].across = {0, 2, 1};
    std::vector<std::uint32_t> all(points_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    assign_points(all, 0);
  }

  [[noreturn]] static void refuse(const char* problem) {
    throw Error(ErrorKind::usage, "the points of a convex hull {}: they enclose no volume",
                problem);
  }

  void add_face(const Triangle& corners) {
    Face face{corners, {}, {}, 0, {}, false};
    const Vec3d a = points_[corners[0]];
    const Vec3d n = cross(points_[corners[1]] - a, points_[corners[2]] - a);
    face.normal = n * (1 / length(n));
    face.offset = dot(face.normal, a);
    faces_.push_back(std::move(face));
  }

  // Assigns each point to the first face, from `first_face` on, that it lies above; points above no
  // face are inside the hull.
  void assign_points(const std::vector<std::uint32_t>& points, std::size_t first_face) {
    for (const std::uint32_t p : points)
      for (std::size_t f = first_face; f < faces_.size(); ++f)
        if (height(faces_[f], p) > tolerance_) {
          faces_[f].outside.push_back(p);
          break;
        }
  }

  void add_farthest_point(std::uint32_t start) {
    std::vector<std::uint32_t>& outside = faces_[start].outside;
    const auto apex_at =
        std::max_element(outside.begin(), outside.end(), [&](std::uint32_t a, std::uint32_t b) {
          return height(faces_[start], a) < height(faces_[start], b);
        });
    const std::uint32_t apex = *apex_at;
    const std::vector<std::uint32_t> seen = faces_seen_from(apex, start);
    std::vector<RimSide> rim = rim_of(seen);
    if (!order_rim(rim)) {  // rounding at the tolerance: skip the point
      outside.erase(apex_at);
      return;
    }
    std::vector<std::uint32_t> orphans;
    for (const std::uint32_t f : seen) {
      for (const std::uint32_t p : faces_[f].outside)
        if (p != apex) orphans.push_back(p);
      faces_[f].outside = {};
      faces_[f].removed = true;
    }
    const std::size_t first_new = faces_.size();
    add_cone(rim, apex);
    assign_points(orphans, first_new);
  }

  // The connected set of faces, with `start`, that the point lies above.
  std::vector<std::uint32_t> faces_seen_from(std::uint32_t point, std::uint32_t start) const {
    std::vector<std::uint32_t> seen = {start};
    for (std::size_t k = 0; k < seen.size(); ++k)
      for (const std::uint32_t next : faces_[seen[k]].across)
        if (std::find(seen.begin(), seen.end(), next) == seen.end() &&
            height(faces_[next], point) > tolerance_)
          seen.push_back(next);
    return seen;
  }

  std::vector<RimSide> rim_of(const std::vector<std::uint32_t>& seen) const {
    std::vector<RimSide> rim;
    for (const std::uint32_t f : seen)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t beyond = faces_[f].across[k];
        if (std::find(seen.begin(), seen.end(), beyond) == seen.end())
          rim.push_back({faces_[f].corners[k], faces_[f].corners[(k + 1) % 3], beyond});
      }
    return rim;
  }

  // Sorts the sides head to tail; false if they do not form a single loop.
  static bool order_rim(std::vector<RimSide>& rim) {
    std::unordered_map<std::uint32_t, RimSide> leaving;
    for (const RimSide& side : rim)
      if (!leaving.emplace(side.from, side).second) return false;
    for (std::size_t k = 1; k < rim.size(); ++k) {
      const auto next = leaving.find(rim[k - 1].to);
      if (next == leaving.end() || next->second.from == rim[0].from) return false;
      rim[k] = next->second;
    }
    return rim.size() >= 3 && rim.back().to == rim.front().from;
  }

  void add_cone(const std::vector<RimSide>& rim, std::uint32_t apex) {
    const auto first = static_cast<std::uint32_t>(faces_.size());
    const auto count = static_cast<std::uint32_t>(rim.size());
    for (std::uint32_t k = 0; k < count; ++k) {
      const RimSide& side = rim[k];
      add_face({side.from, side.to, apex});
      faces_.back().across = {side.beyond, first + (k + 1) % count,
                              first + (k + count - 1) % count};
      Face& beyond = faces_[side.beyond];
      for (std::size_t s = 0; s < 3; ++s)
        if (beyond.corners[s] == side.to && beyond.corners[(s + 1) % 3] == side.from)
          beyond.across[s] = first + k;
    }
  }

  std::vector<Vec3d> points_;
  std::vector<Face> faces_;
  double tolerance_ = 0;
};

}  // namespace

TriangleMesh convex_hull(const std::vector<Vec3>& points) {
  if (points.size() < 4)
    throw Error(ErrorKind::usage, "a convex hull needs at least four points, not {}",
                points.size());
  for (const Vec3& p : points)
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
      throw Error(ErrorKind::usage, "a point of a convex hull is not finite");
  TriangleMesh hull{points, HullBuilder(points).build(), "convex hull"};
  merge_vertices(hull);
  return hull;
}

}  // namespace panta
