// The three smoothing kernels of Mueller et al. 2003, in two and three dimensions.
//
//   poly6      W  = a (h^2 - r^2)^3                       eq. 20   density, colour field
//              W' = -6 a r (h^2 - r^2)^2
//              Laplacian = -6 a (h^2 - r^2) (dim (h^2 - r^2) - 4 r^2)
//   spiky      W  = b (h - r)^3,  W' = -3 b (h - r)^2     eq. 21   pressure
//   viscosity  Laplacian = c (h - r)                      eq. 22   viscosity
//
// with  a = 315 / (64 pi h^9), b = 15 / (pi h^6), c = 45 / (pi h^6)   in 3-D,
//       a = 4 / (pi h^8),      b = 10 / (pi h^5), c = 40 / (pi h^5)   in 2-D.
//
// The viscosity kernel in the plane follows from its Laplacian:
//   W = c (h r^2/4 - r^3/9 - h^3/6 ln(r/h) - 5 h^3/36).
//
// Why the default is spiky for the density as well: with poly6, as printed, the pressure force is
// not the gradient of any energy, and particles that jitter gain energy from it without end
// (README.md has the measurements). The paper's choice is kept as kernels = mueller2003.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"
#include "panta/methods/sph_mueller2003/params.h"

namespace panta::sph {

inline constexpr double pi = 3.14159265358979323846;

// The kernels in double, for tests, calibration and tables.
struct ReferenceKernels {
  int dim;
  double h;
  KernelChoice choice = KernelChoice::spiky;

  bool operator==(const ReferenceKernels&) const = default;

  // The kernel of the density.
  double density(double r) const {
    return choice == KernelChoice::mueller2003 ? poly6(r) : spiky(r);
  }
  double density_factor() const {
    return choice == KernelChoice::mueller2003 ? poly6_factor() : spiky_factor();
  }

  double poly6_factor() const {
    return dim == 3 ? 315 / (64 * pi * std::pow(h, 9)) : 4 / (pi * std::pow(h, 8));
  }
  double spiky_factor() const {
    return dim == 3 ? 15 / (pi * std::pow(h, 6)) : 10 / (pi * std::pow(h, 5));
  }
  double viscosity_factor() const {
    return dim == 3 ? 45 / (pi * std::pow(h, 6)) : 40 / (pi * std::pow(h, 5));
  }

  double poly6(double r) const { return r < h ? poly6_factor() * std::pow(h * h - r * r, 3) : 0; }
  double poly6_slope(double r) const {
    return r < h ? -6 * poly6_factor() * r * std::pow(h * h - r * r, 2) : 0;
  }
  double poly6_laplacian(double r) const {
    const double s = h * h - r * r;
    return r < h ? -6 * poly6_factor() * s * (dim * s - 4 * r * r) : 0;
  }
  double spiky(double r) const { return r < h ? spiky_factor() * std::pow(h - r, 3) : 0; }
  double spiky_slope(double r) const {
    return r < h ? -3 * spiky_factor() * std::pow(h - r, 2) : 0;
  }
  double viscosity(double r) const {
    if (r >= h) return 0;
    if (dim == 3)
      return 15 / (2 * pi * h * h * h) *
             (-r * r * r / (2 * h * h * h) + r * r / (h * h) + h / (2 * r) - 1);
    return viscosity_factor() *
           (h * r * r / 4 - r * r * r / 9 - h * h * h / 6 * std::log(r / h) - 5 * h * h * h / 36);
  }
  double viscosity_laplacian(double r) const { return r < h ? viscosity_factor() * (h - r) : 0; }
};

// The kernels as the inner loops use them, scaled so that the sums are exact on the lattice that
// fluids start from (calibration.h).
struct KernelConstants {
  float h = 1, h2 = 1;
  float dim = 3;
  KernelChoice choice = KernelChoice::spiky;
  float density_factor = 0;   // a or b
  float pressure_factor = 0;  // 3 b
  float colour_factor = 0;    // 6 a
  float surface_factor = 2;   // a flat surface's area over the sum of V |n| below it
  float viscosity = 0;        // c

  // W / density_factor
  template <class F>
  PANTA_HD F density_shape(F r2) const {
    const F reach = choice == KernelChoice::mueller2003 ? h2 - r2 : h - square_root(r2);
    const F s = maximum(reach, 0.0f);
    return s * s * s;
  }

  // |W'| / (r pressure_factor) of spiky. It has no limit at r = 0, where the difference it
  // multiplies is zero: anything finite will do.
  template <class F>
  PANTA_HD F pressure_shape(F r) const {
    const F reach = maximum(h - r, 0.0f);
    return reach * reach * reciprocal(maximum(r, 1e-20f));
  }
};

}  // namespace panta::sph
