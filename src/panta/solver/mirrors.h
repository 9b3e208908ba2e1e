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
// Walls at a right angle have images of images: one image of both. So have walls that face each
// other, less than h apart, as the floor and a body on it: one image behind each of them,
//
//   x_j'' = R_l R_k x_j   and   R_k R_l x_j,
//
// 2 D away, D the width of the gap. The pushes of the two on a particle in the gap cancel, but they
// depend on D: the energy gives both walls the push on the particle by the image behind the other
// wall as well, away from the gap. Without them a layer of particles between two walls transmits
// two thirds of its pressure, and a light ball stays on the floor.
//
// Where a wall is curved, d_j is the distance from a sphere of its curvature. With that from a
// plane the forces of a pair do not balance, and liquid around a ball at rest moves at 0.1 m/s.
#pragma once

#include <cstdint>

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"
#include "panta/neighbors/pair_maths.h"
#include "panta/walls/wall.h"

namespace panta {

template <class F>
PANTA_HD Vec3T<F> reflected(const Vec3T<F>& v, const Vec3& n) {
  const F twice = 2.0f * (v.x * n.x + v.y * n.y + v.z * n.z);
  return {v.x - twice * n.x, v.y - twice * n.y, v.z - twice * n.z};
}

// The mirrors near a particle, and the sets of them that make images: each alone, those that meet
// near the particle at about right angles, and, with `Bodies`, pairs that face each other, in both
// orders. Bit k of a set stands for mirror k. With `Bodies` mirrors may also be curved.
//
// A GPU stores the arrays in local memory. They are neither initialised nor copied, so that
// particles without mirrors do not access them.
template <bool Bodies>
class MirrorSets {
 public:
  static constexpr int most = ContactSet::most, most_sets = Bodies ? 12 : 8;
  static constexpr int facing = 1 << most;      // the two mirrors face each other
  static constexpr int backwards = 2 * facing;  // reflected in the mirror of the higher bit first

  PANTA_HD MirrorSets() {}
  MirrorSets(const MirrorSets&) = delete;
  MirrorSets& operator=(const MirrorSets&) = delete;
  // fill(*this)
  template <class Fill>
  PANTA_HD explicit MirrorSets(const Fill& fill) {
    fill(*this);
  }

  PANTA_HD int count() const { return count_; }
  PANTA_HD Vec3 normal(int k) const { return {at_[k].x, at_[k].y, at_[k].z}; }
  PANTA_HD bool is_free_body(int k) const { return in(free_bodies_, k); }
  // Whether the image lies behind a free body.
  PANTA_HD bool of_free_body(int set) const {
    return set & facing ? is_free_body(last_of(set)) : (free_bodies_ & set) != 0;
  }
  // Whether it lies behind a fixed wall and was reflected in a free body before.
  PANTA_HD bool through_free_body(int set) const {
    return (set & facing) && !is_free_body(last_of(set)) && is_free_body(last_of(set ^ backwards));
  }

