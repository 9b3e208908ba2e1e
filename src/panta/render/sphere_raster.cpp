#include "panta/render/sphere_raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace panta {

namespace {

constexpr int band_rows = 16;  // rows of pixels that one thread draws at a time

// A sphere in view space and the pixels it may cover; empty if it is not visible.
struct ScreenSphere {
  Vec3 center;
  float radius;
  std::int32_t particle;
  PixelRange pixels;
};

ScreenSphere place(const View& view, const Vec3& position, std::int32_t particle, float radius) {
  ScreenSphere sphere{view.to_view(position), radius, particle, {}};
  const Vec3& c = sphere.center;
  const bool finite = std::isfinite(c.x) && std::isfinite(c.y) && std::isfinite(c.z);
  if (finite && radius > 0 && c.z > 1.001f * radius)
    sphere.pixels = view.pixels_of_sphere(c, radius);
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
    if (s.pixels.empty()) return;
    for (int band = s.pixels.y0 / band_rows; band <= (s.pixels.y1 - 1) / band_rows; ++band)
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
void draw(const View& view, const ScreenSphere& sphere, int row0, int row1, SurfaceBuffer& buffer) {
  const Vec3& c = sphere.center;
  const float radius = sphere.radius;
  const PixelRange& pixels = sphere.pixels;
  for (int y = std::max(pixels.y0, row0); y < std::min(pixels.y1, row1); ++y) {
    for (int x = pixels.x0; x < pixels.x1; ++x) {
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
  return rasterize_spheres(view, positions, std::vector<float>(positions.size(), radius), threads);
}

SurfaceBuffer rasterize_spheres(const View& view, const std::vector<Vec3>& positions,
                                const std::vector<float>& radii, int threads) {
  SurfaceBuffer buffer{view.width(), view.height(), {}, {}};
  const std::size_t pixels = buffer.index(0, view.height());
  buffer.depth.assign(pixels, std::numeric_limits<float>::infinity());
  buffer.surface.assign(pixels, SurfaceBuffer::nothing);

  std::vector<ScreenSphere> spheres(positions.size());
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t k = 0; k < positions.size(); ++k)
    spheres[k] = place(view, positions[k], static_cast<std::int32_t>(k), radii[k]);

  const Bands bands = sort_into_bands(spheres, view.height());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::size_t band = 0; band < bands.start.size() - 1; ++band) {
    const int row0 = static_cast<int>(band) * band_rows;
    const int row1 = std::min(row0 + band_rows, view.height());
    for (std::size_t k = bands.start[band]; k < bands.start[band + 1]; ++k)
      draw(view, spheres[static_cast<std::size_t>(bands.spheres[k])], row0, row1, buffer);
  }
  return buffer;
}

}  // namespace panta
