// The distance grids of composed solids in device memory.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "panta/core/buffer.h"
#include "panta/geometry/distance_grid.h"

namespace panta {

template <class D>
class DeviceGrids {
 public:
  // Grids that were copied before are not copied again.
  void set(const std::vector<std::shared_ptr<const DistanceGrid>>& grids) {
    std::vector<Copy> before = std::exchange(copies_, {});
    std::vector<DistanceGridView> views;
    for (const auto& grid : grids) {
      const auto found = std::find_if(before.begin(), before.end(),
                                      [&](const Copy& copy) { return copy.grid == grid; });
      copies_.push_back(found == before.end() ? copy_of(grid) : std::move(*found));
      views.push_back(copies_.back().view);
    }
    views_.upload(views);
  }
  const DistanceGridView* data() const { return views_.data(); }

 private:
  struct Copy {
    std::shared_ptr<const DistanceGrid> grid;
    DistanceGridView view;
    Buffer<D, DistanceSample> samples, corners;  // unused on the CPU, which reads the host grid
    Buffer<D, std::int32_t> brick;
  };

  static Copy copy_of(const std::shared_ptr<const DistanceGrid>& grid) {
    Copy copy;
    copy.grid = grid;
    if constexpr (D::kind == DeviceKind::cpu) {
      copy.view = grid->host_view();
    } else {
      copy.samples.upload(grid->samples());
      copy.corners.upload(grid->corners());
      copy.brick.upload(grid->brick());
      copy.view = grid->view_of(copy.samples.data(), copy.corners.data(), copy.brick.data());
    }
    return copy;
  }

  std::vector<Copy> copies_;
  Buffer<D, DistanceGridView> views_;
};

}  // namespace panta
