// Computed once, before the first step: kernels scaled to be exact on the starting lattice, and the
// contribution of a wall to a particle's sums as a function of its distance.
//
// Lattice. On a lattice of spacing s with V = s^dim a kernel sum should give
//   density    sum V W            = 1
//   pressure   sum V r |W'| / dim = 1          (exact gradient of a linear pressure)
//   viscosity  sum V r^2 Lap / (2 dim) = 1     (exact Laplacian of a quadratic velocity)
// Each kernel is divided by the value of its sum (0.99 to 1.1 at supports of two spacings).
//
// Walls. A wall is taken as filled with layers of fluid at depths (k + 1/2) s, each smeared evenly,
// as if the lattice went on behind the surface. For a particle at distance d, with A(z), S(z) and
// L(z) the integrals of the density kernel, of the pressure kernel's normal slope and of the
// viscosity Laplacian over a plane at distance z, the wall contributes
//   filled(d)   = sum s A(z_k)                     to the density sum, as a share of the whole
//   push(d)     = sum s S(z_k)                     to the pressure gradient, along the normal
//   drag(d)     = sum s L(z_k) (1 + s_k / d)       to the viscosity, times (v_wall - v): layers
//   move so
//                                                  that the velocity is linear through the wall's
//                                                  own
//   normal(d)   = sum s |A'(z_k)|                  to the colour gradient, into the wall
//   along(d)    = sum s T(z_k)                     to the pressure gradient along the wall, as a
//   share of
//                                                  the whole; T is the plane's part of sum V t^2
//                                                  |W'|/r, t the distance in one direction along
//                                                  the wall
// with z_k = d + s_k, and across(d) like along(d) in the direction of the normal. Without along(d),
// fluid at a side wall would have only part of the vertical pressure gradient and sink.
//
// A curved body fills less. All of these are also found for layers that are spheres (circles)
// inside one of radius 1.5 h, and interpolated by the curvature of the surface: exact for planes
// and that sphere, to first order for others, since the integrals depend on the sum of both
// curvatures only.
#pragma once

#include <vector>

#include "panta/methods/sph_mueller2003/kernels.h"
#include "panta/walls/wall_table.h"

namespace panta::sph {

struct LatticeFactors {
  double density = 1, pressure = 1, viscosity = 1, colour = 1;  // what the plain sums give
};
LatticeFactors lattice_factors(const ReferenceKernels& kernels, double spacing);

KernelConstants calibrated_constants(const ReferenceKernels& kernels, const LatticeFactors& factors,
                                     double spacing);

struct WallEntry {
  static constexpr int table_size = 129;
  float filled = 0, push = 0, drag = 0, normal = 0, along = 0, across = 0;

  friend PANTA_HD WallEntry interpolate(const WallEntry& a, const WallEntry& b, float w) {
    return {a.filled + w * (b.filled - a.filled), a.push + w * (b.push - a.push),
            a.drag + w * (b.drag - a.drag),       a.normal + w * (b.normal - a.normal),
            a.along + w * (b.along - a.along),    a.across + w * (b.across - a.across)};
  }
};
std::vector<WallEntry> make_wall_table(const ReferenceKernels& kernels,
                                       const LatticeFactors& factors, double spacing);

struct CalibrationKey {
  ReferenceKernels kernels;
  double spacing = 0;

  bool operator==(const CalibrationKey&) const = default;
};
struct Calibration {
  KernelConstants kernel;
  std::vector<WallEntry> wall_table;
};
Calibration make_calibration(const CalibrationKey& key);

}  // namespace panta::sph
