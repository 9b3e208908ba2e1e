#include "panta/render/coloring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/particles/standard_columns.h"
#include "panta/render/text.h"

namespace panta {

namespace {

constexpr Rgb legend_ink = {70, 76, 86};

constexpr std::size_t few_categories = 8;  // the number of colours (phase_color)

// Three digits, without an exponent if that is short.
std::string short_number(float value) {
  const float size = std::abs(value);
  if (size >= 100 && size < 1e6f) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

// The range without the fraction `stray` of the values at either end.
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
  constexpr double stray_places = 0.001;
  if (!frame.bodies.empty()) bodies_.push_back(frame.bodies);
  objects_ = frame.objects;
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
  include_values(frame);
}

void RunExtent::include_values(const ParticleFrame& frame) {
  constexpr double stray_values = 0.01;
  const ColumnInfo& column = quantity_.column(frame);
  unit_ = column.unit;
  is_word_ = column.type == ColumnType::word;
  const ColumnNumbers numbers = quantity_.numbers(frame);
  std::vector<float> values;
  for (std::size_t k = 0; k < frame.size(); ++k) {
    const double value = numbers[k];
    if (std::isfinite(value)) values.push_back(static_cast<float>(value));
    if (is_word_ && words_.size() <= few_categories)
      words_.insert(static_cast<std::uint32_t>(value));
  }
  if (!values.empty()) frames_.push_back(inner_range(values, stray_values));
}

ValueRange RunExtent::values() const {
  ValueRange all;
  std::vector<float> highs;
  for (const ValueRange& frame : frames_) {
    all.low = std::min(all.low, frame.low);
    all.high = std::max(all.high, frame.high);
    highs.push_back(frame.high);
  }
  if (!quantity_.is_speed() || frames_.empty()) return all;
  constexpr double burst = 0.3;  // fraction of the frames
  return {0, inner_range(highs, burst).high};
}

std::vector<std::uint32_t> RunExtent::categories() const {
  if (!is_word_ || words_.size() > few_categories) return {};
  return {words_.begin(), words_.end()};
}

Coloring::Coloring(const RunExtent& extent, const Scene& scene)
    : quantity_(extent.quantity()),
      unit_(extent.unit()),
      range_(extent.values()),
      categories_(make_categories(extent, scene)),
      ramp_(extent.quantity().is_speed() ? water_ramp() : value_ramp()) {
  if (!(range_.low <= range_.high)) range_ = {0, 1};
}

// Materials are always categories, and the legend contains all of them.
std::vector<Coloring::Category> Coloring::make_categories(const RunExtent& extent,
                                                          const Scene& scene) {
  std::vector<Category> categories;
  const std::string& name = extent.quantity().name();
  if (name == standard_columns::phase().name && !scene.materials.empty()) {
    for (const Material& material : scene.materials)
      categories.push_back({static_cast<std::uint32_t>(categories.size()), material.name});
    return categories;
  }
  const bool of_objects = name == standard_columns::object().name;
  for (const std::uint32_t value : extent.categories())
    categories.push_back({value, of_objects && value < extent.objects().size()
                                     ? extent.objects()[value].name
                                     : std::to_string(value)});
  return categories;
}

std::size_t Coloring::category_of(double value) const {
  const auto found = std::lower_bound(
      categories_.begin(), categories_.end(), value,
      [](const Category& c, double v) { return static_cast<double>(c.value) < v; });
  return static_cast<std::size_t>(found - categories_.begin());
}

std::vector<LinearColor> Coloring::particle_colors(const ParticleFrame& frame) const {
  std::vector<LinearColor> colors(frame.size());
  if (colors.empty()) return colors;  // no colours without a quantity, whatever the frame contains
  const ColumnNumbers numbers = quantity_.numbers(frame);
  const float span = range_.high - range_.low;
  const float scale = span > 0 ? 1 / span : 0;
  for (std::size_t k = 0; k < frame.size(); ++k)
    colors[k] = !categories_.empty()
                    ? phase_color(static_cast<std::uint32_t>(category_of(numbers[k])))
                    : ramp_.at((static_cast<float>(numbers[k]) - range_.low) * scale);
  return colors;
}

void Coloring::draw_legend(Image& image) const {
  const int scale = std::max(1, image.height / 270);
  if (categories_.empty())
    draw_bar(image, scale);
  else
    draw_categories(image, scale);
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
      unit_.empty() ? quantity_.name() : fmt::format("{} ({})", quantity_.name(), unit_);
  draw_text(image, left, text_top - (glyph_height + 3) * scale, name, scale, legend_ink);
}

void Coloring::draw_categories(Image& image, int scale) const {
  const int line = (glyph_height + 4) * scale, margin = 10 * scale;
  int widest = 0;
  for (const Category& category : categories_)
    widest = std::max(widest, text_width(category.name, scale));
  const int left = image.width - margin - widest;
  int top = image.height - margin - line * static_cast<int>(categories_.size());
  for (std::size_t k = 0; k < categories_.size(); ++k, top += line) {
    const int square = glyph_height * scale;
    fill(image, left - square - 4 * scale, top, square, square,
         to_srgb(phase_color(static_cast<std::uint32_t>(k))));
    draw_text(image, left, top, categories_[k].name, scale, legend_ink);
  }
}

}  // namespace panta
