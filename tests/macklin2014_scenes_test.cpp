// The scenes of scenes/papers/macklin2014 at small sizes: each test asserts the effect that the
// scene shows. Limits come from theory or from the parameters of the scene; lengths are exact to
// half a spacing at best.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene_run.h"
#include "unified_scenes.h"

namespace panta {
namespace {

constexpr double g = 9.81, degree = std::numbers::pi / 180;
constexpr double resting_speed = 0.1;  // m/s, reached by a free fall of a hundredth of a second

SceneRun macklin(const std::string& name, const std::vector<std::string>& settings = {}) {
  return SceneRun("papers/macklin2014/" + name, settings);
}

double energy(const SceneRun& run) {
  return run.stats().kinetic_energy + run.stats().potential_energy;
}

// The largest deformation of `bodies` bodies that have the same number of particles each and come
// first among the particles.
double worst_deformation(const ParticleFrame& before, const ParticleFrame& now,
                         std::size_t bodies) {
  double worst = 0;
  const std::size_t count = now.size() / bodies;
  for (std::size_t body = 0; body < bodies; ++body)
    worst = std::max(worst, deformation(before, now, body * count, count));
  return worst;
}

TEST(Macklin2014Scene, PileOfRabbitsComesToRestUndeformed) {
  SceneRun run = macklin("bunny_pile", {"variables.side=3"});
  const ParticleFrame start = run.frame();
  run.advance(3);
  EXPECT_LT(run.stats().max_speed, resting_speed);
  EXPECT_LT(worst_deformation(start, run.frame(), 27), 0.01);
  // Bodies that do not overlap fill the bin at least to their volume divided by its area, and three
  // layers of upright rabbits are 2.34 m high.
  const double area = std::pow(3 * 0.85, 2), middle = run.stats().center_of_mass.y;
  EXPECT_GT(middle, 0.5 * run.volume_of(run.frame().size()) / area);
  EXPECT_LT(middle, 0.5 * 3 * 0.78);
}

// Depths in whole layers: the pool is 0.33 m deep.
TEST(Macklin2014Scene, RabbitSplashesAndFloatsHalfImmersed) {
  SceneRun run = macklin("bunny_splash", {"spacing=0.055"});
  const double brought = run.stats().kinetic_energy;  // by the rabbit
  double splash = 0, below = 0, frames = 0;
  for (int k = 1; k <= 25; ++k) {
    const double before = energy(run);
    run.advance(0.1 * k);
    splash = std::max(splash, run.probe("top"));
    if (k <= 10) continue;
    EXPECT_LT(energy(run), before + 0.02 * brought) << 0.1 * k;  // wave energy must not grow
    if (k <= 15) continue;
    double inside = 0, all = 0;
    for (std::size_t i = 0; i < run.frame().size(); ++i)
      if (run.frame().phase()[i] == 1) {
        const double depth = run.probe("level") - run.frame().position()[i].y;
        inside += std::clamp(depth / run.spacing() + 0.5, 0.0, 1.0), all += 1;
      }
    below += inside / all, frames += 1;
  }
  EXPECT_GT(splash, 0.33 + 2 * run.spacing());
  EXPECT_NEAR(below / frames, 0.5, 0.15);  // Archimedes: half the density of water
}

TEST(Macklin2014Scene, CubesFloatByDensityAndStoneSinks) {
  SceneRun run = macklin("buoyancy_row", {"spacing=0.05"});
  run.advance(2);
  // The cubes displace their weight in water, the stone its volume: together 2.5 cubes.
  const double side = 0.2, level = 0.4 + 2.5 * std::pow(side, 3) / (1.8 * 0.5);
  const auto floating = [&](double ratio) { return level + (0.5 - ratio) * side; };
  EXPECT_NEAR(run.probe("cork", 1), floating(0.25), 0.5 * run.spacing());
  EXPECT_NEAR(run.probe("pine", 1), floating(0.5), 0.5 * run.spacing());
  EXPECT_NEAR(run.probe("oak", 1), floating(0.75), 0.5 * run.spacing());
  EXPECT_LT(run.probe("stone", 1), 0.5 * side + run.spacing());  // a layer may be left below it
}

TEST(Macklin2014Scene, DamBreakFrontMatchesExperiment) {
  SceneRun run = macklin("dam_break_column", {"variables.across=10"});
  const double start = energy(run);
  // Martin and Moyce 1952, table 2: the front is 2.78 widths from the wall at t sqrt(2 g/a) = 2.32.
  run.advance(2.32 / std::sqrt(2 * g));
  EXPECT_NEAR(run.probe("front"), 2.78, 0.1 * 2.78);
  double height = 0;  // of the centre, mean over the last two seconds: it still oscillates
  for (int k = 6; k <= 60; ++k) {
    run.advance(0.1 * k);
    EXPECT_LT(energy(run), start) << 0.1 * k;
    if (k > 40) height += run.stats().center_of_mass.y / 20;
  }
  // At rest it is 2/3 m deep everywhere, and the centre at half of that.
  EXPECT_GT(height, 0.95 / 3);
  EXPECT_LT(height, 1.15 / 3);
}

TEST(Macklin2014Scene, DampSandTowerStandsAndDryOneSlumps) {
  SceneRun dry = macklin("dry_sand", {"spacing=0.04"}),
           damp = macklin("damp_sand", {"spacing=0.04"});
  dry.advance(3);
  damp.advance(3);
  const double tower = 0.44, poured = dry.volume_of(dry.sim().emitted());
  EXPECT_LT(dry.probe("tower"), 0.5 * tower);
  EXPECT_GT(damp.probe("tower"), 0.9 * tower);
  // A cone of slope mu has the volume pi h^3 / (3 mu^2). Poured sand falls and flows: its heap is
  // not higher than a cone at rest.
  const double mu = 0.35, cone = std::cbrt(3 * poured * mu * mu / std::numbers::pi);
  EXPECT_LT(dry.probe("heap"), cone + dry.spacing());
  EXPECT_GT(damp.probe("heap"), 1.25 * dry.probe("heap"));
}

TEST(Macklin2014Scene, ShakenBoxKeepsItsDebris) {
  SceneRun run = macklin("debris_box", {"spacing=0.05"});
  double shaken = 0;
  for (int k = 1; k <= 10; ++k) {
    run.advance(0.5 * k);
    EXPECT_EQ(run.probe("outside"), 0) << 0.5 * k;
    if (k > 3) shaken = std::max(shaken, run.stats().max_speed);
  }
  EXPECT_GT(shaken, 1);  // the box moves with up to 1.5 m/s
  EXPECT_LT(run.stats().max_speed, resting_speed);
  EXPECT_LT(run.probe("top"), 0.7);  // the rim
}

TEST(Macklin2014Scene, BlocksSlideOnlyOnSlopesAboveTheirFriction) {
  SceneRun run = macklin("friction_ramp");
  const double mu = std::tan(27.5 * degree), time = 1;
  const auto place = [&](int angle) {
    const std::string block = "block " + std::to_string(angle);
    return Vec3d{run.probe(block, 0), run.probe(block, 1), run.probe(block, 2)};
  };
  std::vector<Vec3d> start;
  for (int angle = 15; angle <= 40; angle += 5) start.push_back(place(angle));
  run.advance(time);
  for (int k = 0; k < 6; ++k) {
    const int angle = 15 + 5 * k;
    const double slope = angle * degree, moved = length(place(angle) - start[k]);
    if (slope < 27.5 * degree) {
      EXPECT_LT(moved, 0.1 * run.spacing()) << angle;
      continue;
    }
    const double slid = 0.5 * g * (std::sin(slope) - mu * std::cos(slope)) * time * time;
    EXPECT_NEAR(moved, slid, 0.05 * slid) << angle;
  }
}

// A body with an initial overlap would leave at 0.1 m per step of 1/120 s, 12 m/s, if the
// correction of the overlap counted as motion.
TEST(Macklin2014Scene, OverlappingBodiesSeparateSlowly) {
  SceneRun run = macklin("initial_overlap");
  const double crate = 0.3, top = run.probe("top");
  for (int k = 1; k <= 20; ++k) {
    run.advance(0.05 * k);
    double fastest = 0;
    for (std::size_t i = 0; i < run.frame().size(); ++i)
      if (run.frame().phase()[i] == 0)
        fastest = std::max(fastest, double(length(run.frame().velocity()[i])));
    EXPECT_LT(fastest, std::sqrt(2 * g * crate)) << 0.05 * k;
    // While they separate, the upper crate rises by less than a quarter of the 0.2 m of overlap.
    EXPECT_LT(run.probe("top"), top + 0.25 * 0.2) << 0.05 * k;
  }
  EXPECT_LT(run.probe("top"), crate + run.spacing());  // the upper crate came down beside the lower
}

// Crates at 0, 0.22, 0.44 and 0.66 m from the axis of a disc that turns by 25 t^2 degrees slide
// where omega^2 r > mu g: the last from 3.1 s on, the third from 3.8 s, the second from 5.4 s.
TEST(Macklin2014Scene, CratesSlideOffARotatingDiscAndBeltCarriesSand) {
  SceneRun run = macklin("moving_shape", {"spacing=0.04"});
  const auto distances = [&] {
    std::vector<double> result(4);
    const std::size_t sand = static_cast<std::size_t>(
                          std::count(run.frame().phase().begin(), run.frame().phase().end(), 1u)),
                      count = (run.frame().size() - sand) / 4;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3d middle = mean_of(run.frame().position(), sand + k * count, count);
      result[k] = std::hypot(middle.x, middle.z);
    }
    return result;
  };
  const double start = run.probe("heap"), belt = 0.6;
  const std::vector<double> placed = distances();
  run.advance(1);
  // The belt's friction of 0.8 takes belt / (0.8 g) to bring it to its speed.
  EXPECT_NEAR(run.probe("heap"), start + belt * (1 - 0.5 * belt / (0.8 * g)), 0.5 * run.spacing());
  run.advance(2.8);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(distances()[k], placed[k], 0.5 * run.spacing()) << k;
  run.advance(5);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(distances()[k], placed[k], 0.5 * run.spacing()) << k;
  for (std::size_t k = 2; k < 4; ++k) EXPECT_GT(distances()[k], placed[k] + 0.12) << k;
}

TEST(Macklin2014Scene, RabbitsOfAllSizesLandUndeformed) {
  SceneRun run = macklin("rabbit_sizes");
  const ParticleFrame start = run.frame();
  const std::vector<float> between = {-1, -0.065f, 0.165f, 0.56f, 2};
  std::vector<std::size_t> first = {0};  // of each rabbit
  for (std::size_t i = 0; i < start.size(); ++i)
    while (start.position()[i].x > between[first.size()]) first.push_back(i);
  first.push_back(start.size());
  ASSERT_EQ(first.size(), 5u);
  const double height = run.stats().center_of_mass.y, fall = 0.12;
  run.advance(fall);
  EXPECT_NEAR(height - run.stats().center_of_mass.y, 0.5 * g * fall * fall, 0.002);
  const double speed = g * fall;
  run.advance(2);
  EXPECT_LT(run.stats().max_speed, 0.25 * speed);  // the large one still oscillates
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t count = first[k + 1] - first[k];
    EXPECT_LT(deformation(start, run.frame(), first[k], count), 0.01) << k;
    const auto from = run.frame().position().begin() + static_cast<std::ptrdiff_t>(first[k]);
    const Vec3 lowest = *std::min_element(from, from + static_cast<std::ptrdiff_t>(count),
                                          [](const Vec3& a, const Vec3& b) { return a.y < b.y; });
    EXPECT_NEAR(lowest.y, 0.5 * run.spacing(), 0.25 * run.spacing()) << k;  // on the floor
  }
}

