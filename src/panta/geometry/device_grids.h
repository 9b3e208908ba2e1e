// The distance grids of composed solids, where a device can read them.
#pragma once

#include <memory>
#include <vector>

#include "panta/core/buffer.h"
#include "panta/geometry/distance_grid.h"

namespace panta {

template <class D>
class DeviceGrids {
 public:
  void set(const std::vector<std::shared_ptr<const DistanceGrid>>& grids) {
    grids_ = grids;
    copies_.clear();
    std::vector<DistanceGridView> views;
    for (const auto& grid : grids_) views.push_back(view_of(*grid));
    views_.upload(views);
  }
  const DistanceGridView* data() const { return views_.data(); }

 private:
  struct Copy {
    Buffer<D, DistanceSample> samples, corners;
    Buffer<D, std::int32_t> brick;
  };

  DistanceGridView view_of(const DistanceGrid& grid) {
    if constexpr (D::kind == DeviceKind::cpu) return grid.host_view();
    copies_.push_back(std::make_unique<Copy>());
    Copy& copy = *copies_.back();
    copy.samples.upload(grid.samples());
    copy.corners.upload(grid.corners());
    copy.brick.upload(grid.brick());
    return grid.view_of(copy.samples.data(), copy.corners.data(), copy.brick.data());
  }

  std::vector<std::shared_ptr<const DistanceGrid>> grids_;
  std::vector<std::unique_ptr<Copy>> copies_;
  Buffer<D, DistanceGridView> views_;
};

}  // namespace panta
