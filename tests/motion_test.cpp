// Prescribed motion: poses, velocities in a step, key frames.
#include "panta/geometry/motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;

Expression formula(std::initializer_list<std::pair<FormulaOp, double>> code) {
  Expression e;
  for (const auto& [op, number] : code) {
    e.op[e.length] = op;
    e.number[e.length++] = number;
  }
  return e;
}

TEST(MotionTest, FormulasAreEvaluatedInPostfix) {
  // 2 sin(3 t) - t^2
  const Expression e = formula({{FormulaOp::constant, 2},
                                {FormulaOp::constant, 3},
                                {FormulaOp::time, 0},
                                {FormulaOp::multiply, 0},
                                {FormulaOp::sine, 0},
                                {FormulaOp::multiply, 0},
                                {FormulaOp::time, 0},
                                {FormulaOp::constant, 2},
                                {FormulaOp::power, 0},
                                {FormulaOp::subtract, 0}});
  for (const double t : {0.0, 0.3, 1.7})
    EXPECT_NEAR(e.value(t), 2 * std::sin(3 * t) - t * t, 1e-12);
  EXPECT_EQ(Expression{}.value(3), 0);
}

TEST(MotionTest, RotatesAboutAPivot) {
  Motion motion;
  motion.program.pivot = {1, 0, 0};
  motion.program.axis = {0, 0, 1};
  motion.program.angle =
      formula({{FormulaOp::time, 0}, {FormulaOp::constant, pi / 2}, {FormulaOp::multiply, 0}});
  ASSERT_TRUE(motion.moves());
  const Pose pose = pose_in_step(motion.program, nullptr, 1, 1, 1e-3);
  EXPECT_NEAR(length(pose.to_world({1, 0, 0}) - Vec3{1, 0, 0}), 0, 1e-6);
  EXPECT_NEAR(length(pose.to_world({2, 0, 0}) - Vec3{1, 1, 0}), 0, 1e-6);
  EXPECT_NEAR(length(pose.to_own({1, 1, 0}) - Vec3{2, 0, 0}), 0, 1e-6);
  EXPECT_NEAR(pose.spin.z, pi / 2, 1e-3);
  EXPECT_NEAR(length(pose.velocity_at({1, 1, 0}) - Vec3{static_cast<float>(-pi / 2), 0, 0}), 0,
              2e-3);
  EXPECT_NEAR(length(pose.velocity_at({1, 0, 0})), 0, 2e-3);
}

TEST(MotionTest, StepVelocityMovesTheSurfaceExactly) {
  Motion motion;
  motion.program.displacement[0] = formula({{FormulaOp::time, 0}, {FormulaOp::sine, 0}});
  const double t = 0.4, dt = 0.05;
  const Pose start = pose_in_step(motion.program, nullptr, t, t, dt);
  const Pose end = pose_in_step(motion.program, nullptr, t + dt, t, dt);
  const Vec3 x = start.to_world({0.3f, 0.2f, 0.1f});
  EXPECT_NEAR(length(x + start.velocity_at(x) * float(dt) - end.to_world({0.3f, 0.2f, 0.1f})), 0,
              1e-6);
}

TEST(MotionTest, KeyFramesAreReachedAndHeld) {
  for (const bool smooth : {false, true}) {
    Motion motion;
    motion.program.smooth = smooth;
    motion.keys = {{1, {0, 0, 0}, {}},
                   {2, {1, 0, 0}, axis_angle({0, 1, 0}, 1)},
                   {4, {1, 2, 0}, axis_angle({0, 1, 0}, 2)}};
    const auto at = [&](double t) { return place_at(motion, t); };
    EXPECT_NEAR(length(at(0.5).position), 0, 1e-7);
    for (const MotionKey& key : motion.keys) {
      EXPECT_NEAR(length(at(key.time).position - to_double(key.position)), 0, 1e-7);
      EXPECT_NEAR(length(rotation_vector(at(key.time).rotation * conjugate(key.rotation))), 0,
                  1e-3);
    }
    EXPECT_NEAR(length(at(9).position - Vec3d{1, 2, 0}), 0, 1e-7);
    if (!smooth) {
      EXPECT_NEAR(length(at(3).position - Vec3d{1, 1, 0}), 0, 1e-7);
    }
    // No jumps; smooth motion has no kinks either.
    double last = 0;
    for (double t = 1.005; t < 4; t += 0.01) {
      const double speed = length(at(t + 0.005).position - at(t - 0.005).position) / 0.01;
      EXPECT_LT(speed, smooth ? 2.2 : 1.1);
      if (smooth && t > 1.01) {
        EXPECT_LT(std::abs(speed - last), 0.1) << t;
      }
      last = speed;
    }
  }
}

}  // namespace
}  // namespace panta
