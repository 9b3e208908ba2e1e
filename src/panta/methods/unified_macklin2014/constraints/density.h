// The density constraint of liquids, eq. 26, as two sums over neighbours.
//
//   C_i      = rho_i / rho_0 - 1 <= 0
//   lambda_i = omega C_i / stiffest_i   where C_i > 0
//   dx_i     = -w_i sum_j (lambda_i + lambda_j) grad W_ij / full
//
// Densities are relative to the particle's own material: the sum counts neighbours, not their mass,
// and w_i = 1/m_i enters the displacement. So liquids of different density stay apart without a
// jump of the sum between them (the paper weights with masses). Particles of solids count with the
// factor s of eq. 27, have no multiplier and are pushed by the multipliers of the liquid around
// them.
//
// With these pushes alone liquids under pressure have a yield stress of some per cent of it: a ball
// of density 1100 and a radius of 6 spacings did not sink in water. Their correction is found once
// per step and acts as a force in each substep (push_correction.h).
//
// Sides of the domain are mirrors (solver/mirrors.h, substep_walls.h): sums over j include the
// images of the neighbours and of the particle itself. An image has the multiplier of its particle.
// The pushes are the gradient of half the constraints of liquid and images together. For a particle
// nearer to a wall than the contact distance, the contact distance is used. The own image of a
// particle that stands for several (see below) counts at most once: with its full weight heavy
// particles are pushed too far.
//
// Near a body that meets a side at an angle, only the part s of the side acts as a mirror
// (SubstepWalls::mirrored), the rest as a table. Particles differ in s, and images push with
// s_i lambda_i + s_j lambda_j, the gradient of the constraints: with s_i (lambda_i + lambda_j) a
// slope in a pool at rest keeps particles moving at 0.3 m/s.
//
// Other walls are tables: liquid behind them would add the share a_k(d) of the full density. Walls
// that meet at right angles leave free the product of what each leaves free,
//
//   C_i = (W(0) + sum_j W_ij) / full - prod_k (1 - a_k)   (plus 1 - rest, kernels.h),
//
// and push back along their normals with lambda_i times the slope of a_k, the gradient of C_i.
// (Liquid behind the wall would have a multiplier too and push twice as hard. But a force that is
// not the gradient of the constraints heats the liquid: a resting tank then boils, with 0.5 m/s in
// forty layers. The wall contact supplies the rest. Along such a wall liquid gets three quarters of
// a pressure gradient.)
//
// Free bodies are walls, too, and get the opposite of each push on a particle. C_i then depends on
// the body's position, and the divisor of the particles around it includes the body's mobility
// (`grip`, bodies/body_substeps.h). They touch particles at their surface, not half a spacing away
// as other walls do: an ordered layer of particles in contact holds a body (a ball of ratio 0.9 did
// not move).
//
// Deviation: eq. 5 divides by |grad C|^2. Jacobi iteration then diverges where the constraints of
// neighbours add up (by a factor of four in a lattice); the paper averages over the number of
// constraints. Here the divisor is a bound of the largest eigenvalue of J J^T around the particle
// (kernels.h): the iteration converges for omega < 2 in any neighbourhood. With liquids of
// different density it is J W J^T, and w is bounded by the largest one around: the particle's own w
// among particles of its density, the w of the lightest liquid of all where lighter ones are in
// reach.
//
// Masses of single particles. A particle that stands for V_i of its material (weights.h) fills V_i
// places, has V_i constraints and, unless it is denser than the material, V_i times the mass:
//
//   C_i  = (own(V_i) + sum_j V_j W_ij) / full - ...,   grad_j C_i = V_j grad W_ij / full
//   dx_i = -w_i sum_j V_j (lambda_i + lambda_j) grad W_ij / full,   w_i that of the material
//
// (own: kernels.h). V_i m dx_i is antisymmetric: momentum is kept. With g_ij = |grad W_ij| / full
// and divisors b_i, the iteration converges as the norm of sqrt(V_i V_j) g_ij / sqrt(b_i) allows.
// With b_i = row_i column_i, Schur's test bounds it by the largest sums of a row and of a column,
//
//   sum_j V_j g_ij / row_i = 1,                     row_i = sum_j V_j g_ij
//   sum_i V_i g_ij / column_i <= sum_i g_ij / G_i,  G_i = sum_j g_ij,
//                                                   column_i = max(V_i G_i, row_i)
//
// as for equal weights. A heavy particle among light ones takes smaller steps.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/substep_walls.h"
#include "panta/methods/unified_macklin2014/constraints/wall_contact.h"
#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/neighbors/pair_maths.h"
#include "panta/solver/particle_weights.h"

