#include "panta/render/glass.h"

#include <array>
#include <cmath>

namespace panta {

namespace {

constexpr std::size_t most_crossings = 16;  // per ray; the nearest are used
constexpr LinearColor rim_paint = {0.36f, 0.45f, 0.49f};
constexpr LinearColor sky_sheen = {0.93f, 0.97f, 1.0f};
constexpr LinearColor floor_sheen = {0.60f, 0.64f, 0.66f};
constexpr LinearColor highlight_light = {1.0f, 0.98f, 0.95f};

}  // namespace

Glass::Glass(const std::vector<DrawnBody>& bodies, const View& view, const Vec3& towards_light,
             int threads)
    : view_(view), light_(towards_light), bodies_(trace_all(bodies, view, threads)) {}

LinearColor Glass::over(const LinearColor& color, float depth, int x, int y) const {
  std::array<Crossing, most_crossings> crossings;
  std::size_t count = 0;
  const View::Ray ray = view_.world_ray(x, y);
  for (const TracedSolid& body : bodies_)
    body.each_crossing(x, y, ray, depth, [&](float there) {
      if (count < most_crossings) crossings[count++] = {there, &body.shape()};
    });
  std::sort(crossings.begin(), crossings.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Crossing& a, const Crossing& b) { return a.depth > b.depth; });
  LinearColor seen = color;
  for (std::size_t k = 0; k < count; ++k) seen = over(seen, crossings[k], ray);
  return seen;
}

// The reflection is a bright sky and a darker floor. The rim is darker than a bright background and
// brighter than a dark one, so that the shape is visible on both.
LinearColor Glass::over(const LinearColor& color, const Crossing& crossing,
                        const View::Ray& ray) const {
  const Vec3 towards_eye = -normalized(ray.direction);
  Vec3 normal = distance(*crossing.shape, ray.origin + ray.direction * crossing.depth).normal;
  const bool faces_eye = dot(normal, towards_eye) > 0;
  if (!faces_eye) normal = -normal;
  const float facing = dot(normal, towards_eye);
  const float grazing = 1 - facing;
  const float rim = 0.03f + 0.6f * grazing * grazing * grazing;
  const Vec3 mirrored = normal * (2 * facing) - towards_eye;
  const LinearColor sheen = mix(floor_sheen, sky_sheen, 0.5f + 0.5f * mirrored.y);
  const LinearColor tinted = mix(color, mix(sheen, rim_paint, grazing), rim);
  const float shine = std::max(0.0f, dot(normal, normalized(light_ + towards_eye)));
  const float highlight = std::pow(shine, 50.0f) * (faces_eye ? 0.45f : 0.15f);
  return tinted + highlight_light * highlight;
}

}  // namespace panta
