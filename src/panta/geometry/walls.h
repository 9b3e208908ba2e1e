// The walls of a scene on a device, with the poses of moving bodies for the step being made.
#pragma once

#include "panta/core/launch.h"
#include "panta/geometry/device_grids.h"
#include "panta/geometry/wall.h"

namespace panta {

namespace detail {

// A fraction `later` of the step after its start; one index per motion.
struct UpdatePoses {
  const MotionProgram* motions;
  const MotionKey* keys;
  Pose* poses;
  const double *time, *dt;
  double later;

  PANTA_HD void operator()(Index k) const {
    poses[k] = pose_in_step(motions[k], keys, *time + later * *dt, *time, *dt);
  }
};

}  // namespace detail

template <class D>
class Walls {
 public:
  void set(const WallList& list) {
    planes_.upload(list.planes);
    bodies_.upload(list.bodies);
    nodes_.upload(list.nodes);
    grids_.set(list.grids);
    motions_.upload(list.motions);
    keys_.upload(list.keys);
    poses_.resize(2 * list.motions.size());
    clear_min_ = list.clear_min;
    clear_max_ = list.clear_max;
  }

  // Poses at the start and at the end of the step from *time over *dt, both on the device.
  void update_poses(const D& exec, const double* time, const double* dt) {
    const auto count = static_cast<Index>(motions_.size());
    if (count == 0) return;
    for (const int end : {0, 1})
      launch(exec, count,
             detail::UpdatePoses{motions_.data(), keys_.data(), poses_.data() + end * count, time,
                                 dt, double(end)});
  }

  WallsView at_start() const { return view(0); }
  WallsView at_end() const { return view(motions_.size()); }

 private:
  WallsView view(std::size_t first_pose) const {
    return {planes_.data(),
            bodies_.data(),
            nodes_.data(),
            grids_.data(),
            poses_.data() + first_pose,
            static_cast<int>(planes_.size()),
            static_cast<int>(bodies_.size()),
            clear_min_,
            clear_max_};
  }

  Buffer<D, WallPlane> planes_;
  Buffer<D, WallBody> bodies_;
  Buffer<D, ShapeNode> nodes_;
  DeviceGrids<D> grids_;
  Buffer<D, MotionProgram> motions_;
  Buffer<D, MotionKey> keys_;
  Buffer<D, Pose> poses_;
  Vec3 clear_min_, clear_max_;
};

}  // namespace panta
