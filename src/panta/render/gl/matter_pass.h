// Opaque matter: the first surface of each pixel, and its lighting.
#pragma once

#include "panta/render/gl/gl_frame.h"

namespace panta {

class MatterPass {
 public:
  explicit MatterPass(const GlView& view);

  // Uploads the spheres and balls of a picture; draw() and the lamp's pass use them.
  void prepare(const GlPicture& picture);

  // Draws solids and spheres into the current target.
  void draw_casters(const GlPicture& picture, const GlView& view, MeshStore& store) const;

  // Draws all opaque matter with the floor, seen from the camera.
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