TEST(Macklin2014Scene, LightLiquidRisesAtThePerturbation) {
  SceneRun run = macklin("rayleigh_taylor", {"variables.across=20"});
  run.advance(1);
  double pushed = 0, elsewhere = 0;  // at x = 0.3
  for (std::size_t i = 0; i < run.frame().size(); ++i)
    if (run.frame().phase()[i] == 1 && run.frame().position()[i].y > 0.6f)
      (run.frame().position()[i].x < 0.5f ? pushed : elsewhere) += 1;
  EXPECT_GT(pushed, 2 * elsewhere);
  run.advance(4);
  // after the liquids have changed places
  EXPECT_LT(run.probe("heavy", 1), 0.4);
  EXPECT_GT(run.probe("light", 1), 0.6);
}

TEST(Macklin2014Scene, BrookLeavesStonesAndCarriesPumice) {
  SceneRun run = macklin("rock_pool", {"spacing=0.06"});
  const Vec3d stones = middle(run.frame(), 1), pumice = middle(run.frame(), 2);
  run.advance(3);
  std::vector<double> heights;  // of water in the pool
  for (std::size_t i = 0; i < run.frame().size(); ++i)
    if (run.frame().phase()[i] == 0 && run.frame().position()[i].x > 0)
      heights.push_back(run.frame().position()[i].y);
  std::sort(heights.begin(), heights.end());
  // 0.6 of it is under water, its half axes are 0.07 and 0.09 m.
  EXPECT_NEAR(middle(run.frame(), 2).y, heights[heights.size() * 9 / 10], 0.09);
  // Half axes of 0.1, 0.06 and 0.08 m, however they lie; a layer of water may be left below.
  EXPECT_LT(middle(run.frame(), 1).y, 0.1 + run.spacing());
  EXPECT_LT(std::abs(middle(run.frame(), 1).x - stones.x), 0.1);
  EXPECT_GT(middle(run.frame(), 2).x - pumice.x, 0.2);
  run.advance(4);
  const double volume = 4 * 0.5 * 0.15 * 1;
  EXPECT_NEAR(run.volume_of(run.sim().emitted()), volume, 0.05 * volume);
  EXPECT_GT(run.sim().removed(), 0u);  // it runs over the lower edge
}

