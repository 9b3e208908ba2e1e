// Changes of velocities once per step, after the constraints (Algorithm 1, line 26).
//
//   viscosity   v_i += c V_i/w_i sum_j V_j (v_j - v_i) W_ij / full       XSPH (Schechter and
//               Bridson 2012); per step it diffuses velocity by c m2 / 6, m2 the second moment of W
//               in a lattice, so that a material's kinematic viscosity nu needs c = 6 nu dt / m2 in
//               three dimensions
//   vorticity   w_i = sum_j V_j (v_j - v_i) x grad W_ij, scaled such that a turning lattice has
//   twice
//               its angular velocity; eta = grad |w|, N = eta/|eta|;
//               v_i += dt epsilon h N x w                                (Fedkiw et al. 2001)
//   adhesion    v_i -= dt a (1 - d/h) n at a distance d from a wall of adhesion a: it falls to
//               nothing at the support; the work of adhesion is rho a h / 2 per area
//   drag        at the free surface, times the share of the density that is missing there
//   then the step ends: damping, periodic axes, sinks.
//
// V_j and the weight w_i are 1 where particles have no masses of their own (weights.h).
#pragma once

#include "panta/methods/unified_macklin2014/constraints/density.h"
#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/solver/leave_step.h"

namespace panta::unified {

// Positions and velocities side by side, for the sums.
template <class D>
struct RecordVelocities {
  Field4View<D> position, velocity;
  RecordsView<D> records;

  PANTA_HD void operator()(Index i) const { records.set(i, {position.vec4(i), velocity.vec4(i)}); }
};

// Smooths velocities; with Spin also computes the vorticity. Weighted: V differs.
template <class D, bool Spin, bool Weighted>
struct SmoothVelocities {
  DensityKernel kernel;
  RecordsView<D> records;
  Field4View<D> velocity;         // result
  RecordsView<D, Record4> spins;  // result: position and |w|
  Field4View<D> spin;             // result: w and |w|
  float spin_scale;
  float steps_per_second;  // for which the share is given
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* phase;
  const std::uint32_t* held;
  const Substances* substances;
  Weights weights, volumes;  // w, V

  struct Self {
    Vec3 velocity;
  };
  template <class F>
  struct Sum {
    Vec3T<F> drift{}, curl{};
  };
  PANTA_HD Self self(Index i) const { return {records.get(i).second.xyz()}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F reach = kernel.reach(r2);
    const F weight = volumes.times_other<Weighted>(reach * reach, j);
    const Vec3T<F> u{j.record.second.x - self.velocity.x, j.record.second.y - self.velocity.y,
                     j.record.second.z - self.velocity.z};
    sum.drift.x = fused(weight, u.x, sum.drift.x);
    sum.drift.y = fused(weight, u.y, sum.drift.y);
    sum.drift.z = fused(weight, u.z, sum.drift.z);
    if constexpr (Spin) {
      sum.curl += cross(u, d) * volumes.times_other<Weighted>(kernel.reach_over_r(r2), j);
    }
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    if (!(held && held[i])) {
      const float share = substances->smoothing[phase[i]] * kernel.inverse_full *
                          static_cast<float>(gate.state->dt) * steps_per_second;
      const float volume_over_mass = volumes.of<Weighted>(i) / weights.of<Weighted>(i);
      velocity.set_xyz(i, self.velocity + sum.drift * (share * volume_over_mass));
    }
    if constexpr (Spin) {
      const Vec3 w = sum.curl * spin_scale, x = records.get(i).first.xyz();
      spin.set(i, {w.x, w.y, w.z, 0});
      spins.set(i, {{x.x, x.y, x.z, length(w)}});
    }
  }
};

// Vorticity confinement: compensates the damping of vortices by smoothing and prediction.
template <class D, bool Weighted>
struct ConfineVortices {
  DensityKernel kernel;
  RecordsView<D, Record4> spins;
  Field4View<D> spin, velocity;
  float strength;  // epsilon h, m/s
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* held;
  Weights volumes;  // V

  struct Self {
    float size;
  };
  template <class F>
  struct Sum {
    Vec3T<F> gradient{};
  };
  PANTA_HD Self self(Index i) const { return {spins.get(i).first.w}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F less = (self.size - j.record.first.w) * kernel.reach_over_r(r2);
    sum.gradient += d * volumes.times_other<Weighted>(less, j);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living || (held && held[i])) return;
    const float size = length(sum.gradient);
    if (!(size > 0)) return;
    const float dt = static_cast<float>(gate.state->dt);
    const Vec3 force = cross(sum.gradient * (1 / size), spin.xyz(i)) * strength;
    velocity.set_xyz(i, velocity.xyz(i) + force * dt);
  }
};

// Adhesion of walls.
template <class D>
struct AdhereToWalls {
  SubstepWalls<D> walls;
  Field4View<D> position, velocity;
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* held;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living || (held && held[i])) return;
    const float dt = static_cast<float>(gate.state->dt);
    Vec3 pull;
    walls.each(i, position.xyz(i), [&](const WallContact& c) {
      const float share = 1 - maximum(c.distance, 0.0f) / walls.found.h;
      pull -= c.normal * (c.weight * c.surface->adhesion * share);
    });
    velocity.set_xyz(i, velocity.xyz(i) + pull * dt);
  }
};

// Changes the velocities of particles that free bodies have moved.
template <class D>
struct ApplyCoupledMoves {
  StepGate gate;
  Field4View<D> landed;  // positions after contact with bodies
  Field4View<D> position, velocity;
  const std::uint32_t* occupied;
  const std::uint32_t* held;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *occupied || (held && held[i])) return;
    const Vec3 x = position.xyz(i), to = landed.xyz(i);
    if (x == to) return;
    position.set_xyz(i, to);
    velocity.set_xyz(i, velocity.xyz(i) + (to - x) * static_cast<float>(1 / gate.state->dt));
  }
};

// The rate at which velocities decay at the surface of a liquid.
struct SurfaceDrag {
  float drag = 0;                  // 1/s
  const float* density = nullptr;  // rho / rho_0
  const std::uint32_t* phase = nullptr;
  const Substances* substances = nullptr;

  PANTA_HD float rate(Index i) const {
    if (!(drag > 0) || substances->kind[phase[i]] != MaterialKind::liquid) return 0;
    return drag * maximum(1 - density[i], 0.0f);
  }
};

template <class D>
struct DampAndLeaveStep {
  LeaveStep<D> leave;
  float damping;  // 1/s
  SurfaceDrag surface_drag;

  // magnitudes: |v| and nothing
  PANTA_HD void operator()(Index i, float* magnitudes) const {
    if (leave.gate.closed() || !leave.boundaries.occupied(i)) return;
    const float rate = leave.boundaries.is_held(i) ? 0.0f : damping + surface_drag.rate(i);
    if (rate > 0) {
      const float share = 1 / (1 + rate * static_cast<float>(leave.gate.state->dt));
      leave.velocity.set_xyz(i, leave.velocity.xyz(i) * share);
    }
    leave(i, magnitudes);
  }
};

}  // namespace panta::unified
