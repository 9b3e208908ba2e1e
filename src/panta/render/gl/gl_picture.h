// The content of one OpenGL picture, as plain data.
#pragma once

#include <vector>

#include "panta/render/scene_geometry.h"

namespace panta {

// Particles of liquids as shaded spheres; particles with a normal as discs normal to it.
struct SpherePoints {
  std::vector<Vec3> position;
  std::vector<LinearColor> color;
  std::vector<Vec3> normal;  // empty: only spheres
  std::vector<float> size;   // per particle, times the radii; empty: 1
  float radius = 0.01f, disc_radius = 0.01f;
  float gloss = 0.35f;
};

// Particles that form one body of liquid.
struct LiquidPoints {
  std::vector<Vec3> position;
  std::vector<float> size;  // per particle, times `radius`
  float radius = 0.01f;
  float volume = 1e-6f;  // m3, per particle
  Appearance appearance;
};

struct SmokePuffs {
  std::vector<Vec3> position;
  std::vector<float> radius;
  LinearColor color = {0.8f, 0.8f, 0.8f};
  float opacity = 0.1f;  // optical depth through the middle of a puff
};

struct GlPicture {
  Camera camera;
  Vec3 towards_light = {0, 1, 0};
  SceneGeometry geometry;  // matte and glossy meshes are two-sided; all balls are matte
  SpherePoints spheres;
  std::vector<LiquidPoints> liquids;
  std::vector<PictureMesh> liquid_meshes;
  SmokePuffs smoke;
};

// A tube along a path, open at its ends: a rope.
SurfaceMesh tube_along(const std::vector<Vec3>& path, float radius, int sides = 10);

}  // namespace panta
