// The surface of a liquid from its particles.
//
//   Reconstruction reconstruction(options);
//   for (each frame) SurfaceMesh mesh = reconstruction.make({positions, velocities, spacing});
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "panta/core/exec.h"
#include "panta/core/vec.h"
#include "panta/geometry/surface_mesh.h"
#include "panta/scene/surface_method.h"

namespace panta {

struct SurfaceOptions {
  SurfaceMethod method = SurfaceMethod::anisotropic;
  float cell = 0.5f;  // spacings between lattice points
  float radius = 0;   // spacings over which a particle is felt; 0: the method's own
  int threads = 0;    // 0: all cores
  // auto, cpu or cuda; auto: a GPU where there is one. Its meshes differ from the CPU's by
  // rounding.
  std::string device = "cpu";
};

// Whether a GPU can do it; the others are the CPU's, whatever the device.
bool has_device_form(SurfaceMethod method);

// Where surfaces are made with these options. Error(device) where a GPU is asked for and there is
// none, Error(usage) for a device that does not exist.
DeviceKind surface_device(const SurfaceOptions& options);

// One liquid. Where velocities are given, vertices get theirs.
struct SurfaceInput {
  std::span<const Vec3> position;
  std::span<const Vec3> velocity;
  float spacing = 0;  // m
  // Sizes relative to a particle whose radius is half the spacing; empty: 1. Methods that sum equal
  // balls use them, the others take all particles for equal (uses_sizes).
  std::span<const float> size = {};
};

// Whether a particle's own size is that of its blob. Such surfaces are then made by the CPU.
bool uses_sizes(SurfaceMethod method);

class DeviceSurface;
class LevelSet;

class Reconstruction {
 public:
  // Error(usage) for options that cannot be.
  explicit Reconstruction(const SurfaceOptions& options);
  ~Reconstruction();
  Reconstruction(Reconstruction&&) noexcept;
  Reconstruction& operator=(Reconstruction&&) noexcept;

  // Closed and manifold; empty where there are no particles. Some methods start from the result of
  // the call before, which should be the frame before.
  SurfaceMesh make(const SurfaceInput& input);

  // Particles of the last call that were left out: not finite, or far from all others.
  std::size_t left_out() const { return left_out_; }

 private:
  SurfaceMesh make_on_cpu(const SurfaceInput& input);

  SurfaceOptions options_;
  float iso_ = 0;  // the field's value at the surface
  std::size_t left_out_ = 0;
  std::unique_ptr<LevelSet> level_set_;
  std::unique_ptr<DeviceSurface> on_device_;  // where it is not the CPU
};

}  // namespace panta
