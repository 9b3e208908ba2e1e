// The surface as a front that moves until it wraps the particles (Premoze et al. 2003, section 4).
//
// The front is where phi = 0; phi is the distance to it, positive inside. It follows eq. 29,
//
//   d phi / dt = |grad phi| (F + mu div(grad phi / |grad phi|)),
//
// whose force F, positive inside the liquid, pushes it out or in until it wraps the particles
// (level_set_force.h), while the curvature term smooths it; mu is one particle radius. It comes to
// rest where both are equal. phi is kept in a band of a few cells around the front
// (level_set_step.h). A frame starts from the front of the frame before it, so that surfaces of
// consecutive frames are the same surface that moved a little; drops may merge, part, appear and
// vanish between them. Where no such front is, it starts where F = 0.
#pragma once

#include "panta/surface/reconstruct.h"

namespace panta {

class LevelSet {
 public:
  explicit LevelSet(const SurfaceOptions& options);
  ~LevelSet();
  SurfaceMesh make(const SurfaceInput& input);
  std::size_t left_out() const;

  // Steps that the last call took until the front was at rest.
  int iterations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace panta
