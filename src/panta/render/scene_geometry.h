// The content of a picture except liquids: solids as triangle meshes at their poses, grains as
// spheres, the floor, and their appearance. One SceneGeometryMaker is made per run and called for
// every picture; all renderers use it.
#pragma once

#include <memory>
#include <vector>

#include "panta/geometry/surface_mesh.h"
#include "panta/render/camera.h"
#include "panta/render/color.h"
#include "panta/render/outline.h"
#include "panta/render/stage.h"
#include "panta/scene/scene.h"

namespace panta {

enum class Finish { matte, glossy, clear };

struct Appearance {
  Finish finish = Finish::matte;
  LinearColor color = {0.6f, 0.6f, 0.6f};  // of matte and glossy matter
  Vec3 absorption = {};     // 1/m, of clear matter: light fades with exp(-absorption * path)
  float refraction = 1.5f;  // index
};

struct PictureMesh {
  std::shared_ptr<const SurfaceMesh> mesh;
  Mat3 rotation;  // from the mesh's frame to the picture's
  Vec3 position;
  Appearance appearance;
};

// Many spheres, matte or glossy.
struct BallSet {
  std::vector<Vec3> center;
  float radius = 0.01f;
  std::vector<LinearColor> color;  // one per sphere
  Finish finish = Finish::glossy;
  std::vector<float> size = {};  // per sphere, times `radius`; empty: 1
};

struct SceneGeometry {
  std::vector<PictureMesh> solids;  // those of glass are clear
  std::vector<BallSet> balls;       // grains and deformed solids
  std::vector<Segment> lines;       // outlines of bodies and of the domain
};

class SceneGeometryMaker {
 public:
  // `extent`: region of the particles over the run; `free`: poses of its free bodies over the run.
  SceneGeometryMaker(const Scene& scene, const Bounds& extent, int threads, BodyTrack free = {});

  const Stage& stage() const { return stage_; }
  const FreeMatter& free_matter() const { return free_; }

  // The bodies and the domain of the scene at a time. `free`: the poses of its free bodies
  // (ParticleFrame::bodies); if empty, they are at their poses in the scene.
  SceneGeometry at(double time, std::span<const BodyPose> free = {}) const;

  // Adds free solids and grains. `colors` (may be empty) are colours per particle, used instead of
  // those of the materials.
  SceneGeometry at(const ParticleFrame& frame, const std::vector<LinearColor>& colors = {}) const;

 private:
  // A body's mesh and look; null mesh for an outlined body.
  struct Drawn {
    std::shared_ptr<const SurfaceMesh> mesh;
    Appearance appearance;
  };
  using SetDrawn = std::vector<Drawn>;  // in the order of a StageSet's bodies

  Drawn drawn(const StageBody& body, std::size_t k) const;
  std::shared_ptr<const SurfaceMesh> free_mesh(const StageBody& solid) const;
  Appearance glass(const LinearColor& color) const;
  std::shared_ptr<const SurfaceMesh> mesh_of(const StageBody& body) const;
  void add_free_solids(const ParticleFrame& frame, SceneGeometry& geometry) const;
  void add_balls(const ParticleFrame& frame, const std::vector<LinearColor>& colors,
                 SceneGeometry& geometry) const;

  Stage stage_;
  FreeMatter free_;
  std::vector<SetDrawn> sets_;
  std::vector<std::shared_ptr<const SurfaceMesh>> free_meshes_;  // as Scene::solids; may be null
  std::vector<Segment> domain_;
};

// Appearance of a liquid; `extent` sets the depth of its colour if the material does not.
Appearance liquid_appearance(const Material& material, std::uint32_t phase, const Bounds& extent);

// The camera of a scene at a time; without an eye position it shows the whole `extent`.
Camera camera_at(const CameraSetup& setup, const Bounds& extent, int dimensions, int width,
                 int height, double time);

}  // namespace panta
