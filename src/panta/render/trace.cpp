#include "panta/render/trace.h"

#include <cmath>
#include <limits>

#include "panta/geometry/bounds.h"
#include "panta/geometry/distance_grid.h"
#include "panta/geometry/surface_cells.h"

namespace panta {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float stride_share = 0.8f;          // fraction of the distance, for one ray
constexpr float longest_stride_share = 1.2f;  // limit if the last step gives the rate of approach
constexpr float tile_stride_share = 0.6f;     // for a whole tile
constexpr int most_strides = 256;
constexpr int tile_pixels = 8;  // across
constexpr float relative_accuracy = 1e-4f;
constexpr int few_rows = 8;  // of tiles: too few for several threads

// A distance cannot grow by more than the path; if it does, it comes from a combination of distant
// parts.
float bounded(float value, float before, float path) {
  const float most = std::abs(before) + path;
  return std::clamp(value, -most, most);
}

// The tiles that may show the solid: all tiles if the eye is close to it.
PixelRange tiles_around(const DrawnBody& drawn, const View& view) {
  const PixelRange all{0, view.width(), 0, view.height()};
  const Vec3 center = view.to_view(drawn.center);
  if (!(center.z > 1.001f * drawn.radius)) return all;
  PixelRange near = view.pixels_of_sphere(center, drawn.radius);
  near.x0 -= near.x0 % tile_pixels;
  near.y0 -= near.y0 % tile_pixels;
  near.x1 = std::min((near.x1 + tile_pixels - 1) / tile_pixels * tile_pixels, all.x1);
  near.y1 = std::min((near.y1 + tile_pixels - 1) / tile_pixels * tile_pixels, all.y1);
  return near;
}

}  // namespace

Bounds surface_bounds(const Shape& shape) {
  constexpr float cells_across = 48;
  const ShapeBounds rough = shape_bounds(shape);
  const Bounds promised{to_float(rough.min), to_float(rough.max)};
  if (shape.primitive()) return promised;
  const DistanceFunction value = [&](const Vec3& x) { return distance(shape, x); };
  const float size = promised.diagonal() / cells_across;
  Bounds found;
  for (Vec3 x : find_surface_cells(value, promised.min, promised.max, size).centre) {
    for (int step = 0; step < 3; ++step) {
      const Distance d = distance(shape, x);
      x -= d.normal * d.value;
    }
    if (std::abs(distance(shape, x).value) < 0.01f * size) found.include(x);
  }
  return found.empty() ? promised : found;
}

Shape prepared_for_tracing(const Shape& shape) {
  constexpr std::size_t few_parts = 4;
  constexpr float cells_across = 128, band_cells = 3;
  if (shape.nodes().size() <= few_parts) return shape;
  const Bounds bounds = surface_bounds(shape);
  const float cell = bounds.diagonal() / cells_across;
  const DistanceFunction value = [&](const Vec3& x) { return distance(shape, x); };
  return Shape::grid(
      std::make_shared<const DistanceGrid>(value, bounds.min, bounds.max, cell, band_cells * cell));
}

SurfaceWalk::SurfaceWalk(const Shape& shape, const View::Ray& ray, float from, float to,
                         float accuracy)
    : shape_(shape),
      ray_(ray),
      inverse_speed_(1 / length(ray.direction)),
      depth_(from),
      last_(to),
      accuracy_(accuracy),
      value_(value_at(from)),
      starts_inside_(value_ < 0) {}

bool SurfaceWalk::next() {
  float share = stride_share;  // of the distance, for the next step
  for (int k = 0; k < most_strides && depth_ < last_; ++k) {
    const float before = value_, path = share * std::abs(before) + accuracy_;
    const float stride = path * inverse_speed_;
    const float value = bounded(value_at(depth_ + stride), before, path);
    const bool crossed = (before < 0) != (value < 0);
    const bool covered = path <= std::abs(before) + std::abs(value) + accuracy_;
    if (!crossed && !covered) {  // a surface may lie between: a shorter step
      share = stride_share;
      continue;
    }
    value_ = value;
    if (crossed) crossing_ = depth_ + stride * (before / (before - value));
    depth_ += stride;
    if (crossed) return crossing_ < last_;
    const float closing = (std::abs(before) - std::abs(value)) / path;
    share = closing > 0 ? std::min(1 / closing, longest_stride_share) : stride_share;
  }
  return false;
}

