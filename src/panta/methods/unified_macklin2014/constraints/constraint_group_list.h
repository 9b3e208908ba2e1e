// The groups of constraints that an iteration solves, one after the other in the order of the list:
// a new kind of constraint is one more entry.
//
// Closing. A substep ends with new velocities (Substep::close). A group that visits every particle
// anyway can do that in its own last launch, which saves a pass over all particles: such groups
// have `can_close`. Which group closes is decided here alone: in the last iteration the last active
// group does, and where it cannot, a launch of its own follows (CloseSubstep). Both give the same
// bits, except for particles of rigid bodies: only the group of contacts, which matches the bodies,
// takes their velocity from the momentum of the body. So groups that cannot close belong before it.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "panta/methods/unified_macklin2014/substep.h"

namespace panta::unified {

struct ConstraintGroup {
  const char* name;
  std::function<bool()> active;  // whether there is anything to solve
  // One iteration; `closes` ends the substep on the way, and is false unless can_close.
  std::function<void(const SubstepCount& now, bool closes)> solve;
  bool can_close = false;
};

class ConstraintGroupList {
 public:
  ConstraintGroupList() = default;
  // close(now): ends a substep where the last group does not.
  ConstraintGroupList(std::vector<ConstraintGroup> groups,
                      std::function<void(const SubstepCount& now)> close)
      : groups_(std::move(groups)), close_(std::move(close)) {}

  // One iteration of all active groups.
  void solve(const SubstepCount& now) const {
    const ConstraintGroup* const last = last_active();
    const bool fused = last && last->can_close;
    for (const ConstraintGroup& group : groups_)
      if (group.active()) group.solve(now, now.last_iteration() && fused && &group == last);
    if (now.last_iteration() && !fused) close_(now);
  }

 private:
  const ConstraintGroup* last_active() const {
    const ConstraintGroup* last = nullptr;
    for (const ConstraintGroup& group : groups_)
      if (group.active()) last = &group;
    return last;
  }

  std::vector<ConstraintGroup> groups_;
  std::function<void(const SubstepCount&)> close_;
};

}  // namespace panta::unified
