#include "panta/render/shading.h"

#include <array>
#include <cmath>
#include <numbers>

namespace panta {

namespace {

constexpr float golden_angle = 2.3999632f;
constexpr int shadow_pixels = 1024;
constexpr int shadow_taps = 8;
constexpr int openness_taps = 12;
constexpr float particle_reach = 5;  // radii
constexpr float solid_reach = 8;     // details
constexpr float glass_shadow = 0.3f;
constexpr float shadow_softness = 1.8f;  // details
constexpr float common_surface = 0.55f;  // weight of the common normal of liquid particles
constexpr float common_heap = 0.15f;     // the same for grains

constexpr LinearColor sky_light = {0.62f, 0.68f, 0.76f};
constexpr LinearColor floor_light = {0.34f, 0.33f, 0.32f};
constexpr LinearColor key_light = {0.86f, 0.83f, 0.78f};
constexpr LinearColor sky_mirror = {0.92f, 0.96f, 1.0f};
constexpr LinearColor horizon = {0.90f, 0.91f, 0.925f};
constexpr LinearColor zenith = {0.70f, 0.735f, 0.785f};
constexpr LinearColor floor_paint = {0.80f, 0.805f, 0.815f};
constexpr LinearColor grid_paint = {0.52f, 0.545f, 0.58f};

// Blue-noise-like number in [0, 1) per pixel (Jimenez 2014).
float pixel_noise(int x, int y) {
  const float v = 0.06711056f * static_cast<float>(x) + 0.00583715f * static_cast<float>(y);
  const float f = 52.9829189f * (v - std::floor(v));
  return f - std::floor(f);
}

int nearest_int(float value) { return static_cast<int>(std::floor(value + 0.5f)); }

float smoothstep(float low, float high, float value) {
  const float t = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

// Points on a spiral that covers the unit disc evenly, rotated by another angle in each pixel.
struct DiscPoint {
  float x, y;
};

template <int n>
std::array<DiscPoint, n> spiral() {
  std::array<DiscPoint, n> points;
  for (int k = 0; k < n; ++k) {
    const float r = std::sqrt((static_cast<float>(k) + 0.5f) / n);
    const float angle = golden_angle * static_cast<float>(k);
    points[static_cast<std::size_t>(k)] = {r * std::cos(angle), r * std::sin(angle)};
  }
  return points;
}
const std::array<DiscPoint, shadow_taps> shadow_spiral = spiral<shadow_taps>();
const std::array<DiscPoint, openness_taps> openness_spiral = spiral<openness_taps>();

class Turn {
 public:
  Turn(int x, int y) {
    const float angle = 2 * std::numbers::pi_v<float> * pixel_noise(x, y);
    cos_ = std::cos(angle);
    sin_ = std::sin(angle);
  }
  DiscPoint operator()(const DiscPoint& p) const {
    return {p.x * cos_ - p.y * sin_, p.x * sin_ + p.y * cos_};
  }

 private:
  float cos_, sin_;
};

// Fraction of a pixel of width `footprint` that the grid lines cover along one axis.
float grid_line(float coordinate, float step, float line_width, float footprint) {
  const float from_line = std::abs(coordinate - step * std::round(coordinate / step));
  const float soft = std::max(footprint, 1e-9f);
  const float cover = std::clamp((0.5f * line_width - from_line) / soft + 0.5f, 0.0f, 1.0f);
  return cover * std::clamp(0.25f * step / soft, 0.0f, 1.0f);
}

}  // namespace

ShadowMap make_shadow_map(const Stage& stage, const DrawnBodies& drawn_bodies,
                          const Vec3& towards_light, const DrawnParticles& particles, int threads) {
  Camera lamp;
  const float size = stage.extent.diagonal();
  lamp.target = stage.extent.center();
  lamp.eye = lamp.target + towards_light * (1.5f * size);
  lamp.up = std::abs(towards_light.y) < 0.99f ? Vec3{0, 1, 0} : Vec3{1, 0, 0};
  lamp.orthographic_height = 1.1f * size;
  lamp.width = lamp.height = shadow_pixels;
  const View view(lamp);
  ShadowMap map{view, rasterize_spheres(view, particles.position, particles.radius, threads),
                rasterize_spheres(view, {}, stage.particle_radius, threads)};
  add_solids(drawn_bodies.solid, view, map.buffer, threads);
  add_solids(drawn_bodies.glass, view, map.glass, threads);
  return map;
}

Vec3 light_direction(const View& view) {
  return normalized(view.right() * -0.55f + Vec3{0, 1.15f, 0} - view.forward() * 0.35f);
}

Shader::Shader(const Stage& stage, const DrawnBodies& drawn_bodies, const View& view,
               const SurfaceBuffer& buffer, const ShadowMap* shadows,
               const DrawnParticles& particles)
    : stage_(stage),
      bodies_(drawn_bodies),
      view_(view),
      buffer_(buffer),
      shadows_(shadows),
      particles_(particles),
      light_(light_direction(view)) {}

LinearColor Shader::shade(int x, int y) const {
  const std::size_t at = buffer_.index(x, y);
  const std::int32_t surface = buffer_.surface[at];
  if (surface == SurfaceBuffer::nothing) return background(y);
  const View::Ray ray = view_.world_ray(x, y);
  Hit hit{ray.origin + ray.direction * buffer_.depth[at],
          {},
          -normalized(ray.direction),
          buffer_.depth[at],
          solid_reach * stage_.detail,
          x,
          y};
  if (surface == floor_surface) {
    hit.normal = {0, 1, 0};
    return shade_floor(hit);
  }
  if (surface < 0) {
    const DrawnBody& solid = bodies_.solid[solid_index(surface)];
    hit.normal = distance(solid.shape, hit.point).normal;
    return shade_matter(hit, solid.color);
  }
  return shade_particle(hit, static_cast<std::size_t>(surface));
}

LinearColor Shader::background(int y) const {
  if (!stage_.has_floor) return horizon;
  const float height = static_cast<float>(y) / static_cast<float>(buffer_.height);
  return mix(zenith, horizon, smoothstep(-0.1f, 0.7f, height));
}

LinearColor Shader::lit_matte(const Hit& hit, const LinearColor& albedo, float open,
                              float light) const {
  const LinearColor ambient =
      mix(floor_light, sky_light, 0.5f + 0.5f * hit.normal.y) * (open * (0.45f + 0.55f * open));
  const float facing = dot(hit.normal, light_);
  const float diffuse = std::max(0.0f, (facing + 0.2f) / 1.2f) * light * (0.5f + 0.5f * open);
  return times(albedo, ambient + key_light * diffuse);
}

LinearColor Shader::shade_matter(const Hit& hit, const LinearColor& albedo) const {
  return lit_matte(hit, albedo, sample_surroundings(hit).open, lit(hit, lift(hit)));
}

LinearColor Shader::shade_particle(Hit hit, std::size_t particle) const {
  const bool matte = particles_.matte[particle];
  const float radius = particles_.radius[particle];
  hit.reach = particle_reach * radius;
  hit.normal = normalized(hit.point - particles_.position[particle]);
  const Surroundings around = sample_surroundings(hit);
  const float open = around.open, light = lit(hit, 0.6f * radius);
  hit.normal = normalized(mix(hit.normal, around.facing, matte ? common_heap : common_surface));
  const LinearColor color = lit_matte(hit, particles_.color[particle], open, light);
  if (matte) return color;
  const Vec3 half = normalized(light_ + hit.towards_eye);
  const float highlight = std::pow(std::max(0.0f, dot(hit.normal, half)), 48.0f);
  const float grazing = 1 - std::max(0.0f, dot(hit.normal, hit.towards_eye));
  const float fresnel = 0.02f + 0.30f * grazing * grazing * grazing * grazing;
  return mix(color, sky_mirror, fresnel * open) + key_light * (0.16f * highlight * light);
}

LinearColor Shader::shade_floor(const Hit& hit) const {
  const Vec3 from_center = hit.point - stage_.extent.center();
  const float away = std::hypot(from_center.x, from_center.z) / stage_.extent.diagonal();
  const float fade = smoothstep(0.6f, 2.2f, away);
  const float pixel = 1 / view_.pixels_per_unit(hit.depth);
  const float stretched = pixel / std::max(0.05f, hit.towards_eye.y);
  const float line_width = 1.5f * pixel;
  const float grid =
      std::max(grid_line(hit.point.x, stage_.grid_step, line_width, 0.5f * (pixel + stretched)),
               grid_line(hit.point.z, stage_.grid_step, line_width, 0.5f * (pixel + stretched)));
  const LinearColor paint = mix(floor_paint, grid_paint, 0.55f * grid);
  const bool far_off = away > 0.5f + 2 * hit.reach / stage_.extent.diagonal();
  const float open = far_off ? 1 : sample_surroundings(hit).open;
  const LinearColor shaded =
      paint * ((0.62f + 0.38f * lit(hit, lift(hit))) * (0.35f + 0.65f * open) * 1.08f);
  return mix(shaded, background(hit.y), fade);
}

// Ambient occlusion and mean normal from the depth buffer around a hit: the fraction of open sky,
// and the mean direction of the particles there, which gives their common surface instead of single
// spheres.
Shader::Surroundings Shader::sample_surroundings(const Hit& hit) const {
  const float reach_pixels = std::clamp(hit.reach * view_.pixels_per_unit(hit.depth), 3.0f,
                                        0.06f * static_cast<float>(buffer_.height));
  const Turn turn(hit.x, hit.y);
  float blocked = 0;
  Vec3 facing = hit.normal;
  for (const DiscPoint& point : openness_spiral) {
    const DiscPoint tap = turn(point);
    const int x = nearest_int(static_cast<float>(hit.x) + reach_pixels * tap.x);
    const int y = nearest_int(static_cast<float>(hit.y) + reach_pixels * tap.y);
    if (x < 0 || y < 0 || x >= buffer_.width || y >= buffer_.height) continue;
    const std::size_t at = buffer_.index(x, y);
    const std::int32_t surface = buffer_.surface[at];
    if (surface == SurfaceBuffer::nothing) continue;
    const View::Ray ray = view_.world_ray(x, y);
    const Vec3 place = ray.origin + ray.direction * buffer_.depth[at];
    const Vec3 to_tap = place - hit.point;
    const float far = length(to_tap);
    if (far <= 0 || far > 2 * hit.reach) continue;
    const float near = 1 - smoothstep(hit.reach, 2 * hit.reach, far);
    blocked += std::max(0.0f, dot(to_tap, hit.normal) / far - 0.12f) * near;
    if (surface < 0) continue;
    const auto particle = static_cast<std::size_t>(surface);
    facing += (place - particles_.position[particle]) * (near / particles_.radius[particle]);
  }
  return {std::max(0.0f, 1 - 1.9f * blocked / openness_taps), normalized(facing, hit.normal)};
}

// Offset of a point from its surface, so that at grazing light the surface does not shadow itself
// within the width of a soft shadow.
float Shader::lift(const Hit& hit) const {
  const float facing = std::max(0.0f, dot(hit.normal, light_));
  return stage_.detail * (0.3f + shadow_softness * std::sqrt(1 - std::min(facing * facing, 1.0f)));
}

// The fraction of the key light that arrives, smoothed over a few particles.
float Shader::lit(const Hit& hit, float lift) const {
  if (!shadows_) return 1;
  const SurfaceBuffer& map = shadows_->buffer;
  const float detail = stage_.detail;
  const Vec3 v = shadows_->view.to_view(hit.point + hit.normal * lift);
  const Vec3 p = shadows_->view.project(v);
  const float soft = std::max(1.5f, shadow_softness * detail * shadows_->view.pixels_per_unit(v.z));
  const Turn turn(hit.x, hit.y);
  float open = 0;
  for (const DiscPoint& point : shadow_spiral) {
    const DiscPoint tap = turn(point);
    const float x = std::floor(p.x + soft * tap.x), y = std::floor(p.y + soft * tap.y);
    const bool outside = !(x >= 0 && y >= 0 && x < static_cast<float>(map.width) &&
                           y < static_cast<float>(map.height));
    const std::size_t at = outside ? 0 : map.index(static_cast<int>(x), static_cast<int>(y));
    const float limit = v.z - 1.2f * detail;
    if (!outside && map.depth[at] <= limit) continue;
    open += !outside && shadows_->glass.depth[at] <= limit ? 1 - glass_shadow : 1;
  }
  return open / shadow_taps;
}

}  // namespace panta
