// Builds a sparse signed distance grid on the host (see geometry/distance_grid_view.h for its
// content and how it is read).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "panta/geometry/distance_function.h"
#include "panta/geometry/distance_grid_view.h"

namespace panta {

struct TriangleMesh;

// The grid's content on the host; the caller uploads the arrays to other devices.
class DistanceGrid {
 public:
  // The solid that `distance` describes lies in the box from `solid_min` to `solid_max`. The grid
  // extends a band and a cell beyond it, and has full resolution within `band` of the surface. The
  // function must not grow faster than the true distance, and is called from several threads.
  // Error(usage) for an invalid box or sizes and for grids of more than 2 GB.
  DistanceGrid(const DistanceFunction& distance, const Vec3& solid_min, const Vec3& solid_max,
               float cell, float band);

  DistanceGridView host_view() const {
    return view_of(samples_.data(), corners_.data(), brick_.data());
  }
  // A view of the same grid with arrays in other memory.
  DistanceGridView view_of(const DistanceSample* samples, const DistanceSample* corners,
                           const std::int32_t* brick) const;

  const std::vector<DistanceSample>& samples() const { return samples_; }
  const std::vector<DistanceSample>& corners() const { return corners_; }
  const std::vector<std::int32_t>& brick() const { return brick_; }
  std::size_t bytes() const;

  const Vec3& solid_min() const { return solid_min_; }
  const Vec3& solid_max() const { return solid_max_; }

 private:
  void choose_bricks(const Vec3& max);
  void sample_corners(const DistanceFunction& distance);
  std::vector<std::array<int, 3>> find_near_bricks(const DistanceFunction& distance, float band);
  void sample_bricks(const DistanceFunction& distance,
                     const std::vector<std::array<int, 3>>& near_bricks);
  bool is_near(const DistanceFunction& distance, const std::array<int, 3>& brick, float band) const;
  Vec3 point(int i, int j, int k) const;  // of the fine lattice

  Vec3 solid_min_, solid_max_;
  Vec3 origin_;
  float cell_;
  std::array<int, 3> bricks_ = {};
  std::vector<DistanceSample> samples_, corners_;
  std::vector<std::int32_t> brick_;
};

// The distance to a mesh.
DistanceGrid make_distance_grid(const TriangleMesh& mesh, float cell, float band);

}  // namespace panta
