#include "panta/surface/level_set_force.h"

#include <cmath>

#include "panta/surface/colour_field.h"
#include "panta/surface/neighbor_packs.h"

namespace panta {
namespace {

constexpr float crowd_radius = own_force_radius;  // of W, in spacings

// The ball stretched along the velocity.
Blob stretched_blob(const Vec3& center, float radius, float volume, const Vec3& velocity,
                    float fastest) {
  const float speed = length(velocity);
  if (!(speed > 0 && speed <= fastest)) return round_blob(center, radius, volume);
  const Vec3 v = velocity * (1 / speed);
  const float share = speed / (2 * fastest);
  const float a = 1 - share, b = 1 + share;
  const float round = b * b / (radius * radius), drawn = (a * a - b * b) / (radius * radius);
  const auto half = [&](float along) {
    return radius * std::sqrt(1 / (b * b) + (1 / (a * a) - 1 / (b * b)) * along * along);
  };
  return {center,
          round + drawn * v.x * v.x,
          round + drawn * v.y * v.y,
          round + drawn * v.z * v.z,
          drawn * v.x * v.y,
          drawn * v.x * v.z,
          drawn * v.y * v.z,
          volume * a * b * b,
          {half(v.x), half(v.y), half(v.z)}};
}

// Layers at z = 0, -1, -2, ...; V_i belongs to the layer.
class HalfSpace {
 public:
  explicit HalfSpace(float radius) : radius_(radius) {}

  // The mean of the sum of V f at a height.
  float force(float height) const {
    constexpr int samples = 8;  // across a lattice cell
    const int reach = static_cast<int>(radius_) + 1;
    float mean = 0;
    for (int layer = 0; layer <= reach; ++layer) {
      float sum = 0;
      for (int v = 0; v < samples; ++v)
        for (int u = 0; u < samples; ++u)
          for (int y = -reach; y <= reach + 1; ++y)
            for (int x = -reach; x <= reach + 1; ++x)
              sum += ForceBump::bump(
                  q2((static_cast<float>(u) + 0.5f) / samples - static_cast<float>(x),
                     (static_cast<float>(v) + 0.5f) / samples - static_cast<float>(y),
                     height + static_cast<float>(layer), radius_));
      mean += sum / (samples * samples) * volume(layer);
    }
    return mean;
  }

  // In a full lattice, the mean over a cell: the integral of f.
  float deep() const {
    constexpr int steps = 1000;
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
      const float q = (static_cast<float>(k) + 0.5f) / steps;
      sum += q * q * ForceBump::bump(q * q);
    }
    const double ball = 4 * std::acos(-1.0) * std::pow(double{radius_}, 3);
    return static_cast<float>(ball * sum / steps);
  }

 private:
  static float q2(float x, float y, float z, float radius) {
    return (x * x + y * y + z * z) / (radius * radius);
  }
  static float volume(int layer) {
    constexpr int reach = static_cast<int>(crowd_radius) + 1;
    float sum = 0;
    for (int z = -reach; z <= std::min(layer, reach); ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
          sum += SmoothBump::bump(q2(static_cast<float>(x), static_cast<float>(y),
                                     static_cast<float>(z), crowd_radius));
    return lattice_sum<SmoothBump>(crowd_radius) / sum;
  }

  float radius_;
};

}  // namespace

ForceScale calibrate_force(float radius) {
  const HalfSpace half_space(radius);
  const float threshold = -half_space.force(0.5f);
  return {threshold, (half_space.force(0.4f) - half_space.force(0.6f)) / 0.2f,
          half_space.deep() + threshold};
}

ForceVelocities::ForceVelocities(std::span<const Vec3> velocity) : of_particle(velocity) {
  for (const Vec3& v : velocity)
    if (const float speed = length(v); std::isfinite(speed)) fastest = std::max(fastest, speed);
}

BlobSet force_blobs(const TileGrid& grid, const SurfaceBand& band, float radius, float spacing,
                    const ForceVelocities& velocities, const BlobSizes& sizes) {
  const float full = lattice_sum<SmoothBump>(crowd_radius);
  return make_blobs(
      grid, band, grid.reach(),
      [&](const Tile& tile, const BinCoordinates& bin, const Vec3& at, std::uint32_t k) {
        const float own = radius * sizes[k];
        const float volume =
            full / crowd<SmoothBump>(grid, tile, bin, k, crowd_radius * spacing, sizes);
        if (velocities.fastest == 0) return round_blob(at, own, volume);
        return stretched_blob(at, own, volume, velocities.of_particle[grid.order()[k]],
                              velocities.fastest);
      });
}

}  // namespace panta
