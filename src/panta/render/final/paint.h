// Reflection by an opaque surface: matte, or matte under a clear varnish.
//
// The varnish reflects F(out) of the incoming light by GGX. The light that passes the varnish in
// both directions, (1 - F(out)) (1 - F(in)), is reflected diffusely by the base. The division by
// one minus the mean of F over the half space makes a white base reflect everything, except for the
// losses between microfacets.
#pragma once

#include "panta/render/final/optics.h"
#include "panta/render/scene_geometry.h"

namespace panta {

class Paint {
 public:
  // `n` and `out` must be on the same side.
  Paint(Finish finish, const LinearColor& color, const Vec3& n, const Vec3& out)
      : frame_(n), out_(frame_.to_local(out)), color_(color), glossy_(finish != Finish::matte) {
    out_.z = std::max(out_.z, 1e-4f);
    if (!glossy_) return;
    const float mirrored = fresnel(out_.z, 1, varnish_index);
    through_ = (1 - mirrored) / (1 - varnish_mean);
    mirror_share_ = std::clamp(mirrored / (mirrored + brightest(color) + 1e-4f), 0.1f, 0.9f);
  }

  struct Value {
    LinearColor light;      // reflectance times the cosine of `in`
    float probability = 0;  // density per solid angle with which sample() gives `in`
  };

  Value value(const Vec3& in) const {
    const Vec3 to = frame_.to_local(in);
    if (to.z <= 0) return {};
    const float even = to.z / pi_f;
    if (!glossy_) return {color_ * even, even};
    const Vec3 half = normalized(out_ + to);
    const float base = even * through_ * (1 - fresnel(to.z, 1, varnish_index));
    const float mirror = varnish_.reflected(out_, to, half) *
                         fresnel(std::max(dot(out_, half), 0.0f), 1, varnish_index);
    return {color_ * base + Vec3{1, 1, 1} * mirror,
            mix_share(varnish_.probability(out_, half), even)};
  }

  // A random direction of incoming light; it may lie below the surface, where value() is zero.
  Vec3 sample(Pair u) const {
    if (!glossy_) return frame_.to_world(cosine_direction(u));
    if (u.x >= mirror_share_)
      return frame_.to_world(cosine_direction({(u.x - mirror_share_) / (1 - mirror_share_), u.y}));
    const Vec3 half = varnish_.sample_half(out_, {u.x / mirror_share_, u.y});
    return frame_.to_world(mirrored(-out_, half));
  }

 private:
  static constexpr float varnish_index = 1.5f;
  static constexpr float varnish_mean = 0.0918f;  // of its Fresnel factor over the half space
  static constexpr float varnish_roughness = 0.3f;

  float mix_share(float mirror, float base) const {
    return mirror_share_ * mirror + (1 - mirror_share_) * base;
  }

  Frame frame_;
  Vec3 out_;
  LinearColor color_;
  bool glossy_;
  RoughMirror varnish_{varnish_roughness};
  float through_ = 1, mirror_share_ = 0;
};

}  // namespace panta
