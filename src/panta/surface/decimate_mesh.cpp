#include "panta/surface/decimate_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "panta/surface/edge_collapse.h"

namespace panta {

namespace {

constexpr double shape_share = 1e-4;  // weight of squared length in the cost of an edge

// x.A x - 2 b.x + c around the origin of the mesh's box, and the sum of areas.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  Vec3d b;
  double c = 0, area = 0;

  void add_plane(const Vec3d& n, double offset, double weight) {
    xx += weight * n.x * n.x, xy += weight * n.x * n.y, xz += weight * n.x * n.z;
    yy += weight * n.y * n.y, yz += weight * n.y * n.z, zz += weight * n.z * n.z;
    b += n * (weight * offset);
    c += weight * offset * offset;
    area += weight;
  }
  Quadric& operator+=(const Quadric& o) {
    xx += o.xx, xy += o.xy, xz += o.xz, yy += o.yy, yz += o.yz, zz += o.zz;
    b += o.b;
    c += o.c;
    area += o.area;
    return *this;
  }
  double operator()(const Vec3d& x) const {
    const Vec3d ax{xx * x.x + xy * x.y + xz * x.z, xy * x.x + yy * x.y + yz * x.z,
                   xz * x.x + yz * x.y + zz * x.z};
    return std::max(0.0, dot(x, ax) - 2 * dot(b, x) + c);
  }
  // Its minimum; false if that is not nearly unique.
  bool lowest(Vec3d& x) const {
    const double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
    const double det = xx * cx + xy * cy + xz * cz, trace = xx + yy + zz;
    if (!(det > 1e-5 * trace * trace * trace)) return false;
    const double inverse = 1 / det;
    x.x = inverse * (b.x * cx + b.y * cy + b.z * cz);
    x.y = inverse * (b.x * cy + b.y * (xx * zz - xz * xz) + b.z * (xy * xz - xx * yz));
    x.z = inverse * (b.x * cz + b.y * (xy * xz - xx * yz) + b.z * (xx * yy - xy * xy));
    return true;
  }
};

// An edge in the queue. Its cost is valid while the number of merges of its ends (`merges`, of both
// together) is unchanged.
struct Candidate {
  float cost;
  std::uint32_t u, v, merges;
};

// Cheapest first; costs within half of each other in their order of arrival, which is better for
// the cache. An entry added while the queue is being emptied costs at least as much as the last one
// taken.
class CostQueue {
 public:
  void push(const Candidate& candidate) {
    level_[std::max(level_of(candidate.cost), current_)].push_back(candidate);
  }
  bool pop(Candidate& candidate) {
    while (taken_ == level_[current_].size()) {
      if (current_ + 1 == level_.size()) return false;
      std::vector<Candidate>().swap(level_[current_++]);
      taken_ = 0;
    }
    candidate = level_[current_][taken_++];
    return true;
  }
  // Whether an entry of this cost may be processed before the rest of the queue.
  bool is_due(float cost) const { return level_of(cost) <= current_; }

 private:
  // The exponent and one bit of the mantissa; they order like positive floats.
  static std::size_t level_of(float cost) { return std::bit_cast<std::uint32_t>(cost) >> 22; }

  std::vector<std::vector<Candidate>> level_ = std::vector<std::vector<Candidate>>(1 << 9);
  std::size_t current_ = 0, taken_ = 0;
};

struct Placement {
  Vec3 at;
  float along = 0;       // fraction of the way from u to v, for interpolation
  double cost = 0;       // sort key
  double deviation = 0;  // root mean square
};

class Decimator {
 public:
  Decimator(SurfaceMesh& mesh, const DecimateOptions& options)
      : mesh_(mesh), options_(options), collapser_(mesh, options.threads) {
    origin_ = mesh.position.empty() ? Vec3d{} : to_double(mesh.position[0]);
    left_ = mesh.triangles.size();
    merges_.assign(mesh.position.size(), 0);
    quadric_.resize(mesh.position.size());
    add_planes();
    find_edges();
  }

