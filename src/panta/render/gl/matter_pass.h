// Opaque matter: what each pixel sees first, and how it is lit.
#pragma once

#include "panta/render/gl/gl_frame.h"

namespace panta {

class MatterPass {
 public:
  explicit MatterPass(const GlView& view);

  // Uploads the spheres and balls of a picture; draw() and the lamp's pass use them.
  void prepare(const GlPicture& picture);

  // Solids and spheres into the target in use.
  void draw_casters(const GlPicture& picture, const GlView& view, MeshStore& store) const;

  // All that is opaque, the floor too, as the camera sees it.
  void draw(const GlPicture& picture, const Stage& stage, const GlView& view,
            MeshStore& store) const;

  const GlTexture& facing() const { return facing_; }
  const GlTexture& paint() const { return paint_; }

 private:
  struct Spheres {
    GlVertices points;
    float radius, disc_radius, gloss;
  };
  void add(const SpherePoints& spheres);

  GlProgram mesh_program_, sphere_program_;
  GlFullscreen floor_program_;
  GlTexture facing_, paint_, depth_;
  GlTarget target_;
  std::vector<Spheres> spheres_;
};

}  // namespace panta
