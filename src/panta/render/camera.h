// The camera of a picture, and the mapping between space and pixels.
#pragma once

#include "panta/core/bounds.h"

namespace panta {

struct Camera {
  Vec3 eye = {0, 0, 1}, target = {}, up = {0, 1, 0};
  float fov = 32;                 // degrees, vertical
  float orthographic_height = 0;  // m across the picture; > 0: parallel projection instead of fov
  int width = 960, height = 540;
};

// Direction of the camera around its target, in degrees: azimuth 0 looks along -z, 90 along -x. The
// default is a three-quarter view from above.
struct ViewAngles {
  float azimuth = 28, elevation = 21;
  float fov = 32;  // vertical
};

// A camera that shows the whole box; in 2-D the plane seen from the front.
Camera frame_to_fit(const Bounds& box, int dimensions, int width, int height,
                    const ViewAngles& angles = {});

// Pixels [x0, x1) x [y0, y1).
struct PixelRange {
  int x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
};

// A camera prepared for a picture of `samples` pixels per camera pixel and axis. In view space x
// points to the right, y up, z into the picture; depth means z.
class View {
 public:
  explicit View(const Camera& camera, int samples = 1);

  // The line of sight of a pixel: origin + direction * depth.
  struct Ray {
    Vec3 origin, direction;
  };

  Vec3 to_view(const Vec3& p) const {
    const Vec3 d = p - eye_;
    return {dot(d, right_), dot(d, up_), dot(d, forward_)};
  }
  // Pixel coordinates (x, y) and depth (z) of a point in view space; pixel centres are at k + 0.5.
  Vec3 project(const Vec3& v) const {
    const float scale = pixels_per_unit(v.z);
    return {center_x_ + scale * v.x, center_y_ - scale * v.y, v.z};
  }
  Ray view_ray(int x, int y) const {
    const float u = (static_cast<float>(x) + 0.5f - center_x_) / focal_;
    const float v = (center_y_ - static_cast<float>(y) - 0.5f) / focal_;
    if (orthographic_) return {{u, v, 0}, {0, 0, 1}};
    return {{0, 0, 0}, {u, v, 1}};
  }
  Ray world_ray(int x, int y) const {
    const Ray ray = view_ray(x, y);
    return {eye_ + to_world(ray.origin), to_world(ray.direction)};
  }
  Vec3 to_world(const Vec3& direction) const {
    return right_ * direction.x + up_ * direction.y + forward_ * direction.z;
  }
  float pixels_per_unit(float depth) const { return orthographic_ ? focal_ : focal_ / depth; }

  // The pixels that may show a sphere around a point in view space in front of the eye.
  PixelRange pixels_of_sphere(const Vec3& center, float radius) const;

  bool orthographic() const { return orthographic_; }
  const Vec3& right() const { return right_; }
  const Vec3& up() const { return up_; }
  const Vec3& forward() const { return forward_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  Vec3 eye_, right_, up_, forward_;
  bool orthographic_;
  float focal_;  // pixels per unit at depth 1, or everywhere if orthographic
  float center_x_, center_y_;
  int width_, height_;
};

}  // namespace panta
