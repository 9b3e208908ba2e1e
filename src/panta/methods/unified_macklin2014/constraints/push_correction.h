// Correction of the density constraint's pushes, found once per step: liquids without yield stress.
//
// Pushes (lambda_i + lambda_j) grad W are those of a pressure in an even arrangement of neighbours
// (solver/moment.h). Sheared arrangements resist shear like a packing of soft spheres: in a
// periodic box the stress of slow shear is 1.7 % of the pressure. In addition act forces
//
//   f_i = sum_j (T_i + T_j) r w / m,   T = S + [A x],   r = x_i - x_j,   w = (1 - r/h) / r,    (1)
//
// m: the sum of w r (x) r in a lattice (divided by dim). They are opposite for each pair.
//
// S, symmetric and without trace, makes the flux of momentum isotropic. With p the pressure of the
// last step and M = sum w r (x) r / m + walls
//
//   S' = S - follow dev sym((p + S) M) + spread mean_j(S_i + S_j - 2 S_i)                      (2)
//
// M is a second moment. Higher moments of an arrangement carry load too, over a few spacings: with
// S alone a ball of density 1050 and a radius of three spacings did not sink in water. But the
// force per volume of a pressure has no curl in any arrangement, and the force itself is known. A
// removes the curl: q_i is the force per volume on particle i in the step, by pushes and (1),
//
//   c_i = -sum_j w r x (q_j - q_i) / m = curl q,   A' = A - turn spacing^2 c + mix (...as in (2))
//   (3)
//
// since (1) is curl A where S = 0. This is a Jacobi iteration for zero mean curl (the operator is
// curl curl), and the factor of (3) decreases with the sums of w as `stiffest` does in density.h. A
// alone is not enough: at a surface the normal stress of a sheared arrangement remains, which makes
// standing waves 20 % too fast. Without `spread` and `mix` forces that derive from no energy act on
// single particles, and a pool at rest moves at 21 mm/s instead of 2 mm/s.
//
// Pairs of different density have a smaller weight in the curl: across the interface of two liquids
// q jumps by their difference, and uneven neighbours turn the jump into a curl.
//
// Free bodies count as liquid in (3): behind their surface is the body's own q, the impulse on it
// by particles over its volume. So a body held up by liquid at rest makes a curl. The part of [A x]
// behind the surface acts on particle and body (density.h). The q of a partly immersed body is
// unknown, because the volume in the liquid is: with sums over the surface, `immersed`
// (bodies/body_substeps.h) reduces this to zero.
//
// The pressure of frames is the mean normal stress of the pushes, p tr(M)/dim with images included:
// the same multiplier carries less load where neighbours are few.
//
// S and A fade out where neighbours are missing, with tr(M)/dim - 1 between the limits below, and
// where a few heavy particles stand for many.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/density.h"
#include "panta/solver/moment.h"

namespace panta::unified {

inline constexpr float deficient = -0.3f, slightly_deficient = -0.15f;  // tr(M)/dim - 1
inline constexpr float unlikeness = 4;  // 1 over the difference of densities / their sum
inline constexpr float few = 0.25f, enough = 0.4f;    // neighbours per place that they fill
inline constexpr float follow = 0.3f, spread = 0.3f;  // of S, per step
inline constexpr float turn = 0.3f, mix = 0.1f;       // of A, per step

// Values for pairs: x, q, A, and S without its zz.
template <class D>
struct RecordPushes {
  Substep<D> substep;
  SymmetricView stress;
  RecordsView<D> records, more;  // result

  PANTA_HD void operator()(Index i) const {
    const PushFields<D>& pushes = substep.pushes;
    const Vec3 x = substep.position.xyz(i), a = pushes.potential.xyz(i);
    const float dense = 1 / substep.freedom(i);
    const Vec3 q = pushes.sum.xyz(i) * dense + pushes.correction.xyz(i);
    const SymT<float> s = get_moment(stress, i);
    records.set(i, {{x.x, x.y, x.z, q.x}, {q.y, q.z, s.xx, s.yy}});
    more.set(i, {{s.xy, s.xz, s.yz, a.x}, {a.y, a.z, dense, 0}});
  }
};

template <class F>
struct StressAndCurl {
  SymT<F> moment;
  F xx{}, yy{}, xy{}, xz{}, yz{};  // of S_i + S_j
  Vec3T<F> potential{}, curl{}, force{};
  F weight{}, plain{};  // sum of V_j (1 - r/h), and without V
  F images{};           // sum of V_j w r^2 over images
};

template <class D, bool Weighted>
struct CorrectPushes {
  StepGate gate;
  DensityKernel kernel;
  SubstepWalls<D> walls;
  RecordsView<D> records, more;
  Field4View<D> velocity;
  SymmetricView stress;   // S
  PushFields<D> pushes;   // A, f
  const float* mirrored;  // of SolveDensity
  Weights volumes;        // V
  const Substances* substances;
  const std::uint32_t* phase;
  float pressure_per_dt2;  // p dt^2 (dt: step) of lambda = 1
  float turn_rate;         // m2: turn spacing^2

