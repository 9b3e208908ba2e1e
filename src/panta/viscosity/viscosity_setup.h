// The implicit viscosity of a scene, computed on the host: kernel, materials, walls.
//
// Kernel. phi(q) = (1-q)(1-b + b(1-q)), q = r/h, h two spacings in every method, or its support if
// that is less. b makes the starting lattice isotropic, sum phi (x^4 - 3 x^2 y^2)/r^2 = 0; it is 0
// where none between 0 and 1 does. Effective viscosity of a shear wave 20 spacings long in three
// dimensions, over the material's own: 0.99 on the lattice, 0.93 to 0.98 displaced by up to 0.2
// spacings, 0.98 packed evenly without order.
//
// Scale. For a quadratic velocity a sum over an even arrangement gives the pairs of
// viscous_operator.h mu (Lap v + 2 grad div v) if each is multiplied by
//   2 dim (dim + 2) / sum phi r^2,   the sum over the starting lattice.
//
// Walls. A no-slip wall counts as layers of the lattice at depths s_k = (k + 1/2) spacing behind
// it, smeared evenly along the wall, that move so that the velocity is linear through the wall's
// own:
//   drag(d) = scale sum_k (1 + s_k/d) integral of phi t^2 / ((dim-1) r^2) over the layer,
// t the distance along the wall. It acts along the wall only: on its normal the viscous stress of
// an incompressible liquid vanishes. A factor makes linear shear exact on a lattice whose first
// layer is half a spacing away.
#pragma once

#include <vector>

#include "panta/core/macros.h"
#include "panta/core/scalar_math.h"
#include "panta/linear/convergence.h"
#include "panta/scene/scene.h"
#include "panta/viscosity/params.h"

namespace panta {

inline constexpr int max_viscous_materials = 16;
inline constexpr int wall_drag_entries = 65;  // distances 0 ... h

struct ViscousKernel {
  float inverse_h = 1, least_r2 = 0;
  float narrow = 0;  // b
  float scale = 1;   // 1/m2

  // phi / r^2
  template <class F>
  PANTA_HD F shape(F r2) const {
    const F reach = maximum(1.0f - square_root(r2) * inverse_h, 0.0f);
    return reach * fused(reach, F{} + narrow, F{} + (1.0f - narrow)) *
           reciprocal(maximum(r2, least_r2));
  }
};

struct ViscousMaterials {
  static constexpr float solid = -1;  // takes the viscosity of the liquid that it touches

  float mass[max_viscous_materials] = {};       // of a particle, over that of the heaviest material
  float viscosity[max_viscous_materials] = {};  // over the density of the heaviest, m2/s
};

struct ViscositySetup {
  bool implicit = false;
  ViscousKernel kernel;
  ViscousMaterials materials;
  double unit_mass = 1;          // kg, of a particle of the heaviest material
  std::vector<float> wall_drag;  // by d/h, 1/m2
  SolveLimits limits;
};

// `support`: within which a method has neighbours, m.
ViscositySetup make_viscosity_setup(const Scene& scene, const ViscosityParams& params,
                                    double support);

// `carried`: the explicit form carries the viscosity of the scene.
bool choose_implicit(const ViscosityParams& params, bool carried);

// Some surface that a liquid may touch is no_slip.
bool has_no_slip_walls(const Scene& scene);

// Bytes per particle of ImplicitViscosity.
double memory_of_viscosity();

}  // namespace panta
