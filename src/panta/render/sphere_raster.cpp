#include "panta/render/sphere_raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace panta {

namespace {

constexpr int band_rows = 16;  // rows of pixels that one thread draws at a time

// A sphere in view space and the pixels it may touch: [x0, x1) x [y0, y1), empty if unseen.
struct ScreenSphere {
  Vec3 center;
  std::int32_t particle;
  int x0, x1, y0, y1;
};

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

ScreenSphere place(const View& view, const Vec3& position, std::int32_t particle, float radius) {
  ScreenSphere sphere{view.to_view(position), particle, 0, 0, 0, 0};
  const Vec3& c = sphere.center;
  const bool finite = std::isfinite(c.x) && std::isfinite(c.y) && std::isfinite(c.z);
  if (!finite || c.z <= 1.001f * radius) return sphere;
  Interval x{c.x - radius, c.x + radius}, y{c.y - radius, c.y + radius};
  if (!view.orthographic()) {
    x = tangents(c.x, c.z, radius);
    y = tangents(c.y, c.z, radius);
  }
  const float depth = view.orthographic() ? c.z : 1.0f;
  const Vec3 low = view.project({x.low, y.high, depth});
  const Vec3 high = view.project({x.high, y.low, depth});
  const auto pixel = [](float value, int size) {
    return static_cast<int>(std::clamp(value, 0.0f, static_cast<float>(size)));
  };
  sphere.x0 = pixel(std::floor(low.x), view.width());
  sphere.x1 = pixel(std::ceil(high.x), view.width());
  sphere.y0 = pixel(std::floor(low.y), view.height());
  sphere.y1 = pixel(std::ceil(high.y), view.height());
  if (sphere.x0 >= sphere.x1) sphere.y1 = sphere.y0;
  return sphere;
}

// The spheres of each band of rows, in particle order.
struct Bands {
  std::vector<std::size_t> start;
  std::vector<std::int32_t> spheres;
};

Bands sort_into_bands(const std::vector<ScreenSphere>& spheres, int height) {
  Bands bands;
  const int count = (height + band_rows - 1) / band_rows;
  bands.start.assign(static_cast<std::size_t>(count) + 1, 0);
  const auto for_each_band = [](const ScreenSphere& s, auto&& visit) {
    if (s.y0 >= s.y1) return;
    for (int band = s.y0 / band_rows; band <= (s.y1 - 1) / band_rows; ++band)
      visit(static_cast<std::size_t>(band));
  };
  for (const ScreenSphere& s : spheres)
    for_each_band(s, [&](std::size_t band) { ++bands.start[band + 1]; });
  for (std::size_t k = 1; k < bands.start.size(); ++k) bands.start[k] += bands.start[k - 1];
  bands.spheres.resize(bands.start.back());
  std::vector<std::size_t> next(bands.start.begin(), bands.start.end() - 1);
  for (std::size_t k = 0; k < spheres.size(); ++k)
    for_each_band(spheres[k], [&](std::size_t band) {
      bands.spheres[next[band]++] = static_cast<std::int32_t>(k);
    });
  return bands;
}

// Draws the rows [row0, row1) of one sphere.
void draw(const View& view, const ScreenSphere& sphere, float radius, int row0, int row1,
          SurfaceBuffer& buffer) {
  const Vec3& c = sphere.center;
  for (int y = std::max(sphere.y0, row0); y < std::min(sphere.y1, row1); ++y) {
    for (int x = sphere.x0; x < sphere.x1; ++x) {
      const std::size_t at = buffer.index(x, y);
      if (c.z - radius >= buffer.depth[at]) continue;
      const View::Ray ray = view.view_ray(x, y);
      const Vec3 to_center = c - ray.origin;
      const float a = dot(ray.direction, ray.direction);
      const float along = dot(to_center, ray.direction) / a;
      const Vec3 miss = to_center - ray.direction * along;
      const float inside = radius * radius - dot(miss, miss);
      if (inside < 0) continue;
      const float depth = along - std::sqrt(inside / a);
      if (depth < buffer.depth[at]) {
        buffer.depth[at] = depth;
        buffer.surface[at] = sphere.particle;
      }
    }
  }
}

}  // namespace

SurfaceBuffer rasterize_spheres(const View& view, const std::vector<Vec3>& positions, float radius,
                                int threads) {
  SurfaceBuffer buffer{view.width(), view.height(), {}, {}};
  const std::size_t pixels = buffer.index(0, view.height());
  buffer.depth.assign(pixels, std::numeric_limits<float>::infinity());
  buffer.surface.assign(pixels, SurfaceBuffer::nothing);

  std::vector<ScreenSphere> spheres(positions.size());
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t k = 0; k < positions.size(); ++k)
    spheres[k] = place(view, positions[k], static_cast<std::int32_t>(k), radius);

  const Bands bands = sort_into_bands(spheres, view.height());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::size_t band = 0; band < bands.start.size() - 1; ++band) {
    const int row0 = static_cast<int>(band) * band_rows;
    const int row1 = std::min(row0 + band_rows, view.height());
    for (std::size_t k = bands.start[band]; k < bands.start[band + 1]; ++k)
      draw(view, spheres[static_cast<std::size_t>(bands.spheres[k])], radius, row0, row1, buffer);
  }
  return buffer;
}

}  // namespace panta
