// The light that arrives along a ray, estimated by following one random path backwards.
//
// At a matte or glossy surface, light from the area lights is sampled in two ways, combined with
// Veach's power heuristic: by rays to random points of the lights, and by the path itself if it
// meets a light. The sky is smooth enough for the path alone. At clear surfaces the path is
// reflected or refracted, chosen by Fresnel's factor; at the first such surfaces that the camera
// sees both directions are followed. Radiance in a medium of index n is n^2 times that outside, by
// Snell's law.
//
// Deviations from physical light transport:
// - Rays to lights go straight through clear matter, reduced by Fresnel's factor (of the thinner
//   side: never totally) and by absorption. Shadows of glass and water are tinted and soft, without
//   the bright lines of caustics; in return, surfaces inside a glass are lit without noise. Light
//   that a path finds behind clear matter after a matte surface is therefore not counted again, and
//   light that clear matter reflects on matte surfaces is omitted.
// - After a first matte or glossy surface all others are matte: there are no reflections of gloss.
// - The contribution of one place to a path is limited, to avoid single white pixels.
// - Area lights do not hide anything behind them.
#pragma once

#include <array>

#include "panta/render/final/ray_scene.h"
#include "panta/render/final/sampler.h"

namespace panta {

// The largest contribution of one place to a path, relative to the picture's white: at surfaces
// that the camera sees with certainty, perhaps reflected or refracted, and at surfaces that the
// path reached at random.
struct Brightest {
  float certain = 16, by_chance = 1.5f;
};

class LightTransport {
 public:
  LightTransport(const LitScene& scene, const Brightest& brightest);

  // Adds the number of rays followed to `rays`.
  LinearColor radiance(const Ray& ray, const Sampler& sampler, std::uint64_t& rays) const;

 private:
  // The way in which a path counts an area light that it meets.
  enum class LightSeen {
    no,        // direct view, or counted already by rays to the lights
    fully,     // only reflected or refracted since the camera
    weighted,  // from a surface that has also sent rays to the lights
  };
  static constexpr int most_splits = 6;  // per path
  struct Branch {
    Ray ray;
    LinearColor weight = {1, 1, 1};
    float reference = 1;  // its initial weight
    Sampler sampler;
    MediaSet media = 0;
    LightSeen lights = LightSeen::no;
    float probability = 0;  // of its direction, if weighted
    float light_share = 1;  // probability that the light was chosen there
    int splits = 0;         // so far
    bool seen = true;       // by the camera, through reflections and clear matter
    bool certain = true;    // no direction was chosen at random
  };
  struct Estimate {
    LinearColor light;
    std::array<Branch, most_splits + 1> pending;
    std::size_t pending_count = 0;
    std::uint64_t rays = 0;
  };
  struct Straight {
    LinearColor share;  // fraction of the light that arrives
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
