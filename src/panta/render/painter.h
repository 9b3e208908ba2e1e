// Renderer interface: makes a picture of a particle frame. Implementations: draft (CPU), OpenGL,
// path tracer.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "panta/frame/particle_frame.h"
#include "panta/geometry/surface_mesh.h"
#include "panta/io/image.h"

namespace panta {

// The surface meshes of a frame's liquids by phase, with normals.
using LiquidSurfaces =
    std::function<std::vector<std::pair<std::uint32_t, SurfaceMesh>>(const ParticleFrame&)>;

class Painter {
 public:
  virtual ~Painter() = default;
  virtual Image paint(const ParticleFrame& frame) = 0;
};

}  // namespace panta
