#include "panta/render/gl/smoke_pass.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace panta {

namespace {

constexpr int lamp_pixels = 160;

// Puffs overlap many times in each pixel, which is slow in software.
int coarseness(const GlView& view, bool software) {
  constexpr int enough_rows = 240;
  return software ? std::max(2, view.height / enough_rows) : 2;
}

// The puffs that can be drawn, sorted from far to near.
SmokePuffs sorted(const SmokePuffs& smoke, const GlView& view) {
  std::vector<float> depth;
  std::vector<std::uint32_t> order;
  for (std::size_t k = 0; k < smoke.position.size(); ++k) {
    depth.push_back(dot(smoke.position[k] - view.eye, view.forward));
    if (std::isfinite(depth[k])) order.push_back(static_cast<std::uint32_t>(k));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return depth[a] > depth[b]; });
  SmokePuffs out{{}, {}, smoke.color, smoke.opacity};
  for (const std::uint32_t k : order) {
    out.position.push_back(smoke.position[k]);
    out.radius.push_back(smoke.radius[k]);
  }
  return out;
}

// Extent of the puffs along a direction.
float reach_along(const SmokePuffs& smoke, const Vec3& direction) {
  float low = empty_depth, high = -empty_depth;
  for (const Vec3& p : smoke.position) {
    low = std::min(low, dot(p, direction));
    high = std::max(high, dot(p, direction));
  }
  return std::max(high - low, 1e-6f);
}

}  // namespace

SmokePass::SmokePass(const GlView& view, bool software)
    : first_program_("smoke_vertex", "smoke_first"),
      depth_program_("smoke_vertex", "smoke_depth"),
      puff_program_("smoke_vertex", "smoke"),
      overlay_program_("overlay"),
      first_(lamp_pixels, lamp_pixels, GL_R32F),
      optical_(lamp_pixels, lamp_pixels, GL_RGBA32F),
      coarse_(view.width / coarseness(view, software), view.height / coarseness(view, software),
              GL_RGBA16F),
      first_target_({&first_}),
      optical_target_({&optical_}),
      coarse_target_({&coarse_}) {}

void SmokePass::prepare(const SmokePuffs& smoke, const GlView& view, const LampView& lamp) {
  smoke_ = sorted(smoke, view);
  if (smoke_.position.empty()) return;
  puffs_.attribute(0, smoke_.position);
  puffs_.attribute(1, smoke_.radius);
  span_ = reach_along(smoke_, lamp.view.forward);
  draw_lamp(lamp);
}

void SmokePass::draw_lamp(const LampView& lamp) const {
  const GlView view = lamp.view.sized(lamp_pixels, lamp_pixels);
  const auto draw = [&](const GlTarget& target, const GlProgram& program, const Vec4& empty) {
    target.use();
    target.clear(0, empty);
    program.use();
    view.set(program);
    program.set("shadowed", false);
    program.set("opacity", smoke_.opacity);
    program.set("span", span_);
    puffs_.draw_points();
  };
  {
    const Blending nearest(GL_MIN, GL_ONE, GL_ONE);
    draw(first_target_, first_program_, {empty_depth, 0, 0, 0});
  }
  const Blending sum(GL_FUNC_ADD, GL_ONE, GL_ONE);
  first_.bind(1);
  draw(optical_target_, depth_program_, {});
}

void SmokePass::draw(const MatterPass& matter, const GlView& view, const LampView& lamp,
                     const LightPicture& light) const {
  if (smoke_.position.empty()) return;
  const GlView coarse = view.sized(coarse_.width(), coarse_.height());
  const Blending over(GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  coarse_target_.use();
  coarse_target_.clear(0, {});
  puff_program_.use();
  coarse.set(puff_program_);
  lamp.set(puff_program_);
  puff_program_.set("shadowed", true);
  puff_program_.set("span", span_);
  puff_program_.set("color", smoke_.color);
  puff_program_.set("opacity", smoke_.opacity);
  puff_program_.set("solids_per_pixel",
                    static_cast<float>(view.width) / static_cast<float>(coarse.width),
                    static_cast<float>(view.height) / static_cast<float>(coarse.height));
  matter.facing().bind(0);
  first_.bind(1);
  optical_.bind(2);
  puffs_.draw_points();

  light.use();
  overlay_program_.use();
  view.set(overlay_program_);
  coarse_.bind(0);
  overlay_program_.draw();
}

}  // namespace panta
