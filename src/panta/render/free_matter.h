// Rendering of free solids and grains.
//
// A free solid is drawn as its shape at its pose in the frame. A solid with plastic deformation has
// no such shape: its particles are drawn, so large that they overlap. Grains are matte spheres with
// slightly different brightness, so that single grains are visible in a heap.
#pragma once

#include <vector>

#include "panta/frame/particle_objects.h"
#include "panta/render/color.h"
#include "panta/scene/scene.h"

namespace panta {

// The appearance of a particle.
enum class ParticleRole {
  liquid,
  grain,  // a matte sphere
  lump,   // part of a plastic solid, the same but larger
  unseen  // not drawn: its solid is drawn as one shape
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

  // The solids of a frame that are drawn as shapes.
  std::vector<PlacedSolid> solids(const ParticleFrame& frame) const;

 private:
  friend class FrameMatter;
  bool has_solid(const Object& object) const;
  const Solid& solid_of(const Object& object) const;
  bool is_whole(const Object& object) const;
  // `number`: index among the solids of the frame.
  LinearColor color_of(const Object& object, std::size_t number) const;

  std::vector<Solid> solids_;
  // By material.
  std::vector<MaterialKind> kinds_;
  std::vector<LinearColor> colors_;
  std::vector<bool> has_color_;  // in the scene

  ParticleSizes::DefaultSizes usual_;
};

// The particles of one frame. Stores references to both arguments.
class FrameMatter {
 public:
  FrameMatter(const FreeMatter& matter, const ParticleFrame& frame);

  ParticleRole role(std::size_t i) const;
  float size(std::size_t i) const { return sizes_[i]; }  // relative to half a spacing
  LinearColor color(std::size_t i) const;                // of grains and lumps

 private:
  const Object* solid_of(std::size_t i) const;  // null for particles that are not in a solid

  const FreeMatter& matter_;
  const ParticleFrame& frame_;
  ParticleObjects objects_;
  ParticleSizes sizes_;
  std::vector<std::size_t> solid_numbers_;  // by object: index among the solids
};

// Slightly varies the brightness by a hash of the id: the same in every picture.
LinearColor varied(const LinearColor& color, std::uint32_t id);

}  // namespace panta