  struct Self {
    Record8 first, second;
    Mirrors mirrors;
    PANTA_HD Vec3 force() const { return {first.first.w, first.second.x, first.second.y}; }
    PANTA_HD Vec3 potential() const { return {second.first.w, second.second.x, second.second.y}; }
    PANTA_HD SymT<float> stress() const {
      const float xx = first.second.z, yy = first.second.w;
      return {xx, yy, -xx - yy, second.first.x, second.first.y, second.first.z};
    }
  };
  template <class F>
  using Sum = StressAndCurl<F>;

  PANTA_HD Self self(Index i) const {
    const Record8 first = records.get(i);
    return {first, more.get(i), walls.mirrors(i, first.first.xyz())};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F plain = kernel.reach(r2), reach = volumes.times_other<Weighted>(plain, j);
    const F w = volumes.times_other<Weighted>(kernel.reach_over_r(r2), j);
    const Record8 &a = self.first, &b = self.second;
    const auto& one = j.record;
    const auto two = j.from(more);
    const Vec3T<F> c{w * d.x, w * d.y, w * d.z};
    add_moment(sum.moment, F{} + 1.0f, d, c.x, c.y, c.z);
    const Vec3T<F> q{a.first.w - one.first.w, a.second.x - one.second.x, a.second.y - one.second.y};
    const F own = b.second.z + F{}, other = two.second.z;
    const F unlike = maximum(other - own, own - other) * reciprocal(own + other);
    sum.curl += cross(c, q) * maximum(1.0f - unlikeness * unlike, 0.0f);
    const F xx = one.second.z + a.second.z, yy = one.second.w + a.second.w;
    const F xy = two.first.x + b.first.x, xz = two.first.y + b.first.y;
    const F yz = two.first.z + b.first.z, zz = F{} - xx - yy;
    const Vec3T<F> turning{two.first.w + b.first.w, two.second.x + b.second.x,
                           two.second.y + b.second.y};
    sum.xx = fused(reach, xx, sum.xx), sum.yy = fused(reach, yy, sum.yy);
    sum.xy = fused(reach, xy, sum.xy), sum.xz = fused(reach, xz, sum.xz);
    sum.yz = fused(reach, yz, sum.yz);
    sum.potential += turning * reach;
    sum.weight = sum.weight + reach;
    if constexpr (Weighted) sum.plain = sum.plain + plain;
    const Vec3T<F> turned = cross(turning, c);
    sum.force.x += fused(xx, c.x, fused(xy, c.y, fused(xz, c.z, turned.x)));
    sum.force.y += fused(xy, c.x, fused(yy, c.y, fused(yz, c.z, turned.y)));
    sum.force.z += fused(xz, c.x, fused(yz, c.y, fused(zz, c.z, turned.z)));
    self.mirrors.each(d, r2, [&](int, F share, const Vec3T<F>&, F far2) {
      const F far_reach = volumes.times_other<Weighted>(share * kernel.reach(far2), j);
      sum.images = fused(far_reach, square_root(far2), sum.images);
    });
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (gate.closed()) return;  // a repeated step starts from the same values
    const bool wet = substances->kind[phase[i]] == MaterialKind::liquid;
    SymT<float> m = moment_less_one(sum.moment, kernel.moment_scale);
    Vec3 curl = sum.curl;
    walls.each(i, self.first.first.xyz(), [&](const WallContact& c) {
      const WallShare wall = walls.shares.at(c);
      add_wall_moment(m, c.normal, c.weight * wall.along, c.weight * wall.across);
      if (c.free_body < 0 || !walls.bodies) return;
      const BodyDeviation& body = walls.bodies[c.free_body];
      curl += cross(c.normal, self.force() - body.lift) *
              (body.immersed * c.weight * wall.slope / kernel.slope_scale);
    });
    const float share = wet ? fade(m, sum) : 0.0f;
    const float dt = static_cast<float>(gate.state->dt);
    const float lambda = multiplier_or_contacts(velocity, i);
    const float p = pressure_per_dt2 * lambda / (dt * dt);
    if (wet) velocity.set_w(i, lambda * normal_stress(i, self, sum));  // for frames
    set_moment(stress, i, next_stress(p, m, self.stress(), sum, share));
    const Vec3 a = next_potential(i, self.potential(), curl, sum) * share;
    const Vec3 f = sum.force * (wet ? kernel.moment_scale : 0.0f);
    pushes.potential.set(i, {a.x, a.y, a.z, 0});
    pushes.correction.set(i, {f.x, f.y, f.z, 0});
  }

