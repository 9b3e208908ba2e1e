#include "panta/render/gl/clear_pass.h"

#include <fmt/format.h>

namespace panta {

namespace {

constexpr GLuint facing_units = 2, thickness_units = 8;
constexpr float liquid_scatter = 0.22f;
constexpr float liquid_bend = 0.12f, glass_bend = 0.02f;
constexpr float liquid_rim = 0.15f, glass_rim = 0.35f;
constexpr float cover_width = 1.2f;  // of the blur of a liquid's rim, in particle radii

// The passes of the filter: half width in particle radii, and number of pairs of taps.
struct FilterPass {
  float width;
  int pairs;
};
constexpr FilterPass filter_passes[] = {{3.6f, 6}, {1.9f, 5}, {0.8f, 3}};
constexpr float filter_threshold = 10.5f, filter_clamp = 1.0f;  // radii

bool same_look(const Appearance& a, const Appearance& b) {
  return a.absorption == b.absorption && a.refraction == b.refraction && a.finish == b.finish &&
         a.color == b.color;
}

// Meshes of the same look form one layer.
std::vector<std::vector<const PictureMesh*>> by_look(const std::vector<PictureMesh>& meshes,
                                                     bool clear_only) {
  std::vector<std::vector<const PictureMesh*>> groups;
  for (const PictureMesh& mesh : meshes) {
    if (clear_only && mesh.appearance.finish != Finish::clear) continue;
    auto group = groups.begin();
    while (group != groups.end() && !same_look(group->front()->appearance, mesh.appearance))
      ++group;
    if (group == groups.end()) group = groups.emplace(group);
    group->push_back(&mesh);
  }
  return groups;
}

Bounds bounds_of(const std::vector<Vec3>& positions) {
  Bounds bounds;
  for (const Vec3& p : positions) bounds.include(p);
  return bounds;
}

// Restricts drawing to a rectangle during its lifetime.
class Scissors {
 public:
  explicit Scissors(const PixelBox& box) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(box.x, box.y, box.width, box.height);
  }
  ~Scissors() { glDisable(GL_SCISSOR_TEST); }
};

// The mean depth of a sample of the particles.
float typical_depth(const std::vector<Vec3>& position, const GlView& view) {
  const std::size_t step = position.size() / 64 + 1;
  float sum = 0, count = 0;
  for (std::size_t k = 0; k < position.size(); k += step) {
    sum += dot(position[k] - view.eye, view.forward);
    count += 1;
  }
  return std::max(sum / count, view.nearest);
}

}  // namespace

ClearPass::ClearPass(const GlView& view)
    : cover_program_("fluid_cover"),
      filter_program_("fluid_filter"),
      surface_program_("fluid_surface"),
      liquid_program_("liquid"),
      mesh_program_("mesh_vertex", "surface_mesh"),
      thickness_program_("mesh_vertex", "mesh_thickness"),
      face_program_("mesh_vertex", "glass_face"),
      width_(view.width),
      height_(view.height),
      nearest_(view.width, view.height, GL_R32F),
      nearest_target_({&nearest_}),
      buffer_(view.width, view.height, GL_DEPTH_COMPONENT32F) {
  for (int k = 0; k < 2; ++k) {
    depth_[k] = GlTexture(width_, height_, GL_RG32F);
    depth_target_[k] = GlTarget({&depth_[k]});
  }
}

ClearLayer& ClearPass::add_layer(const Look& look, bool coarse) {
  const std::size_t k = looks_.size();
  looks_.push_back(look);
  if (layers_.size() <= k) layers_.emplace_back();
  ClearLayer& layer = layers_[k];
  const int width = coarse ? (width_ + 1) / 2 : width_,
            height = coarse ? (height_ + 1) / 2 : height_;
  if (layer.thickness.width() != width) {
    layer.facing = GlTexture(width_, height_, GL_RGBA32F);
    layer.thickness = GlTexture(width, height, GL_R32F);
    layer.facing_target = GlTarget({&layer.facing}, &buffer_);
    layer.thickness_target = GlTarget({&layer.thickness});
  }
  layer.thickness_target.clear(0, {});
  return layer;
}

void ClearPass::smooth_rim(float radius, float typical_depth, const GlView& view) const {
  cover_program_.use();
  view.set(cover_program_);
  cover_program_.set("width", cover_width * radius);
  cover_program_.set("typical_depth", typical_depth);
  for (int axis = 0; axis < 2; ++axis) {
    depth_target_[1 - axis].use();
    (axis == 0 ? nearest_ : depth_[1]).bind(0);
    cover_program_.set("first", axis == 0);
    cover_program_.set("direction", axis == 0 ? 1.0f : 0.0f, axis == 0 ? 0.0f : 1.0f);
    cover_program_.draw();
  }
}

void ClearPass::filter_depth(float radius, const GlView& view) const {
  filter_program_.use();
  view.set(filter_program_);
  filter_program_.set("threshold", filter_threshold * radius);
  filter_program_.set("clamped", filter_clamp * radius);
  for (const FilterPass& pass : filter_passes) {
    filter_program_.set("width", pass.width * radius);
    filter_program_.set("pairs", pass.pairs);
    for (int axis = 0; axis < 2; ++axis) {
      depth_target_[1 - axis].use();
      depth_[axis].bind(0);
      filter_program_.set("direction", axis == 0 ? 1.0f : 0.0f, axis == 0 ? 0.0f : 1.0f);
      filter_program_.draw();
    }
  }
}

