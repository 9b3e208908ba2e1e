#include "panta/sources/pattern.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/geometry/bounds.h"

namespace panta {

namespace {

constexpr double jitter_of_grains = 0.02;  // spacings

constexpr int area_samples = 400;  // along each direction of the plane
constexpr int pitch_trials = 17;   // between 0.92 and 1.08 spacings
constexpr double pitch_range = 0.08;
constexpr double most_points = 1e8;

// The plane of the profile: at + u a + v b.
struct Plane {
  Vec3d at, u, v;
  Vec3 point(double a, double b) const { return to_float(at + u * a + v * b); }
};

Plane plane_of(const Emitter& emitter, int dimensions) {
  const Vec3d d = to_double(normalized(emitter.direction));
  if (dimensions == 2) return {to_double(emitter.at), {-d.y, d.x, 0}, {}};
  const Vec3d helper = std::abs(d.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  Vec3d u = cross(helper, d);
  u = u * (1 / length(u));
  return {to_double(emitter.at), u, cross(d, u)};
}

// Half the size of a square around `at` in the plane that holds the profile.
double half_size(const Emitter& emitter) {
  const ShapeBounds bounds = shape_bounds(emitter.profile);
  if (!bounds.finite())
    throw Error(ErrorKind::usage, "the profile of an emitter must be a finite shape");
  double farthest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3d p{corner & 1 ? bounds.max.x : bounds.min.x,
                  corner & 2 ? bounds.max.y : bounds.min.y,
                  corner & 4 ? bounds.max.z : bounds.min.z};
    farthest = std::max(farthest, length(p - to_double(emitter.at)));
  }
  return farthest;
}

// The area of the cross-section: cells count by the fraction that lies inside.
double measured_area(const Emitter& emitter, const Plane& plane, double half, int dimensions) {
  const double step = 2 * half / area_samples;
  double covered = 0;
  for (int j = 0; j < (dimensions == 2 ? 1 : area_samples); ++j)
    for (int i = 0; i < area_samples; ++i) {
      const double a = -half + (i + 0.5) * step, b = dimensions == 2 ? 0 : -half + (j + 0.5) * step;
      covered +=
          std::clamp(0.5 - distance(emitter.profile, plane.point(a, b)).value / step, 0., 1.);
    }
  return covered * (dimensions == 2 ? step : step * step);
}

// Lattice points of that pitch inside the profile; `shift` in pitches.
std::vector<Vec3> lattice(const Emitter& emitter, const Plane& plane, double half, double pitch,
                          double shift_a, double shift_b, int dimensions) {
  std::vector<Vec3> points;
  const int reach = static_cast<int>(std::ceil(half / pitch)) + 1;
  const int rows = dimensions == 2 ? 0 : reach;
  const float skin = static_cast<float>(1e-3 * pitch);
  for (int j = -rows; j <= rows; ++j)
    for (int i = -reach; i <= reach; ++i) {
      const double b = dimensions == 2 ? 0 : (j + shift_b) * pitch;
      const Vec3 x = plane.point((i + shift_a) * pitch, b);
      if (distance(emitter.profile, x).value < -skin) points.push_back(x);
    }
  return points;
}

}  // namespace

EmitterPattern make_pattern(const Emitter& emitter, double spacing, int dimensions, double reach) {
  EmitterPattern best;
  const Plane plane = plane_of(emitter, dimensions);
  const double half = half_size(emitter);
  best.area = emitter.area > 0 ? emitter.area : measured_area(emitter, plane, half, dimensions);
  if (std::pow(2 * half / spacing, dimensions - 1) > most_points)
    throw Error(ErrorKind::usage, "emitter '{}' has too many particles per layer for 'spacing' {}",
                emitter.name, spacing);
  double least_misfit = 1e300;
  for (int trial = 0; trial < pitch_trials; ++trial) {
    // From the middle outwards, so that the spacing itself is chosen if it fits.
    const int steps = trial % 2 ? (trial + 1) / 2 : -trial / 2;
    const double pitch = spacing * (1 + pitch_range * 2 * steps / (pitch_trials - 1));
    for (int shift = 0; shift < (dimensions == 2 ? 2 : 4); ++shift) {
      std::vector<Vec3> points = lattice(emitter, plane, half, pitch, shift & 1 ? 0.5 : 0,
                                         shift & 2 ? 0.5 : 0, dimensions);
      if (points.empty()) continue;
      // The pitch at which this number of points covers the area exactly.
      const double exact =
          std::pow(best.area / static_cast<double>(points.size()), 1.0 / (dimensions - 1));
      const double misfit = std::abs(exact / spacing - 1) + std::abs(exact / pitch - 1);
      if (!(misfit < least_misfit - 1e-9)) continue;
      least_misfit = misfit;
      best.layer = spacing * std::pow(spacing / exact, dimensions - 1);
      for (Vec3& x : points) x = emitter.at + (x - emitter.at) * static_cast<float>(exact / pitch);
      best.points = std::move(points);
    }
  }
  if (best.points.empty() || !(best.area > 0))
    throw Error(ErrorKind::usage,
                "emitter '{}' has no room for a single particle: widen its profile or use a "
                "smaller 'spacing' than {}",
                emitter.name, spacing);
  best.depth = static_cast<float>(std::ceil(reach / best.layer) * best.layer);
  const Vec3 back = normalized(emitter.direction) * -best.depth;
  for (Vec3& point : best.points) point += back;
  return best;
}

EmitterList make_emitters(const Scene& scene, double reach) {
  EmitterList list;
  for (const Emitter& emitter : scene.emitters) {
    const EmitterPattern pattern = make_pattern(emitter, scene.spacing, scene.dimensions, reach);
    EmitterSpec spec;
    spec.opening = emitter.at;
    spec.direction = normalized(emitter.direction);
    spec.speed = emitter.speed;
    spec.depth = pattern.depth;
    spec.layer = pattern.layer;
    spec.start = emitter.start;
    spec.stop = emitter.stop;
    spec.pulse_period = emitter.pulse_period;
    spec.pulse_on = emitter.pulse_on;
    const double layers = emitter.most_volume / (pattern.area * pattern.layer);
    if (layers < 1e18) spec.most_layers = static_cast<std::uint64_t>(std::llround(layers));
    spec.first_point = static_cast<std::uint32_t>(list.points.size());
    spec.point_count = static_cast<std::uint32_t>(pattern.points.size());
    spec.phase = static_cast<std::uint32_t>(emitter.material);
    spec.active = emitter.active;
    const Material& material = scene.materials[static_cast<std::size_t>(emitter.material)];
    if (material.kind == MaterialKind::granular) {
      const auto jitter = static_cast<float>(jitter_of_grains * scene.spacing);
      spec.jitter = {jitter, jitter, scene.dimensions == 2 ? 0 : jitter};
    }
    list.emitter_of.insert(list.emitter_of.end(), pattern.points.size(),
                           static_cast<std::uint32_t>(list.specs.size()));
    list.points.insert(list.points.end(), pattern.points.begin(), pattern.points.end());
    list.specs.push_back(spec);
  }
  return list;
}

}  // namespace panta
