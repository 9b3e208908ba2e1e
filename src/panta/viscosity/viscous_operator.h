// The viscous force of pairs and of no-slip walls.
//
//   F_i = -sum_j k_ij ((v_i - v_j) . d) d - drag(wall) nu_i w_i (v_i - v_wall)_t,   d = x_i - x_j
//   k_ij = 2 dim (dim + 2) / (sum phi r^2) nu_ij w_i w_j phi(r) / r^2
//
// after Monaghan and Gingold 1983 and Weiler et al. 2018. Forces act along the line between two
// particles, so that they conserve momentum and angular momentum and dissipate nothing in rigid
// motion; L, F = -L v, is symmetric and positive semidefinite. All is divided by the mass of a
// particle of the heaviest material. w: mass of a particle over that of its material. nu_ij: mean
// of both; a particle of a solid takes that of the liquid, and pairs of solids have no force.
#pragma once

#include "panta/bodies/body_substeps.h"
#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/step/step_state.h"
#include "panta/viscosity/viscosity_setup.h"
#include "panta/walls/wall_table.h"

namespace panta {

// A free body at the start of a solve.
struct ViscousBodyStart {
  Vec3 velocity, spin;  // m/s, of the centre; 1/s
};

// The no-slip walls near particles.
template <class D>
struct ViscousWalls {
  NearWalls near;
  Field4View<D> found;          // of the search; null: positions of particles
  const float* drag = nullptr;  // table
  float h = 1;
  const FreeBodySpec* specs = nullptr;  // of free bodies
  const FreeBodyState* states = nullptr;
  const float* changes = nullptr;  // of free bodies, viscous_bodies.h; null: none
  const ViscousBodyStart* body_starts = nullptr;
  const BodyDeviation* deviations = nullptr;  // from the step's path; null: none yet
  float progress = 1;  // part of the solve's time for which walls are evaluated

  // From the centre of a free body to its surface, over the body's radius.
  PANTA_HD Vec3 arm(const WallContact& c, const Vec3& x) const {
    const FreeBodySpec& spec = specs[c.free_body];
    const Vec3 r = x - c.normal * c.distance - to_float(states[c.free_body].place);
    return r * static_cast<float>(1 / spec.radius);
  }
  // The velocity of a surface that the method expects. For free bodies it changes linearly in time.
  PANTA_HD Vec3 velocity(const WallContact& c, const Vec3& x) const {
    if (c.free_body < 0) return c.velocity;
    const ViscousBodyStart& body = body_starts[c.free_body];
    const Vec3 at = x - c.normal * c.distance;
    const Vec3 start = body.velocity + cross(body.spin, at - to_float(states[c.free_body].place));
    Vec3 end = c.velocity;
    if (deviations) end += deviations[c.free_body].velocity_at(at);
    return start + (end - start) * progress;
  }
  // The deviation of a surface from that velocity.
  PANTA_HD Vec3 change(const WallContact& c, const Vec3& x) const {
    if (c.free_body < 0 || !changes) return {};
    const float* u = changes + 6 * c.free_body;
    return Vec3{u[0], u[1], u[2]} + cross(Vec3{u[3], u[4], u[5]}, arm(c, x));
  }

  // visit(contact, drag, number of the contact), drag in 1/m2.
  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    const Vec3 moved = found.p ? x - found.xyz(i) : Vec3{};
    near.each_numbered(
        i, x, h,
        [&](Index k, const WallContact& c) {
          if (c.surface->no_slip) visit(c, c.weight * drag_at(c.distance), k);
        },
        moved);
  }

 private:
  PANTA_HD float drag_at(float distance) const {
    const TablePlace place = table_place(distance / h, wall_drag_entries);
    const float *const a = drag + place.first, *const b = a + 1;
    return *a + place.part * (*b - *a);
  }
};

PANTA_HD Vec3 along_wall(const Vec3& v, const Vec3& normal) { return v - normal * dot(v, normal); }

// The three components of each particle's velocity as unknowns.
PANTA_HD Vec3 get_unknowns(const float* values, Index i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}
PANTA_HD void set_unknowns(float* values, Index i, const Vec3& v) {
  values[3 * i] = v.x, values[3 * i + 1] = v.y, values[3 * i + 2] = v.z;
}

// Values for pairs: position and w, velocity and nu.
template <class D>
struct RecordViscous {
  Field4View<D> place, velocity;
  const float* weights;  // null: all weigh 1
  const std::uint32_t* phase;
  const std::uint32_t* living;
  const ViscousMaterials* materials;
  RecordsView<D> records;  // result

  PANTA_HD void operator()(Index i) const {
    if (static_cast<std::uint32_t>(i) >= *living) return records.set(i, {});
    const Vec3 x = place.xyz(i), v = velocity.xyz(i);
    records.set(i, {{x.x, x.y, x.z, weights ? weights[i] : 1.0f},
                    {v.x, v.y, v.z, materials->viscosity[phase[i]]}});
  }
};

// Puts a vector of unknowns into the records.
template <class D>
struct RecordUnknowns {
  const float* values;
  RecordsView<D> records;

  PANTA_HD void operator()(Index i) const {
    Record8 r = records.get(i);
    const Vec3 v = get_unknowns(values, i);
    r.second = {v.x, v.y, v.z, r.second.w};
    records.set(i, r);
  }
};

// The part that all sums have. L v of particle i is sum.pull scale w_i plus what walls add.
template <class D>
struct ViscousPairs {
  ViscousKernel kernel;
  RecordsView<D> records;
  ViscousWalls<D> walls;

