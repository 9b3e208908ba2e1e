// Containers hold their water: a glass that is swung, a jug that stands, a closed box that turns,
// each for 20 s. Whatever gets out falls into a sink and is counted.
#include <cmath>

#include "panta/core/error.h"
#include "panta/load/load.h"
#include "panta/validation/container_studies.h"

namespace panta::validation {

namespace {

constexpr double duration = 20;

// Scenes of a few thousand particles; the spacing is set from outside.
constexpr const char* glass = R"scene({
  "method": "sph", "spacing": 0.056, "duration": 20,
  "variables": {"height": 2, "radius": 0.7},
  "materials": {"water": {}},
  "bodies": [{"shape": {"model": "glass", "parameters": {
                "height": "=height", "radius": "=radius", "thickness": 0.1}},
              "motion": {"pivot": [0, 0, 0], "translate": ["0.1*sin(pi*t)", 0, "0.1*sin(0.8*pi*t)"],
                         "rotate": {
  "axis" : [ 0, 0, 1 ], "degrees" : "8*sin(0.7*pi*t)"
}
}
}],
  "fluids": [{"material": "water", "shape": {"cone": {
    "from": [0, 0.3, 0], "to": [0, 1.4, 0], "radius_from": 0.48, "radius_to": 0.56}}}],
  "sinks": [{"outside": true, "shape": {"cylinder": {
    "from": [0, -0.5, 0], "to": [0, 3, 0], "radius": 1.3}}},
    {"shape": {"box": {"min": [-9, -9, -9], "max": [9, -0.3, 9]}}}]
})scene";

// Filled so far that the first surge does not throw drops out of the spout.
constexpr const char* jug = R"scene({
  "method": "sph", "spacing": 0.043, "duration": 20,
  "materials": {"water": {}},
  "bodies": [{"shape": {"model": "jug", "parameters": {"height": 1.5}}}],
  "fluids": [{"material": "water", "shape": {"intersection": [
    {"ellipsoid": {"center": [0, 0.738, 0], "radii": [0.72, 0.57, 0.72]}},
    {"plane": {"point": [0, 0.6, 0], "normal": [0, 1, 0]}}]}}],
  "sinks": [{"shape": {"box": {"min": [-9, -9, -9], "max": [9, -0.1, 9]}}}]
})scene";

constexpr const char* turning_box = R"scene({
  "method": "sph", "spacing": 0.044, "duration": 20,
  "materials": {"water": {}},
  "bodies": [{"hollow": true, "shape": {"box": {"min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5]}},
              "motion": {"rotate": {"axis": [0.2, 0.1, 1], "degrees": "90*t"}}}],
  "fluids": [{"material": "water", "shape": {"box": {"min": [-0.5, -0.5, -0.5], "max": [0.5, 0, 0.5]}}}],
  "sinks": [{"outside": true, "shape": {"sphere": {"center": [0, 0, 0], "radius": 0.9}}}]
})scene";

// Particles that are inside solid matter at the end.
double inside_solids(const Scene& scene, const ParticleFrame& frame) {
  double count = 0;
  for (const Body& body : scene.bodies) {
    const Pose pose = pose_at(body.motion, frame.time);
    for (const Vec3& x : frame.position()) {
      const float d = distance(body.shape, pose.to_own(x)).value;
      count += (body.hollow ? -d : d) < -0.1f * static_cast<float>(scene.spacing);
    }
  }
  return count;
}

StudyResult leaks(const char* name, const char* title, const char* text,
                  const DeviceOptions& options, StudySize size) {
  StudyResult result{name, title, {}, {}};
  Scene scene = parse_scene(text, name);
  if (size == StudySize::full) scene.spacing /= std::cbrt(20.0);  // 100,000 particles
  const auto sim = make_simulation(scene, options);
  const std::size_t initial = sim->size();
  sim->advance_to(duration);
  const ParticleFrame frame = sim->snapshot();
  const double expected = size == StudySize::full ? 9e4 : 4.5e3;
  result.checks = {
      {"particles short of 5,000 or 100,000", std::max(0.0, expected - double(initial)), 0, ""},
      {"lost of " + std::to_string(initial) + " in 20 s", static_cast<double>(sim->removed()), 0,
       ""},
      {"inside the walls", inside_solids(scene, frame), 0, ""}};
  return result;
}

}  // namespace

StudyResult leaks_of_glass(const DeviceOptions& options, StudySize size) {
  return leaks("containers/glass", "A swung glass holds its water for 20 s", glass, options, size);
}
StudyResult leaks_of_jug(const DeviceOptions& options, StudySize size) {
  return leaks("containers/jug", "A jug holds its water for 20 s", jug, options, size);
}
StudyResult leaks_of_box(const DeviceOptions& options, StudySize size) {
  return leaks("containers/box", "A turning box holds its water for 20 s", turning_box, options,
               size);
}

}  // namespace panta::validation
