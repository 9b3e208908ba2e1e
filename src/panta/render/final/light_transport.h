// The light that comes along a ray, estimated by following one random path backwards.
//
// Where the path meets a matte or glossy surface, light from the area lights is gathered by rays to
// random points of them and, weighted by how likely each of the two is (Veach's power heuristic),
// by the path itself should it meet a light; the sky is smooth enough for the path alone. At clear
// surfaces the path is mirrored or refracted, chosen by Fresnel's factor; the first such surfaces
// that the camera sees send it both ways instead. Radiance in a medium of index n is n^2 times that
// outside, as Snell's law bundles it.
//
// Deviations from light itself:
// - Rays to lights go straight through clear matter, dimmed by Fresnel's factor (of the thinner
// side:
//   never totally) and by absorption. Shadows of glass and water are tinted and soft, without the
//   bright lines of caustics. In exchange what stands in a glass is lit without noise. Light that a
//   path finds behind clear matter after a matte surface is therefore not counted again, and light
//   that clear matter mirrors on to matte surfaces is left out.
// - After a first matte or glossy surface all others are matte: gloss throws no light on them.
// - What a path brings from one place is cut off at a brightness, against lone white dots.
// - Area lights hide nothing behind them.
#pragma once

#include <array>

#include "panta/render/final/ray_scene.h"
#include "panta/render/final/sampler.h"

namespace panta {

// The most that a path may bring from one place, in units of the picture's white: where the camera
// sees it for certain, perhaps mirrored or refracted, and where the path got there by chance.
struct Brightest {
  float certain = 16, by_chance = 1.5f;
};

class LightTransport {
 public:
  LightTransport(const LitScene& scene, const Brightest& brightest);

  // Adds to `rays` how many were followed.
  LinearColor radiance(const Ray& ray, const Sampler& sampler, std::uint64_t& rays) const;

 private:
  // What a path does when it comes by an area light.
  enum class LightSeen {
    no,        // straight from the camera, or counted already by rays to the lights
    fully,     // mirrored or refracted on the way from the camera only
    weighted,  // from a surface that has also sent rays to the lights
  };
  static constexpr int most_splits = 6;  // per path
  struct Branch {
    Ray ray;
    LinearColor weight = {1, 1, 1};
    float reference = 1;  // the weight it began with
    Sampler sampler;
    MediaSet media = 0;
    LightSeen lights = LightSeen::no;
    float probability = 0;  // of its direction, where weighted ...
    float light_share = 1;  // ... and of the light having been chosen there
    int splits = 0;         // so far
    bool seen = true;       // by the camera, through mirrors and clear matter ...
    bool certain = true;    // ... without having chosen a way at random
  };
  struct Estimate {
    LinearColor light;
    std::array<Branch, most_splits + 1> pending;
    std::size_t pending_count = 0;
    std::uint64_t rays = 0;
  };
  struct Straight {
    LinearColor share;  // of the light that arrives
    bool clear;         // nothing in between
  };

  void follow(Branch branch, Estimate& estimate) const;
  void add(const Branch& branch, const LinearColor& light, Estimate& estimate) const;
  LinearColor dimming(MediaSet media, float distance) const;
  bool meet_ground(const Ray& ray, SurfaceHit& hit) const;
  void add_lights(const Branch& branch, float limit, Estimate& estimate) const;
  bool cross(const SurfaceHit& hit, Branch& branch, Estimate& estimate) const;
  void pass(const SurfaceHit& hit, const Vec3& direction, Branch& branch) const;
  bool scatter(const SurfaceHit& hit, Branch& branch, Estimate& estimate) const;
  LinearColor lit_directly(const class Paint& paint, const SurfaceHit& hit, const Vec3& side,
                           Branch& branch, Estimate& estimate) const;
  LinearColor lit_by(const AreaLight& light, const class Paint& paint, const SurfaceHit& hit,
                     const Vec3& side, Branch& branch, Estimate& estimate) const;
  Straight straight_light(Ray ray, float distance, MediaSet media, Estimate& estimate) const;
  bool survives(Branch& branch, float full) const;

  RayScene surfaces_;
  std::vector<AreaLight> lights_;
  Sky sky_;
  std::optional<Ground> ground_;
  Brightest brightest_;
};

}  // namespace panta
