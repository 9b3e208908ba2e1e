// The input of the path tracer, as plain data: surfaces and their appearance, lights, sky, ground,
// lens.
#pragma once

#include <optional>
#include <vector>

#include "panta/render/final/optics.h"
#include "panta/render/scene_geometry.h"

namespace panta {

// A rectangle that emits equal radiance in all directions on the side of u x v. The camera does not
// see it directly, only in reflections and through clear matter.
struct AreaLight {
  Vec3 center, u, v;  // u, v: from the centre to the middles of two sides
  LinearColor radiance = {1, 1, 1};

  Vec3 normal() const { return normalized(cross(u, v)); }
  float area() const { return 4 * length(cross(u, v)); }
};

// Light from all directions: bright at the horizon and darker above, as over hazy ground.
struct Sky {
  LinearColor horizon = {0.60f, 0.64f, 0.68f}, zenith = {0.17f, 0.25f, 0.38f};

  LinearColor radiance(const Vec3& direction) const {
    const float up = std::clamp(direction.y, 0.0f, 1.0f), low = 1 - up;
    return mix(zenith, horizon, low * low * low);
  }
};

// An infinite matte floor that fades into the colour of the horizon with the distance, like the
// backdrop of a photographer's studio. Visible from above only.
struct Ground {
  Vec3 center;  // at the floor's height
  LinearColor color = {0.5f, 0.5f, 0.5f};
  float fade_from = 4;  // m from the centre

  // 0: ground, 1: horizon. Uniform in the picture, where a point at twice the distance is half as
  // far below the horizon.
  float faded(const Vec3& point) const {
    constexpr float end = 0.02f;
    const float nearness = fade_from / std::max(length(point - center), fade_from);
    const float t = std::min((1 - nearness) / (1 - end), 1.0f);
    return t * t * (3 - 2 * t);
  }
};

struct LitScene {
  std::vector<PictureMesh> solids = {};   // clear ones have priority over liquids in overlaps
  std::vector<PictureMesh> liquids = {};  // later ones have priority over earlier ones
  std::vector<BallSet> balls = {};
  std::optional<Ground> ground = {};
  std::vector<AreaLight> lights = {};
  Sky sky = {};
};

// A camera with a thin lens; the plane through `focus`, parallel to the picture, is sharp.
struct Lens {
  Camera camera;
  float aperture = 0;  // m, diameter; 0: everything is sharp
  Vec3 focus = {};
};

}  // namespace panta
