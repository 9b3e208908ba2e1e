// Scenes and helpers for the tests that every method must pass on every device.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "device_list.h"
#include "panta/engine/methods.h"

namespace panta {

struct ConformanceCase {
  std::string method, device;
};
inline void PrintTo(const ConformanceCase& c, std::ostream* out) {
  *out << c.method << " on " << c.device;
}

inline std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const MethodInfo& method : methods())
    for (const std::string& device : devices()) cases.push_back({method.name, device});
  return cases;
}

// A block of about 500 particles that collapses in a box.
inline Scene block_scene(const std::string& method) {
  Scene scene;
  scene.method = method;
  scene.spacing = 0.05;
  scene.has_domain = true;
  scene.domain.max = {0.6, 0.8, 0.5};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.materials = {Material{}};
  scene.fluids = {{.shape = Shape::box({0, 0, 0}, {0.3f, 0.4f, 0.5f}), .jitter = 0.02f}};
  if (method == "sph") scene.solver["sound_speed"] = 20.0;
  return scene;
}

inline Emitter conformance_tap() {
  Emitter tap;
  tap.name = "tap";
  tap.at = {0.45f, 0.6f, 0.25f};
  tap.speed = 2;
  tap.profile = Shape::sphere(tap.at, 0.08f);
  return tap;
}

// The same with an inflow, a sink, a swirl, a moving body and further features of the method.
inline Scene busy_scene(const std::string& method) {
  Scene scene = block_scene(method);
  scene.materials.push_back({.name = "oil", .density = 800, .viscosity = 0.05});
  scene.fluids.push_back({.material = 1, .shape = Shape::box({0.4f, 0, 0}, {0.5f, 0.1f, 0.5f})});
  scene.emitters = {conformance_tap()};
  scene.sinks = {{.name = "drain", .shape = Shape::box({0.45f, -1, -1}, {1, 0.2f, 1})}};
  ForceField swirl;
  swirl.type = FieldType::swirl;
  swirl.center = {0.15f, 0.2f, 0.25f};
  swirl.rate = 5;
  swirl.strength = 5;
  swirl.radius = 0.2f;
  scene.fields = {swirl};
  Body piston;
  piston.shape = Shape::box({-0.2f, -0.1f, -0.1f}, {0, 0.9f, 0.6f});
  piston.motion.keys = {{0, {0, 0, 0}, {}}, {1, {0.2f, 0, 0}, {}}};
  scene.bodies = {piston};
  const MethodInfo& info = find_method(method);
  if (info.free_bodies)
    scene.bodies.push_back({.shape = Shape::box({0.32f, 0.25f, 0.1f}, {0.4f, 0.33f, 0.2f}),
                            .free = FreeBody{.density = 500}});
  if (!info.liquids_only) {
    scene.materials.push_back({.name = "sand", .kind = MaterialKind::granular});
    scene.materials.push_back({.name = "wood", .density = 600, .kind = MaterialKind::solid});
    scene.fluids.push_back(
        {.material = 2, .shape = Shape::box({0, 0.45f, 0}, {0.2f, 0.55f, 0.2f})});
    scene.solids = {{.material = 3, .shape = Shape::box({0, 0.45f, 0.3f}, {0.2f, 0.6f, 0.45f})}};
  }
  if (method == "tracer_toy") {
    scene.solver["new_tracers"] = 2.0;
    scene.solver["tracer_source"] = Vec3d{0.15, 0.3, 0.25};
    scene.solver["cooling"] = 1.0;
  }
  return scene;
}

// All sets of particles at one time.
using Frames = std::vector<ParticleFrame>;

inline Frames all_frames(Simulation& sim) {
  Frames frames;
  for (const std::string& set : sim.sets()) frames.push_back(sim.snapshot(set));
  return frames;
}

inline ::testing::AssertionResult same_columns(const ParticleFrame& a, const ParticleFrame& b) {
  if (a.size() != b.size())
    return ::testing::AssertionFailure() << a.size() << " and " << b.size() << " particles";
  if (a.columns.size() != b.columns.size())
    return ::testing::AssertionFailure() << "different columns";
  for (std::size_t k = 0; k < a.columns.size(); ++k) {
    const FrameColumn &one = a.columns[k], &other = b.columns[k];
    const bool same = std::visit(
        [&]<class T>(const std::vector<T>& values) {
          const auto& others = std::get<std::vector<T>>(other.values);
          return values.empty() ||
                 std::memcmp(values.data(), others.data(), values.size() * sizeof(T)) == 0;
        },
        one.values);
    if (!same) return ::testing::AssertionFailure() << "the column '" << one.info.name << "'";
  }
  return ::testing::AssertionSuccess();
}

inline void expect_same_frames(const Frames& a, const Frames& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_TRUE(same_columns(a[k], b[k])) << "set " << k;
    ASSERT_EQ(a[k].bodies.size(), b[k].bodies.size());
    for (std::size_t body = 0; body < a[k].bodies.size(); ++body)
      EXPECT_EQ(a[k].bodies[body].position, b[k].bodies[body].position);
  }
}

inline bool all_finite(const ParticleFrame& frame) {
  for (std::size_t i = 0; i < frame.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (!std::isfinite(frame.position()[i][axis]) || !std::isfinite(frame.velocity()[i][axis]))
        return false;
  return true;
}

// Particles of a frame by their ids.
inline std::map<std::uint32_t, std::size_t> by_id(const ParticleFrame& frame) {
  std::map<std::uint32_t, std::size_t> places;
  for (std::size_t i = 0; i < frame.size(); ++i) places[frame.id()[i]] = i;
  return places;
}

// The state with other values in one of its arrays.
template <class T>
State with_array(const State& state, const std::string& name, const std::vector<T>& values) {
  State changed;
  for (const StateArray& array : state.arrays())
    if (array.name != name) changed.add(array);
  changed.put(name, values);
  return changed;
}

class Conformance : public ::testing::TestWithParam<ConformanceCase> {
 protected:
  const std::string& method() const { return GetParam().method; }
  bool on_cpu() const { return GetParam().device == "cpu"; }
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) const {
    return make_simulation(scene, {GetParam().device, threads, false});
  }
};

}  // namespace panta
