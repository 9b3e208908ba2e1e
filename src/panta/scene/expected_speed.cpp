#include "panta/scene/expected_speed.h"

#include <algorithm>
#include <cmath>

#include "panta/geometry/bounds.h"

namespace panta {

namespace {

// Largest height of fall: from the top of the highest fluid to the lowest point of fluids or
// domain.
double fall_height(const Scene& scene) {
  const double g = length(scene.gravity);
  if (g == 0) return 0;
  const Vec3d up = scene.gravity * (-1 / g);
  double top = -1e300, bottom = 1e300;
  const auto extend = [&](const Vec3d& lo, const Vec3d& hi, bool upwards) {
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3d p{corner & 1 ? hi.x : lo.x, corner & 2 ? hi.y : lo.y, corner & 4 ? hi.z : lo.z};
      if (upwards) top = std::max(top, dot(p, up));
      bottom = std::min(bottom, dot(p, up));
    }
  };
  for (const Fluid& fluid : scene.fluids) {
    const ShapeBounds b = shape_bounds(fluid.shape);
    extend(b.min, b.max, true);
  }
  for (const Emitter& emitter : scene.emitters) {
    // A jet upwards rises by v^2 / 2g.
    const double rise = std::max(0.0, dot(to_double(emitter.direction), up)) * emitter.speed;
    const Vec3d at = to_double(emitter.at), peak = at + up * (rise * rise / (2 * g));
    extend(at, at, true);
    extend(peak, peak, true);
  }
  for (const Event& event : scene.events)
    for (const Fluid& fluid : event.added) {
      const ShapeBounds b = shape_bounds(fluid.shape);
      extend(b.min, b.max, true);
    }
  if (scene.has_domain) extend(scene.domain.min, scene.domain.max, false);
  return std::max(0.0, top - bottom);
}

// The highest speed of any corner of a moving body's box, sampled at many times.
double fastest_motion(const Body& body, double duration) {
  constexpr int times = 2000;
  if (!body.motion.moves()) return 0;
  const ShapeBounds bounds = shape_bounds(body.shape);
  const double dt = duration / times;
  double fastest = 0;
  for (int k = 0; k < times; ++k) {
    const Pose pose = pose_at(body.motion, k * dt, dt);
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3d own{corner & 1 ? bounds.max.x : bounds.min.x,
                      corner & 2 ? bounds.max.y : bounds.min.y,
                      corner & 4 ? bounds.max.z : bounds.min.z};
      const Vec3 at = bounds.finite() ? pose.to_world(to_float(own)) : pose.position;
      const double speed = length(pose.velocity_at(at));
      if (std::isfinite(speed)) fastest = std::max(fastest, speed);  // else the run will report it
    }
  }
  return fastest;
}

// Of the scene without its events.
double speed_of(const Scene& scene) {
  double speed = std::sqrt(2 * length(scene.gravity) * fall_height(scene));
  for (const Fluid& fluid : scene.fluids) {
    speed = std::max(speed, double(length(fluid.velocity)));
    const Material& m = scene.materials[static_cast<std::size_t>(fluid.material)];
    speed = std::max(speed, std::sqrt(m.surface_tension / (2 * m.density * scene.spacing)));
  }
  for (const Emitter& emitter : scene.emitters) speed = std::max(speed, double(emitter.speed));
  for (const Body& body : scene.bodies)
    speed = std::max(speed,
                     double(length(body.surface.velocity)) + fastest_motion(body, scene.duration));
  for (const Surface& surface : scene.domain.surfaces)
    speed = std::max(speed, double(length(surface.velocity)));
  for (const ForceField& f : scene.fields)
    speed = std::max(speed, f.type == FieldType::swirl
                                ? std::abs(double(f.rate)) * f.radius
                                : std::sqrt(2 * std::abs(double(f.strength)) * f.radius));
  return speed;
}

}  // namespace

double expected_speed(const Scene& scene) {
  double fastest = speed_of(scene);
  for (const Event& event : scene.events) {
    if (event.changed) fastest = std::max(fastest, speed_of(*event.changed));
    for (const Fluid& fluid : event.added)
      fastest = std::max(fastest, double(length(fluid.velocity)));
  }
  return fastest;
}

}  // namespace panta
