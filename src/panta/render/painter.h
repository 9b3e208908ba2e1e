// Renderer interface: makes a picture of a particle frame. Implementations: draft (CPU), OpenGL,
// path tracer.
#pragma once

#include "panta/frame/particle_frame.h"
#include "panta/io/image.h"

namespace panta {

class Painter {
 public:
  virtual ~Painter() = default;
  virtual Image paint(const ParticleFrame& frame) = 0;
};

}  // namespace panta
