#include "panta/render/gl/matter_pass.h"

#include <cmath>

namespace panta {

namespace {

constexpr float matte_gloss = 0.12f, glossy_gloss = 0.9f;

bool is_finite(const Vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

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
  spheres_.clear();
  add(picture.spheres);
  for (const BallSet& balls : picture.geometry.balls) {
    SpherePoints matte{
        .position = {}, .color = {}, .normal = {}, .size = {}, .radius = balls.radius, .gloss = 0};
    for (std::size_t k = 0; k < balls.center.size(); ++k) {
      if (!is_finite(balls.center[k])) continue;
      matte.position.push_back(balls.center[k]);
      matte.color.push_back(balls.color[k]);
      if (!balls.size.empty()) matte.size.push_back(balls.size[k]);
    }
    add(matte);
  }
}

void MatterPass::add(const SpherePoints& spheres) {
  if (spheres.position.empty()) return;
  Spheres& all =
      spheres_.emplace_back(Spheres{{}, spheres.radius, spheres.disc_radius, spheres.gloss});
  all.points.attribute(0, spheres.position);
  all.points.attribute(1, spheres.color);
  if (!spheres.normal.empty()) all.points.attribute(2, spheres.normal);
  if (spheres.size.empty()) return;
  std::vector<float> growth;  // an attribute that is missing is zero
  for (const float size : spheres.size) growth.push_back(size - 1);
  all.points.attribute(3, growth);
}

void MatterPass::draw_casters(const GlPicture& picture, const GlView& view,
                              MeshStore& store) const {
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  mesh_program_.use();
  view.set(mesh_program_);
  for (const PictureMesh& solid : picture.geometry.solids) {
    if (solid.appearance.finish == Finish::clear) continue;
    mesh_program_.set("color", solid.appearance.color);
    mesh_program_.set("gloss",
                      solid.appearance.finish == Finish::glossy ? glossy_gloss : matte_gloss);
    draw_mesh(mesh_program_, solid, store);
  }
  sphere_program_.use();
  view.set(sphere_program_);
  for (const Spheres& spheres : spheres_) {
    sphere_program_.set("radius", spheres.radius);
    sphere_program_.set("disc_radius", spheres.disc_radius);
    sphere_program_.set("gloss", spheres.gloss);
    spheres.points.draw_points();
  }
  glDisable(GL_DEPTH_TEST);
}

void MatterPass::draw(const GlPicture& picture, const Stage& stage, const GlView& view,
                      MeshStore& store) const {
  target_.use();
  target_.clear(0, {0, 0, 0, empty_depth});
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
