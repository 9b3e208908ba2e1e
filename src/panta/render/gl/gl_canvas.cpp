#include "panta/render/gl/gl_canvas.h"

#include "panta/core/error.h"
#include "panta/render/gl/clear_pass.h"
#include "panta/render/gl/gl_context.h"
#include "panta/render/gl/light_pass.h"
#include "panta/render/gl/smoke_pass.h"

namespace panta {

namespace {

constexpr float line_pixels = 1.3f;
constexpr int margin_share = 24;  // margin around the picture: its height / margin_share

// Software rendering uses one sample per pixel for large pictures and smooths the edges instead.
int chosen_samples(int samples, int width, int height, bool software) {
  constexpr int large = 1000 * 600;
  if (samples > 0) return samples;
  return software && width * height > large ? 1 : 2;
}

Camera blank_camera(int width, int height) {
  Camera camera;
  camera.width = width;
  camera.height = height;
  return camera;
}

void set_state() {
  glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glDepthFunc(GL_GREATER);
  glCullFace(GL_BACK);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
}

}  // namespace

struct GlCanvas::Parts {
  GlContext context;
  int width, height, samples, margin;
  GlView view;
  MeshStore meshes;
  LiquidPointsOnGpu liquids;
  MatterPass matter;
  LightPass light;
  ClearPass clear;
  SmokePass smoke;
  LightPicture picture;
  GlProgram line_program;
  GlFullscreen resolve_program, edge_program;
  GlTexture shown[2];
  GlTarget shown_target[2];

  Parts(int w, int h, int s)
      : width(w),
        height(h),
        samples(chosen_samples(s, w, h, context.software())),
        margin(h / margin_share + 1),
        view(blank_camera(w, h), margin, samples),
        matter(view),
        light(view, context.software()),
        clear(view),
        smoke(view, context.software()),
        picture(view),
        line_program("line_vertex", "line"),
        resolve_program("resolve"),
        edge_program("smooth_edges") {
    for (int k = 0; k < 2; ++k) {
      shown[k] = GlTexture(w, h, GL_RGBA8);
      shown_target[k] = GlTarget({&shown[k]});
    }
    check_gl("setting up");
  }

  void draw_lines(const std::vector<Segment>& lines, float tolerance) const;
  Image resolved() const;
};

void GlCanvas::Parts::draw_lines(const std::vector<Segment>& lines, float tolerance) const {
  if (lines.empty()) return;
  std::vector<Vec3> from, to;
  for (const Segment& line : lines) {
    from.push_back(line.from);
    to.push_back(line.to);
  }
  GlVertices strips;
  strips.attribute(0, from);
  strips.attribute(1, to);
  strips.per_instance(0);
  strips.per_instance(1);
  const Blending over(GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  picture.use();
  line_program.use();
  view.set(line_program);
  line_program.set("line_pixels", line_pixels * static_cast<float>(samples));
  line_program.set("tolerance", tolerance);
  line_program.set("layers", clear.layers());
  matter.facing().bind(1);
  clear.bind_facings(2);
  strips.draw_strips(static_cast<GLsizei>(lines.size()));
}

Image GlCanvas::Parts::resolved() const {
  shown_target[0].use();
  resolve_program.use();
  resolve_program.set("samples", samples);
  resolve_program.set("margin", margin);
  picture.now().bind(0);
  resolve_program.draw();
  if (samples == 1) {
    shown_target[1].use();
    edge_program.use();
    edge_program.set("frame_size", static_cast<float>(width), static_cast<float>(height));
    shown[0].bind(0);
    edge_program.draw();
  }
  std::vector<std::uint8_t> rows(static_cast<std::size_t>(width) *
                                 static_cast<std::size_t>(height) * 3);
  glGetTextureImage(shown[samples == 1 ? 1 : 0].name(), 0, GL_RGB, GL_UNSIGNED_BYTE,
                    static_cast<GLsizei>(rows.size()), rows.data());
  check_gl("drawing");
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    const auto row =
        rows.begin() + static_cast<std::ptrdiff_t>(image.row_bytes()) * (height - 1 - y);
    std::copy(row, row + static_cast<std::ptrdiff_t>(image.row_bytes()), image.at(0, y));
  }
  return image;
}

GlCanvas::GlCanvas(int width, int height, int samples)
    : parts_(std::make_unique<Parts>(width, height, samples)) {}

GlCanvas::~GlCanvas() = default;

Image GlCanvas::draw(const GlPicture& picture, const Stage& stage) {
  Parts& p = *parts_;
  p.context.use();
  set_state();
  Camera camera = picture.camera;
  camera.width = p.width;
  camera.height = p.height;
  p.view = GlView(camera, p.margin, p.samples);
  const bool shadows = stage.has_floor || !p.view.parallel;
  p.liquids.prepare(picture.liquids);
  p.matter.prepare(picture);
  p.matter.draw(picture, stage, p.view, p.meshes);
  p.light.draw_shadows(picture, stage, p.matter, p.liquids, p.meshes);
  p.smoke.prepare(picture.smoke, p.view, p.light.lamp());
  p.light.draw(stage, p.matter, p.view, {shadows, p.smoke.shadow()}, p.picture);
  p.clear.draw_layers(picture, p.matter, p.liquids, p.view, p.meshes);
  p.clear.lay_over(picture, p.matter, p.view, p.meshes, stage.extent.diagonal(), p.picture);
  p.smoke.draw(p.matter, p.view, p.light.lamp(), p.picture);
  p.draw_lines(picture.geometry.lines, stage.particle_radius);
  p.meshes.forget_unused();
  return p.resolved();
}

DrawnLayer GlCanvas::layer(int k) const {
  const ClearLayer& layer = parts_->clear.layer(k);
  DrawnLayer out;
  out.width = layer.facing.width();
  out.height = layer.facing.height();
  const std::vector<float> facing = layer.facing.read(4);
  for (std::size_t at = 3; at < facing.size(); at += 4) out.depth.push_back(facing[at]);
  out.thickness_width = layer.thickness.width();
  out.thickness_height = layer.thickness.height();
  out.thickness = layer.thickness.read(1);
  return out;
}

const std::string& GlCanvas::renderer() const { return parts_->context.renderer(); }

}  // namespace panta