namespace panta::unified {

// The free share of the space around a particle at walls. Two walls that meet at right angles fill
// a_1 + a_2 - a_1 a_2, two that face each other a_1 + a_2.
struct FreeSpace {
  static constexpr int most = 4;  // walls with computed overlaps
  Vec3 normal[most];
  float share[most];
  int count = 0;
  float free = 1;

  PANTA_HD void take(const Vec3& n, float a) {
    free -= a;
    for (int k = 0; k < count; ++k) free += a * share[k] * clamp(1 + dot(n, normal[k]), 0.0f, 1.0f);
    if (count == most || a == 0) return;
    normal[count] = n;
    share[count++] = a;
  }
};

// Pushes of particles on free bodies as walls (bodies/body_substeps.h).
struct RecordedBodyPushes {
  Vec3* pushes = nullptr;  // kg m, by particle and contact; null without free bodies
  const BodyDeviation* bodies = nullptr;
  NearWalls near;
  ParticleMass mass;

  PANTA_HD void clear(Index i) const {
    for (std::uint32_t k = 0; pushes && k < near.counts[i]; ++k)
      pushes[i * ContactSet::most + k] = {};
  }
  PANTA_HD float share(Index i, const WallContact& c) const {
    return bodies[c.free_body].share(mass(i));
  }
  PANTA_HD void add(Index i, Index k, const WallContact& c, const Vec3& move) const {
    if (c.free_body >= 0) pushes[i * ContactSet::most + k] += move * mass(i);
  }
};

// Initial over-density. The excess of a particle that starts denser than its rest density, in a
// lattice or in an overlap, is allowed: it is subtracted from C_i and decays over a fifth of a
// second. So overlaps do not explode, and the excess gives no speed. A particle keeps 1 + its
// allowance, 0 while it is new.
struct Allowance {
  float* kept = nullptr;
  float fading = 1;  // factor from one solve to the next

  // The allowance of a particle with this excess.
  PANTA_HD float of(Index i, float excess, bool is_new) const {
    const float before = is_new || !(kept[i] > 0) ? 1e30f : kept[i] - 1;
    return minimum(before * fading, maximum(excess, 0.0f));
  }
};

// Once per step for liquids of different density: a bound of the largest w around each particle.
template <class D>
struct FindMobility {
  const std::uint32_t* phase;
  const Substances* substances;
  float* mobility;  // result

  struct Self {
    float own;
  };
  template <class F>
  struct Sum {
    F lighter{};
  };
  PANTA_HD Self self(Index i) const { return {substances->mobility[phase[i]]}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>&, F r2, const J& j) const {
    const F exists = where_below(r2, 0.5f * far_away + F{}, 1.0f + F{}, F{});
    const F other = j.table(substances->mobility, phase);
    sum.lighter = sum.lighter + where_below(self.own + F{}, other, exists, F{});
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    mobility[i] = sum.lighter > 0 ? 1.0f : self.own;
  }
};

template <class F, bool Weighted>
struct DensitySums {
  F weight{}, reach{};
};
template <class F>
struct DensitySums<F, true> {
  F weight{}, reach{};
  F plain_reach{};  // without V
};

// First pass: multipliers. Mixed: not all particles fill one place. Weighted: V differs.
template <class D, bool Mixed, bool Weighted>
struct SolveDensity {
  static_assert(Mixed || !Weighted);

  DensityKernel kernel;
  SubstepWalls<D> walls;
  float relaxation;
  RecordsView<D, Record4> candidates;   // x* and how much it fills
  RecordsView<D, Record4> multipliers;  // result: x* and lambda
  float* density;                       // result: rho / rho_0
  const std::uint32_t* held;
  const std::uint32_t* phase;
  const Substances* substances;
  Allowance allowance;
  bool looks_only;        // allowances do not change
  const float* mobility;  // the largest around a particle; null: that of all
  float* mirrored;        // result: SubstepWalls::mirrored; null: 1
  Weights volumes;        // V

