#include "panta/render/coloring.h"

#include <fmt/format.h>

#include <cmath>

#include "panta/render/text.h"

namespace panta {

namespace {

constexpr Rgb legend_ink = {70, 76, 86};

float particle_value(ColorBy color, const ParticleFrame& frame, std::size_t k) {
  switch (color) {
    case ColorBy::speed:
      return length(frame.velocity()[k]);
    case ColorBy::phase:
      return static_cast<float>(frame.phase()[k]);
    case ColorBy::pressure:
      return frame.pressure()[k];
    case ColorBy::density:
      return frame.density()[k];
  }
  return 0;
}

const char* unit(ColorBy color) {
  switch (color) {
    case ColorBy::speed:
      return "m/s";
    case ColorBy::phase:
      return "";
    case ColorBy::pressure:
      return "Pa";
    case ColorBy::density:
      return "kg/m3";
  }
  return "";
}

// Three digits, without an exponent where that stays short.
std::string short_number(float value) {
  const float size = std::abs(value);
  if (size >= 100 && size < 1e6f) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

// The values between which all but the share `stray` at either end lie.
ValueRange inner_range(std::vector<float>& values, double stray) {
  if (values.empty()) return {};
  const auto rank = static_cast<std::ptrdiff_t>(stray * static_cast<double>(values.size() - 1));
  const auto value_at = [&](std::ptrdiff_t k) {
    std::nth_element(values.begin(), values.begin() + k, values.end());
    return values[static_cast<std::size_t>(k)];
  };
  return {value_at(rank), value_at(std::ssize(values) - 1 - rank)};
}

void fill(Image& image, int x, int y, int width, int height, Rgb color) {
  for (int py = std::max(y, 0); py < std::min(y + height, image.height); ++py)
    for (int px = std::max(x, 0); px < std::min(x + width, image.width); ++px)
      std::copy(color.begin(), color.end(), image.at(px, py));
}

}  // namespace

void RunExtent::include(const ParticleFrame& frame) {
  constexpr double stray_places = 0.001, stray_values = 0.01;
  if (!frame.bodies.empty()) bodies_.push_back(frame.bodies);
  Vec3 low, high;
  std::vector<float> values;
  for (int axis = 0; axis < 3; ++axis) {
    values.clear();
    for (const Vec3& p : frame.position())
      if (std::isfinite(p[axis])) values.push_back(p[axis]);
    if (values.empty()) return;
    const ValueRange range = inner_range(values, stray_places);
    low[axis] = range.low;
    high[axis] = range.high;
  }
  bounds_.include(low);
  bounds_.include(high);

  values.clear();
  for (std::size_t k = 0; k < frame.size(); ++k) {
    const float value = particle_value(color_, frame, k);
    if (std::isfinite(value)) values.push_back(value);
  }
  if (values.empty()) return;
  frames_.push_back(inner_range(values, stray_values));
}

ValueRange RunExtent::values() const {
  ValueRange all;
  std::vector<float> highs;
  for (const ValueRange& frame : frames_) {
    all.low = std::min(all.low, frame.low);
    all.high = std::max(all.high, frame.high);
    highs.push_back(frame.high);
  }
  if (color_ != ColorBy::speed || frames_.empty()) return all;
  constexpr double burst = 0.3;  // share of the frames
  return {0, inner_range(highs, burst).high};
}

std::vector<std::string> phase_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  return names;
}

Coloring::Coloring(ColorBy color, const ValueRange& range, std::vector<std::string> phase_names)
    : color_(color),
      range_(range.low <= range.high ? range : ValueRange{0, 1}),
      phase_names_(std::move(phase_names)),
      ramp_(color == ColorBy::speed ? water_ramp() : value_ramp()) {}

std::vector<LinearColor> Coloring::particle_colors(const ParticleFrame& frame) const {
  std::vector<LinearColor> colors(frame.size());
  const float span = range_.high - range_.low;
  const float scale = span > 0 ? 1 / span : 0;
  for (std::size_t k = 0; k < frame.size(); ++k)
    colors[k] = color_ == ColorBy::phase
                    ? phase_color(frame.phase()[k])
                    : ramp_.at((particle_value(color_, frame, k) - range_.low) * scale);
  return colors;
}

void Coloring::draw_legend(Image& image) const {
  const int scale = std::max(1, image.height / 270);
  if (color_ == ColorBy::phase)
    draw_phases(image, scale);
  else
    draw_bar(image, scale);
}

void Coloring::draw_bar(Image& image, int scale) const {
  const int width = 80 * scale, height = 5 * scale, margin = 10 * scale;
  const int left = image.width - margin - width, top = image.height - margin - height;
  for (int x = 0; x < width; ++x) {
    const float t = static_cast<float>(x) / static_cast<float>(width - 1);
    fill(image, left + x, top, 1, height, to_srgb(ramp_.at(t)));
  }
  const int text_top = top - (glyph_height + 3) * scale;
  const std::string high = short_number(range_.high);
  draw_text(image, left, text_top, short_number(range_.low), scale, legend_ink);
  draw_text(image, left + width - text_width(high, scale), text_top, high, scale, legend_ink);
  const std::string name =
      fmt::format("{} ({})", color_by_names[static_cast<std::size_t>(color_)], unit(color_));
  draw_text(image, left, text_top - (glyph_height + 3) * scale, name, scale, legend_ink);
}

void Coloring::draw_phases(Image& image, int scale) const {
  const int line = (glyph_height + 4) * scale, margin = 10 * scale;
  int widest = 0;
  for (const std::string& name : phase_names_) widest = std::max(widest, text_width(name, scale));
  const int left = image.width - margin - widest;
  int top = image.height - margin - line * static_cast<int>(phase_names_.size());
  for (std::size_t k = 0; k < phase_names_.size(); ++k, top += line) {
    const int square = glyph_height * scale;
    fill(image, left - square - 4 * scale, top, square, square,
         to_srgb(phase_color(static_cast<std::uint32_t>(k))));
    draw_text(image, left, top, phase_names_[k], scale, legend_ink);
  }
}

}  // namespace panta
