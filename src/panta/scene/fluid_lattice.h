// The lattice of particles that fills a fluid's box.
//
// The box is the bounding box of the fluid's shape, cut by the domain's walls and periods. Where
// its sides are multiples of the spacing s, particles are at the centres of cubes of that side.
// Else the lattice is stretched by some per cent to fill the box, along a side of length L with n
// particles
//
//   n <= L/s:  pitch L/n, the first particle half a pitch from the face
//   n >  L/s:  pitch (L - s)/(n - 1), the first particle half a spacing from the face, where walls
//              touch particles
//
// n = L/s rounded up or down. Against gravity the pitch is such that each particle has the volume
// s^3; points of the last layer stay free, at random, where it is not full. In a box that is filled
// to the ceiling the pitch is as above, and the free points are anywhere.
//
// Grains that are nearer than s overlap: boxes of grains have pitch s and whole cells only. Other
// shapes select points (sample.h). Along a periodic axis that a fluid fills the lattice must
// continue across the border: its pitch is stretched slightly to divide the period; a larger
// stretch is an error. In two dimensions there is one layer, at z = 0.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "panta/geometry/bounds.h"
#include "panta/scene/scene.h"

namespace panta {

struct Lattice {
  Vec3d first;  // the point with the smallest coordinates
  Vec3d pitch;
  std::array<std::int64_t, 3> count = {};  // points along each axis; all 0 outside the domain
  double fill = 1;           // approximate fraction of the points that lie in the shape
  double cells = 0;          // volume of the box in cubes (squares) of the spacing
  double wanted = HUGE_VAL;  // the most points that are taken
  int layers_along = -1;     // axis of the layers that are filled one after the other
  bool layers_from_low = true;

  Vec3 point(std::int64_t i, std::int64_t j, std::int64_t k) const;
  double estimated_points() const;
};

// Whether the shape is an axis-aligned box, so that points in its bounds are in the shape.
bool is_plain_box(const Shape& shape);

bool is_liquid(const Scene& scene, const Fluid& fluid);

// The fraction of its bounds that a shape fills down to a depth below its surface (m), from coarse
// sampling.
inline constexpr double whole_depth = 1e30;
double fill_share(const Shape& shape, const ShapeBounds& bounds, int dimensions,
                  double depth = whole_depth);

// Throws Error(usage) if the spacing does not fit a periodic axis.
Lattice fluid_lattice(const Scene& scene, const Fluid& fluid);

}  // namespace panta