// Eight substeps hold 16 layers of 5 cm as well as the scene's sixteen hold 41 layers of 2 cm.
TEST(Macklin2014Scene, SandcastleHeapsAndCollapsesWithOlderFriction) {
  const std::vector<std::string> small = {"spacing=0.05", "solver.substeps=8"};
  std::vector<std::string> older = small;
  older.push_back("solver.friction_model=velocities");
  SceneRun heap = macklin("sandcastle", small), flat = macklin("sandcastle", older);
  const double volume = heap.volume_of(heap.frame().size()), castle = heap.probe("middle", 1);
  heap.advance(1.5);
  flat.advance(1.5);
  // The centre of a cone of this volume and slope is at a quarter of its height.
  const auto cone = [&](double slope) {
    return 0.25 * std::cbrt(3 * volume * std::pow(std::tan(slope * degree), 2) / std::numbers::pi);
  };
  EXPECT_LT(std::sqrt(2 * heap.stats().kinetic_energy / heap.stats().mass), resting_speed);
  EXPECT_LT(heap.probe("middle", 1), 0.75 * castle);
  EXPECT_GT(heap.probe("middle", 1), cone(30));  // friction of 0.8 and 1: 39 to 45 degrees
  EXPECT_LT(flat.probe("middle", 1), cone(15));
}