  struct Self {
    float mirrored;
    Mirrors mirrors;
  };
  template <class F>
  using Sum = DensitySums<F, Weighted>;
  PANTA_HD Self self(Index i) const {
    if (held && held[i]) return {0, {}};
    const Vec3 x = candidates.get(i).first.xyz();
    return {walls.mirrored(i, x), walls.mirrors(i, x)};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F reach = kernel.reach(r2);
    sum.reach = sum.reach + volumes.times_other<Weighted>(reach, j);
    if constexpr (Weighted) sum.plain_reach = sum.plain_reach + reach;
    if constexpr (Mixed) {
      sum.weight = fused(reach * reach, j.record.first.w, sum.weight);
    } else {
      sum.weight = fused(reach, reach, sum.weight);
    }
    self.mirrors.each(d, r2, [&](int, F weight, const Vec3T<F>&, F far2) {
      const F share = weight * self.mirrored;
      const F fills = Mixed ? j.record.first.w : 1.0f + F{};
      add_image(sum, kernel.reach(far2), share, volumes.times_other<Weighted>(share, j), fills);
    });
  }
  PANTA_HD void finish(Index i, const Self& self, Sum<float> sum) const {
    self.mirrors.each(Vec3{}, 0.0f, [&](int, float weight, const Vec3&, float far2) {
      const float share = weight * self.mirrored;
      const float own = minimum(candidates.get(i).first.w, 1.0f);
      add_image(sum, kernel.reach(far2), share, share * own, own);
    });
    const Vec3 x = candidates.get(i).first.xyz();
    FreeSpace space;
    float behind = 0, grip = 0;
    const bool emerging = held && held[i];
    if (!emerging)  // an emitter's column ignores walls
      walls.each_table(i, x, self.mirrored, [&](Index, const WallContact& c) {
        const WallShare wall = walls.shares.at(c);
        space.take(c.normal, c.weight * wall.share);
        behind += c.weight * wall.slope;
        if (c.free_body >= 0 && wall.slope > 0) grip += walls.bodies[c.free_body].grip;
      });
    const float free = maximum(space.free, 0.0f);
    const float own = Weighted ? kernel.own_part(volumes.of<Weighted>(i)) : 1.0f;
    const float filled = (own + sum.weight) * kernel.inverse_full;
    const float excess = filled + 1 - free - kernel.rest;
    const float allowed = allowance.of(i, excess, emerging), value = excess - allowed;
    if (!looks_only) allowance.kept[i] = emerging ? 0.0f : 1 + allowed;
    // The bound also needs the wall layer's gradients along the wall, which the slope lacks.
    constexpr float sideways = 1.5f;
    const float reach = sum.reach + sideways * behind / kernel.slope_scale;
    const float rho = filled + 1 - free;
    const bool pressed = value > 0 && substances->kind[phase[i]] == MaterialKind::liquid;
    const float divisor = stiffest(i, reach, sum) * (mobility ? mobility[i] : 1.0f) + grip;
    const float lambda = pressed ? relaxation * value / (rho * divisor) : 0.0f;
    multipliers.set(i, {{x.x, x.y, x.z, lambda}});
    density[i] = (rho - allowed) / kernel.rest;
    if (mirrored) mirrored[i] = self.mirrored;
  }

  template <class F>
  PANTA_HD static void add_image(Sum<F>& sum, F reach, F share, F volume, F fills) {
    sum.reach = fused(reach, volume, sum.reach);
    sum.weight = fused(reach * reach, share * fills, sum.weight);
    if constexpr (Weighted) sum.plain_reach = fused(reach, share, sum.plain_reach);
  }
  PANTA_HD float stiffest(Index i, float reach, const Sum<float>& sum) const {
    if constexpr (Weighted)
      return kernel.stiffest(reach, maximum(volumes.of<true>(i) * sum.plain_reach, reach));
    else
      return kernel.stiffest(reach, reach);
  }
};

// Second pass: displacements; closes the substep after the last iteration.
template <class D, bool Weighted>
struct MoveByDensity {
  DensityKernel kernel;
  SubstepWalls<D> walls;
  WallContactRule contact;
  RecordsView<D, Record4> multipliers;
  const float* mirrored;  // of SolveDensity
  Substep<D> substep;
  const std::uint32_t* living;
  Weights volumes;  // V
  RecordedBodyPushes bodies;
  bool closes;  // the substep ends with this group

