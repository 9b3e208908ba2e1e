// Walls one spacing thick hold particles at 30 m/s, with the default settings of the unified
// method, on every available device.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device_list.h"
#include "panta/load/expression.h"

namespace panta {
namespace {

constexpr float spacing = 0.02f, fast = 30;

// Parameters: the device, and whether the particles are grains.
class LeakTest : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  DeviceOptions options{std::get<0>(GetParam()), 1, false};

  Scene empty() const {
    Scene scene;
    scene.method = "unified";
    scene.spacing = spacing;
    Material material;
    material.kind = std::get<1>(GetParam()) ? MaterialKind::granular : MaterialKind::liquid;
    scene.materials = {material};
    return scene;
  }
};

Body plate(const Vec3& low, const Vec3& high) {
  Body body;
  body.shape = Shape::box(low, high);
  return body;
}

// Upright at x = 0, one spacing thick.
Body upright() { return plate({0, -4, -4}, {spacing, 4, 4}); }

Motion moving(const std::string& x, const std::string& y = "0", const std::string& z = "0") {
  Motion motion;
  motion.program.displacement[0] = parse_expression(x, {}, {});
  motion.program.displacement[1] = parse_expression(y, {}, {});
  motion.program.displacement[2] = parse_expression(z, {}, {});
  return motion;
}

// The number of particles on the wrong side in any of the frames; outside(position in the frame of
// the first body) is false for these.
// the first body) is false.
template <class Outside>
int leaked(Simulation& sim, const Scene& scene, double duration, const Outside& outside) {
  int count = 0;
  const int frames = static_cast<int>(std::round(duration * 120));
  for (int k = 1; k <= frames; ++k) {
    sim.advance_to(k / 120.0);
    const ParticleFrame frame = sim.snapshot();
    const Pose pose = pose_at(scene.bodies[0].motion, frame.time);
    for (const Vec3& x : frame.position()) count += !outside(pose.to_own(x));
  }
  return count;
}

TEST_P(LeakTest, ThinWallStopsAJetAtAnyAngle) {
  for (const float degrees : {0.0f, 20.0f, 45.0f, 70.0f, 85.0f}) {
    const float angle = degrees * std::numbers::pi_v<float> / 180;
    const Vec3 velocity{fast * std::cos(angle), 0, fast * std::sin(angle)};
    Scene scene = empty();
    scene.bodies = {upright()};
    scene.fluids = {{0, Shape::box({-0.31f, 0, 0}, {-0.11f, 0.1f, 0.1f}), velocity}};
    const auto sim = make_simulation(scene, options);
    EXPECT_EQ(leaked(*sim, scene, 0.1, [](const Vec3& x) { return x.x <= 0; }), 0) << degrees;
  }
}

// Particles at rest near the wall have no velocity of their own until they are hit.
TEST_P(LeakTest, WallStopsParticlesPushedByAJet) {
  Scene scene = empty();
  scene.bodies = {upright()};
  scene.fluids = {{0, Shape::box({-0.12f, 0, 0}, {-0.04f, 0.1f, 0.1f})},
                  {0, Shape::box({-0.4f, 0, 0}, {-0.14f, 0.1f, 0.1f}), {fast, 0, 0}}};
  const auto sim = make_simulation(scene, options);
  EXPECT_EQ(leaked(*sim, scene, 0.1, [](const Vec3& x) { return x.x <= 0; }), 0);
}

TEST_P(LeakTest, MovingPlatePushesRestingParticles) {
  Scene scene = empty();
  scene.gravity = {};
  scene.bodies = {upright()};
  scene.fluids = {{0, Shape::box({0.1f, 0, 0}, {0.3f, 0.1f, 0.1f})}};
  for (const char* motion : {"30*t", "0.3*(1-cos(100*t))"}) {
    scene.bodies[0].motion = moving(motion);
    const auto sim = make_simulation(scene, options);
    EXPECT_EQ(leaked(*sim, scene, 0.1, [](const Vec3& x) { return x.x >= spacing; }), 0) << motion;
    double ahead = 0;
    for (const Vec3& v : sim->snapshot().velocity()) ahead += v.x / double(sim->size());
    if (motion[0] == '3') {
      EXPECT_GT(ahead, 0.95 * fast);
    }
  }
}

TEST_P(LeakTest, ThinFloorStopsAFallingSheet) {
  Scene scene = empty();
  scene.gravity = {};
  scene.bodies = {plate({-1, 0, -1}, {1, spacing, 1})};
  scene.fluids = {{0, Shape::box({-0.1f, 0.5f, -0.1f}, {0.1f, 0.52f, 0.1f}), {3, -fast, 1}}};
  const auto sim = make_simulation(scene, options);
  EXPECT_EQ(leaked(*sim, scene, 0.1, [](const Vec3& x) { return x.y >= spacing; }), 0);
}

// Six plates, each a separate body, shaken at up to 30 m/s.
TEST_P(LeakTest, ShakenBoxOfThinPlatesLosesNoParticle) {
  constexpr float a = 0.12f, b = a + spacing;  // half its width inside and outside
  Scene scene = empty();
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.0f, 1.0f}) {
      Vec3 low{-b, -b, -b}, high{b, b, b};
      low[axis] = sign < 0 ? -b : a;
      high[axis] = sign < 0 ? -a : b;
      scene.bodies.push_back(plate(low, high));
      scene.bodies.back().motion =
          moving("0.24*(1-cos(125*t))", "0.1*sin(150*t)", "0.05*(1-cos(170*t))");
    }
  scene.fluids = {{0, Shape::box({-a, -a, -a}, {a, 0, a})}};
  const auto sim = make_simulation(scene, options);
  EXPECT_EQ(leaked(*sim, scene, 0.5,
                   [](const Vec3& x) {
                     return std::abs(x.x) <= a && std::abs(x.y) <= a && std::abs(x.z) <= a;
                   }),
            0);
}

// A blade with a tip speed of 30 m/s in a cylinder: no particle enters it, none leaves the
// cylinder.
TEST_P(LeakTest, NoParticleEntersARotatingBlade) {
  Scene scene = empty();
  Body blade = plate({-0.2f, -0.1f, -0.5f * spacing}, {0.2f, 0.1f, 0.5f * spacing});
  blade.motion.program.angle = parse_expression("150*t", {}, {});
  Body drum;
  drum.shape = Shape::cylinder({0, -0.1f, 0}, {0, 0.1f, 0}, 0.24f);
  drum.hollow = true;
  scene.bodies = {blade, drum};
  scene.fluids = {{0, subtract(Shape::cylinder({0, -0.1f, 0}, {0, 0, 0}, 0.23f),
                               Shape::box({-0.21f, -0.1f, -spacing}, {0.21f, 0.1f, spacing}))}};
  const auto sim = make_simulation(scene, options);
  const auto outside = [&](const Vec3& x) {
    return distance(blade.shape, x).value >= -1e-5f && distance(drum.shape, x).value <= 1e-5f;
  };
  EXPECT_EQ(leaked(*sim, scene, 0.25, outside), 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, LeakTest,
                         ::testing::Combine(::testing::ValuesIn(devices()), ::testing::Bool()),
                         [](const auto& info) {
                           return std::get<0>(info.param) +
                                  (std::get<1>(info.param) ? "_grains" : "_liquid");
                         });

}  // namespace
}  // namespace panta
