// Liquids and glass: draws the surface and the thickness of each layer, then blends all layers over
// the picture in the order of their depths in each pixel. At most most_layers layers are drawn.
#pragma once

#include "panta/render/gl/liquid_points.h"
#include "panta/render/gl/matter_pass.h"

namespace panta {

class ClearPass {
 public:
  explicit ClearPass(const GlView& view);

  // Draws the surfaces of all clear matter, before they are blended over the picture.
  void draw_layers(const GlPicture& picture, const MatterPass& matter,
                   const LiquidPointsOnGpu& liquids, const GlView& view, MeshStore& store);
  void lay_over(const GlPicture& picture, const MatterPass& matter, const GlView& view,
                MeshStore& store, float extent, LightPicture& light) const;

  int layers() const { return static_cast<int>(looks_.size()); }
  void bind_facings(GLuint first_unit) const;

  // A layer of liquid particles, for tests.
  const ClearLayer& layer(int k) const { return layers_[static_cast<std::size_t>(k)]; }

 private:
  struct Look {
    Appearance appearance;
    bool glass;
    float thinnest;  // m, least thickness used for drawing
  };
  ClearLayer& add_layer(const Look& look, bool coarse);
  void draw_points_layer(const LiquidPoints& liquid, std::size_t k, const MatterPass& matter,
                         const LiquidPointsOnGpu& liquids, const GlView& view);
  void draw_mesh_layer(const std::vector<const PictureMesh*>& meshes, bool glass,
                       const MatterPass& matter, const GlView& view, MeshStore& store);
  void smooth_rim(float radius, float typical_depth, const GlView& view) const;
  void filter_depth(float radius, const GlView& view) const;
  void draw_glass_faces(const GlPicture& picture, const MatterPass& matter, const GlView& view,
                        MeshStore& store, bool before_liquid) const;
  void set_looks(const GlPicture& picture, float extent) const;

  GlFullscreen cover_program_, filter_program_, surface_program_, liquid_program_;
  GlProgram mesh_program_, thickness_program_, face_program_;
  int width_, height_;
  GlTexture nearest_;  // of one liquid, the depth of its particles
  GlTarget nearest_target_;
  GlTexture depth_[2];  // the same and its cover, before and after a filter
  GlTarget depth_target_[2];
  GlTexture buffer_;                // depth buffer of meshes
  std::vector<ClearLayer> layers_;  // reused for the next picture
  std::vector<Look> looks_;         // of those in use
};

}  // namespace panta