  struct Self {
    float lambda, of_images;  // of_images: lambda times the part that mirrors have
    Mirrors mirrors;
  };
  template <class F>
  struct Sum {
    F x{}, y{}, z{};
  };
  PANTA_HD Self self(Index i) const {
    const Record4 r = multipliers.get(i);
    const float of_images = mirrored ? r.first.w * mirrored[i] : r.first.w;
    if (substep.is_held(i)) return {r.first.w, of_images, {}};
    return {r.first.w, of_images, walls.mirrors(i, r.first.xyz())};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F both = j.record.first.w + self.lambda;
    add(sum, volumes.times_other<Weighted>(both * kernel.reach_over_r(r2), j), d);
    self.mirrors.each(d, r2, [&](int, F share, const Vec3T<F>& e, F far2) {
      const F his = mirrored ? j.record.first.w * j.number(mirrored) : j.record.first.w;
      const F push = share * (his + self.of_images) * kernel.reach_over_r(far2);
      add(sum, volumes.times_other<Weighted>(push, j), e);
    });
  }
  PANTA_HD void finish(Index i, const Self& self, Sum<float> sum) const {
    if (substep.gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    const Vec3 start = multipliers.get(i).first.xyz();
    Vec3 target = start;
    const float own_push = 2 * self.of_images * minimum(volumes.of<Weighted>(i), 1.0f);
    self.mirrors.each(Vec3{}, 0.0f, [&](int, float share, const Vec3& e, float far2) {
      add(sum, share * own_push * kernel.reach_over_r(far2), e);
    });
    const float fills = substep.candidates.get(i).first.w;
    const Vec3 x = substep.position.xyz(i);
    const Vec4 v = substep.velocity.vec4(i);
    bodies.clear(i);
    if (!substep.is_held(i)) {
      const float w = substep.freedom(i);
      target += Vec3{sum.x, sum.y, sum.z} * (w * kernel.slope_scale);
      meet_walls(i, start, self.lambda * w, x, v.xyz(), target);
    }
    substep.add_push(i, target - start);
    const float multiplier = multiplier_or_contacts(v) +
                             self.lambda * (1.0f / static_cast<float>(substep.counts.substeps));
    if (closes) {
      substep.close(i, x, v.xyz(), target, multiplier);
    } else {
      substep.set_multiplier_or_contacts(i, multiplier);
      substep.candidates.set(i, {{target.x, target.y, target.z, fills}});
    }
  }

  template <class F>
  PANTA_HD static void add(Sum<F>& sum, F push, const Vec3T<F>& d) {
    sum.x = fused(push, d.x, sum.x);
    sum.y = fused(push, d.y, sum.y);
    sum.z = fused(push, d.z, sum.z);
  }
  // [A x] of push_correction.h behind the surface of a free body.
  PANTA_HD Vec3 turning(Index i, const WallContact& c) const {
    const float dt = substep.dt(), immersed = bodies.bodies[c.free_body].immersed;
    return cross(substep.pushes.potential.xyz(i), c.normal) *
           (immersed * substep.freedom(i) * dt * dt * kernel.moment_scale / kernel.slope_scale);
  }

  PANTA_HD void meet_walls(Index i, const Vec3& start, float lambda, const Vec3& x, const Vec3& v,
                           Vec3& target) const {
    walls.each_table(i, start, mirrored ? mirrored[i] : 1.0f, [&](Index k, const WallContact& c) {
      const float slope = c.weight * walls.shares.at(c).slope;
      Vec3 move = c.normal * (lambda * slope);
      if (c.free_body >= 0) move += turning(i, c) * slope;
      target += move;
      bodies.add(i, k, c, move);
    });
    walls.each_numbered(i, start, [&](Index k, WallContact c) {
      c.distance += dot(target - start, c.normal);
      if (c.free_body >= 0) c.distance += contact.distance;  // they touch at the surface
      const Vec3 met = contact.resolved(c, x, x, 0, v, target);
      if (c.free_body < 0) {
        target = met;
        return;
      }
      const Vec3 move = (met - target) * bodies.share(i, c);
      target += move;
      bodies.add(i, k, c, move);
    });
  }
};

}  // namespace panta::unified
