// The walls of a scene on a device, with the poses of moving bodies for the step being made.
#pragma once

#include "panta/core/field.h"
#include "panta/core/launch.h"
#include "panta/geometry/device_grids.h"
#include "panta/walls/wall.h"
#include "panta/walls/wall_crossing.h"

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

// Particles by their materials, where bodies are ignored by some.
struct FeltBy {
  const std::uint32_t* phase = nullptr;  // null: all feel all bodies

  PANTA_HD std::uint32_t bit(Index i) const { return phase ? 1u << phase[i] : 0u; }
};

template <class D>
struct FindContacts {
  WallsView walls;
  FeltBy felt_by;
  Field4View<D> position;
  float reach;
  std::uint32_t* counts;
  WallContact* contacts;

  PANTA_HD void operator()(Index i) const {
    const ContactSet set = find_contacts(walls, position.xyz(i), reach, felt_by.bit(i));
    counts[i] = static_cast<std::uint32_t>(set.count);
    for (int k = 0; k < set.count; ++k) contacts[i * ContactSet::most + k] = set.item[k];
  }
};

// The surfaces that particles come near on their way, which leads from `from` past `middle` as far
// again.
template <class D>
struct FindContactsOnWay {
  MovingWalls walls;
  FeltBy felt_by;
  Field4View<D> from, middle;
  const double* dt;
  float spacing, reach;
  std::uint32_t* counts;
  WallContact* contacts;

  PANTA_HD void operator()(Index i) const {
    const Vec3 start = from.xyz(i), end = middle.xyz(i) * 2.0f - start;
    const ContactSet set =
        walls.contacts({start, end, static_cast<float>(*dt), spacing, felt_by.bit(i)}, reach);
    counts[i] = static_cast<std::uint32_t>(set.count);
    for (int k = 0; k < set.count; ++k) contacts[i * ContactSet::most + k] = set.item[k];
  }
};

}  // namespace detail

template <class D>
class Walls {
 public:
  void set(const WallList& list) {
    planes_.upload(list.planes);
    bodies_.upload(list.bodies);
    nodes_.upload(list.solids.nodes);
    grids_.set(list.solids.grids);
    motions_.upload(list.motions);
    keys_.upload(list.keys);
    near_cells_.upload(list.near_cells);
    pose_count_ = list.motions.size() + list.free.size();
    poses_.resize(2 * pose_count_);
    clear_min_ = list.clear_min;
    clear_max_ = list.clear_max;
    some_ignored_ = false;
    for (const WallBody& body : list.bodies)
      some_ignored_ = some_ignored_ || body.surface.ignored_by != 0;
  }

  // Poses at the start and at the end of the step from *time over *dt, both on the device; those of
  // free bodies are left to who moves them.
  void update_poses(const D& exec, const double* time, const double* dt) {
    const auto count = static_cast<Index>(motions_.size());
    if (count == 0) return;
    for (const int end : {0, 1})
      launch(exec, count,
             detail::UpdatePoses{motions_.data(), keys_.data(), end ? poses_end() : poses_start(),
                                 time, dt, double(end)});
  }

  // By WallBody::motion.
  Pose* poses_start() { return poses_.data(); }
  Pose* poses_end() { return poses_.data() + pose_count_; }

  bool have_bodies() const { return bodies_.size() > 0; }

  // Room for the contacts of so many particles.
  void reserve(Index particles) {
    if (!have_bodies()) return;
    counts_.resize(static_cast<std::size_t>(particles));
    contacts_.resize(static_cast<std::size_t>(particles) * ContactSet::most);
  }

  // Which bodies particles of these materials feel.
  detail::FeltBy felt_by(const std::uint32_t* phase) const {
    return {some_ignored_ ? phase : nullptr};
  }

  // The surfaces nearer than `reach` to particles near a body, at the start of the step.
  void find_contacts(const D& exec, Field4View<D> position, const std::uint32_t* phase,
                     Index particles, float reach) {
    if (have_bodies())
      launch(exec, particles,
             detail::FindContacts<D>{view(0), felt_by(phase), position, reach, counts_.data(),
                                     contacts_.data()});
  }
  // The same for particles that may go far in the step: from `from` past `middle`, where contacts
  // are used with NearWalls::each, and as far again. Thin walls on the way are found, too.
  void find_contacts(const D& exec, Field4View<D> from, Field4View<D> middle,
                     const std::uint32_t* phase, Index particles, const double* dt, float spacing,
                     float reach) {
    if (have_bodies())
      launch(exec, particles,
             detail::FindContactsOnWay<D>{moving(), felt_by(phase), from, middle, dt, spacing,
                                          reach, counts_.data(), contacts_.data()});
  }
  NearWalls near() const {
    return {planes_.data(), static_cast<int>(planes_.size()),         clear_min_,
            clear_max_,     have_bodies() ? counts_.data() : nullptr, contacts_.data()};
  }

  WallsView at_end() const { return view(pose_count_); }
  MovingWalls moving() const { return {view(0), poses_.data() + pose_count_}; }

 private:
  WallsView view(std::size_t first_pose) const {
    return {planes_.data(),
            bodies_.data(),
            nodes_.data(),
            grids_.data(),
            poses_.data() + first_pose,
            near_cells_.data(),
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
  std::size_t pose_count_ = 0;  // of the start, and of the end
  Buffer<D, std::uint8_t> near_cells_;
  Buffer<D, std::uint32_t> counts_;
  Buffer<D, WallContact> contacts_;
  Vec3 clear_min_, clear_max_;
  bool some_ignored_ = false;
};

}  // namespace panta
