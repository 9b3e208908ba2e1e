#include "panta/walls/walls.h"

#include "panta/core/launch.h"
#include "panta/walls/keep_outside.h"
#include "panta/walls/wall_crossing.h"

namespace panta {

namespace detail {

// Poses at the fraction `later` of the step; one index per motion.
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

template <class D>
struct FindContacts {
  WallsView walls;
  TouchedBy touched_by;
  Field4View<D> position;
  float reach, curvature_step;
  std::uint32_t* counts;
  WallContact* contacts;

  PANTA_HD void operator()(Index i) const {
    const ContactSet set =
        find_contacts(walls, position.xyz(i), reach, touched_by.bit(i), curvature_step);
    counts[i] = static_cast<std::uint32_t>(set.count);
    for (int k = 0; k < set.count; ++k) contacts[i * ContactSet::most + k] = set.item[k];
  }
};

// Contacts along the path of each particle: a segment with start `from` and midpoint `middle`.
template <class D>
struct FindContactsOnPath {
  MovingWalls walls;
  TouchedBy touched_by;
  Field4View<D> from, middle;
  const double* dt;
  float spacing, reach;
  std::uint32_t* counts;
  WallContact* contacts;

  PANTA_HD void operator()(Index i) const {
    const Vec3 start = from.xyz(i), end = middle.xyz(i) * 2.0f - start;
    const ContactSet set =
        walls.contacts({start, end, static_cast<float>(*dt), spacing, touched_by.bit(i)}, reach);
    counts[i] = static_cast<std::uint32_t>(set.count);
    for (int k = 0; k < set.count; ++k) contacts[i * ContactSet::most + k] = set.item[k];
  }
};

template <class D>
struct PutOutside {
  KeepOutside<D> step;

  PANTA_HD void operator()(Index i) const {
    if (step.gate.closed() || static_cast<std::uint32_t>(i) >= *step.living ||
        (step.held && step.held[i]))
      return;
    const ParticlePath path{step.began.xyz(i), step.position.xyz(i),
                            static_cast<float>(step.gate.state->dt), step.spacing,
                            step.touched_by.bit(i)};
    const KeptOutside kept =
        panta::keep_outside(step.walls, path, step.velocity.xyz(i), step.clearance);
    if (!kept.changed) return;
    step.position.set_xyz(i, kept.place);
    step.velocity.set_xyz(i, kept.velocity);
  }
};

}  // namespace detail

template <class D>
void Walls<D>::set(const WallList& list) {
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

template <class D>
void Walls<D>::update_poses(const D& exec, const double* time, const double* dt) {
  const auto count = static_cast<Index>(motions_.size());
  if (count == 0) return;
  for (const int end : {0, 1})
    launch(exec, count,
           detail::UpdatePoses{.motions = motions_.data(),
                               .keys = keys_.data(),
                               .poses = end ? poses_end() : poses_start(),
                               .time = time,
                               .dt = dt,
                               .later = double(end)});
}

template <class D>
void Walls<D>::find_contacts(const D& exec, Field4View<D> position, const std::uint32_t* phase,
                             Index particles, float reach, float curvature_step) {
  if (have_bodies())
    launch(exec, particles,
           detail::FindContacts<D>{.walls = view(0),
                                   .touched_by = touched_by(phase),
                                   .position = position,
                                   .reach = reach,
                                   .curvature_step = curvature_step,
                                   .counts = counts_.data(),
                                   .contacts = contacts_.data()});
}

template <class D>
void Walls<D>::find_contacts(const D& exec, Field4View<D> from, Field4View<D> middle,
                             const std::uint32_t* phase, Index particles, const double* dt,
                             float spacing, float reach) {
  if (have_bodies())
    launch(exec, particles,
           detail::FindContactsOnPath<D>{.walls = moving(),
                                         .touched_by = touched_by(phase),
                                         .from = from,
                                         .middle = middle,
                                         .dt = dt,
                                         .spacing = spacing,
                                         .reach = reach,
                                         .counts = counts_.data(),
                                         .contacts = contacts_.data()});
}

template <class D>
void keep_outside(const D& exec, Index particles, const KeepOutside<D>& step) {
  launch(exec, particles, detail::PutOutside<D>{step});
}

template class Walls<PANTA_DEVICE>;
template void keep_outside(const PANTA_DEVICE&, Index, const KeepOutside<PANTA_DEVICE>&);

}  // namespace panta
