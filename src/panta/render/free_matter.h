// Free solids and grains as pictures show them.
//
// A free solid is drawn as its shape at the pose that the frame has of it. One that deforms for
// good has no shape to show: its particles are drawn, so large that they overlap. Grains are matte
// spheres, each a little brighter or darker than the next, so that a heap reads as grains.
#pragma once

#include <vector>

#include "panta/frame/particle_objects.h"
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

  float radius(ParticleRole role) const;  // m, of grains and lumps half a spacing in radius

  // What of a frame's solids is drawn as a whole.
  std::vector<PlacedSolid> solids(const ParticleFrame& frame) const;

 private:
  friend class FrameMatter;
  bool has_solid(const Object& object) const;
  const Solid& solid_of(const Object& object) const;
  bool is_whole(const Object& object) const;
  // `number`: among the solids of the frame.
  LinearColor color_of(const Object& object, std::size_t number) const;

  std::vector<Solid> solids_;
  // By material.
  std::vector<MaterialKind> kinds_;
  std::vector<LinearColor> colors_;
  std::vector<bool> has_color_;  // in the scene

  ParticleSizes::Usual usual_;
};

// The particles of one frame. Keeps references to both.
class FrameMatter {
 public:
  FrameMatter(const FreeMatter& matter, const ParticleFrame& frame);

  ParticleRole role(std::size_t i) const;
  float size(std::size_t i) const { return sizes_[i]; }  // relative to half a spacing
  LinearColor color(std::size_t i) const;                // of grains and lumps

 private:
  const Object* solid_of(std::size_t i) const;  // null for particles of no solid

  const FreeMatter& matter_;
  const ParticleFrame& frame_;
  ParticleObjects objects_;
  ParticleSizes sizes_;
  std::vector<std::size_t> solid_numbers_;  // by object: among the solids
};

// A little brighter or darker by a hash of the id: the same in every picture.
LinearColor varied(const LinearColor& color, std::uint32_t id);

}  // namespace panta
