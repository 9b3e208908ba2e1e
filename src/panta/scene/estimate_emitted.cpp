#include "panta/scene/estimate_emitted.h"

#include <algorithm>
#include <cmath>

#include "panta/geometry/bounds.h"
#include "panta/scene/sample.h"

namespace panta {

namespace {

double profile_area(const Emitter& emitter) {
  if (emitter.area > 0) return emitter.area;
  const ShapeBounds bounds = shape_bounds(emitter.profile);
  const double extent = length(bounds.max - bounds.min);
  return extent * extent / 3;  // of a cube's face
}

// Volume from an emitter until the end; an emitter that an event starts counts as active at once.
double emitted_volume(const Scene& scene, const Emitter& emitter) {
  double time = std::max(0.0, std::min(emitter.stop, scene.duration) - emitter.start);
  if (emitter.pulse_period > 0) time *= emitter.pulse_on / emitter.pulse_period;
  return std::min(emitter.most_volume, profile_area(emitter) * emitter.speed * time);
}

}  // namespace

double estimate_emitted(const Scene& scene) {
  double count = 0;
  for (const Emitter& emitter : scene.emitters)
    count += emitted_volume(scene, emitter) / std::pow(scene.spacing, scene.dimensions);
  for (const Event& event : scene.events)
    for (const Fluid& fluid : event.added) count += fluid_lattice(scene, fluid).estimated_points();
  return count;
}

}  // namespace panta
