// Small scenes for the tests of the viscoelastic method, and measurements on them.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "device_list.h"
#include "panta/methods/viscoelastic_clavet2005/setup.h"
#include "panta/run/timeline.h"

namespace panta::viscoelastic {

inline constexpr double usual_spacing = 0.02;

// One inviscid liquid, no domain, no gravity.
inline Scene free_space(double spacing = usual_spacing) {
  Scene scene;
  scene.method = "viscoelastic";
  scene.spacing = spacing;
  scene.gravity = {};
  scene.materials = {Material{}};
  scene.materials[0].viscosity = 0;
  return scene;
}

// An empty box with all six walls, and gravity.
inline Scene closed_box(const Vec3d& size, double spacing = usual_spacing) {
  Scene scene = free_space(spacing);
  scene.gravity = {0, -9.81, 0};
  scene.has_domain = true;
  scene.domain.max = size;
  scene.domain.walls = {true, true, true, true, true, true};
  return scene;
}

// A box with this number of particles along each axis, around the origin.
inline Fluid blob(const Scene& scene, int nx, int ny, int nz, float jitter = 0) {
  const float s = 0.5f * static_cast<float>(scene.spacing);
  const Vec3 half{s * static_cast<float>(nx), s * static_cast<float>(ny),
                  s * static_cast<float>(nz)};
  return {0, Shape::box(half * -1.0f, half), {}, jitter};
}

// A single particle.
inline Fluid particle_at(const Vec3& x, const Vec3& velocity = {}) {
  const Vec3 half{1e-4f, 1e-4f, 1e-4f};
  return {0, Shape::box(x - half, x + half), velocity};
}

inline std::vector<std::string> relaxations(const std::string& device) {
  return device == "cpu" ? std::vector<std::string>{"gather", "coloured", "sequential"}
                         : std::vector<std::string>{"gather"};
}

// The momenta of particles, divided by the mass of one.
struct Momenta {
  Vec3d linear, angular;  // the latter about the origin
  double speed = 0;       // sum of |v|
  double moment = 0;      // sum of |x x v|
};
inline Momenta momenta_of(const ParticleFrame& frame) {
  Momenta m;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vec3d x = to_double(frame.position()[i]), v = to_double(frame.velocity()[i]);
    m.linear += v;
    m.angular += cross(x, v);
    m.speed += length(v);
    m.moment += length(cross(x, v));
  }
  return m;
}

inline double fastest_of(const ParticleFrame& frame) {
  double most = 0;
  for (const Vec3& v : frame.velocity()) most = std::max(most, double(length(v)));
  return most;
}

// Kinetic energy, divided by the mass of a particle.
inline double energy_of(const ParticleFrame& frame) {
  double sum = 0;
  for (const Vec3& v : frame.velocity()) sum += 0.5 * double(dot(v, v));
  return sum;
}

inline bool all_finite(const ParticleFrame& frame) {
  const auto finite = [](const Vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
  };
  return std::all_of(frame.position().begin(), frame.position().end(), finite) &&
         std::all_of(frame.velocity().begin(), frame.velocity().end(), finite);
}

inline Vec3d centre_of(const ParticleFrame& frame) {
  Vec3d sum;
  for (const Vec3& x : frame.position()) sum += to_double(x);
  return sum * (1.0 / static_cast<double>(frame.size()));
}

// Root mean square distances from the centre along the axes. For a ball of radius R each is R /
// sqrt 5, for a cube of side a each is a / sqrt 12.
inline Vec3d spread_of(const ParticleFrame& frame) {
  const Vec3d centre = centre_of(frame);
  Vec3d sum;
  for (const Vec3& x : frame.position()) {
    const Vec3d d = to_double(x) - centre;
    sum += Vec3d{d.x * d.x, d.y * d.y, d.z * d.z};
  }
  const double n = static_cast<double>(frame.size());
  return {std::sqrt(sum.x / n), std::sqrt(sum.y / n), std::sqrt(sum.z / n)};
}

inline std::uint64_t counter(Simulation& sim, const std::string& name) {
  for (const Counter& c : sim.counters())
    if (c.name == name) return c.value;
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

}  // namespace panta::viscoelastic
