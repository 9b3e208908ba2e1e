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
// measured stress. The energy (density.h) is half of that of liquid and images together, and pushes
// are its gradient. Those along the wall, of j' on i and of i' on j, are opposite, and liquid at a
// wall has the whole pressure gradient along it. With a push along the normal alone it has three
// quarters, and the lighter one of two liquids does not rise at walls. With R = 1 - 2 n n^T the
// image has R C_j R for C_j (stress.h) and R G_j for G_j (free_surface.h).
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
// A convex wall has less liquid behind it than in front: its images are weighted by
// LiquidBehindWalls::behind_curved, and d_j is the distance from a sphere of its curvature. With
// that from a plane the forces of a pair do not balance, and liquid around a ball at rest moves at
// 0.1 m/s. Walls do not attract (relax.h): else drops would hang under ceilings.
#pragma once

#include "panta/methods/viscoelastic_clavet2005/stress.h"
#include "panta/walls/wall.h"

namespace panta::viscoelastic {

struct Mirror {
  Vec3 normal;
  float distance = 0, weight = 1, curvature = 0;  // 1/m, of the parallel surface through particle i
  bool free_body = false;

  // d_j of a neighbour at x_i - x_j = d: from a plane, or from the sphere of this curvature.
  template <class F>
  PANTA_HD F distance_of(const Vec3T<F>& d, F r2) const {
    const F along = d.x * normal.x + d.y * normal.y + d.z * normal.z;
    if (!(curvature > 0)) return distance - along;
    const F more = curvature * r2 - 2.0f * along;
    return distance + more * reciprocal(square_root(maximum(1.0f + curvature * more, 0.0f)) + 1.0f);
  }
};

template <class F>
PANTA_HD Vec3T<F> reflected(const Vec3T<F>& v, const Vec3& n) {
  const F twice = 2.0f * (v.x * n.x + v.y * n.y + v.z * n.z);
  return {v.x - twice * n.x, v.y - twice * n.y, v.z - twice * n.z};
}

// The mirrors near a particle, and the sets of them that make images: each alone, and those that
// meet near the particle at about right angles. Bit k of a set stands for mirror k.
// The mirrors near a particle, and the sets of them that make images: each alone, those that meet
// near the particle at about right angles, and pairs that face each other, in both orders. Bit k of
// a set stands for mirror k.
struct Mirrors {
  static constexpr float nearest = 0.1f;  // spacings; nearer particles count as at this distance
  static constexpr int most_sets = 12;
  static constexpr int facing = 1 << ContactSet::most;  // the two mirrors face each other
  static constexpr int backwards = 2 * facing;  // reflected in the mirror of the higher bit first
  int count = 0, sets = 0;
  float least = 0;  // m, the nearest distance
  Mirror item[ContactSet::most];
  int set[most_sets];
  float weight[most_sets];

  PANTA_HD static bool in(int s, int k) { return (s >> k & 1) != 0; }

  PANTA_HD void find_sets(float h) {
    for (int s = 1; s < 1 << count; ++s) {
      const float w = weight_of(s);
      if (w > 0 && squared_distance_of(s) < h * h) add(s, w);
    }
    for (int k = 1; k < count; ++k)
      for (int l = 0; l < k; ++l) {
        const float w = weight_of_facing(item[k], item[l]);
        if (!(w > 0) || !(item[k].distance + item[l].distance < h)) continue;
        add(1 << k | 1 << l | facing, w);
        add(1 << k | 1 << l | facing | backwards, w);
      }
  }
  // Whether the image lies behind a free body.
  PANTA_HD bool of_free_body(int s) const {
    if (s & facing) return item[last_of(s)].free_body;
    for (int k = 0; k < count; ++k)
      if (in(s, k) && item[k].free_body) return true;
    return false;
  }
  // Whether it lies behind a fixed wall and was reflected in a free body before.
  PANTA_HD bool through_free_body(int s) const {
    return (s & facing) && !item[last_of(s)].free_body && item[last_of(s ^ backwards)].free_body;
  }
  // visit(set, weight, x_i - x_j', its square) of a neighbour at x_i - x_j = d, or of the particle
  // itself at 0.
  template <class F, class Visit>
  PANTA_HD void each(const Vec3T<F>& d, F r2, const Visit& visit) const {
    for (int s = 0; s < sets; ++s) {
      Vec3T<F> e = d;
      F far2 = r2;
      each_in(set[s], [&](const Mirror& m) {
        const Vec3& n = m.normal;
        const F twice = 2.0f * maximum(m.distance_of(e, far2), least);
        e.x = fused(twice, n.x + F{}, e.x);
        e.y = fused(twice, n.y + F{}, e.y);
        e.z = fused(twice, n.z + F{}, e.z);
        far2 = fused(twice, 2.0f * m.distance + F{}, far2);
      });
      visit(set[s], weight[s] + F{}, e, far2);
    }
  }
  template <class F>
  PANTA_HD Vec3T<F> image_of(int s, Vec3T<F> v) const {
    each_in(s, [&](const Mirror& m) { v = reflected(v, m.normal); });
    return v;
  }
  // R C R^-1 v
  template <class F>
  PANTA_HD Vec3T<F> image_times(int s, const Correction<F>& c, const Vec3T<F>& v) const {
    return image_of(s, c.times(image_of(s & facing ? s ^ backwards : s, v)));
  }

 private:
  PANTA_HD void add(int s, float w) {
    if (sets < most_sets) set[sets] = s, weight[sets++] = w;
  }
  // Visits the mirrors of a set in the order of the reflections.
  template <class Visit>
  PANTA_HD void each_in(int s, const Visit& visit) const {
    for (int n = 0; n < count; ++n) {
      const int k = s & backwards ? count - 1 - n : n;
      if (in(s, k)) visit(item[k]);
    }
  }
  PANTA_HD int last_of(int s) const {
    int last = 0;
    for (int n = 0; n < count; ++n) {
      const int k = s & backwards ? count - 1 - n : n;
      if (in(s, k)) last = k;
    }
    return last;
  }
  // About at a right angle.
  PANTA_HD float weight_of(int s) const {
    float w = 1;
    for (int k = 0; k < count; ++k) {
      if (!in(s, k)) continue;
      w *= item[k].weight;
      for (int l = 0; l < k; ++l)
        if (in(s, l)) w *= maximum(1 - 2 * fabsf(dot(item[k].normal, item[l].normal)), 0.0f);
    }
    return w;
  }
  PANTA_HD static float weight_of_facing(const Mirror& a, const Mirror& b) {
    return a.weight * b.weight * clamp(-4 * dot(a.normal, b.normal) - 2, 0.0f, 1.0f);
  }
  // From where its mirrors meet.
  PANTA_HD float squared_distance_of(int s) const {
    float sum = 0;
    for (int k = 0; k < count; ++k)
      if (in(s, k)) sum += item[k].distance * item[k].distance;
    return sum;
  }
};

}  // namespace panta::viscoelastic
