// The surface as a moving front that encloses the particles (Premoze et al. 2003, section 4).
//
// The front is where phi = 0; phi is the signed distance to it, positive inside. It follows eq. 29,
//
//   d phi / dt = |grad phi| (F + mu div(grad phi / |grad phi|)),
//
// The force F, positive inside the liquid, pushes the front out or in until it encloses the
// particles (level_set_force.h), while the curvature term smooths it; mu is one particle radius.
// The front is at rest where both terms balance. phi is stored in a band of a few cells around the
// front (level_set_step.h). A frame starts from the front of the previous frame, so that surfaces
// of consecutive frames differ only by the motion; drops may merge, part, appear and vanish in
// between. Without such a front, it starts where F = 0.
#pragma once

#include "panta/surface/reconstruct.h"

namespace panta {

class LevelSet {
 public:
  explicit LevelSet(const SurfaceOptions& options);
  ~LevelSet();
  SurfaceMesh make(const SurfaceInput& input);
  std::size_t left_out() const;

  // Number of steps of the last call until the front was at rest.
  int iterations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace panta
