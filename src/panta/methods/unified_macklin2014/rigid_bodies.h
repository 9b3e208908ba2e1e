// The rigid bodies of a scene on a device.
#pragma once

#include <string>

#include "panta/core/fill_array.h"
#include "panta/core/state.h"
#include "panta/frame/body_pose.h"
#include "panta/methods/unified_macklin2014/constraints/rigid.h"
#include "panta/scene/sample_solids.h"

namespace panta::unified {

// Bodies on the host.
struct RigidList {
  std::vector<RigidShape> shapes;
  std::vector<RigidState> states;
  std::vector<RigidMember> members;
  std::uint32_t first_id = 0;
};

// `first_id`: of the first particle of the solids.
RigidList make_rigid_list(const Scene& scene, const SolidParticles& solids, std::size_t first_id);

// The pose of a solid's shape, for a body that started as `start`.
BodyPose pose_of(const SolidBody& start, const RigidShape& shape, const RigidState& state);

template <class D>
class RigidBodies {
 public:
  void set(const RigidList& list) {
    shapes_.upload(list.shapes);
    states_.upload(list.states);
    members_.upload(list.members);
    slots_.resize(list.members.size());
    first_id_ = list.first_id;
    largest_ = 0;
    for (const RigidShape& shape : list.shapes)
      largest_ = std::max(largest_, static_cast<Index>(shape.count));
  }
  bool empty() const { return shapes_.size() == 0; }

  void resize(std::size_t particles) {
    if (empty()) return;
    surface_.resize(particles);
    pushes_.resize(particles);
  }

  // After a sort: ids by slot, of which the first *living are in use.
  void locate(const D& exec, const std::uint32_t* ids, Index slots, const std::uint32_t* living,
              bool some_may_go) {
    if (empty()) return;
    if (some_may_go)
      launch(exec, static_cast<Index>(members_.size()), FillArray<Index>{slots_.data(), -1});
    launch(exec, slots, LocateMembers<D>{view(), ids, living});
  }

  void match(const D& exec, const Substep<D>& substep, float relaxation, bool averages,
             RigidVelocity velocity, bool closes) {
    if (!empty())
      launch_teams(exec, static_cast<Index>(shapes_.size()), largest_,
                   MatchShapes<D>{.bodies = view(),
                                  .substep = substep,
                                  .relaxation = relaxation,
                                  .averages = averages,
                                  .velocity_update = velocity,
                                  .closes = closes});
  }

  RigidView<D> view() {
    return {.shapes = shapes_.data(),
            .states = states_.data(),
            .members = members_.data(),
            .slots = slots_.data(),
            .first_id = first_id_,
            .count = static_cast<std::uint32_t>(members_.size()),
            .surface = surface_.view(),
            .pushes = {pushes_.data()}};
  }

  std::vector<RigidShape> shapes() const { return shapes_.download(); }
  std::vector<RigidState> states() const { return states_.download(); }

  void save(State& state) const {
    if (empty()) return;
    state.put("rigid states", states_.download());
    state.put("rigid members", members_.download());
  }
  void restore(const State& state) {
    if (empty()) return;
    const auto states = state.get<RigidState>("rigid states");
    const auto members = state.get<RigidMember>("rigid members");
    const auto known = [&](const RigidMember& m) { return m.body < shapes_.size(); };
    if (states.size() != shapes_.size() || members.size() != members_.size() ||
        !std::all_of(members.begin(), members.end(), known))
      throw Error(ErrorKind::io,
                  std::string("the saved state is inconsistent: it has other bodies"));
    states_.upload(states);
    members_.upload(members);
  }

 private:
  Buffer<D, RigidShape> shapes_;
  Buffer<D, RigidState> states_;
  Buffer<D, RigidMember> members_;
  Buffer<D, Index> slots_;
  Field4<D> surface_;
  Buffer<D, Record4> pushes_;
  std::uint32_t first_id_ = 0;
  Index largest_ = 0;  // members of a body
};

}  // namespace panta::unified
