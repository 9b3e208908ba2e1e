// The surfaces of all liquids of a run, frame by frame, for files and pictures: one closed mesh per
// liquid, flat along walls, smooth, with normals and velocities.
//
//   RunSurfaces surfaces(scene, options);
//   for (each frame) for (const LiquidSurface& liquid : surfaces.make(frame)) ...
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "panta/geometry/surface_mesh.h"
#include "panta/surface/reconstruct.h"

namespace panta {

struct ParticleFrame;
struct Scene;

struct RunSurfaceOptions {
  SurfaceOptions surface;
  int smoothing_passes = 5;                 // 0: none
  float keep_triangles = 1;                 // fraction that decimation keeps; 1: all
  std::size_t min_component_triangles = 0;  // smaller pieces are removed; 0: none
  float wall_overlap = 0;  // spacings that liquid extends into walls that it touches
  bool flat_at_walls = true;
};

// The options of the scene's output.surface, or the defaults.
RunSurfaceOptions wanted_surface(const Scene& scene);

// The finite particles of one liquid in a frame.
struct LiquidParticles {
  std::vector<Vec3> position, velocity;
  std::vector<float> value;  // may be empty
  std::vector<float> size;   // relative to half a spacing; empty: all are equal
};

struct LiquidSurface {
  std::uint32_t phase = 0;  // index into Scene::materials
  SurfaceMesh mesh;         // empty if the frame has no such particles
  LiquidParticles particles;
};

// Only liquids have a surface: grains and parts of free solids are always skipped.
bool is_liquid(const Scene& scene, std::uint32_t phase);

// The liquids of the fluids, emitters and events of a scene, ascending.
std::vector<std::uint32_t> liquids_of(const Scene& scene);

class RunSurfaces {
 public:
  // Stores a reference to the scene. Error(usage) for invalid options.
  RunSurfaces(const Scene& scene, const RunSurfaceOptions& options);
  ~RunSurfaces();
  RunSurfaces(RunSurfaces&&) noexcept;

  // A second object for frames of another thread; immutable data are shared.
  RunSurfaces another() const;

  // The surfaces of liquids_of(scene) and of other liquids in the frame, by phase; grains and free
  // solids have none. `values`, of each particle or empty, become the vertices' values. Frames
  // should come in order if the method starts from the previous frame. The result does not depend
  // on the number of threads. Error(io) for particles of a material that the scene does not
  // contain.
  std::vector<LiquidSurface> make(const ParticleFrame& frame, std::span<const float> values = {});

  // Particles of the last frame that are in no surface: not finite, or far from all others.
  std::size_t left_out() const;

 private:
  class Maker;
  explicit RunSurfaces(std::unique_ptr<Maker> maker);

  std::unique_ptr<Maker> maker_;
};

}  // namespace panta
