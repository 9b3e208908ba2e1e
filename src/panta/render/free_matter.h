// Free solids and grains as pictures show them.
//
// A free solid is drawn as its shape, where its particles are (frame/solid_poses.h). One that
// deforms for good has no shape to show: its particles are drawn, so large that they overlap.
// Grains are matte spheres, each a little brighter or darker than the next, so that a heap reads as
// grains.
#pragma once

#include <vector>

#include "panta/frame/solid_poses.h"
#include "panta/render/color.h"
#include "panta/scene/scene.h"

namespace panta {

// What a particle is in a picture.
enum class ParticleRole {
  liquid,
  grain,  // a matte sphere
  lump,   // part of a solid that deforms, the same but larger
  unseen  // its solid is drawn as a whole
};

// A free solid in one picture.
struct PlacedSolid {
  std::size_t solid;  // index into Scene::solids
  Quat rotation;      // from the frame of its shape
  Vec3 position;
  LinearColor color;
};

class FreeMatter {
 public:
  explicit FreeMatter(const Scene& scene);
  FreeMatter(const Scene& scene, SolidPoses poses);

  ParticleRole role(std::uint32_t phase, std::uint32_t id) const;
  float radius(ParticleRole role) const;                           // m, of grains and lumps
  LinearColor color(std::uint32_t phase, std::uint32_t id) const;  // the same

  // What of a frame's solids is drawn as a whole.
  std::vector<PlacedSolid> solids(const ParticleFrame& frame) const;

 private:
  const Solid& solid_of(std::size_t body) const;
  bool is_whole(std::size_t body) const;
  LinearColor color_of(std::size_t body) const;

  std::vector<Solid> solids_;
  // By material.
  std::vector<MaterialKind> kinds_;
  std::vector<LinearColor> colors_;
  std::vector<bool> has_color_;  // in the scene

  float spacing_;
  SolidPoses poses_;
};

// A little brighter or darker by a hash of the id: the same in every picture.
LinearColor varied(const LinearColor& color, std::uint32_t id);

}  // namespace panta
