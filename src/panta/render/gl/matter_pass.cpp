#include "panta/render/gl/matter_pass.h"

namespace panta {

namespace {

constexpr float matte_gloss = 0.12f, glossy_gloss = 0.9f;
constexpr float nothing_here = 1e30f;  // far_away in the shaders

}  // namespace

MatterPass::MatterPass(const GlView& view)
    : mesh_program_("mesh_vertex", "surface_mesh"),
      sphere_program_("particle_vertex", "surface_particle"),
      floor_program_("floor"),
      facing_(view.width, view.height, GL_RGBA32F),
      paint_(view.width, view.height, GL_RGBA8),
      depth_(view.width, view.height, GL_DEPTH_COMPONENT32F),
      target_({&facing_, &paint_}, &depth_) {}

void MatterPass::prepare(const GlPicture& picture) {
  spheres_ = GlVertices();
  if (picture.spheres.position.empty()) return;
  spheres_.attribute(0, picture.spheres.position);
  spheres_.attribute(1, picture.spheres.color);
  if (!picture.spheres.normal.empty()) spheres_.attribute(2, picture.spheres.normal);
}

void MatterPass::draw_casters(const GlPicture& picture, const GlView& view,
                              MeshStore& store) const {
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  mesh_program_.use();
  view.set(mesh_program_);
  for (const PictureMesh& solid : picture.tableau.solids) {
    if (solid.appearance.finish == Finish::clear) continue;
    mesh_program_.set("color", solid.appearance.color);
    mesh_program_.set("gloss",
                      solid.appearance.finish == Finish::glossy ? glossy_gloss : matte_gloss);
    draw_mesh(mesh_program_, solid, store);
  }
  if (!picture.spheres.position.empty()) {
    sphere_program_.use();
    view.set(sphere_program_);
    sphere_program_.set("radius", picture.spheres.radius);
    sphere_program_.set("disc_radius", picture.spheres.disc_radius);
    spheres_.draw_points();
  }
  glDisable(GL_DEPTH_TEST);
}

void MatterPass::draw(const GlPicture& picture, const Stage& stage, const GlView& view,
                      MeshStore& store) const {
  target_.use();
  target_.clear(0, {0, 0, 0, nothing_here});
  target_.clear(1, {});
  target_.clear_depth(0);
  draw_casters(picture, view, store);
  if (!stage.has_floor) return;
  glEnable(GL_DEPTH_TEST);
  floor_program_.use();
  view.set(floor_program_);
  floor_program_.set("floor_height", stage.floor);
  floor_program_.set("grid_step", stage.grid_step);
  floor_program_.draw();
  glDisable(GL_DEPTH_TEST);
}

}  // namespace panta
