// Walls as mirrors of the liquid in front of them.
//
// Particle j has in a flat wall, of normal n into the liquid, an image j' at the same distance d_j
// behind it:
//
//   x_i - x_j' = x_i - x_j + 2 d_j n,   |x_i - x_j'|^2 = |x_i - x_j|^2 + 4 d_i d_j
//
// An image is farther away than its particle, so that the neighbour lists contain all of them, and
// d_j = d_i - n.(x_i - x_j) follows from values of the pair. A particle counts the images of its
// neighbours, and its own at 2 d_i n, like other particles: in densities, in pushes and in the
// measured stress. The energy is half of that of liquid and images together, and pushes are its
// gradient. Those along the wall, of j' on i and of i' on j, are opposite, and liquid at a wall has
// the whole pressure gradient along it. With a push along the normal alone it has three quarters,
// and the lighter one of two liquids does not rise at walls. With R = 1 - 2 n n^T the image has R
// v_j for a vector v_j and R C_j R for a matrix C_j.
//
// Walls at a right angle have images of images.
#pragma once

#include <cstdint>

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"
#include "panta/walls/wall.h"

namespace panta {

template <class F>
PANTA_HD Vec3T<F> reflected(const Vec3T<F>& v, const Vec3& n) {
  const F twice = 2.0f * (v.x * n.x + v.y * n.y + v.z * n.z);
  return {v.x - twice * n.x, v.y - twice * n.y, v.z - twice * n.z};
}

// The mirrors near a particle, and the sets of them that make images: each alone, and those that
// meet near the particle at about right angles. Bit k of a set stands for mirror k.
//
// A GPU stores the arrays in local memory. They are neither initialised nor copied, so that
// particles without mirrors do not access them.
class Mirrors {
 public:
  static constexpr int most = ContactSet::most, most_sets = 8;

  PANTA_HD Mirrors() {}
  Mirrors(const Mirrors&) = delete;
  Mirrors& operator=(const Mirrors&) = delete;
  // fill(*this)
  template <class Fill>
  PANTA_HD explicit Mirrors(const Fill& fill) {
    fill(*this);
  }

  PANTA_HD int count() const { return count_; }
  PANTA_HD Vec3 normal(int k) const { return {at_[k].x, at_[k].y, at_[k].z}; }
  PANTA_HD bool is_free_body(int k) const { return in(free_bodies_, k); }
  // Whether a mirror of the set is a free body.
  PANTA_HD bool of_free_body(int set) const { return (free_bodies_ & set) != 0; }

  // Before the first mirror: images of particles nearer to a mirror than `length` (m) fade.
  PANTA_HD void set_fading(float length) { per_fading_ = 1 / length; }
  // Mirrors beyond `most` are ignored.
  PANTA_HD void add(const Vec3& normal, float distance, float weight, bool free_body = false) {
    if (count_ == most) return;
    at_[count_] = {normal.x, normal.y, normal.z, distance};
    mirror_weight_[count_] = weight;
    free_bodies_ |= static_cast<int>(free_body) << count_;
    ++count_;
  }
  // After the last mirror: the sets that meet nearer than h.
  PANTA_HD void find_sets(float h) {
    for (int s = 1; s < 1 << count_ && sets_ < most_sets; ++s) {
      const float w = weight_of(s);
      if (!(w > 0 && squared_distance_of(s) < h * h)) continue;
      members_ |= static_cast<std::uint32_t>(s) << (most * sets_);
      set_weight_[sets_++] = w;
    }
  }
  // Uses the distances of both particles, so that their forces along the wall are opposite.
  template <class F>
  PANTA_HD F faded(F away) const {
    return minimum(away * per_fading_, 1.0f);
  }
  // visit(set, weight, x_i - x_j', its square) of a neighbour at x_i - x_j = d, or of the particle
  // itself at 0.
  template <class F, class Visit>
  PANTA_HD void each(const Vec3T<F>& d, F r2, const Visit& visit) const {
    for (int s = 0; s < sets_; ++s) {
      const int set = static_cast<int>(members_ >> (most * s)) & ((1 << most) - 1);
      Vec3T<F> e = d;
      F far2 = r2, w = set_weight_[s] + F{};
      for (int k = 0, rest = set; rest != 0; ++k, rest >>= 1) {
        if (!in(rest, 0)) continue;
        const Place m = at_[k];
        const F away = m.distance - (d.x * m.x + d.y * m.y + d.z * m.z);
        const F twice = 2.0f * maximum(away, 0.0f);
        e.x = fused(twice, m.x + F{}, e.x);
        e.y = fused(twice, m.y + F{}, e.y);
        e.z = fused(twice, m.z + F{}, e.z);
        far2 = fused(twice, 2.0f * m.distance + F{}, far2);
        w = w * faded(0.5f * twice);
      }
      visit(set, w, e, far2);
    }
  }
  template <class F>
  PANTA_HD Vec3T<F> image_of(int set, Vec3T<F> v) const {
    for (int k = 0; k < count_; ++k)
      if (in(set, k)) v = reflected(v, normal(k));
    return v;
  }
  // R C R v; c.times(v) is C v.
  template <class F, class Matrix>
  PANTA_HD Vec3T<F> image_times(int set, const Matrix& c, const Vec3T<F>& v) const {
    return image_of(set, c.times(image_of(set, v)));
  }

 private:
  struct alignas(16) Place {
    float x, y, z, distance;  // normal, distance of the particle
  };

  PANTA_HD static bool in(int set, int k) { return (set >> k & 1) != 0; }

  PANTA_HD float weight_of(int set) const {
    float w = 1;
    for (int k = 0; k < count_; ++k) {
      if (!in(set, k)) continue;
      w *= mirror_weight_[k];
      for (int l = 0; l < k; ++l)
        if (in(set, l)) w *= maximum(1 - 2 * fabsf(dot(normal(k), normal(l))), 0.0f);
    }
    return w;
  }
  // From where its mirrors meet.
  PANTA_HD float squared_distance_of(int set) const {
    float sum = 0;
    for (int k = 0; k < count_; ++k)
      if (in(set, k)) sum += at_[k].distance * at_[k].distance;
    return sum;
  }

  int count_ = 0, sets_ = 0, free_bodies_ = 0;
  std::uint32_t members_ = 0;  // `most` bits of each set
  float per_fading_ = 1;       // 1/m
  Place at_[most];
  float mirror_weight_[most], set_weight_[most_sets];
};
static_assert(Mirrors::most * Mirrors::most_sets <= 32);

}  // namespace panta
