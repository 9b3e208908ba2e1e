// The force that drives the front of a level set (Premoze et al. 2003, eqs. 30 to 32),
//
//   F(x) = T + sum over i of V_i f(d_i),   f(d) = 1 / (1 + (d / r)^2),
//
// with the following choices, so that its zero is the surface of the liquid:
//
// - f has infinite range, so that a large body of liquid would swell. It is brought to zero at
//   four radii by a factor (1 - q^2)^2, q = d / (4 r).
// - r is the radius of a ball with the volume of one particle, 0.62 spacings.
// - V_i, 1 in the paper, is the particle's volume relative to that in a full lattice,
//   sum of W in the lattice / sum of W around the particle, with W of radius 2.5 spacings. Then F
//   hardly changes where a surface is curved (with the curvature term this would remove 3 % of the
//   volume of a ball 20 spacings across), and sheets, threads and drops of single particles are
//   preserved.
// - T is such that the surface of a half-space filled with a lattice lies half a spacing outside
//   its last layer: -2.1; the paper uses -2.
// - The distance is shorter along the particle's velocity u and longer normal to it, by
//   a = 1 - |u| / (2 s), b = 1 + |u| / (2 s), with s the largest speed: d^2 = a^2 d_v^2 + b^2
//   d_n^2, which, unlike the printed sum of lengths, has no creases. V_i gets a factor a b^2, which
//   keeps the integral of F.
#pragma once

#include <span>

#include "panta/core/vec.h"
#include "panta/surface/band.h"
#include "panta/surface/blob_sizes.h"
#include "panta/surface/tile_field.h"

namespace panta {

inline constexpr float force_radii = 4;  // range of a particle in radii
inline constexpr float own_force_radius = force_radii * particle_radius;  // spacings

struct ForceBump {
  template <class F>
  static F bump(F q2) {
    const F t = maximum(1.0f - q2, 0.0f);
    return t * t / (1.0f + (force_radii * force_radii) * q2);
  }
  static float finish(float sum) { return sum; }
};

// F at and near the surface of a half-space filled with a lattice.
struct ForceScale {
  float threshold;  // its derivative inwards, per spacing
  float slope;      // its growth inwards, per spacing
  float deep;       // F in a full lattice
};

// `radius`: range of f, in spacings.
ForceScale calibrate_force(float radius);

// The velocities that shape the force; empty: it is isotropic.
struct ForceVelocities {
  std::span<const Vec3> of_particle;  // in the original order, not sorted
  float fastest = 0;

  explicit ForceVelocities(std::span<const Vec3> velocity);
  // Factor by which a particle's range may grow with its velocity.
  float stretch() const { return fastest > 0 ? 2.0f : 1.0f; }
};

// For the particles that reach the band; `radius` and `spacing` in cells.
BlobSet force_blobs(const TileGrid& grid, const SurfaceBand& band, float radius, float spacing,
                    const ForceVelocities& velocities, const BlobSizes& sizes = {});

}  // namespace panta
