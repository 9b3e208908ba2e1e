// Draws spheres into a depth buffer: the exact nearest sphere for every pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/render/camera.h"

namespace panta {

// The first surface of each pixel.
struct SurfaceBuffer {
  static constexpr std::int32_t nothing = -1;

  int width = 0, height = 0;
  std::vector<float> depth;  // infinite if the pixel is empty
  std::vector<std::int32_t>
      surface;  // particle index, `nothing`, or what the user of the buffer adds

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

// Particles that are not finite or lie behind the camera are skipped. Of equally near ones the
// first is kept, so that the result does not depend on the number of threads.
SurfaceBuffer rasterize_spheres(const View& view, const std::vector<Vec3>& positions, float radius,
                                int threads);

// The same with a radius per sphere; spheres of radius 0 are skipped too.
SurfaceBuffer rasterize_spheres(const View& view, const std::vector<Vec3>& positions,
                                const std::vector<float>& radii, int threads);

}  // namespace panta
