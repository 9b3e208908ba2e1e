// Draws pictures with OpenGL, without a window. The passes of one picture:
//   1. opaque matter: the first surface of each pixel
//   2. shadows: opaque and clear matter seen from the lamp
//   3. light on opaque matter
//   4. liquids and glass, blended over it in the order of their depths
//   5. smoke, lines
//   6. the mean of the samples of each pixel, in the file's colour space
#pragma once

#include <memory>

#include "panta/io/image.h"
#include "panta/render/gl/gl_picture.h"

namespace panta {

// A layer of clear matter as drawn, rows from bottom to top, for tests.
struct DrawnLayer {
  int width = 0, height = 0;  // with margins and samples
  std::vector<float> depth;   // m, at least 1e30 in empty pixels
  int thickness_width = 0, thickness_height = 0;
  std::vector<float> thickness;  // m
};

class GlCanvas {
 public:
  // Pictures of this size; `samples` per pixel and axis, 0: automatic.
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