TracedSolid::TracedSolid(const DrawnBody& drawn, const View& view, int threads)
    : body_(drawn),
      accuracy_(relative_accuracy * drawn.radius),
      pixels_(tiles_around(drawn, view)) {
  if (pixels_.empty()) return;
  tiles_across_ = (pixels_.x1 - pixels_.x0 + tile_pixels - 1) / tile_pixels;
  const int rows = (pixels_.y1 - pixels_.y0 + tile_pixels - 1) / tile_pixels;
  start_.resize(static_cast<std::size_t>(tiles_across_) * static_cast<std::size_t>(rows));
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (rows > few_rows)
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < tiles_across_; ++column)
      start_[static_cast<std::size_t>(row * tiles_across_ + column)] =
          tile_start(view, pixels_.x0 + column * tile_pixels, pixels_.y0 + row * tile_pixels);
}

float TracedSolid::first_hit(int x, int y, const View::Ray& ray) const {
  const Span span = span_of(x, y, ray);
  if (!(span.from < span.to)) return infinity;
  SurfaceWalk walk(body_.shape, ray, span.from, span.to, accuracy_);
  if (walk.starts_inside()) return span.from;
  return walk.next() ? walk.depth() : infinity;
}

TracedSolid::Span TracedSolid::through_ball(const View::Ray& ray, float radius) const {
  const float speed2 = dot(ray.direction, ray.direction);
  const float along = dot(body_.center - ray.origin, ray.direction) / speed2;
  const Vec3 nearest = ray.origin + ray.direction * along - body_.center;
  const float inside = radius * radius - dot(nearest, nearest);
  if (inside < 0) return {infinity, -infinity};
  const float half_chord = std::sqrt(inside / speed2);
  return {std::max(along - half_chord, 0.0f), along + half_chord};
}

TracedSolid::Span TracedSolid::span_of(int x, int y, const View::Ray& ray) const {
  if (x < pixels_.x0 || x >= pixels_.x1 || y < pixels_.y0 || y >= pixels_.y1)
    return {infinity, -infinity};
  const int row = (y - pixels_.y0) / tile_pixels, column = (x - pixels_.x0) / tile_pixels;
  const float start = start_[static_cast<std::size_t>(row * tiles_across_ + column)];
  if (start == infinity) return {infinity, -infinity};
  const Span ball = through_ball(ray, body_.radius);
  return {std::max(ball.from, start), ball.to};
}

// Start depth for the rays of the tile with the corner (x, y): no ray meets the solid before it.
float TracedSolid::tile_start(const View& view, int x, int y) const {
  constexpr float half_diagonal = 0.75f * tile_pixels;  // slightly more than the exact value
  const View::Ray ray = view.world_ray(x + tile_pixels / 2, y + tile_pixels / 2);
  const float speed = length(ray.direction);
  const auto half_width = [&](float depth) { return half_diagonal / view.pixels_per_unit(depth); };
  const float near =
      std::max(dot(body_.center - ray.origin, ray.direction) / (speed * speed), 0.0f);
  const Span span = through_ball(ray, body_.radius + half_width(near + body_.radius));
  const float widening = view.orthographic() ? 0 : half_width(1);
  float depth = span.from, value = infinity, path = 0;
  for (int k = 0; k < most_strides; ++k) {
    if (!(depth < span.to)) return infinity;
    value = bounded(distance(body_.shape, ray.origin + ray.direction * depth).value, value, path);
    const float gap = value - half_width(depth);
    if (gap < std::max(accuracy_, 0.25f * half_width(depth))) break;
    const float stride = tile_stride_share * gap / (speed + widening);
    path = stride * speed;
    depth += stride;
  }
  return depth;
}

std::vector<TracedSolid> trace_all(const std::vector<DrawnBody>& drawn_bodies, const View& view,
                                   int threads) {
  std::vector<TracedSolid> traced;
  for (const DrawnBody& drawn : drawn_bodies) traced.emplace_back(drawn, view, threads);
  return traced;
}

}  // namespace panta
