// The formulas for one particle's blob after Yu and Turk (2013), explained in anisotropy.h, for
// host and device. F is float, or on the CPU a pack of sixteen: of neighbours in the sums, of
// particles in the values computed from them.
#pragma once

#include <cmath>

#include "panta/core/eigen3.h"
#include "panta/surface/blob.h"

namespace panta::anisotropic {

inline constexpr float neighbor_radius = 1.25f;  // search radius for neighbours, in blob radii
inline constexpr float narrowest = 0.5f;         // limit of the half sizes, in radii
inline constexpr float few = 4, many = 12;       // neighbours: round below, fully shaped above
inline constexpr float layer_half = 0.4f;        // radii: half the height of a particle's own layer
inline constexpr float most_shift = 0.25f;       // radii
inline constexpr float smoothing = 0.9f;         // fraction of the way to the mean
inline constexpr float volume_power = 0.73f;     // p of colour_field.h
inline constexpr float barely_thin = 0.05f, wholly_thin = 0.3f;  // below the longest half size

template <class F>
PANTA_HD F smooth_step(float from, float to, F x) {
  const F t = minimum(maximum((x - from) * (1 / (to - from)), 0.0f), 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// The weight of a neighbour, 1 - (r / r_n)^3; `inverse` is 1 / r_n.
template <class F>
PANTA_HD F neighbor_weight(F dx, F dy, F dz, float inverse) {
  const F r = square_root(dx * dx + dy * dy + dz * dz) * inverse;
  return maximum(1.0f - r * r * r, 0.0f);
}

// Weighted sums over the offsets of neighbours.
template <class F>
struct MomentSums {
  F w{}, x{}, y{}, z{}, xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  PANTA_HD void add(F weight, F dx, F dy, F dz) {
    const F wx = weight * dx, wy = weight * dy, wz = weight * dz;
    w = w + weight;
    x = x + wx, y = y + wy, z = z + wz;
    xx = fused(wx, dx, xx), yy = fused(wy, dy, yy), zz = fused(wz, dz, zz);
    xy = fused(wx, dy, xy), xz = fused(wx, dz, xz), yz = fused(wy, dz, yz);
  }
};

// Axes of the neighbours' covariance and derived values; sizes in radii.
template <class F>
struct Frame {
  Eigen3T<F> axes;
  F shaped;             // 0: round, 1: fully shaped
  Vec3T<F> size, thin;  // half sizes; thinness relative to the longest one, 0 to 1
};

template <class F>
PANTA_HD Frame<F> find_frame(const MomentSums<F>& sum, float full_variance) {
  const F inverse = 1.0f / sum.w;
  const Vec3T<F> mean{sum.x * inverse, sum.y * inverse, sum.z * inverse};
  const F xy = sum.xy * inverse - mean.x * mean.y, xz = sum.xz * inverse - mean.x * mean.z,
          yz = sum.yz * inverse - mean.y * mean.z;
  const Vec3T<F> covariance[3] = {{sum.xx * inverse - mean.x * mean.x, xy, xz},
                                  {xy, sum.yy * inverse - mean.y * mean.y, yz},
                                  {xz, yz, sum.zz * inverse - mean.z * mean.z}};
  Frame<F> frame;
  frame.axes = symmetric_eigen(covariance);
  frame.shaped = smooth_step(few, many, sum.w);  // a single particle has a weighted count of 1
  for (int k = 0; k < 3; ++k) {
    const F deviation = square_root(maximum(frame.axes.value[k] * (1 / full_variance), 0.0f));
    frame.size[k] = 1.0f + frame.shaped * (minimum(maximum(deviation, narrowest), 1.0f) - 1.0f);
    frame.thin[k] = smooth_step(barely_thin, wholly_thin, 1.0f - frame.size[k] / frame.size[0]);
  }
  return frame;
}

// Along one particle's axes: the windows of its blob and of its layer, as 1 / half sizes^2.
struct Window {
  Vec3 axis[3], blob, layer;

  PANTA_HD void set(int k, const Vec3& direction, float size, float thin, float radius) {
    const float half = radius * size, height = radius * (1 + thin * (layer_half - 1));
    axis[k] = direction;
    blob[k] = 1 / (half * half), layer[k] = 1 / (height * height);
  }
};

// The weight of a neighbour that is as large as the particle.
struct FullShare {
  template <class F>
  PANTA_HD F operator*(F weight) const {
    return weight;
  }
};

// Sums over a particle's neighbours along its axes.
template <class F>
struct LayerSums {
  F crowd{}, weight{};  // bumps inside the blob; weights inside the layer
  Vec3T<F> offset{};    // weighted by the latter

  // `share`: FullShare, or the neighbour's volume relative to the particle's own.
  template <class Share = FullShare>
  PANTA_HD void add(const Window& window, F dx, F dy, F dz, Share share = {}) {
    const auto along = [&](const Vec3& e) {
      return fused(F{} + e.x, dx, fused(F{} + e.y, dy, e.z * dz));
    };
    const Vec3T<F> u{along(window.axis[0]), along(window.axis[1]), along(window.axis[2])};
    const auto inside = [&](const Vec3& f) {
      return u.x * u.x * f.x + u.y * u.y * f.y + u.z * u.z * f.z;
    };
    crowd = crowd + share * SmoothBump::bump(inside(window.blob));
    const F w = share * maximum(1.0f - inside(window.layer), 0.0f);
    weight = weight + w;
    offset += {w * u.x, w * u.y, w * u.z};
  }
};

// Shift of a particle to the mean of its layer.
template <class F>
PANTA_HD Vec3T<F> shift_of(const Frame<F>& frame, const LayerSums<F>& sums, float radius) {
  Vec3T<F> shift{};
  const F inverse = 1.0f / sums.weight;
  for (int k = 0; k < 3; ++k)
    shift += frame.axes.vector[k] *
             (smoothing * frame.shaped * frame.thin[k] * (sums.offset[k] * inverse));
  const F moved = square_root(dot(shift, shift));
  return shift * minimum(most_shift * radius / maximum(moved, 1e-20f), 1.0f);
}

// F of blob.h, and the half sizes of the bounding box of the ellipsoid.
template <class F>
struct Ellipsoid {
  F xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
  Vec3T<F> box;
};
template <class F>
PANTA_HD Ellipsoid<F> ellipsoid_of(const Frame<F>& frame, float radius) {
  Ellipsoid<F> form;
  Vec3T<F> square;
  for (int k = 0; k < 3; ++k) {
    const Vec3T<F>& e = frame.axes.vector[k];
    const F half = frame.size[k] * radius, f = 1.0f / (half * half);
    form.xx += f * e.x * e.x, form.yy += f * e.y * e.y, form.zz += f * e.z * e.z;
    form.xy += f * e.x * e.y, form.xz += f * e.x * e.z, form.yz += f * e.y * e.z;
    square += Vec3T<F>{e.x * e.x, e.y * e.y, e.z * e.z} * (half * half);
  }
  form.box = {square_root(square.x), square_root(square.y), square_root(square.z)};
  return form;
}

// The variance along an axis of the neighbours in a full lattice; radius in spacings.
inline float lattice_variance(float radius) {
  const int reach = static_cast<int>(radius) + 1;
  double sum = 0, weights = 0;
  for (int z = -reach; z <= reach; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const double r = std::sqrt(double(x * x + y * y + z * z)) / radius;
        if (r >= 1) continue;
        weights += 1 - r * r * r;
        sum += (1 - r * r * r) * x * x;
      }
  return static_cast<float>(sum / weights);
}

// Lengths in cells.
struct Scale {
  float radius, neighbor_radius;
  float full_variance, full_sum;  // of a full lattice
};
inline Scale make_scale(float radius, float spacing) {
  const float far = neighbor_radius * radius;
  return {radius, far, lattice_variance(far / spacing) * spacing * spacing,
          lattice_sum<SmoothBump>(radius / spacing)};
}

}  // namespace panta::anisotropic
