// The space that a fluid fills: its shape inside the domain, without bodies.
#pragma once

#include "panta/geometry/bounds.h"
#include "panta/scene/posed_bodies.h"
#include "panta/scene/scene.h"

namespace panta {

class FluidSpace {
 public:
  FluidSpace(const Scene& scene, const Fluid& fluid, const PosedBodies& bodies);

  Distance operator()(const Vec3& x) const;

  // In cubes (squares) of the spacing, by points on a fine lattice in the cells that the surface
  // may cross.
  double volume() const;

  // Whether a particle may start here: a quarter of a spacing from solids.
  bool clear_of_bodies(const Vec3& x) const { return bodies_.clear_of(x, clearance_, material_); }
  bool clear_of_walls(const Vec3& x) const;

  const ShapeBounds& bounds() const { return bounds_; }

 private:
  ShapeBounds bounds_;
  const Scene& scene_;
  Shape shape_;
  const PosedBodies& bodies_;
  int material_;
  float clearance_;
};

}  // namespace panta
