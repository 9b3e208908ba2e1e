#include "panta/render/gl/liquid_points.h"

#include <cmath>

#include "panta/render/gl/liquid_cells.h"

namespace panta {

namespace {

constexpr float thickness_radius = 1.4f;  // radius of the disc with a particle's volume, in radii

}  // namespace

LiquidPointsOnGpu::LiquidPointsOnGpu()
    : depth_program_("fluid_vertex", "fluid_depth"),
      thickness_program_("fluid_vertex", "fluid_thickness") {}

void LiquidPointsOnGpu::prepare(const std::vector<LiquidPoints>& liquids) {
  clouds_.clear();
  for (const LiquidPoints& liquid : liquids) {
    const LiquidCells cells = find_cells(liquid.position, std::cbrt(liquid.volume));
    std::vector<Vec3> position;
    std::vector<float> size, count(cells.seen.size(), 1);
    for (const std::uint32_t k : cells.seen) {
      position.push_back(liquid.position[k]);
      size.push_back(liquid.size[k]);
    }
    Cloud& cloud = clouds_.emplace_back(Cloud{{}, {}, liquid.radius, liquid.volume});
    cloud.seen.attribute(0, position);
    cloud.seen.attribute(1, size);
    position.insert(position.end(), cells.middle.begin(), cells.middle.end());
    count.insert(count.end(), cells.count.begin(), cells.count.end());
    for (const float held : cells.count) size.push_back(std::cbrt(held));
    cloud.whole.attribute(0, position);
    cloud.whole.attribute(1, size);
    cloud.whole.attribute(2, count);
  }
}

void LiquidPointsOnGpu::draw_depth(std::size_t k, const GlView& view) const {
  const Blending nearest(GL_MIN, GL_ONE, GL_ONE);
  depth_program_.use();
  view.set(depth_program_);
  depth_program_.set("radius", clouds_[k].radius);
  clouds_[k].seen.draw_points();
}

void LiquidPointsOnGpu::draw_thickness(std::size_t k, const GlView& view, const Vec4& share,
                                       const GlTexture* solids) const {
  const Blending sum_and_nearest(GL_FUNC_ADD, GL_MIN);
  thickness_program_.use();
  view.set(thickness_program_);
  thickness_program_.set("radius", thickness_radius * clouds_[k].radius);
  thickness_program_.set("volume", clouds_[k].volume);
  thickness_program_.set("share", share);
  thickness_program_.set("hidden_by_solids", solids != nullptr);
  if (solids) {
    solids->bind(0);
    thickness_program_.set("solids_per_pixel",
                           static_cast<float>(solids->width()) / static_cast<float>(view.width),
                           static_cast<float>(solids->height()) / static_cast<float>(view.height));
  }
  clouds_[k].whole.draw_points();
}

}  // namespace panta