 private:
  // tr(M)/dim with images for flat walls.
  PANTA_HD float normal_stress(Index i, const Self& self, const Sum<float>& sum) const {
    const float own = minimum(volumes.of<Weighted>(i), 1.0f);
    const float part = mirrored ? mirrored[i] : 1.0f;
    float images = sum.images;
    self.mirrors.each(Vec3{}, 0.0f, [&](int, float share, const Vec3&, float far2) {
      images += share * own * kernel.reach(far2) * square_root(far2);
    });
    const SymT<float>& m = sum.moment;
    float trace = (m.xx + m.yy + m.zz + part * images) * kernel.moment_scale;
    walls.each_table(i, self.first.first.xyz(), part, [&](Index, const WallContact& c) {
      const WallShare wall = walls.shares.at(c);
      trace += c.weight * (wall.across + (kernel.dimensions - 1) * wall.along);
    });
    return trace / kernel.dimensions;
  }
  PANTA_HD float fade(const SymT<float>& m, const Sum<float>& sum) const {
    const float trace = m.xx + m.yy + (kernel.dimensions < 3 ? 0.0f : m.zz);
    const float full = ramp(trace / kernel.dimensions, deficient, slightly_deficient);
    if constexpr (Weighted)
      return full * ramp(sum.plain, few * sum.weight, enough * sum.weight);
    else
      return full;
  }
  PANTA_HD static float ramp(float x, float none, float all) {
    return all > none ? clamp((x - none) / (all - none), 0.0f, 1.0f) : 0.0f;
  }
  // (2); m: M - 1
  PANTA_HD SymT<float> next_stress(float p, const SymT<float>& m, const SymT<float>& s,
                                   const Sum<float>& sum, float share) const {
    const SymT<float> flux = flux_without_trace(p, m, s);
    const float mixed = sum.weight > 0 ? share * spread / sum.weight : 0.0f;
    const float kept = sum.weight > 0 ? share * (1 - 2 * spread) : share;
    const auto next = [&](float own, float error, float both) {
      return kept * own - share * follow * error + mixed * both;
    };
    const float xx = next(s.xx, flux.xx, sum.xx), yy = next(s.yy, flux.yy, sum.yy);
    return {xx,
            yy,
            -xx - yy,
            next(s.xy, flux.xy, sum.xy),
            next(s.xz, flux.xz, sum.xz),
            next(s.yz, flux.yz, sum.yz)};
  }
  // The part of sym((p + S)(1 + m)) without trace.
  PANTA_HD SymT<float> flux_without_trace(float p, const SymT<float>& m,
                                          const SymT<float>& s) const {
    const bool flat = kernel.dimensions < 3;
    const float zz = flat ? -1.0f : m.zz;
    SymT<float> f{
        p * m.xx + s.xx + s.xx * m.xx + s.xy * m.xy + s.xz * m.xz,
        p * m.yy + s.yy + s.xy * m.xy + s.yy * m.yy + s.yz * m.yz,
        p * zz + s.zz + s.xz * m.xz + s.yz * m.yz + s.zz * zz,
        p * m.xy + s.xy +
            0.5f * (s.xy * (m.xx + m.yy) + m.xy * (s.xx + s.yy) + s.xz * m.yz + m.xz * s.yz),
        p * m.xz + s.xz +
            0.5f * (s.xz * (m.xx + zz) + m.xz * (s.xx + s.zz) + s.xy * m.yz + m.xy * s.yz),
        p * m.yz + s.yz +
            0.5f * (s.yz * (m.yy + zz) + m.yz * (s.yy + s.zz) + s.xy * m.xz + m.xy * s.xz)};
    if (flat) f.zz = f.xz = f.yz = 0;
    const float mean = (f.xx + f.yy + f.zz) / kernel.dimensions;
    f.xx -= mean;
    f.yy -= mean;
    return f;
  }
  // (3) before fading. Crowded and heavy particles take smaller steps.
  PANTA_HD Vec3 next_potential(Index i, const Vec3& a, const Vec3& curl,
                               const Sum<float>& sum) const {
    if (!(sum.weight > 0)) return {};
    const float column =
        Weighted ? maximum(volumes.of<Weighted>(i) * sum.plain, sum.weight) : sum.weight;
    const float crowd =
        minimum(kernel.full_reach * kernel.full_reach / (sum.weight * column), 1.0f);
    return a * (1 - 2 * mix) + sum.potential * (mix / sum.weight) -
           curl * (turn_rate * crowd * kernel.moment_scale);
  }
};

}  // namespace panta::unified
