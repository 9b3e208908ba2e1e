// The bundled scenes at a coarse spacing: each must show its effect. Mass is conserved exactly, no
// particle is inside solid matter, and probes report the values that follow from the set-up.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene_run.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;

TEST(BundledScene, PouringFillsTheGlassAndSpillsNothing) {
  SceneRun run("papers/mueller2003/pour_glass", {"spacing=0.007"});
  run.advance(1);
  const double flux = pi * 0.009 * 0.009 * 0.5;
  EXPECT_NEAR(run.volume_of(run.sim().emitted()), flux * 1, 0.03 * flux);
  const double early = run.probe("level");
  run.advance(4);
  EXPECT_NEAR(run.probe("in the glass"), 3.5e-4, 0.03 * 3.5e-4);
  EXPECT_EQ(run.probe("on the table"), 0);
  EXPECT_EQ(run.sim().removed(), 0u);
  EXPECT_GT(run.probe("level"), early + 0.05);
  // The level of this volume in a glass whose inner radius grows from 3.2 to 3.6 cm.
  EXPECT_NEAR(run.probe("level"), 0.012 + 3.5e-4 / (pi * 0.0315 * 0.0315), 0.012);
  EXPECT_LT(run.stats().density_error_max, 0.03);
}

TEST(BundledScene, FountainRisesToItsBallisticHeight) {
  SceneRun run("basics/fountain", {"spacing=0.03"});
  run.advance(0.35);  // before anything falls back onto the jet
  const double opening = 0.28, rise = 3.2 * 3.2 / (2 * 9.81);
  EXPECT_NEAR(run.probe("top"), opening + rise, 0.3 * rise);  // three particles across the jet
  EXPECT_NEAR(run.probe("jet"), 1000 * pi * 0.04 * 0.04 * 3.0, 5);
  run.advance(2.5);
  EXPECT_GT(run.sim().removed(), 20u);  // it runs over the rim
  EXPECT_LT(run.stats().max_speed, 7);
}

TEST(BundledScene, JugHoldsWaterUntilItOverflows) {
  SceneRun run("basics/jug", {"spacing=0.05"});
  run.advance(3);
  EXPECT_LE(run.sim().removed(),
            5u);  // drops that splash over the rim when the jet hits the bottom
  EXPECT_EQ(run.probe("on the way down"), 0);
  run.advance(8);
  EXPECT_GT(run.sim().removed() + static_cast<std::uint64_t>(run.probe("on the way down")), 20u);
  EXPECT_NEAR(run.probe("in the jug"), 0.46, 0.05);  // the ellipsoid inside, 0.85 of 4/3 pi a^2 b
}

// The share of a ball of radius 1 that is below a level, by the height of its centre above it.
double share_below(double height) {
  const double t = std::clamp(-height, -1.0, 1.0);
  return 0.25 * (2 + 3 * t - t * t * t);
}

// Archimedes: the water's level follows from its volume and what the balls displace.
TEST(BundledScene, BallsDisplaceTheirWeightInEveryMethod) {
  constexpr double radius = 0.06, area = 0.72 * 0.32, cork = 0.24, oak = 0.72;
  constexpr double ball = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  for (const char* method : {"sph", "unified", "viscoelastic"}) {
    // Viscoelastic liquids need three spacings in a radius
    // (methods/viscoelastic_clavet2005/README.md).
    const bool fine = method == std::string("viscoelastic");
    SceneRun run("basics/floating_balls",
                 {fine ? "spacing=0.02" : "spacing=0.03", std::string("method=") + method});
    run.advance(2);
    const double level = (run.volume_of(run.stats().particles) + ball * (cork + oak + 1)) / area;
    const auto submerged = [&](const char* name) {
      return share_below((run.probe(name, 1) - level) / radius);
    };
    EXPECT_NEAR(submerged("cork"), cork, 0.1) << method;
    EXPECT_NEAR(submerged("oak"), oak, 0.1) << method;
    EXPECT_NEAR(run.probe("stone", 1), radius, 0.25 * run.spacing()) << method;
  }
}

TEST(BundledScene, WaterRunsDownTheStairs) {
  SceneRun run("basics/stairs", {"spacing=0.02"});
  run.advance(2);
  double lower = 0, upper = 0;
  for (int k = 1; k <= 10; ++k) {
    // The emitter releases a layer every 0.025 s: samples at multiples of it would all be at the
    // same phase.
    run.advance(2 + 0.11 * k);
    lower += run.probe("lowest step") / 10;
    upper += run.probe("upper step") / 10;
  }
  const double inflow = 1000 * 0.4 * 0.06 * 0.8;
  EXPECT_NEAR(upper, inflow, 0.1 * inflow);
  EXPECT_NEAR(lower, inflow, 0.15 * inflow);
}