  // Before the first mirror. Particles nearer to a mirror than `length` (m) count as at this
  // distance with `Bodies`; else their images fade.
  PANTA_HD void set_least(float length) { least_ = length, per_least_ = 1 / length; }
  // Mirrors beyond `most` are ignored. `curvature` (1/m): of the parallel surface through the
  // particle.
  PANTA_HD void add(const Vec3& normal, float distance, float weight, float curvature = 0,
                    bool free_body = false) {
    if (count_ == most) return;
    at_[count_] = {normal.x, normal.y, normal.z, distance};
    mirror_weight_[count_] = weight;
    if constexpr (Bodies) curvature_[count_] = curvature;
    free_bodies_ |= static_cast<int>(free_body) << count_;
    ++count_;
  }
  // After the last mirror: the sets that meet, or face each other, nearer than h.
  PANTA_HD void find_sets(float h) {
    for (int s = 1; s < 1 << count_; ++s) {
      const float w = weight_of(s);
      if (w > 0 && squared_distance_of(s) < h * h) add_set(s, w);
    }
    if constexpr (Bodies)
      for (int k = 1; k < count_; ++k)
        for (int l = 0; l < k; ++l) {
          const float w = weight_of_facing(k, l);
          if (!(w > 0) || !(at_[k].distance + at_[l].distance < h)) continue;
          add_set(1 << k | 1 << l | facing, w);
          add_set(1 << k | 1 << l | facing | backwards, w);
        }
  }
  // visit(set, weight, x_i - x_j', its square) of a neighbour at x_i - x_j = d, or of the particle
  // itself at 0.
  template <class F, class Visit>
  PANTA_HD void each(const Vec3T<F>& d, F r2, const Visit& visit) const {
    for (int s = 0; s < sets_; ++s) {
      Vec3T<F> e = d;
      F far2 = r2, w = set_weight_[s] + F{};
      each_in(set_[s], [&](int k) {
        const Place m = at_[k];
        const F twice = 2.0f * maximum(distance_of(k, e, far2), Bodies ? least_ : 0.0f);
        e.x = fused(twice, m.x + F{}, e.x);
        e.y = fused(twice, m.y + F{}, e.y);
        e.z = fused(twice, m.z + F{}, e.z);
        far2 = fused(twice, 2.0f * m.distance + F{}, far2);
        // Depends on the distances of both particles: their forces along the wall are opposite.
        if constexpr (!Bodies) w = w * minimum(0.5f * twice * per_least_, 1.0f);
      });
      visit(static_cast<int>(set_[s]), w, e, far2);
    }
  }
  template <class F>
  PANTA_HD Vec3T<F> image_of(int set, Vec3T<F> v) const {
    each_in(set, [&](int k) { v = reflected(v, normal(k)); });
    return v;
  }
  // R C R^-1 v; c.times(v) is C v.
  template <class F, class Matrix>
  PANTA_HD Vec3T<F> image_times(int set, const Matrix& c, const Vec3T<F>& v) const {
    return image_of(set, c.times(image_of(set & facing ? set ^ backwards : set, v)));
  }

 private:
  struct alignas(16) Place {
    float x, y, z, distance;  // normal, distance of the particle
  };

  PANTA_HD static bool in(int set, int k) { return (set >> k & 1) != 0; }

  PANTA_HD void add_set(int set, float w) {
    if (sets_ == most_sets) return;
    set_[sets_] = static_cast<std::uint8_t>(set);
    set_weight_[sets_++] = w;
  }
  // Visits the mirrors of a set in the order of the reflections.
  template <class Visit>
  PANTA_HD void each_in(int set, const Visit& visit) const {
    for (int n = 0; n < count_; ++n) {
      const int k = Bodies && (set & backwards) ? count_ - 1 - n : n;
      if (in(set, k)) visit(k);
    }
  }
  PANTA_HD int last_of(int set) const {
    int last = 0;
    each_in(set, [&](int k) { last = k; });
    return last;
  }
  // d_j of a neighbour at x_i - x_j = d: from a plane, or from the sphere of this curvature.
  template <class F>
  PANTA_HD F distance_of(int k, const Vec3T<F>& d, F r2) const {
    const Place m = at_[k];
    const F along = d.x * m.x + d.y * m.y + d.z * m.z;
    if constexpr (Bodies)
      if (curvature_[k] > 0) {
        const F more = curvature_[k] * r2 - 2.0f * along;
        return m.distance +
               more * reciprocal(square_root(maximum(1.0f + curvature_[k] * more, 0.0f)) + 1.0f);
      }
    return m.distance - along;
  }
  // About at a right angle.
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
  PANTA_HD float weight_of_facing(int k, int l) const {
    return mirror_weight_[k] * mirror_weight_[l] *
           clamp(-4 * dot(normal(k), normal(l)) - 2, 0.0f, 1.0f);
  }
  // From where its mirrors meet.
  PANTA_HD float squared_distance_of(int set) const {
    float sum = 0;
    for (int k = 0; k < count_; ++k)
      if (in(set, k)) sum += at_[k].distance * at_[k].distance;
    return sum;
  }

  int count_ = 0, sets_ = 0, free_bodies_ = 0;
  float least_ = 1, per_least_ = 1;  // m, 1/m
  Place at_[most];
  float mirror_weight_[most], set_weight_[most_sets];
  float curvature_[Bodies ? most : 1];
  std::uint8_t set_[most_sets];
};
static_assert(2 * MirrorSets<true>::backwards <= 256);

}  // namespace panta
