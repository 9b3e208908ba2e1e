#include "panta/methods/unified_macklin2014/rigid_bodies.h"

#include "panta/geometry/rigid_fit.h"

#include <algorithm>
#include <cmath>

#include "panta/core/eigen3.h"
#include "panta/geometry/point_grid.h"

namespace panta::unified {

namespace {

constexpr double no_inertia = 1e-6;  // of the largest moment: particles on a line have less

// The moments of particles of mass one about their mean, largest first.
Eigen3 moments(const std::vector<RigidMember>& members, const RigidShape& shape) {
  double s[3][3] = {};
  for (std::size_t k = 0; k < shape.count; ++k) {
    const Vec3d r = to_double(members[shape.first + k].rest);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) s[i][j] += (i == j ? dot(r, r) : 0.0) - r[i] * r[j];
  }
  Mat3 matrix;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) matrix.row[i][j] = static_cast<float>(s[i][j]);
  return symmetric_eigen(matrix);
}

// Where a body is one particle thick, both its sides are near a particle and its outward direction
// is undefined: such particles are spheres.
void round_thin_parts(std::vector<RigidMember>& members, const RigidShape& shape, double spacing) {
  constexpr double behind = 1.0, found = 0.7;  // spacings
  PointGrid grid(spacing, 3);
  const auto first = members.begin() + static_cast<std::ptrdiff_t>(shape.first);
  const auto last = first + static_cast<std::ptrdiff_t>(shape.count);
  for (auto m = first; m != last; ++m)
    grid.add(m->rest, static_cast<std::uint32_t>(m - members.begin()));
  for (auto m = first; m != last; ++m) {
    const Vec3 inside = m->rest - m->outward * static_cast<float>(behind * spacing);
    if (m->depth < spacing && !grid.has_point_within(inside, found * spacing))
      m->depth = sphere_depth, m->outward = {};
  }
}

void set_inertia(const std::vector<RigidMember>& members, RigidShape& shape) {
  const Eigen3 eigen = moments(members, shape);
  shape.inverse_inertia = {{{}, {}, {}}};
  float least = 0;
  for (int k = 0; k < 3; ++k) {
    const float moment = eigen.value[k];
    if (!(moment > static_cast<float>(no_inertia) * eigen.value[0])) continue;
    least = moment;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        shape.inverse_inertia.row[i][j] += eigen.vector[k][i] * eigen.vector[k][j] / moment;
  }
  shape.inverse_gyration2 = least > 0 ? static_cast<float>(shape.count) / least : 0.0f;
}

}  // namespace

BodyPose pose_of(const SolidBody& start, const RigidShape& shape, const RigidState& state) {
  const auto& row = start.pose.rotation.row;
  const Turn4 first = nearest_rotation({to_double(row[0]), to_double(row[1]), to_double(row[2])});
  const Turn4 since = {state.rotation.w, state.rotation.x, state.rotation.y, state.rotation.z};
  const Turn4 turn = after(since, first);
  const Vec3 arm = start.pose.position - start.centre - state.rest_mean;
  const Mat3 rotated = rotation(state.rotation);
  const Vec3 spin = rotated * (shape.inverse_inertia * (transpose(rotated) * state.angular));
  const auto f = [](double x) { return static_cast<float>(x); };
  return {.position = to_double(state.centre) + turned(since, to_double(arm)),
          .rotation = {f(turn[0]), f(turn[1]), f(turn[2]), f(turn[3])},
          .velocity = to_double(state.velocity),
          .spin = to_double(spin)};
}

RigidList make_rigid_list(const Scene& scene, const SolidParticles& solids, std::size_t first_id) {
  RigidList list;
  list.first_id = static_cast<std::uint32_t>(first_id);
  for (const SolidBody& body : solids.bodies) {
    const Solid& solid = scene.solids[static_cast<std::size_t>(body.solid)];
    const auto b = static_cast<std::uint32_t>(list.shapes.size());
    RigidShape shape{static_cast<std::uint32_t>(body.first), static_cast<std::uint32_t>(body.count),
                     solid.stiffness, solid.yield, solid.creep};
    for (std::size_t k = body.first; k < body.first + body.count; ++k) {
      const Vec4 surface = solids.surface[k];
      list.members.push_back(
          {solids.particles.position[k] - body.centre, b, surface.xyz(), std::abs(surface.w)});
    }
    round_thin_parts(list.members, shape, scene.spacing);
    set_inertia(list.members, shape);
    list.shapes.push_back(shape);
    list.states.push_back({{}, body.centre, {}, {}, {}, 0});
  }
  return list;
}

}  // namespace panta::unified