TEST(Macklin2014Scene, StackOfTenSagsLessWithScaledMasses) {
  SceneRun scaled = macklin("stack_of_ten"), plain = macklin("stack_of_ten_plain");
  for (SceneRun* run : {&scaled, &plain}) {
    run->advance(3);
    EXPECT_GT(run->probe("top"), 0.98 * 2);
    EXPECT_LT(run->probe("lean"), 0.1 + 0.1 * run->spacing());
    EXPECT_LT(run->stats().max_speed, 0.5 * resting_speed);
  }
  EXPECT_GT(scaled.probe("middle", 1), plain.probe("middle", 1));
}

// A cube swings about the sphere in the mode of order 4, of which Rayleigh's frequency is
// omega^2 = 72 sigma / (rho R^3): its faces are farthest out after half a period.
TEST(Macklin2014Scene, CubesRoundFasterWithMoreSurfaceTension) {
  // The highest particle of a cube is measured: cubes start without jitter.
  SceneRun run =
      macklin("surface_tension_row", {"spacing=0.005", "fluids.0.jitter=0", "fluids.1.jitter=0",
                                      "fluids.2.jitter=0", "fluids.3.jitter=0"});
  const std::vector<std::string> names = {"weak", "water", "strong"};
  std::vector<double> highest(3), when(3);
  for (int k = 1; k <= 45; ++k) {
    run.advance(0.01 * k);
    for (std::size_t m = 0; m < 3; ++m)
      if (run.probe(names[m]) > highest[m]) highest[m] = run.probe(names[m]), when[m] = 0.01 * k;
  }
  EXPECT_NEAR(run.probe("none"), 0.04, 0.5 * run.spacing());
  EXPECT_NEAR(when[0] / when[1], std::sqrt(0.07 / 0.02), 0.2 * std::sqrt(0.07 / 0.02));
  EXPECT_NEAR(when[1] / when[2], std::sqrt(0.3 / 0.07), 0.2 * std::sqrt(0.3 / 0.07));
  const double sphere = std::cbrt(3 / (4 * std::numbers::pi)) * 0.04;
  const double period = 2 * std::numbers::pi / std::sqrt(72 * 0.07 / (1000 * std::pow(sphere, 3)));
  EXPECT_NEAR(when[1], 0.5 * period, 0.25 * 0.5 * period);
}

// Reynolds numbers, of 3.7 m/s and 1.4 m, are 5200, 170, 52, 17 and 7: the first two splash alike.
TEST(Macklin2014Scene, ViscousDropsSpreadLessWithMoreViscosity) {
  SceneRun run = macklin("viscosity_row", {"spacing=0.14"});
  run.advance(0.6);
  std::vector<double> height, reach(5);
  for (const char* name : {"1 Pa s", "30 Pa s", "100 Pa s", "300 Pa s", "700 Pa s"})
    height.push_back(run.probe(name, 1));
  for (std::size_t i = 0; i < run.frame().size(); ++i) {
    const std::uint32_t m = run.frame().phase()[i];
    const Vec3& x = run.frame().position()[i];
    reach[m] = std::max(reach[m], double(std::hypot(x.x - 4 * float(m), x.z)));
  }
  for (std::size_t m = 1; m < 5; ++m) {
    EXPECT_GT(height[m], height[m - 1] - (m == 1 ? 0.05 * run.spacing() : 0)) << m;
    EXPECT_LT(reach[m], reach[m - 1] + (m == 1 ? run.spacing() : 0)) << m;
  }
  EXPECT_GT(height[4], 1.5 * height[0]);
}

}  // namespace
}  // namespace panta
