// Data shared by the passes of one picture: views, meshes and particles on the GPU, and the
// intermediate pictures.
#pragma once

#include <memory>
#include <unordered_map>

#include "panta/render/gl/gl_picture.h"
#include "panta/render/gl/gl_view.h"

namespace panta {

constexpr int most_layers = 6;  // of clear matter, as in the shaders

// Meshes stay on the GPU while a shared_ptr to them exists.
class MeshStore {
 public:
  const GlVertices& at(const std::shared_ptr<const SurfaceMesh>& mesh);
  void forget_unused();

 private:
  struct Entry {
    std::weak_ptr<const SurfaceMesh> mesh;
    GlVertices vertices;
  };
  std::unordered_map<const SurfaceMesh*, Entry> entries_;
};

struct LampView {
  GlView view;
  void set(const GlProgram& program) const;  // the uniforms light_*
};

// The surface of one layer of clear matter that is nearest to the eye.
struct ClearLayer {
  GlTexture facing;     // world normal and depth
  GlTexture thickness;  // m along the ray
  GlTarget facing_target;
  GlTarget thickness_target;
};

// The picture during drawing: two textures, before and after a step.
struct LightPicture {
  GlTexture texture[2];
  GlTarget target[2];
  int latest = 0;

  explicit LightPicture(const GlView& view);
  const GlTexture& now() const { return texture[latest]; }
  void use() const { target[latest].use(); }
  // Makes the other texture the latest; returns the previous one.
  const GlTexture& turn();
};

void draw_mesh(const GlProgram& program, const PictureMesh& mesh, MeshStore& store);

// Enables blending during its lifetime.
class Blending {
 public:
  Blending(GLenum equation, GLenum source, GLenum target);
  // Uses another equation for the second texture of the target.
  Blending(GLenum first, GLenum second);
  ~Blending();
};

}  // namespace panta
