// Force fields: target speeds, ranges, and a divergence-free wind.
#include <gtest/gtest.h>

#include <cmath>

#include "panta/fields/force_field.h"

namespace panta {
namespace {

ForceField field_of(FieldType type) {
  ForceField field;
  field.type = type;
  field.radius = ForceField::everywhere;
  return field;
}

// At an instant.
Vec3 field_acceleration(const ForceField& field, const Vec3& x, const Vec3& v, float t) {
  return fields_acceleration(&field, 1, x, v, t, 0);
}

TEST(ForceField, UniformIsTheSameEverywhere) {
  ForceField field = field_of(FieldType::uniform);
  field.vector = {1, 2, 3};
  EXPECT_EQ(field_acceleration(field, {5, -7, 9}, {1, 1, 1}, 3), (Vec3{1, 2, 3}));
  field.radius = 2;
  field.center = {5, 0, 0};
  EXPECT_EQ(field_acceleration(field, {5, 2, 0}, {}, 0), Vec3{});
  EXPECT_FLOAT_EQ(field_acceleration(field, {5, 1, 0}, {}, 0).x, 0.5625f);  // (1 - 1/4)^2
}

TEST(ForceField, ActsOnlyWhileActiveAndInItsTime) {
  ForceField field = field_of(FieldType::uniform);
  field.vector = {1, 0, 0};
  field.start = 1;
  field.stop = 2;
  EXPECT_EQ(field_acceleration(field, {}, {}, 0.5f).x, 0);
  EXPECT_EQ(field_acceleration(field, {}, {}, 1.5f).x, 1);
  EXPECT_EQ(field_acceleration(field, {}, {}, 2.5f).x, 0);
  field.active = false;
  EXPECT_EQ(field_acceleration(field, {}, {}, 1.5f).x, 0);
}

TEST(ForceField, DragOpposesTheVelocity) {
  ForceField field = field_of(FieldType::drag);
  field.rate = 4;
  const Vec3 a = field_acceleration(field, {1, 2, 3}, {1, 0, -2}, 0);
  EXPECT_FLOAT_EQ(a.x, -4);
  EXPECT_FLOAT_EQ(a.z, 8);
}

TEST(ForceField, SteadyWindIsApproached) {
  ForceField field = field_of(FieldType::wind);
  field.vector = {3, 0, 1};
  field.rate = 2;
  const Vec3 at_rest = field_acceleration(field, {}, {}, 0);
  EXPECT_FLOAT_EQ(at_rest.x, 6);
  EXPECT_EQ(field_acceleration(field, {}, {3, 0, 1}, 0), Vec3{});
}

// A step of any length ends where the exact solution does; two fields act as one.
TEST(ForceField, ApproachIsExactOverAStep) {
  ForceField drag = field_of(FieldType::drag), wind = field_of(FieldType::wind);
  wind.vector = {3, 0, 1};
  const Vec3 v{1, 2, -1};
  for (const float product : {0.1f, 3.0f, 1000.0f}) {
    const float dt = 0.01f;
    wind.rate = 2 * (drag.rate = product / dt / 3);
    const ForceField both[] = {drag, wind};
    const Vec3 end = v + fields_acceleration(both, 2, {}, v, 0, dt) * dt;
    const Vec3 limit = wind.vector * (2.0f / 3);
    EXPECT_LT(length(end - (limit + (v - limit) * std::exp(-product))), 1e-5f) << product;
  }
}

TEST(ForceField, SwirlChangesTheTangentialVelocityOnly) {
  ForceField swirl = field_of(FieldType::swirl);
  swirl.rate = 2;
  swirl.strength = 1e6f;
  const Vec3 v{1, 2, 3}, x{0.5f, 7, 0};  // axis y: the tangent is -z
  const float dt = 0.01f;
  const Vec3 end = v + fields_acceleration(&swirl, 1, x, v, 0, dt) * dt;
  EXPECT_LT(length(end - Vec3{1, 2, -1}), 1e-4f);
  const ForceField twice[] = {swirl, swirl};
  EXPECT_LT(length(v + fields_acceleration(twice, 2, x, v, 0, dt) * dt - end), 1e-4f);
}

ForceField gusts(bool flat) {
  ForceField field = field_of(FieldType::wind);
  field.turbulence = 2;
  field.scale = 0.5f;
  field.flat = flat;
  return field;
}

// Central differences; the velocity's gradients are about 2 pi U / L = 25 per second.
TEST(ForceField, TurbulenceHasNoDivergence) {
  for (const bool flat : {false, true}) {
    const ForceField field = gusts(flat);
    const float h = 2e-3f;
    double largest = 0;
    for (int k = 0; k < 200; ++k) {
      const Vec3 x{0.037f * static_cast<float>(k), 0.5f - 0.021f * static_cast<float>(k),
                   flat ? 0 : 0.013f * static_cast<float>(k)};
      double divergence = 0;
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 step;
        step[axis] = h;
        divergence +=
            wind_velocity(field, x + step, 0.3f)[axis] - wind_velocity(field, x - step, 0.3f)[axis];
      }
      largest = std::max(largest, std::abs(divergence) / (2 * h));
    }
    EXPECT_LT(largest, 0.1) << flat;
  }
}

TEST(ForceField, TurbulenceHasTheRequestedStrength) {
  for (const bool flat : {false, true}) {
    const ForceField field = gusts(flat);
    Vec3d mean;
    double square = 0;
    const int count = 20000;
    for (int k = 0; k < count; ++k) {
      const auto coordinate = [&](std::uint64_t axis) {
        return 50 * random_uniform(7, static_cast<std::uint64_t>(k), axis);
      };
      const Vec3 u =
          wind_velocity(field, {coordinate(0), coordinate(1), coordinate(2)}, coordinate(3));
      mean += to_double(u) * (1.0 / count);
      square += dot(u, u) / count;
      EXPECT_TRUE(!flat || u.z == 0);
    }
    EXPECT_NEAR(std::sqrt(square), 2, 0.05);
    EXPECT_LT(length(mean), 0.05);
  }
}

TEST(ForceField, TurbulenceVariesSmoothlyInSpaceAndTime) {
  const ForceField field = gusts(false);
  const Vec3 here = wind_velocity(field, {}, 0);
  EXPECT_LT(length(wind_velocity(field, {1e-3f, 0, 0}, 0) - here), 0.1f);
  EXPECT_LT(length(wind_velocity(field, {}, 1e-4f) - here), 0.1f);
  EXPECT_GT(length(wind_velocity(field, {0.3f, 0.2f, 0.1f}, 0) - here), 0.1f);
  EXPECT_GT(length(wind_velocity(field, {}, 0.5f) - here), 0.1f);
}

}  // namespace
}  // namespace panta
