// Draws pictures with OpenGL, without a window. The order of things for one picture:
//   1. opaque matter: what each pixel sees first
//   2. shadows: opaque and clear matter as the lamp sees it
//   3. light on opaque matter
//   4. liquids and glass, laid over it in the order of their depths
//   5. smoke, lines
//   6. the mean of the samples of each pixel, in the file's colours
#pragma once

#include <memory>

#include "panta/io/image.h"
#include "panta/render/gl/gl_picture.h"

namespace panta {

// A layer of clear matter as it was drawn, rows from the bottom to the top, for tests.
struct DrawnLayer {
  int width = 0, height = 0;  // with margins and samples
  std::vector<float> depth;   // m, at least 1e30 where there is nothing
  int thickness_width = 0, thickness_height = 0;
  std::vector<float> thickness;  // m
};

class GlCanvas {
 public:
  // Pictures of this size; `samples` per pixel and axis, 0: chosen.
  GlCanvas(int width, int height, int samples = 0);
  ~GlCanvas();

  Image draw(const GlPicture& picture, const Stage& stage);

  DrawnLayer layer(int k) const;
  const std::string& renderer() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace panta