  struct Self {
    Vec3 x, v;
    float weight, viscosity;
  };
  template <class F>
  struct Sum {
    Vec3T<F> pull{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    return {r.first.xyz(), r.second.xyz(), r.first.w, r.second.w};
  }

  // k_ij without what belongs to particle i.
  template <class F, class J>
  PANTA_HD F strength(const Self& self, F r2, const J& j) const {
    const F his = j.record.second.w;
    const F both = self.viscosity < 0
                       ? maximum(his, 0.0f)
                       : where_below(his, F{}, F{} + self.viscosity, (his + self.viscosity) * 0.5f);
    return kernel.shape(r2) * (both * j.record.first.w);
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const Vec4T<F>& v = j.record.second;
    const F approach =
        fused(self.v.x - v.x, d.x, fused(self.v.y - v.y, d.y, (self.v.z - v.z) * d.z));
    const F pull = strength(self, r2, j) * approach;
    sum.pull.x = fused(pull, d.x, sum.pull.x);
    sum.pull.y = fused(pull, d.y, sum.pull.y);
    sum.pull.z = fused(pull, d.z, sum.pull.z);
  }

  // L v; `moving`: the walls' own velocity counts. visit(number, force of a wall that moves
  // freely).
  template <class Visit>
  PANTA_HD Vec3 pulled(Index i, const Self& self, const Sum<float>& sum, bool moving,
                       const Visit& visit) const {
    Vec3 all = sum.pull * (kernel.scale * self.weight);
    if (self.viscosity > 0)
      walls.each(i, self.x, [&](const WallContact& c, float drag, Index k) {
        Vec3 slip = self.v - walls.change(c, self.x);
        if (moving) slip -= walls.velocity(c, self.x);
        const Vec3 pull = along_wall(slip, c.normal) * (drag * self.viscosity * self.weight);
        if (c.free_body >= 0) visit(k, pull);
        all += pull;
      });
    return all;
  }
  PANTA_HD Vec3 pulled(Index i, const Self& self, const Sum<float>& sum) const {
    return pulled(i, self, sum, false, [](Index, const Vec3&) {});
  }
  // The terms of moving walls on the right-hand side.
  PANTA_HD Vec3 dragged_by_walls(Index i, const Self& self) const {
    Vec3 all;
    if (self.viscosity > 0)
      walls.each(i, self.x, [&](const WallContact& c, float drag, Index) {
        all +=
            along_wall(walls.velocity(c, self.x), c.normal) * (drag * self.viscosity * self.weight);
      });
    return all;
  }
};

// The duration of a stage: `share` of the time over which velocities change.
struct ViscousTime {
  const StepState* state = nullptr;
  float share = 1;
  bool leapfrog = false;  // velocities are half a step behind positions

  PANTA_HD float operator()() const {
    const double dt = leapfrog ? 0.5 * (state->dt_before + state->dt) : state->dt;
    return share * static_cast<float>(dt);
  }
  ViscousTime times(float factor) const { return {state, share * factor, leapfrog}; }
};

// out = (M + time L) in, where the records hold `in`.
template <class D>
struct ViscousTimes : ViscousPairs<D> {
  using Base = ViscousPairs<D>;
  ViscousTime time;
  const float* inverse_diagonal;
  const float* mass;
  float* out;

  PANTA_HD void finish(Index i, const typename Base::Self& self,
                       const typename Base::template Sum<float>& sum) const {
    if (inverse_diagonal[3 * i] == 0) return set_unknowns(out, i, {});
    set_unknowns(out, i, self.v * mass[i] + this->pulled(i, self, sum) * time());
  }
};

// The diagonal of M + time L, inverted, and the particles' masses.
template <class D>
struct ViscousDiagonal : ViscousPairs<D> {
  using Base = ViscousPairs<D>;
  struct Arguments {
    ViscousTime time;
    const std::uint32_t* phase;
    const std::uint32_t* living;
    const std::uint32_t* held;
    const ViscousMaterials* materials;
    float* inverse_diagonal;  // result
    float* mass;              // result
  } in;

  template <class F, class J>
  PANTA_HD void pair(typename Base::template Sum<F>& sum, const typename Base::Self& self,
                     const Vec3T<F>& d, F r2, const J& j) const {
    const F k = this->strength(self, r2, j);
    sum.pull.x = fused(k, d.x * d.x, sum.pull.x);
    sum.pull.y = fused(k, d.y * d.y, sum.pull.y);
    sum.pull.z = fused(k, d.z * d.z, sum.pull.z);
  }
  PANTA_HD void finish(Index i, const typename Base::Self& self,
                       const typename Base::template Sum<float>& sum) const {
    const bool alive = static_cast<std::uint32_t>(i) < *in.living;
    in.mass[i] = alive ? in.materials->mass[in.phase[i]] * self.weight : 1.0f;
    if (!alive || (in.held && in.held[i])) return set_unknowns(in.inverse_diagonal, i, {});
    Vec3 all = sum.pull * (this->kernel.scale * self.weight);
    if (self.viscosity > 0)
      this->walls.each(i, self.x, [&](const WallContact& c, float drag, Index) {
        const Vec3 n = c.normal;
        all += Vec3{1 - n.x * n.x, 1 - n.y * n.y, 1 - n.z * n.z} *
               (drag * self.viscosity * self.weight);
      });
    all = all * in.time();
    const float m = in.mass[i];
    set_unknowns(in.inverse_diagonal, i, {1 / (m + all.x), 1 / (m + all.y), 1 / (m + all.z)});
  }
};

}  // namespace panta
