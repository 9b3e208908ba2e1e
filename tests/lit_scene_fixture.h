// Simple surfaces and pictures of them for the tests of the path tracer.
#pragma once

#include "panta/render/final/path_tracer.h"

namespace panta {

constexpr LinearColor black = {}, white = {1, 1, 1};

inline std::shared_ptr<SurfaceMesh> quad(const Vec3& a, const Vec3& b, const Vec3& c,
                                         const Vec3& d) {
  auto mesh = std::make_shared<SurfaceMesh>();
  mesh->position = {a, b, c, d};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

inline std::shared_ptr<SurfaceMesh> box(const Vec3& low, const Vec3& high) {
  auto mesh = std::make_shared<SurfaceMesh>();
  const Bounds bounds{low, high};
  for (int k = 0; k < 8; ++k) mesh->position.push_back(bounds.corner(k));
  mesh->triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// A sphere of radius 1 around the origin.
inline std::shared_ptr<SurfaceMesh> unit_sphere(std::uint32_t rings) {
  auto mesh = std::make_shared<SurfaceMesh>();
  const std::uint32_t around = 2 * rings;
  for (std::uint32_t j = 0; j <= rings; ++j)
    for (std::uint32_t i = 0; i < around; ++i) {
      const float theta = pi_f * static_cast<float>(j) / static_cast<float>(rings);
      const float phi = 2 * pi_f * static_cast<float>(i) / static_cast<float>(around);
      mesh->position.push_back(
          {std::sin(theta) * std::cos(phi), std::cos(theta), -std::sin(theta) * std::sin(phi)});
    }
  for (std::uint32_t j = 0; j < rings; ++j)
    for (std::uint32_t i = 0; i < around; ++i) {
      const std::uint32_t next = (i + 1) % around;
      const std::uint32_t a = j * around + i, b = j * around + next;
      if (j > 0) mesh->triangles.push_back({a, a + around, b});
      if (j + 1 < rings) mesh->triangles.push_back({b, a + around, b + around});
    }
  mesh->normal = mesh->position;
  return mesh;
}

inline PictureMesh placed(std::shared_ptr<const SurfaceMesh> mesh, const Appearance& look) {
  return {std::move(mesh), {}, {}, look};
}

inline Appearance clear_matter(float refraction, float absorption = 0) {
  return {Finish::clear, {}, Vec3{1, 1, 1} * absorption, refraction};
}

inline LitScene scene_under(const LinearColor& sky) {
  LitScene scene;
  scene.sky = {sky, sky};
  return scene;
}

// Parallel rays around the line from `eye` to `target`.
inline Lens parallel_lens(const Vec3& eye, const Vec3& target, float height, int width_pixels = 1,
                          int height_pixels = 1) {
  Lens lens;
  lens.camera = {.eye = eye, .target = target, .orthographic_height = height};
  lens.camera.width = width_pixels;
  lens.camera.height = height_pixels;
  return lens;
}

inline double mean_light(const TracedPicture& picture) {
  double sum = 0;
  for (const LinearColor& c : picture.light) sum += static_cast<double>(luminance(c));
  return sum / static_cast<double>(picture.light.size());
}

// The mean light of a picture without the brightness limits.
inline double light_through(const LitScene& scene, const Lens& lens, int samples) {
  const float any = std::numeric_limits<float>::infinity();
  const PathTracer tracer(scene, {any, any});
  return mean_light(tracer.render(lens, {.samples = samples, .threads = 1}));
}

}  // namespace panta
