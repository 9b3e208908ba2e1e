// Forces of walls that are free bodies on the particles near them, for the reaction on the body
// (bodies/wall_forces.h), and the positions at which particles meet bodies.
//
// The body gets the reaction of all forces of its surface: the pressure along its normal, the
// completion of the pressure gradient along it, and the drag of no-slip surfaces. Momentum is then
// conserved, and since the stress of water at rest is -p out of reach of the body, the body carries
// the weight of the water it displaces. Without the completion it carried 1.1 times that. The
// completion has no torque: with one, small balls at rest in water began to rotate, at 1 rad/s
// after 5 s.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/columns.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::sph {

// The change by walls of the pressure force per volume that neighbours exert. For each surface
// visit(contact, completion, own) gets its change; the sum is returned.
//   along the surface   f_t = sum of neighbours / (1 - along)
//   along its normal    f_n = sum of neighbours + 2 p push - weight_n across
// 2 p push is the force of mirrored fluid in which the pressure does not change; the last term is
// what its hydrostatic gradient adds, weight = rho g. Without it the pressure of the layer at a
// floor was that half a spacing deeper. It depends on the position only, so that it adds no energy,
// unlike completing f_n by 1/(1 - across). It does not apply to free bodies: the force on a ball is
// 0.99 to 1.00 of the weight that it displaces, and 0.96 to 0.98 with it.
template <class Visit>
PANTA_HD Vec3 with_walls(const NearWalls& walls, const WallTable<WallEntry>& table, float h,
                         Index i, const Vec3& x, const Vec3& v, float pressure, float viscosity,
                         const Vec3& by_neighbors, const Vec3& weight, const Visit& visit) {
  Vec3 completed = by_neighbors, added;
  walls.each(i, x, h, [&](const WallContact& c) {
    const WallEntry entry = table.at(c);
    const float missing = c.weight * entry.along;
    const Vec3 along = completed - c.normal * dot(completed, c.normal);
    const Vec3 completion = along * (missing / (1.0f - missing));
    const float deeper = c.free_body < 0 ? -dot(weight, c.normal) * entry.across : 0.0f;
    Vec3 own = c.normal * (c.weight * (2.0f * pressure * entry.push + deeper));
    if (c.surface->no_slip) {
      const Vec3 slip = c.velocity - v;
      own += (slip - c.normal * dot(slip, c.normal)) * (viscosity * c.weight * entry.drag);
    }
    completed += completion;
    added += own;
    visit(c, completion, own);
  });
  return completed + added;
}

template <class D>
struct WallForceReaction {
  KernelConstants kernel;
  NearWalls walls;
  WallTable<WallEntry> wall_table;
  RecordsView<D> records;        // position and p V^2, velocity and volume
  Field4View<D> pressure_force;  // N/m3, by neighbours
  Vec3 gravity;
  const std::uint32_t* phase;
  const Phases* phases;
  const std::uint32_t* occupied;

  PANTA_HD bool near(Index i) const {
    return static_cast<std::uint32_t>(i) < *occupied && walls.counts && walls.counts[i] > 0;
  }
  template <class Visit>
  PANTA_HD void each(Index i, const Visit& visit) const {
    const Record8 own = records.get(i);
    const Vec3 x = own.first.xyz(), v = own.second.xyz();
    const float volume = own.second.w, pressure = own.first.w / (volume * volume);
    with_walls(walls, wall_table, kernel.h, i, x, v, pressure, phases->viscosity[phase[i]],
               pressure_force.xyz(i), gravity * (phases->mass[phase[i]] / volume),
               [&](const WallContact& c, const Vec3& completion, const Vec3& own) {
                 if (c.free_body < 0) return;
                 visit(c.free_body, x - c.normal * c.distance, own * volume);
                 visit.without_moment(c.free_body, completion * volume);
               });
  }
};

// From the middle of the previous step to the middle of this one.
PANTA_HD double kick_length(const StepState& now) { return 0.5 * (now.dt_before + now.dt); }

// The velocity v(n+1/2) before walls and bodies.
template <class D>
struct Kick {
  StepGate gate;
  VelocityAndDensity<D> velocity;
  Field4View<D> acceleration;
  int dimensions = 3;

  PANTA_HD Vec3 acceleration_of(Index i) const {
    Vec3 a = acceleration.xyz(i);
    if (dimensions == 2) a.z = 0;
    return a;
  }
  PANTA_HD Vec3 operator()(Index i) const {
    return velocity.velocity(i) + acceleration_of(i) * static_cast<float>(kick_length(*gate.state));
  }
};

// Velocities before the implicit viscosity; what an emitter holds keeps its own.
template <class D>
struct ProposeVelocities {
  Kick<D> kick;
  const std::uint32_t* held;
  Field4View<D> proposed;  // result

  PANTA_HD void operator()(Index i) const {
    const Vec3 v = held && held[i] ? kick.velocity.velocity(i) : kick(i);
    proposed.set(i, {v.x, v.y, v.z, 0});
  }
};

// The acceleration that leads to the velocities after it.
template <class D>
struct TakeDiffused {
  StepGate gate;
  VelocityAndDensity<D> velocity;
  Field4View<D> diffused, acceleration;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed()) return;
    const StepState& now = *gate.state;
    const float per_time = static_cast<float>(1 / kick_length(now));
    acceleration.set_xyz(i, (diffused.xyz(i) - velocity.velocity(i)) * per_time);
  }
};

// The positions of particles at the end of the step without free bodies.
template <class D>
struct ProposePositions {
  Kick<D> kick;
  Field4View<D> position, proposed;

  PANTA_HD void operator()(Index i) const {
    const Vec4 x = position.vec4(i);
    const Vec3 at = x.xyz() + kick(i) * static_cast<float>(kick.gate.state->dt);
    proposed.set(i, {at.x, at.y, at.z, x.w});
  }
};

}  // namespace panta::sph
