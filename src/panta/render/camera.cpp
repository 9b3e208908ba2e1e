#include "panta/render/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace panta {

namespace {

constexpr float radians = std::numbers::pi_v<float> / 180;
constexpr float filled = 0.90f;  // fraction of the picture that the box may fill

Camera front_view(const Bounds& box, Camera camera) {
  const Vec3 size = box.max - box.min;
  const float aspect = static_cast<float>(camera.width) / static_cast<float>(camera.height);
  camera.orthographic_height = std::max({size.y, size.x / aspect, 1e-6f}) / filled;
  camera.target = box.center();
  camera.eye = camera.target + Vec3{0, 0, 1} * (box.diagonal() + camera.orthographic_height);
  return camera;
}

// The distance from the target at which every corner is inside the picture.
float fitting_distance(const Bounds& box, const View& axes, const Vec3& target, float tan_x,
                       float tan_y) {
  float distance = 0;
  for (int k = 0; k < 8; ++k) {
    const Vec3 d = box.corner(k) - target;
    const float x = std::abs(dot(d, axes.right())), y = std::abs(dot(d, axes.up()));
    distance = std::max(distance, std::max(x / tan_x, y / tan_y) - dot(d, axes.forward()));
  }
  return distance;
}

}  // namespace

Camera frame_to_fit(const Bounds& box, int dimensions, int width, int height,
                    const ViewAngles& angles) {
  Camera camera;
  camera.width = width;
  camera.height = height;
  camera.fov = angles.fov;
  if (dimensions == 2) return front_view(box, camera);

  const float azimuth = angles.azimuth * radians, elevation = angles.elevation * radians;
  const Vec3 towards_eye = {std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                            std::cos(azimuth) * std::cos(elevation)};
  const float tan_y = std::tan(0.5f * camera.fov * radians) * filled;
  const float tan_x = tan_y * static_cast<float>(width) / static_cast<float>(height);
  camera.target = box.center();
  for (int pass = 0; pass < 8; ++pass) {  // centre the projected box, then fit again
    camera.eye = camera.target + towards_eye;
    const View axes(camera);
    const float distance =
        std::max(fitting_distance(box, axes, camera.target, tan_x, tan_y), 1e-6f);
    camera.eye = camera.target + towards_eye * distance;
    float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};
    for (int k = 0; k < 8; ++k) {
      const Vec3 v = View(camera).to_view(box.corner(k));
      const float seen[2] = {v.x / v.z, v.y / v.z};
      for (int a = 0; a < 2; ++a) {
        low[a] = std::min(low[a], seen[a]);
        high[a] = std::max(high[a], seen[a]);
      }
    }
    const Vec3 shift = axes.right() * (0.5f * (low[0] + high[0]) * distance) +
                       axes.up() * (0.5f * (low[1] + high[1]) * distance);
    camera.target += shift;
    camera.eye += shift;
  }
  return camera;
}

View::View(const Camera& camera, int samples)
    : eye_(camera.eye),
      orthographic_(camera.orthographic_height > 0),
      width_(camera.width * samples),
      height_(camera.height * samples) {
  forward_ = normalized(camera.target - camera.eye, {0, 0, -1});
  right_ = normalized(cross(forward_, camera.up), {1, 0, 0});
  up_ = cross(right_, forward_);
  const auto pixels = static_cast<float>(height_);
  focal_ = orthographic_ ? pixels / camera.orthographic_height
                         : 0.5f * pixels / std::tan(0.5f * camera.fov * radians);
  center_x_ = 0.5f * static_cast<float>(width_);
  center_y_ = 0.5f * pixels;
}

namespace {

struct Interval {
  float low, high;
};

// The extent of a sphere's perspective image along one axis, as position over depth: the two
// tangents from the eye to a circle at (c, z).
Interval tangents(float c, float z, float radius) {
  const float root = radius * std::sqrt(c * c + z * z - radius * radius);
  const float scale = 1.0f / (z * z - radius * radius);
  return {(c * z - root) * scale, (c * z + root) * scale};
}

}  // namespace

PixelRange View::pixels_of_sphere(const Vec3& center, float radius) const {
  Interval x{center.x - radius, center.x + radius}, y{center.y - radius, center.y + radius};
  if (!orthographic_) {
    x = tangents(center.x, center.z, radius);
    y = tangents(center.y, center.z, radius);
  }
  const float depth = orthographic_ ? center.z : 1.0f;
  const Vec3 low = project({x.low, y.high, depth});
  const Vec3 high = project({x.high, y.low, depth});
  const auto pixel = [](float value, int size) {
    return static_cast<int>(std::clamp(value, 0.0f, static_cast<float>(size)));
  };
  return {pixel(std::floor(low.x), width_), pixel(std::ceil(high.x), width_),
          pixel(std::floor(low.y), height_), pixel(std::ceil(high.y), height_)};
}

}  // namespace panta
