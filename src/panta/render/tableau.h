// What a picture shows besides liquids: solids as triangle meshes where they are at its time,
// grains as spheres, the floor, and how each looks. Made once for a run, asked for every picture;
// those who draw share it.
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
  LinearColor color = {0.6f, 0.6f, 0.6f};  // of matte and glossy
  Vec3 absorption = {};                    // 1/m; clear: light fades with exp(-absorption * path)
  float refraction = 1.5f;                 // index
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
  std::vector<LinearColor> color;  // one each
  Finish finish = Finish::glossy;
  std::vector<float> size = {};  // of each, times `radius`; empty: 1
};

struct Tableau {
  std::vector<PictureMesh> solids;  // glass ones are clear
  std::vector<BallSet> balls;       // grains and what deforms
  std::vector<Segment> lines;       // outlines of bodies and of the domain
};

class TableauMaker {
 public:
  // `extent`: where particles are during the run; `free`: the same of its free bodies.
  TableauMaker(const Scene& scene, const Bounds& extent, int threads, BodyTrack free = {});

  const Stage& stage() const { return stage_; }
  const FreeMatter& free_matter() const { return free_; }

  // What the scene itself has at a time: its bodies and its domain. `free`: where its free bodies
  // are (ParticleFrame::bodies); without that where the scene puts them.
  Tableau at(double time, std::span<const BodyPose> free = {}) const;

  // And what is made of particles: free solids and grains. `colors` (may be empty) are those of the
  // particles, instead of their materials'.
  Tableau at(const ParticleFrame& frame, const std::vector<LinearColor>& colors = {}) const;

 private:
  // A body's mesh and look; of an outlined one there is none.
  struct Drawn {
    std::shared_ptr<const SurfaceMesh> mesh;
    Appearance appearance;
  };
  using SetDrawn = std::vector<Drawn>;  // in the order of a StageSet's bodies

  Drawn drawn(const StageBody& body, std::size_t k) const;
  std::shared_ptr<const SurfaceMesh> free_mesh(const StageBody& solid) const;
  Appearance glass(const LinearColor& color) const;
  std::shared_ptr<const SurfaceMesh> mesh_of(const StageBody& body) const;
  void add_free_solids(const ParticleFrame& frame, Tableau& tableau) const;
  void add_balls(const ParticleFrame& frame, const std::vector<LinearColor>& colors,
                 Tableau& tableau) const;

  Stage stage_;
  FreeMatter free_;
  std::vector<SetDrawn> sets_;
  std::vector<std::shared_ptr<const SurfaceMesh>> free_meshes_;  // as Scene::solids, or null
  std::vector<Segment> domain_;
};

// How a liquid looks: `extent` sets the depth of its colour where the material leaves it open.
Appearance liquid_appearance(const Material& material, std::uint32_t phase, const Bounds& extent);

// The camera of a scene at a time; where it has no eye, it shows all of `extent`.
Camera camera_at(const CameraSetup& setup, const Bounds& extent, int dimensions, int width,
                 int height, double time);

}  // namespace panta
