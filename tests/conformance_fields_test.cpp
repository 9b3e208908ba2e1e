// Fields that approach a velocity are exact for any rate, in every method and for free bodies: they
// never add energy, however long the step.
#include <cmath>
#include <functional>

#include "conformance_fixture.h"

namespace panta {
namespace {

constexpr double step = 1e-4;  // s, shorter than the methods' own steps: each call is one step
constexpr int steps = 8;

// A single particle that moves along x in free space.
Scene lone_particle(const std::string& method, const ForceField& field) {
  Scene scene = block_scene(method);
  scene.has_domain = false;
  scene.gravity = {};
  scene.fluids = {{.shape = Shape::box({0, 0, 0}, {0.05f, 0.05f, 0.05f}), .velocity = {1, 0, 0}}};
  scene.fields = {field};
  return scene;
}

ForceField approach_with(FieldType type, float rate) {
  ForceField field;
  field.type = type;
  field.radius = ForceField::everywhere;
  field.rate = field.drag = rate;
  field.keys = 1;  // of the hand: a point at rest
  return field;
}

class Fields : public Conformance {
 protected:
  // Distances from the velocity that the field approaches, at the start and after each step, as
  // fractions of the first.
  void expect_decay(const Scene& scene, const Vec3& towards, float rate_times_step,
                    const std::function<Vec3(const ParticleFrame&)>& velocity_of) {
    const auto sim = start(scene);
    const Vec3 first = velocity_of(sim->snapshot()) - towards;
    double before = 1;
    for (int k = 1; k <= steps; ++k) {
      sim->advance_to(k * step);
      const double now = dot(velocity_of(sim->snapshot()) - towards, first) / dot(first, first);
      EXPECT_GE(now, -1e-5) << k;
      EXPECT_LE(now, before + 1e-5) << k;
      before = now;
    }
    // The leapfrog of SPH is half a step behind for approaches faster than the step.
    const double exact = std::exp(-rate_times_step * steps);
    EXPECT_NEAR(before, exact, 0.02 * exact + 5e-4);
  }
};

Vec3 velocity_of_particle(const ParticleFrame& frame) { return frame.velocity()[0]; }

TEST_P(Fields, ApproachesAreExactForAnyRate) {
  for (const float product : {0.1f, 3.0f, 1000.0f})
    for (const FieldType type : {FieldType::drag, FieldType::wind, FieldType::hand}) {
      SCOPED_TRACE(product);
      ForceField field = approach_with(type, product / static_cast<float>(step));
      if (type == FieldType::wind) field.vector = {-0.5f, 0, 0};
      expect_decay(lone_particle(method(), field), field.vector, product, velocity_of_particle);
    }
}

// Around the axis x = 0.025, at the distance 1: the tangent there is -x for the axis z.
TEST_P(Fields, SwirlIsExactForAnyRate) {
  for (const float product : {0.1f, 3.0f, 1000.0f}) {
    SCOPED_TRACE(product);
    ForceField field;
    field.axis = {0, 0, 1};
    field.center = {0.025f, -0.975f, 0.025f};
    field.radius = 1e3f;
    field.strength = product / static_cast<float>(step);
    field.rate = 0.5f;
    expect_decay(lone_particle(method(), field), {-0.5f, 0, 0}, product, velocity_of_particle);
  }
}

TEST_P(Fields, DragOfAFreeBodyIsExactForAnyRate) {
  if (!find_method(method()).free_bodies) GTEST_SKIP() << "no free bodies";
  for (const float product : {0.1f, 3.0f, 1000.0f}) {
    SCOPED_TRACE(product);
    Scene scene =
        lone_particle(method(), approach_with(FieldType::drag, product / static_cast<float>(step)));
    scene.bodies = {{.shape = Shape::box({1, 1, 1}, {1.2f, 1.2f, 1.2f}),
                     .free = FreeBody{.density = 500, .velocity = {0, 2, 0}}}};
    expect_decay(scene, {}, product,
                 [](const ParticleFrame& frame) { return to_float(frame.bodies[0].velocity); });
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Fields, testing::ValuesIn(conformance_cases()),
                         [](const auto& info) {
                           return info.param.method + "_" + info.param.device;
                         });

}  // namespace
}  // namespace panta