  void run() {
    while (left_ > options_.target_triangles && empty_queue()) {
      queue_ = {};
      for (const Candidate& candidate : postponed_) queue_.push(candidate);
      postponed_.clear();
    }
    collapser_.compact();
  }

 private:
  Vec3d seen_from_origin(std::uint32_t v) const { return to_double(mesh_.position[v]) - origin_; }

  void add_planes() {
    for (const Triangle& t : mesh_.triangles) {
      const Vec3d a = seen_from_origin(t[0]);
      const Vec3d normal = cross(seen_from_origin(t[1]) - a, seen_from_origin(t[2]) - a);
      const double twice = length(normal);
      if (!(twice > 0)) continue;
      const Vec3d unit = normal * (1 / twice);
      for (const std::uint32_t v : t) quadric_[v].add_plane(unit, dot(unit, a), twice / 6);
    }
  }

  void find_edges() {
    for (const Triangle& t : mesh_.triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t u = t[k], v = t[(k + 1) % 3];
        if (u < v) queue_.push({static_cast<float>(best_place(u, v).cost), u, v, 0});
      }
  }

  Placement best_place(std::uint32_t u, std::uint32_t v) const {
    Quadric sum = quadric_[u];
    sum += quadric_[v];
    const Vec3d a = seen_from_origin(u), edge = seen_from_origin(v) - a;
    const double squared = dot(edge, edge);
    Vec3d best = a + edge * 0.5;
    Vec3d lowest;
    double error = sum(best);
    const auto consider = [&](const Vec3d& x) {
      const double e = sum(x);
      if (e < error) best = x, error = e;
    };
    if (sum.lowest(lowest) && dot(lowest - best, lowest - best) < 4 * squared) {
      consider(lowest);
    } else {
      consider(a);
      consider(a + edge);
    }
    const double along = squared > 0 ? dot(best - a, edge) / squared : 0.5;
    return {to_float(best + origin_), static_cast<float>(std::clamp(along, 0.0, 1.0)),
            error + shape_share * sum.area * squared,
            sum.area > 0 ? std::sqrt(error / sum.area) : 0};
  }

  // Collapses until the queue is empty or few enough triangles are left; false if nothing was
  // collapsed.
  bool empty_queue() {
    bool progress = false;
    Candidate top;
    while (left_ > options_.target_triangles && queue_.pop(top)) {
      const std::uint32_t u = collapser_.representative(top.u),
                          v = collapser_.representative(top.v);
      if (u == v) continue;
      const std::uint32_t merges = merges_[u] + merges_[v];
      const Placement place = best_place(u, v);
      const auto cost = static_cast<float>(place.cost);
      if (merges != top.merges && !queue_.is_due(cost)) {
        queue_.push({cost, u, v, merges});
      } else if (options_.max_deviation > 0 && place.deviation > options_.max_deviation) {
        continue;
      } else if (collapser_.may_collapse(u, collapser_.fan(u), v, collapser_.fan(v), place.at)) {
        collapse(u, v, place);
        progress = true;
      } else {
        postponed_.push_back({cost, u, v, merges});
      }
    }
    return progress;
  }

  void collapse(std::uint32_t u, std::uint32_t v, const Placement& place) {
    collapser_.collapse(u, v, place.at, place.along);
    quadric_[u] += quadric_[v];
    merges_[u] += merges_[v] + 1;
    left_ -= 2;
  }

  SurfaceMesh& mesh_;
  const DecimateOptions& options_;
  EdgeCollapser collapser_;
  Vec3d origin_;
  std::size_t left_;
  std::vector<std::uint32_t> merges_;  // number of other vertices that a vertex represents
  std::vector<Quadric> quadric_;
  CostQueue queue_;
  std::vector<Candidate> postponed_;
};

}  // namespace

void decimate_mesh(SurfaceMesh& mesh, const DecimateOptions& options) {
  if (mesh.triangles.size() <= options.target_triangles) return;
  Decimator(mesh, options).run();
}

}  // namespace panta
