#include "panta/render/gl/gl_view.h"

#include <cmath>
#include <numbers>

namespace panta {

GlView::GlView(const Camera& camera, int margin, int samples)
    : eye(camera.eye),
      parallel(camera.orthographic_height > 0),
      width((camera.width + 2 * margin) * samples),
      height((camera.height + 2 * margin) * samples) {
  const View axes(camera);
  right = axes.right();
  up = axes.up();
  forward = axes.forward();
  const float shown =
      static_cast<float>(camera.height) / static_cast<float>(camera.height + 2 * margin);
  const float half_angle = 0.5f * camera.fov * std::numbers::pi_v<float> / 180;
  focal_y = shown * (parallel ? 2 / camera.orthographic_height : 1 / std::tan(half_angle));
  focal_x = focal_y * static_cast<float>(height) / static_cast<float>(width);
  const float distance = length(camera.target - camera.eye);
  nearest = parallel ? 1 / (4 * distance) : 1e-3f * distance;
}

GlView GlView::sized(int new_width, int new_height) const {
  GlView other = *this;
  other.width = new_width;
  other.height = new_height;
  return other;
}

PixelBox GlView::pixels_of(const Bounds& box, float around) const {
  float low[2] = {1, 1}, high[2] = {-1, -1};  // half pictures from the middle
  const Vec3 margin = Vec3{1, 1, 1} * around;
  const Bounds grown{box.min - margin, box.max + margin};
  for (int k = 0; k < 8; ++k) {
    const Vec3 d = grown.corner(k) - eye;
    const float z = parallel ? 1 : dot(d, forward);
    if (!(z > nearest)) return {0, 0, width, height};
    const float at[2] = {dot(d, right) * focal_x / z, dot(d, up) * focal_y / z};
    for (int axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], std::max(at[axis], -1.0f));
      high[axis] = std::max(high[axis], std::min(at[axis], 1.0f));
    }
  }
  const auto pixel = [](float half_pictures, int size) {
    return static_cast<int>(0.5f * (1 + half_pictures) * static_cast<float>(size));
  };
  const int x = pixel(low[0], width), y = pixel(low[1], height);
  return {x, y, std::min(pixel(high[0], width) + 1, width) - x,
          std::min(pixel(high[1], height) + 1, height) - y};
}

void GlView::set(const GlProgram& program) const {
  program.set("eye", eye);
  program.set("right", right);
  program.set("up", up);
  program.set("forward", forward);
  program.set("focal", focal_x, focal_y);
  program.set("nearest", nearest);
  program.set("parallel", parallel);
  program.set("frame_size", static_cast<float>(width), static_cast<float>(height));
}

}  // namespace panta
