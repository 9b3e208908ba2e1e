#include "panta/render/gl/light_pass.h"

#include <cmath>

namespace panta {

namespace {

constexpr int software_shadow_pixels = 1024, shadow_pixels = 2048;
constexpr int clear_pixels = 512;
constexpr float occlusion_reach = 0.045f;  // of the extent
constexpr float opaque_per_metre = 1e4f;

Camera lamp_camera(const Bounds& extent, const Vec3& towards_light, int pixels) {
  Camera lamp;
  const float size = extent.diagonal();
  lamp.target = extent.center();
  lamp.eye = lamp.target + towards_light * (1.2f * size);
  lamp.up = std::abs(towards_light.y) < 0.99f ? Vec3{0, 1, 0} : Vec3{1, 0, 0};
  lamp.orthographic_height = 1.1f * size;
  lamp.width = lamp.height = pixels;
  return lamp;
}

// Optical depth per metre of the matter in three channels, and 1 for the length.
Vec4 optical_share(const Appearance& look) {
  if (look.finish != Finish::clear)
    return {opaque_per_metre, opaque_per_metre, opaque_per_metre, 1};
  return {look.absorption.x, look.absorption.y, look.absorption.z, 1};
}

}  // namespace

LightPass::LightPass(const GlView& view, bool software)
    : openness_program_("occlusion"),
      blur_program_("occlusion_blur"),
      light_program_("light"),
      clear_mesh_program_("mesh_vertex", "mesh_thickness"),
      openness_((view.width + 1) / 2, (view.height + 1) / 2, GL_RG32F),
      blurred_(openness_.width(), openness_.height(), GL_RG32F),
      openness_target_({&openness_}),
      blurred_target_({&blurred_}),
      shadow_depth_(software ? software_shadow_pixels : shadow_pixels,
                    software ? software_shadow_pixels : shadow_pixels, GL_DEPTH_COMPONENT32F),
      clear_matter_(clear_pixels, clear_pixels, GL_RGBA32F),
      clear_depth_(clear_pixels, clear_pixels, GL_R32F),
      shadow_target_({}, &shadow_depth_),
      clear_target_({&clear_matter_, &clear_depth_}),
      lamp_{GlView(lamp_camera({{0, 0, 0}, {1, 1, 1}}, {0, 1, 0}, clear_pixels), 0, 1)} {}

void LightPass::draw_shadows(const GlPicture& picture, const Stage& stage, const MatterPass& matter,
                             const LiquidPointsOnGpu& liquids, MeshStore& store) {
  lamp_.view =
      GlView(lamp_camera(stage.extent, picture.towards_light, shadow_depth_.width()), 0, 1);
  shadow_target_.use();
  shadow_target_.clear_depth(0);
  matter.draw_casters(picture, lamp_.view, store);
  draw_clear_matter(picture, liquids, store);
}

void LightPass::draw_clear_matter(const GlPicture& picture, const LiquidPointsOnGpu& liquids,
                                  MeshStore& store) const {
  const GlView view = lamp_.view.sized(clear_pixels, clear_pixels);
  clear_target_.use();
  clear_target_.clear(0, {});
  clear_target_.clear(1, {empty_depth, 0, 0, 0});
  for (std::size_t k = 0; k < picture.liquids.size(); ++k)
    liquids.draw_thickness(k, view, optical_share(picture.liquids[k].appearance), nullptr);
  const Blending sum_and_nearest(GL_FUNC_ADD, GL_MIN);
  clear_mesh_program_.use();
  view.set(clear_mesh_program_);
  clear_mesh_program_.set("hidden_by_solids", false);
  const auto draw = [&](const PictureMesh& mesh) {
    clear_mesh_program_.set("share", optical_share(mesh.appearance));
    draw_mesh(clear_mesh_program_, mesh, store);
  };
  for (const PictureMesh& mesh : picture.liquid_meshes) draw(mesh);
  for (const PictureMesh& mesh : picture.geometry.solids)
    if (mesh.appearance.finish == Finish::clear) draw(mesh);
}

void LightPass::draw_openness(const Stage& stage, const MatterPass& matter,
                              const GlView& view) const {
  const GlView half = view.sized(openness_.width(), openness_.height());
  const float reach = occlusion_reach * stage.extent.diagonal();
  openness_target_.use();
  openness_program_.use();
  half.set(openness_program_);
  openness_program_.set("solids_per_pixel",
                        static_cast<float>(view.width) / static_cast<float>(half.width),
                        static_cast<float>(view.height) / static_cast<float>(half.height));
  openness_program_.set("reach", reach);
  matter.facing().bind(0);
  openness_program_.draw();
  blurred_target_.use();
  blur_program_.use();
  half.set(blur_program_);
  blur_program_.set("reach", reach);
  openness_.bind(0);
  blur_program_.draw();
}

void LightPass::draw(const Stage& stage, const MatterPass& matter, const GlView& view,
                     const Shadows& shadows, const LightPicture& light) const {
  draw_openness(stage, matter, view);
  light.use();
  light_program_.use();
  view.set(light_program_);
  lamp_.set(light_program_);
  light_program_.set("middle", stage.extent.center());
  light_program_.set("extent", stage.extent.diagonal());
  light_program_.set("detail", stage.detail);
  light_program_.set("has_floor", stage.has_floor);
  light_program_.set("has_shadows", shadows.cast);
  light_program_.set("has_smoke", shadows.smoke != nullptr);
  if (shadows.smoke) shadows.smoke->bind(6);
  matter.facing().bind(0);
  matter.paint().bind(1);
  blurred_.bind(2);
  shadow_depth_.bind(3);
  clear_matter_.bind(4);
  clear_depth_.bind(5);
  light_program_.draw();
}

}  // namespace panta
