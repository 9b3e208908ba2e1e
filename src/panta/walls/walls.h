// The walls of a scene on a device, with the poses of moving bodies for the step being made.
#pragma once

#include "panta/core/field.h"
#include "panta/core/launch.h"
#include "panta/geometry/device_grids.h"
#include "panta/walls/wall.h"
#include "panta/walls/wall_crossing.h"

namespace panta {

namespace detail {

// The materials of particles, needed if a material ignores some bodies.
struct TouchedBy {
  const std::uint32_t* phase = nullptr;  // null: no material ignores a body

  PANTA_HD std::uint32_t bit(Index i) const { return phase ? 1u << phase[i] : 0u; }
};

}  // namespace detail

template <class D>
class Walls {
 public:
  void set(const WallList& list);

  // Poses at the start and at the end of the step from *time to *time + *dt, both in device memory.
  // The poses of free bodies are set by FreeBodies.
  void update_poses(const D& exec, const double* time, const double* dt);

  // Indexed by WallBody::motion.
  Pose* poses_start() { return poses_.data(); }
  Pose* poses_end() { return poses_.data() + pose_count_; }

  bool have_bodies() const { return bodies_.size() > 0; }

  // Allocates contacts for this number of particles.
  void reserve(Index particles) {
    if (!have_bodies()) return;
    counts_.resize(static_cast<std::size_t>(particles));
    contacts_.resize(static_cast<std::size_t>(particles) * ContactSet::most);
  }

  // The materials of particles, for the test which bodies act on a particle.
  detail::TouchedBy touched_by(const std::uint32_t* phase) const {
    return {some_ignored_ ? phase : nullptr};
  }

  // Finds the surfaces nearer than `reach`, for particles near a body, at the start of the step.
  void find_contacts(const D& exec, Field4View<D> position, const std::uint32_t* phase,
                     Index particles, float reach, float curvature_step = 0);
  // The same for particles with long paths in the step: segments with start `from` and midpoint
  // `middle`, where NearWalls::each uses the contacts. Thin walls on the path are found too.
  void find_contacts(const D& exec, Field4View<D> from, Field4View<D> middle,
                     const std::uint32_t* phase, Index particles, const double* dt, float spacing,
                     float reach);
  NearWalls near() const {
    return {.planes = planes_.data(),
            .plane_count = static_cast<int>(planes_.size()),
            .clear_min = clear_min_,
            .clear_max = clear_max_,
            .counts = have_bodies() ? counts_.data() : nullptr,
            .contacts = contacts_.data()};
  }

  WallsView at_end() const { return view(pose_count_); }
  MovingWalls moving() const { return {view(0), poses_.data() + pose_count_}; }

 private:
  WallsView view(std::size_t first_pose) const {
    return {.planes = planes_.data(),
            .bodies = bodies_.data(),
            .nodes = nodes_.data(),
            .grids = grids_.data(),
            .poses = poses_.data() + first_pose,
            .near_cells = near_cells_.data(),
            .plane_count = static_cast<int>(planes_.size()),
            .body_count = static_cast<int>(bodies_.size()),
            .clear_min = clear_min_,
            .clear_max = clear_max_};
  }

  Buffer<D, WallPlane> planes_;
  Buffer<D, WallBody> bodies_;
  Buffer<D, ShapeNode> nodes_;
  DeviceGrids<D> grids_;
  Buffer<D, MotionProgram> motions_;
  Buffer<D, MotionKey> keys_;
  Buffer<D, Pose> poses_;
  std::size_t pose_count_ = 0;  // number of poses at the start, and of those at the end
  Buffer<D, std::uint8_t> near_cells_;
  Buffer<D, std::uint32_t> counts_;
  Buffer<D, WallContact> contacts_;
  Vec3 clear_min_, clear_max_;
  bool some_ignored_ = false;
};

}  // namespace panta
