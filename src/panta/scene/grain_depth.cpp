#include "panta/scene/grain_depth.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/geometry/bounds.h"
#include "panta/scene/liquid_depth.h"

namespace panta {

namespace {

constexpr double steepest_heap = 1;

double time_on(const Emitter& emitter, double until) {
  const double time = std::max(0.0, std::min(emitter.stop, until) - emitter.start);
  return emitter.pulse_period > 0 ? time * emitter.pulse_on / emitter.pulse_period : time;
}

// Volume poured by an emitter until the end of the scene: m3, in two dimensions m2.
double poured_volume(const Scene& scene, const Emitter& emitter) {
  double area = emitter.area;
  if (!(area > 0)) {
    const ShapeBounds box = shape_bounds(emitter.profile);
    Vec3d size = box.max - box.min;
    if (scene.dimensions == 2) size.z = 0;
    const double longest = std::max({size.x, size.y, size.z});
    area = scene.dimensions == 2 ? longest : longest * longest;
  }
  return std::min(area * emitter.speed * time_on(emitter, scene.duration), emitter.most_volume);
}

// Area of the domain normal to `up`, m2 (m in two dimensions); infinite without a domain.
double floor_area(const Scene& scene, const Vec3d& up) {
  if (!scene.has_domain) return HUGE_VAL;
  const Vec3d size = scene.domain.max - scene.domain.min;
  const bool flat = scene.dimensions == 2;
  return std::abs(up.x) * size.y * (flat ? 1 : size.z) +
         std::abs(up.y) * size.x * (flat ? 1 : size.z) +
         (flat ? 0 : std::abs(up.z) * size.x * size.y);
}

double heap_height(double volume, int dimensions) {
  return dimensions == 2 ? std::sqrt(volume * steepest_heap)
                         : std::cbrt(3 * volume * steepest_heap * steepest_heap / std::numbers::pi);
}

}  // namespace

double grain_depth(const Scene& scene) {
  const double g = length(scene.gravity);
  if (!(g > 0)) return 0;
  const Vec3d up = scene.gravity * (-1 / g);
  double depth = filled_depth(scene);
  for (const Event& event : scene.events) {
    Scene later = scene;
    later.events.clear();
    later.fluids = event.added;
    depth += filled_depth(later);
  }
  double volume = 0, highest = 0;
  for (const Emitter& emitter : scene.emitters) {
    volume += poured_volume(scene, emitter);
    const double bottom = scene.has_domain ? dot(scene.domain.min, up) : -HUGE_VAL;
    highest = std::max(highest, dot(to_double(emitter.at), up) - bottom);
  }
  const double poured =
      std::max(heap_height(volume, scene.dimensions), volume / floor_area(scene, up));
  return depth + std::min(poured, highest);
}

}  // namespace panta
