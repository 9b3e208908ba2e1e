// Which quantity colours the particles, over which range, and the legend that says so.
#pragma once

#include <string>
#include <vector>

#include "panta/frame/particle_frame.h"
#include "panta/io/image.h"
#include "panta/render/camera.h"
#include "panta/render/color.h"
#include "panta/scene/scene.h"

namespace panta {

enum class ColorBy { speed, phase, pressure, density };
inline const std::vector<std::string> color_by_names = {"speed", "phase", "pressure", "density"};

struct ValueRange {
  float low = std::numeric_limits<float>::max();
  float high = std::numeric_limits<float>::lowest();
};

// What a whole run spans in space and in the coloured quantity. A few stray particles do not count,
// nor does a short burst of speed, which would leave the rest of the run in the dark.
class RunExtent {
 public:
  explicit RunExtent(ColorBy color) : color_(color) {}
  void include(const ParticleFrame& frame);

  const Bounds& bounds() const { return bounds_; }
  const std::vector<std::vector<BodyPose>>& bodies() const { return bodies_; }  // of each frame
  ValueRange values() const;

 private:
  ColorBy color_;
  Bounds bounds_;
  std::vector<std::vector<BodyPose>> bodies_;
  std::vector<ValueRange> frames_;  // the values of each frame
};

// What the phases are called.
std::vector<std::string> phase_names(const Scene& scene);

class Coloring {
 public:
  Coloring(ColorBy color, const ValueRange& range, std::vector<std::string> phase_names);

  std::vector<LinearColor> particle_colors(const ParticleFrame& frame) const;

  // In the lower right corner: a bar with its ends named, or the phases by name.
  void draw_legend(Image& image) const;

 private:
  void draw_bar(Image& image, int scale) const;
  void draw_phases(Image& image, int scale) const;

  ColorBy color_;
  ValueRange range_;
  std::vector<std::string> phase_names_;
  ColorRamp ramp_;
};

}  // namespace panta
