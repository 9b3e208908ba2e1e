#include "panta/surface/anisotropy.h"

#include "panta/core/eigen3.h"
#include "panta/surface/colour_field.h"
#include "panta/surface/neighbor_packs.h"

namespace panta {
namespace {

constexpr float neighbor_radius = 1.25f;  // radii of blobs, within which neighbours count
constexpr float narrowest = 0.5f;         // of the half sizes, in radii
constexpr float few = 4, many = 12;       // neighbours: round below, fully shaped above
constexpr float layer_half = 0.4f;        // radii: half the height of a particle's own layer
constexpr float most_shift = 0.25f;       // radii
constexpr float smoothing = 0.9f;         // share of the way to the mean
constexpr float volume_power = 0.73f;     // p of colour_field.h

float smooth_step(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

struct Moments {
  float count = 0;  // weighted
  Vec3 mean;        // of the offsets
  Mat3 covariance;
};

// Sums over packs of offsets with weights.
struct MomentSums {
  F16 w{}, x{}, y{}, z{}, xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  void add(F16 weight, F16 dx, F16 dy, F16 dz) {
    const F16 wx = weight * dx, wy = weight * dy, wz = weight * dz;
    w = w + weight;
    x = x + wx, y = y + wy, z = z + wz;
    xx = xx + wx * dx, yy = yy + wy * dy, zz = zz + wz * dz;
    xy = xy + wx * dy, xz = xz + wx * dz, yz = yz + wy * dz;
  }
  Moments moments() const {
    Moments m;
    m.count = lane_sum(w);
    const float inverse = 1 / m.count;
    m.mean = Vec3{lane_sum(x), lane_sum(y), lane_sum(z)} * inverse;
    const Vec3& c = m.mean;
    const float cxy = lane_sum(xy) * inverse - c.x * c.y, cxz = lane_sum(xz) * inverse - c.x * c.z,
                cyz = lane_sum(yz) * inverse - c.y * c.z;
    m.covariance = {{{lane_sum(xx) * inverse - c.x * c.x, cxy, cxz},
                     {cxy, lane_sum(yy) * inverse - c.y * c.y, cyz},
                     {cxz, cyz, lane_sum(zz) * inverse - c.z * c.z}}};
    return m;
  }
};

// The variance along an axis of the neighbours in a full lattice; radius in spacings.
float lattice_variance(float radius) {
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

class Shaper {
 public:
  Shaper(const TileGrid& grid, float radius, float spacing)
      : grid_(grid),
        radius_(radius),
        neighbor_radius_(neighbor_radius * radius),
        reach_(bins_within(grid.lattice(), neighbor_radius_)),
        full_variance_(lattice_variance(neighbor_radius_ / spacing) * spacing * spacing),
        full_sum_(lattice_sum<SmoothBump>(radius / spacing)) {}

  Blob shape(const Tile& tile, const BinCoordinates& bin, const Vec3& at) const {
    const Moments m = gather_moments(tile, bin, at);
    const Eigen3 axes = symmetric_eigen(m.covariance);
    // One particle alone has a weighted count of 1.
    const float shaped = smooth_step(few, many, m.count);
    Vec3 size;
    for (int k = 0; k < 3; ++k) {
      const float deviation = std::sqrt(std::max(axes.value[k], 0.0f) / full_variance_);
      size[k] = 1 + shaped * (std::clamp(deviation, narrowest, 1.0f) - 1);
    }
    Blob blob = oriented(at, axes, size);
    place(blob, tile, bin, at, axes, size, shaped);
    return blob;
  }

 private:
  Moments gather_moments(const Tile& tile, const BinCoordinates& bin, const Vec3& at) const {
    MomentSums sums;
    const float inverse = 1 / neighbor_radius_;
    each_pack(grid_, tile, bin, at, reach_, [&](F16 dx, F16 dy, F16 dz, LaneMask valid) {
      const F16 r = square_root(dx * dx + dy * dy + dz * dz) * inverse;
      const F16 w = maximum(1.0f - r * r * r, 0.0f);
      sums.add(choose(valid, w, F16{}), dx, dy, dz);
    });
    return sums.moments();
  }

  Blob oriented(const Vec3& center, const Eigen3& axes, const Vec3& size) const {
    Blob blob{};
    blob.center = center;
    Vec3 square;  // of the half sizes of the box around it
    for (int k = 0; k < 3; ++k) {
      const float half = size[k] * radius_, f = 1 / (half * half);
      const Vec3& e = axes.vector[k];
      blob.xx += f * e.x * e.x, blob.yy += f * e.y * e.y, blob.zz += f * e.z * e.z;
      blob.xy += f * e.x * e.y, blob.xz += f * e.x * e.z, blob.yz += f * e.y * e.z;
      square += Vec3{e.x * e.x, e.y * e.y, e.z * e.z} * (half * half);
    }
    blob.half = {std::sqrt(square.x), std::sqrt(square.y), std::sqrt(square.z)};
    return blob;
  }

  // Towards the mean of its layer, and its weight.
  void place(Blob& blob, const Tile& tile, const BinCoordinates& bin, const Vec3& at,
             const Eigen3& axes, const Vec3& size, float shaped) const {
    Vec3 thin, layer;
    for (int k = 0; k < 3; ++k) {
      thin[k] = smooth_step(0.05f, 0.3f, 1 - size[k] / size[0]);
      layer[k] = 1 + thin[k] * (layer_half - 1);
    }
    const Blob window = oriented(at, axes, layer);
    F16 crowd{}, weight{};
    Vec3T<F16> offset{};
    each_pack(grid_, tile, bin, at, grid_.reach(), [&](F16 dx, F16 dy, F16 dz, LaneMask valid) {
      crowd = crowd + choose(valid, SmoothBump::bump(quadratic(blob, dx, dy, dz)), F16{});
      const F16 w = choose(valid, maximum(1.0f - quadratic(window, dx, dy, dz), 0.0f), F16{});
      weight = weight + w;
      offset += {w * dx, w * dy, w * dz};
    });
    const Vec3 mean = lane_sum(offset) * (1 / lane_sum(weight));
    Vec3 shift;
    for (int k = 0; k < 3; ++k)
      shift += axes.vector[k] * (shaped * smoothing * thin[k] * dot(axes.vector[k], mean));
    const float most = most_shift * radius_, moved = length(shift);
    blob.center = at + shift * (moved > most ? most / moved : 1.0f);
    blob.weight = blob_weight(lane_sum(crowd), full_sum_, volume_power);
  }

  static F16 quadratic(const Blob& b, F16 dx, F16 dy, F16 dz) {
    return b.xx * (dx * dx) + b.yy * (dy * dy) + b.zz * (dz * dz) +
           2.0f * (b.xy * (dx * dy) + b.xz * (dx * dz) + b.yz * (dy * dz));
  }

  const TileGrid& grid_;
  float radius_, neighbor_radius_;
  int reach_;
  float full_variance_, full_sum_;
};

}  // namespace

BlobSet anisotropic_blobs(const TileGrid& grid, const SurfaceBand& band, float radius,
                          float spacing) {
  const Shaper shaper(grid, radius, spacing);
  return make_blobs(grid, band, grid.reach(),
                    [&](const Tile& tile, const BinCoordinates& bin, const Vec3& at,
                        std::uint32_t) { return shaper.shape(tile, bin, at); });
}

float anisotropic_flat_value(float radius) {
  // A slab of lattice with the cell of a spacing; what is felt in the middle of its upper side
  // knows nothing of the others.
  const int reach = static_cast<int>(std::ceil(radius * (anisotropic_reach + neighbor_radius)));
  const int across = 2 * reach + 2;
  std::vector<Vec3> lattice;
  for (int z = 0; z < across; ++z)
    for (int y = -reach; y <= 0; ++y)
      for (int x = 0; x < across; ++x)
        lattice.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
  const TileGrid grid(lattice, make_lattice(1, 1),
                      static_cast<int>(std::ceil(radius * anisotropic_reach)), 1);
  const BlobSet set = anisotropic_blobs(grid, find_band(grid, 1), radius, 1);
  const Vec3 middle = grid.position(0) - lattice[grid.order()[0]] +
                      Vec3{static_cast<float>(reach), 0.5f, static_cast<float>(reach)};
  constexpr int samples = 8;  // across a lattice cell
  double sum = 0;
  for (int v = 0; v < samples; ++v)
    for (int u = 0; u < samples; ++u) {
      const Vec3 at = middle + Vec3{(static_cast<float>(u) + 0.5f) / samples, 0,
                                    (static_cast<float>(v) + 0.5f) / samples};
      for (const Blob& blob : set.blobs) sum += blob.weight * SmoothBump::bump(blob.q2(at));
    }
  return static_cast<float>(sum / (samples * samples));
}

}  // namespace panta
