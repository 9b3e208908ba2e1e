// Options of pictures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "panta/geometry/surface_mesh.h"
#include "panta/scene/scene.h"

namespace panta {

struct ParticleFrame;

// The surface meshes of a frame's liquids by phase, with normals.
using LiquidSurfaces =
    std::function<std::vector<std::pair<std::uint32_t, SurfaceMesh>>(const ParticleFrame&)>;

// Of previews: liquids as a smooth surface, their particles as spheres or discs, or their mesh.
enum class GlStyle { fluid, particles, splats, mesh };
inline const std::vector<std::string> gl_style_names = {"fluid", "particles", "splats", "mesh"};

struct PictureOptions {
  Quality quality = Quality::preview;
  GlStyle style = GlStyle::fluid;  // of a preview
  int width = 960, height = 540;
  std::string color = "speed";  // quantity that colours particles of liquids
  bool color_all = false;       // colours grains too, which else have the colour of their material
  bool legend = false;
  int samples = 64;              // per pixel, final quality only
  int threads = 0;               // 0: all cores
  LiquidSurfaces surfaces = {};  // for the style mesh and final pictures; default: built per frame
};

}  // namespace panta
