// The quantity that colours the particles, its range, and its legend.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "panta/frame/column_values.h"
#include "panta/io/image.h"
#include "panta/render/camera.h"
#include "panta/render/color.h"
#include "panta/scene/scene.h"

namespace panta {

struct ValueRange {
  float low = std::numeric_limits<float>::max();
  float high = std::numeric_limits<float>::lowest();
};

// Extent of a whole run in space and in the coloured quantity. A few stray particles are ignored,
// and so is a short burst of speed, which would make the rest of the run dark.
class RunExtent {
 public:
  explicit RunExtent(const std::string& color = ParticleQuantity::speed) : quantity_(color) {}
  void include(const ParticleFrame& frame);

  const Bounds& bounds() const { return bounds_; }
  const std::vector<std::vector<BodyPose>>& bodies() const { return bodies_; }  // of each frame
  const ParticleQuantity& quantity() const { return quantity_; }
  const std::string& unit() const { return unit_; }  // of the quantity
  ValueRange values() const;

  // The values of the quantity if it is a word with few values in the run; else empty.
  std::vector<std::uint32_t> categories() const;
  const std::vector<Object>& objects() const { return objects_; }  // of the last frame

 private:
  void include_values(const ParticleFrame& frame);

  ParticleQuantity quantity_;
  std::string unit_;
  bool is_word_ = false;
  std::set<std::uint32_t> words_;  // the values found; not extended once there are too many
  Bounds bounds_;
  std::vector<std::vector<BodyPose>> bodies_;
  std::vector<Object> objects_;
  std::vector<ValueRange> frames_;  // the values of each frame
};

class Coloring {
 public:
  Coloring(const RunExtent& extent, const Scene& scene);

  std::vector<LinearColor> particle_colors(const ParticleFrame& frame) const;

  // In the lower right corner: a bar with labelled ends, or the categories with their names.
  void draw_legend(Image& image) const;

 private:
  // A value of a word and its name in the legend; its colour follows from its index in the list.
  struct Category {
    std::uint32_t value;
    std::string name;
  };
  static std::vector<Category> make_categories(const RunExtent& extent, const Scene& scene);

  std::size_t category_of(double value) const;
  void draw_bar(Image& image, int scale) const;
  void draw_categories(Image& image, int scale) const;

  ParticleQuantity quantity_;
  std::string unit_;
  ValueRange range_;
  std::vector<Category> categories_;  // by value; empty if a ramp is used
  ColorRamp ramp_;
};

}  // namespace panta