TEST(BundledScene, FloodTurnsTheCorner) {
  SceneRun run("basics/corridor_flood", {"spacing=0.05"});
  run.advance(0.3);
  EXPECT_NEAR(run.probe("around the corner"), 0, 1e-9);
  EXPECT_GT(run.probe("front"), -1);
  run.advance(2);
  EXPECT_GT(run.probe("around the corner"), 0.03);
  // The far wall; single drops splash over it.
  std::vector<float> x;
  for (const Vec3& at : run.frame().position()) x.push_back(at.x);
  std::sort(x.begin(), x.end());
  EXPECT_NEAR(x.at(x.size() / 200), -1.14, 0.06);
  for (const Vec3& x : run.frame().position()) EXPECT_LT(x.y, 1.5f);
  EXPECT_EQ(run.sim().removed(), 0u);
}

TEST(BundledScene, RainRunsOffTheRoofIntoTheDrain) {
  SceneRun run("basics/rain", {"spacing=0.02"});
  run.advance(1.5);
  EXPECT_GT(run.sim().emitted(), 200u);
  EXPECT_GT(run.probe("on the roof"), 0);
  run.advance(3);
  EXPECT_GT(run.sim().removed(), 40u);
}

TEST(BundledScene, SwirlRotatesTheWater) {
  SceneRun run("papers/mueller2003/swirl_glass", {"spacing=0.007"});
  run.advance(1.5);
  const double mass = run.stats().mass, radius = 0.035;
  // Rigid rotation at the field's 20 rad/s would give m R^2 / 2 times that.
  const double full = 0.5 * mass * radius * radius * 20;
  EXPECT_GT(std::abs(run.stats().angular_momentum.y), 0.3 * full);
  EXPECT_LT(std::abs(run.stats().angular_momentum.y), 1.1 * full);
}

TEST(BundledScene, ThinSheetFallsOverTheBall) {
  SceneRun run("surfaces/thin_sheet", {});
  const double t = 0.06, spacing = 0.004, ball_top = 0.13, sheet_middle = 0.139;
  run.advance(t);
  double beside = 0, height = 0;
  for (const Vec3& x : run.frame().position())
    if (std::hypot(x.x, x.z) > 0.075f) beside += 1, height += x.y;
  EXPECT_GT(beside, 500);
  EXPECT_NEAR(height / beside, sheet_middle - t - 0.5 * 9.81 * t * t, 0.5 * spacing);  // free fall
  EXPECT_GT(run.probe("top"), ball_top);
  EXPECT_LT(run.probe("top"), ball_top + 2 * spacing);
}

TEST(BundledScene, FilamentFallsInOnePiece) {
  SceneRun run("surfaces/filament", {});
  const auto middle = [&] {
    Vec3d sum;
    for (const Vec3& x : run.frame().position()) sum += to_double(x);
    return sum * (1.0 / static_cast<double>(run.frame().size()));
  };
  run.advance(0.01);
  const Vec3d before = middle();
  run.advance(0.1);
  const Vec3d after = middle();
  EXPECT_NEAR(before.y - after.y, 0.5 * 9.81 * (0.1 * 0.1 - 0.01 * 0.01), 1e-4);
  EXPECT_NEAR(after.x, before.x, 1e-5);
  for (const Vec3& x : run.frame().position())
    EXPECT_NEAR(length(to_double(x) - after), 0.06, 0.01);  // still a ring
}

TEST(BundledScene, ClayKeepsItsDent) {
  SceneRun run("presets/clay", {"variables.across=12"});
  run.advance(0.35);
  const double before = run.probe("rim");
  run.advance(2.5);
  EXPECT_NEAR(run.probe("rim"), before, 0.15 * before);
  EXPECT_LT(run.probe("dent"), run.probe("rim") - 0.05);
}

TEST(BundledScene, RubberBounces) {
  SceneRun run("presets/rubber", {"variables.across=12"});
  const double radius = 0.16;
  double lowest = 1, highest = 0;
  for (int k = 1; k <= 14; ++k) {
    run.advance(0.3 + 0.05 * k);
    const double y = run.stats().center_of_mass.y;
    if (y < lowest) lowest = highest = y;
    highest = std::max(highest, y);
  }
  EXPECT_LT(lowest, 0.8 * radius);   // squeezed against the floor
  EXPECT_GT(highest, 1.5 * radius);  // the ball has bounced
}

}  // namespace
}  // namespace panta
