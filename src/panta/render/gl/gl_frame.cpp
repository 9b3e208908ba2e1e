#include "panta/render/gl/gl_frame.h"

namespace panta {

const GlVertices& MeshStore::at(const std::shared_ptr<const SurfaceMesh>& mesh) {
  const auto found = entries_.find(mesh.get());
  if (found != entries_.end() && !found->second.mesh.expired()) return found->second.vertices;
  Entry& entry = entries_[mesh.get()];
  entry = {mesh, GlVertices()};
  entry.vertices.attribute(0, mesh->position);
  if (!mesh->normal.empty()) entry.vertices.attribute(1, mesh->normal);
  entry.vertices.indices(mesh->triangles.data(), mesh->triangles.size());
  return entry.vertices;
}

void MeshStore::forget_unused() {
  std::erase_if(entries_, [](const auto& entry) { return entry.second.mesh.expired(); });
}

void LampView::set(const GlProgram& program) const {
  program.set("light_eye", view.eye);
  program.set("light_right", view.right);
  program.set("light_up", view.up);
  program.set("light_forward", view.forward);
  program.set("light_focal", view.focal_y);
  program.set("light_nearest", view.nearest);
}

LightPicture::LightPicture(const GlView& view) {
  for (int k = 0; k < 2; ++k) {
    texture[k] = GlTexture(view.width, view.height, GL_RGBA16F);
    target[k] = GlTarget({&texture[k]});
  }
}

const GlTexture& LightPicture::turn() {
  latest = 1 - latest;
  return texture[1 - latest];
}

void draw_mesh(const GlProgram& program, const PictureMesh& mesh, MeshStore& store) {
  program.set("rotation", mesh.rotation);
  program.set("offset", mesh.position);
  store.at(mesh.mesh).draw_triangles();
}

Blending::Blending(GLenum equation, GLenum source, GLenum target) {
  glEnable(GL_BLEND);
  glBlendEquation(equation);
  glBlendFunc(source, target);
}

Blending::Blending(GLenum first, GLenum second) : Blending(first, GL_ONE, GL_ONE) {
  glBlendEquationi(1, second);
}

Blending::~Blending() { glDisable(GL_BLEND); }

}  // namespace panta
