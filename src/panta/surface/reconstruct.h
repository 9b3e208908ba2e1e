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
  float radius = 0;   // spacings, range of a particle; 0: the method's default
  int threads = 0;    // 0: all cores
  // auto, cpu or cuda; auto: a GPU if there is one. Its meshes differ from the CPU's by rounding.
  std::string device = "cpu";
};

// Whether the method has a GPU form; other methods run on the CPU for every `device`.
bool has_device_form(SurfaceMethod method);

// The device that these options select. Error(device) if a GPU is requested and there is none,
// Error(usage) for an unknown device.
DeviceKind surface_device(const SurfaceOptions& options);

// One liquid. If velocities are given, vertices get velocities too.
struct SurfaceInput {
  std::span<const Vec3> position;
  std::span<const Vec3> velocity;
  float spacing = 0;  // m
  // Sizes relative to a particle whose radius is half the spacing; empty: 1. Surfaces of particles
  // of different sizes are made on the CPU.
  std::span<const float> size = {};
};

class DeviceSurface;
class LevelSet;

class Reconstruction {
 public:
  // Error(usage) for invalid options.
  explicit Reconstruction(const SurfaceOptions& options);
  ~Reconstruction();
  Reconstruction(Reconstruction&&) noexcept;
  Reconstruction& operator=(Reconstruction&&) noexcept;

  // Closed and manifold; empty if there are no particles. Some methods start from the result of the
  // previous call, which should be the previous frame.
  SurfaceMesh make(const SurfaceInput& input);

  // Particles of the last call that were skipped: not finite, or far from all others.
  std::size_t left_out() const { return left_out_; }

 private:
  SurfaceMesh make_on_cpu(const SurfaceInput& input);

  SurfaceOptions options_;
  float iso_ = 0;  // the field's value at the surface
  std::size_t left_out_ = 0;
  std::unique_ptr<LevelSet> level_set_;
  std::unique_ptr<DeviceSurface> on_device_;  // null on the CPU
};

}  // namespace panta