void ClearPass::draw_points_layer(const LiquidPoints& liquid, std::size_t k,
                                  const MatterPass& matter, const LiquidPointsOnGpu& liquids,
                                  const GlView& view) {
  ClearLayer& layer = add_layer({liquid.appearance, false, 2 * liquid.radius}, true);
  for (const GlTarget* target : {&nearest_target_, &depth_target_[0], &depth_target_[1]})
    target->clear(0, {empty_depth, 0, 0, 0});
  layer.facing_target.clear(0, {0, 0, 0, empty_depth});
  layer.thickness_target.use();
  liquids.draw_thickness(k, view.sized(layer.thickness.width(), layer.thickness.height()),
                         {1, 0, 0, 0}, &matter.facing());
  nearest_target_.use();
  liquids.draw_depth(k, view);
  const Scissors around_liquid(view.pixels_of(bounds_of(liquid.position), 3 * liquid.radius));
  const float depth = typical_depth(liquid.position, view);
  const float pixel_size =
      2 * (view.parallel ? 1 : depth) / (view.focal_y * static_cast<float>(view.height));
  smooth_rim(liquid.radius, depth, view);
  filter_depth(liquid.radius, view);
  layer.facing_target.use();
  surface_program_.use();
  view.set(surface_program_);
  surface_program_.set("softness", cover_width * liquid.radius);
  surface_program_.set("steepest", std::max(0.5f * liquid.radius, 3 * pixel_size));
  depth_[0].bind(0);
  surface_program_.draw();
}

void ClearPass::draw_mesh_layer(const std::vector<const PictureMesh*>& meshes, bool glass,
                                const MatterPass& matter, const GlView& view, MeshStore& store) {
  ClearLayer& layer = add_layer({meshes.front()->appearance, glass, 0}, false);
  layer.facing_target.use();
  layer.facing_target.clear(0, {0, 0, 0, empty_depth});
  layer.facing_target.clear_depth(0);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_CULL_FACE);
  mesh_program_.use();
  view.set(mesh_program_);
  for (const PictureMesh* mesh : meshes) draw_mesh(mesh_program_, *mesh, store);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);

  layer.thickness_target.use();
  const Blending sum(GL_FUNC_ADD, GL_ONE, GL_ONE);
  thickness_program_.use();
  view.set(thickness_program_);
  thickness_program_.set("share", Vec4{1, 0, 0, 0});
  thickness_program_.set("hidden_by_solids", true);
  matter.facing().bind(0);
  for (const PictureMesh* mesh : meshes) draw_mesh(thickness_program_, *mesh, store);
}

void ClearPass::draw_layers(const GlPicture& picture, const MatterPass& matter,
                            const LiquidPointsOnGpu& liquids, const GlView& view,
                            MeshStore& store) {
  looks_.clear();
  const auto has_room = [&] { return layers() < most_layers; };
  for (const auto& group : by_look(picture.geometry.solids, true))
    if (has_room()) draw_mesh_layer(group, true, matter, view, store);
  for (std::size_t k = 0; k < picture.liquids.size(); ++k)
    if (has_room()) draw_points_layer(picture.liquids[k], k, matter, liquids, view);
  for (const auto& group : by_look(picture.liquid_meshes, false))
    if (has_room()) draw_mesh_layer(group, false, matter, view, store);
}

void ClearPass::bind_facings(GLuint first_unit) const {
  for (GLuint k = 0; k < static_cast<GLuint>(layers()); ++k) layers_[k].facing.bind(first_unit + k);
}

void ClearPass::set_looks(const GlPicture& picture, float extent) const {
  liquid_program_.set("layers", layers());
  liquid_program_.set("extent", extent);
  liquid_program_.set("towards_light", picture.towards_light);
  for (std::size_t k = 0; k < looks_.size(); ++k) {
    const auto set = [&](const char* name, const auto& value) {
      liquid_program_.set(fmt::format("{}[{}]", name, k).c_str(), value);
    };
    const Appearance& look = looks_[k].appearance;
    set("absorption", look.absorption);
    set("paint", look.color);
    set("scatter", looks_[k].glass ? 0.0f : liquid_scatter);
    set("thinnest", looks_[k].thinnest);
    set("index", look.refraction);
    set("rim", looks_[k].glass ? glass_rim : liquid_rim);
    set("behind_share", looks_[k].glass ? glass_bend : liquid_bend);
    set("opaque", look.finish != Finish::clear);
    layers_[k].thickness.bind(thickness_units + static_cast<GLuint>(k));
  }
}

void ClearPass::draw_glass_faces(const GlPicture& picture, const MatterPass& matter,
                                 const GlView& view, MeshStore& store, bool before_liquid) const {
  const Blending over(GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  face_program_.use();
  view.set(face_program_);
  face_program_.set("layers", layers());
  face_program_.set("before_liquid", before_liquid);
  face_program_.set("towards_light", picture.towards_light);
  for (std::size_t k = 0; k < looks_.size(); ++k)
    face_program_.set(fmt::format("is_glass[{}]", k).c_str(), looks_[k].glass);
  matter.facing().bind(1);
  bind_facings(facing_units);
  for (const PictureMesh& mesh : picture.geometry.solids)
    if (mesh.appearance.finish == Finish::clear) draw_mesh(face_program_, mesh, store);
}

void ClearPass::lay_over(const GlPicture& picture, const MatterPass& matter, const GlView& view,
                         MeshStore& store, float extent, LightPicture& light) const {
  light.use();
  draw_glass_faces(picture, matter, view, store, false);
  for (int rank = 0; rank < layers(); ++rank) {
    const GlTexture& before = light.turn();
    light.use();
    liquid_program_.use();
    view.set(liquid_program_);
    set_looks(picture, extent);
    liquid_program_.set("rank", rank);
    before.bind(0);
    matter.facing().bind(1);
    bind_facings(facing_units);
    liquid_program_.draw();
  }
  draw_glass_faces(picture, matter, view, store, true);
}

}  // namespace panta
