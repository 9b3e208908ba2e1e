#include "panta/geometry/feature_point.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace panta {

namespace {

// A direction is determined if the mean square of the normals along it is above this: 20 degrees
// between two sides.
constexpr double determined = 0.01;
constexpr double margin = 0.6;  // in cubes: how far outside it a point may lie
constexpr std::array<float, 2> closer = {0.2f, 0.03f};

struct Symmetric3 {
  double m[3][3] = {};
};

struct EigenSystem {
  std::array<double, 3> value;
  std::array<Vec3d, 3> vector;
};

// Jacobi's method.
EigenSystem eigen_system(Symmetric3 a) {
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int turn = 0; turn < 12; ++turn) {
    const int p = turn % 3 == 2 ? 1 : 0, q = turn % 3 == 0 ? 1 : 2;
    if (std::abs(a.m[p][q]) < 1e-15) continue;
    const double theta = (a.m[q][q] - a.m[p][p]) / (2 * a.m[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
      const double kp = a.m[k][p], kq = a.m[k][q];
      a.m[k][p] = c * kp - s * kq, a.m[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; ++k) {
      const double pk = a.m[p][k], qk = a.m[q][k];
      a.m[p][k] = c * pk - s * qk, a.m[q][k] = s * pk + c * qk;
      const double vp = v[k][p], vq = v[k][q];
      v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
    }
  }
  EigenSystem system;
  for (std::size_t k = 0; k < 3; ++k) {
    system.value[k] = a.m[k][k];
    system.vector[k] = {v[0][k], v[1][k], v[2][k]};
  }
  return system;
}

struct BestPoint {
  Vec3d position;
  int directions;  // number of directions that the planes determine
};

// The point that fits the planes best; of equally good ones the nearest to x.
BestPoint meet_planes(std::span<const SurfacePoint> points, const Vec3d& x) {
  Symmetric3 a;
  Vec3d pull;
  const double share = 1.0 / static_cast<double>(points.size());
  for (const SurfacePoint& point : points) {
    const Vec3d n = to_double(point.normal);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a.m[i][j] += share * n[i] * n[j];
    pull += n * (share * dot(n, to_double(point.position) - x));
  }
  const EigenSystem system = eigen_system(a);
  BestPoint best{x, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    if (system.value[k] < determined) continue;
    best.position += system.vector[k] * (dot(system.vector[k], pull) / system.value[k]);
    ++best.directions;
  }
  return best;
}

}  // namespace

SurfacePoint project_onto_surface(const DistanceFunction& distance, Vec3 x, float accuracy) {
  Distance d = distance(x);
  for (int turn = 0; turn < 12 && std::abs(d.value) > accuracy; ++turn) {
    x -= d.normal * d.value;
    d = distance(x);
  }
  return {x, d.normal};
}

// Regula falsi; an end that stays gets half its weight (the Illinois rule).
SurfacePoint find_crossing(const DistanceFunction& distance, Vec3 inside, float inside_distance,
                           Vec3 outside, float outside_distance, float accuracy) {
  int last = 0;
  SurfacePoint crossing;
  for (int turn = 0; turn < 30; ++turn) {
    const float share = inside_distance / (inside_distance - outside_distance);
    crossing.position = inside + (outside - inside) * share;
    const Distance d = distance(crossing.position);
    crossing.normal = d.normal;
    if (std::abs(d.value) < accuracy) break;
    const int side = d.value < 0 ? -1 : 1;
    if (side < 0) {
      inside = crossing.position, inside_distance = d.value;
      if (last == side) outside_distance *= 0.5f;
    } else {
      outside = crossing.position, outside_distance = d.value;
      if (last == side) inside_distance *= 0.5f;
    }
    last = side;
  }
  return crossing;
}

Vec3 feature_point(const DistanceFunction& distance, std::span<const SurfacePoint> points,
                   const Vec3& centre, float cube) {
  const float accuracy = 1e-5f * cube;
  Vec3d middle;
  for (const SurfacePoint& point : points) middle += to_double(point.position);
  middle = middle * (1.0 / static_cast<double>(points.size()));
  const auto smooth = [&] {
    return project_onto_surface(distance, to_float(middle), accuracy).position;
  };
  const auto strays = [&](const Vec3d& x) {
    const Vec3d off = x - to_double(centre);
    return !(std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}) < (0.5 + margin) * cube);
  };
  BestPoint best = meet_planes(points, middle);
  if (best.directions < 2 || strays(best.position)) return smooth();
  std::array<SurfacePoint, 12> drawn;
  for (const float share : closer) {
    const Vec3 x = to_float(best.position);
    for (std::size_t k = 0; k < points.size(); ++k)
      drawn[k] = project_onto_surface(distance, x + (points[k].position - x) * share, accuracy);
    best = meet_planes({drawn.data(), points.size()}, best.position);
    if (strays(best.position)) return smooth();
  }
  if (best.directions < 2) return smooth();
  return to_float(best.position);
}

}  // namespace panta
