// Surfaces of particles on a device: the same as Reconstruction, with the same lattice, bins, sums
// and cells, as kernels. On the CPU round blobs give bitwise the same result; other blobs, and the
// GPU, differ by rounding.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "panta/core/vec.h"
#include "panta/geometry/surface_mesh.h"
#include "panta/surface/device/field_plan.h"

namespace panta {

class DeviceSurface {
 public:
  virtual ~DeviceSurface() = default;

  // Closed and manifold; empty if no particle has a valid position. Buffers are reused, so that a
  // frame that is not larger than earlier ones allocates nothing on the device.
  virtual SurfaceMesh make(std::span<const Vec3> positions, const FieldPlan& plan) = 0;

  // Particles of the last call that were skipped: not finite, or far from all others.
  virtual std::size_t left_out() const = 0;
};

// Larger fields are summed in parts.
inline constexpr std::size_t device_field_bytes = std::size_t{1} << 30;

// On device D (Cpu or Cuda); `threads` of the CPU, 0: all cores.
template <class D>
std::unique_ptr<DeviceSurface> make_device_surface(int threads,
                                                   std::size_t field_bytes = device_field_bytes);

}  // namespace panta
