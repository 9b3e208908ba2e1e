// Drops in free space: surface tension follows from the two densities alone, and the three forms of
// relaxation give the same drop.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

class ViscoelasticDrop : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

// Radii of a lump towards the faces, edges and corners of a cube around its centre. In a uniformly
// filled cone the mean distance to the tip is 3/4 of its length, which does not depend on the
// positions of single surface particles.
std::vector<double> radii_of(const ParticleFrame& frame) {
  constexpr double narrow = 0.866;  // cosine of half the angle of the cones
  const Vec3d centre = centre_of(frame);
  std::vector<double> radii;
  for (int k = 0; k < 27; ++k) {
    const Vec3d towards{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
    const double size = length(towards);
    if (size == 0) continue;
    double sum = 0;
    int count = 0;
    for (const Vec3& x : frame.position()) {
      const Vec3d d = to_double(x) - centre;
      if (dot(d, towards) < narrow * length(d) * size) continue;
      sum += length(d);
      ++count;
    }
    radii.push_back(4.0 / 3 * sum / count);
  }
  return radii;
}

// Mean shape of a drop over some time, while it still oscillates.
struct DropShape {
  double radius = 0, deviation = 0;  // mean over directions; largest, as a share of it
  double density = 0;                // mean over particles
};
DropShape watch(Simulation& sim, double from, double to, int frames) {
  std::vector<double> mean(26);
  DropShape shape;
  for (int k = 0; k < frames; ++k) {
    sim.advance_to(from + (to - from) * k / (frames - 1));
    const ParticleFrame frame = sim.snapshot();
    const std::vector<double> radii = radii_of(frame);
    for (std::size_t d = 0; d < mean.size(); ++d) mean[d] += radii[d] / frames;
    for (const float rho : frame.density())
      shape.density += rho / (frames * static_cast<double>(frame.size()));
  }
  for (const double r : mean) shape.radius += r / static_cast<double>(mean.size());
  for (const double r : mean)
    shape.deviation = std::max(shape.deviation, std::abs(r / shape.radius - 1));
  return shape;
}

Scene cube_of_liquid(const std::string& form) {
  Scene scene = free_space();
  scene.fluids = {blob(scene, 13, 13, 13, 0.1f)};
  scene.solver["relaxation"] = form;
  return scene;
}

TEST_P(ViscoelasticDrop, CubeBecomesABallInEveryForm) {
  std::optional<DropShape> first;
  for (const std::string& form : relaxations(GetParam())) {
    const auto sim = start(cube_of_liquid(form));
    EXPECT_GT(watch(*sim, 0, 0, 2).deviation, 0.15);
    const DropShape drop = watch(*sim, 2, 2.5, 11);
    RecordProperty(form + "_deviation", std::to_string(drop.deviation));
    RecordProperty(form + "_radius", std::to_string(drop.radius));
    RecordProperty(form + "_density", std::to_string(drop.density));
    EXPECT_LT(drop.deviation, 0.03) << form;
    if (!first) first = drop;
    EXPECT_NEAR(drop.radius / first->radius, 1, 0.01) << form;
    EXPECT_NEAR(drop.density / first->density, 1, 0.02) << form;
  }
}

// A weaker near-pressure makes the particles less uniform, but the volume stays the same.
TEST_P(ViscoelasticDrop, DropKeepsItsVolumeForAnyNearRatio) {
  for (const double ratio : {0.5, 1.0, 2.5}) {
    Scene scene = free_space();
    scene.materials[0].viscosity = 1;
    scene.fluids = {{0, Shape::sphere({}, 0.2f), {}, 0.2f}};
    scene.solver["near_ratio"] = ratio;
    const auto sim = start(scene);
    const double before = watch(*sim, 0, 0, 2).radius;
    const double after = watch(*sim, 1, 1.2, 3).radius;
    RecordProperty(fmt::format("volume_{}", ratio),
                   fmt::format("{:.4f}", std::pow(after / before, 3)));
    EXPECT_NEAR(std::pow(after / before, 3), 1, 0.02) << ratio;
  }
}

// 1.5 times as long as wide, initially at rest.
Scene long_drop(const std::string& form, double sound_speed) {
  Scene scene = free_space();
  scene.fluids = {{0, Shape::ellipsoid({}, {0.14f, 0.0933f, 0.0933f}), {}, 0.2f}};
  scene.materials[0].methods["viscoelastic"]["linear_viscosity"] = 0.05;
  scene.solver["relaxation"] = form;
  scene.solver["velocity_update"] = std::string("leapfrog");
  scene.solver["time_step"] = 1.0 / 240;
  scene.solver["sound_speed"] = sound_speed;
  return scene;
}

// The logarithm of the aspect ratio of a drop oscillates around 0.
struct Oscillation {
  double period = 0;
  std::vector<double> extremes;
};
Oscillation watch_oscillation(Simulation& sim) {
  Oscillation seen;
  double last = 1, extreme = 0;
  for (int k = 0; k < 480 && seen.extremes.size() < 3; ++k) {
    const double time = k / 240.0;
    sim.advance_to(time);
    const Vec3d spread = spread_of(sim.snapshot());
    const double now = std::log(spread.x / std::sqrt(spread.y * spread.z));
    if (now * last < 0) {
      seen.extremes.push_back(extreme);
      extreme = 0;
      // The drop is as long as wide after one quarter, after three quarters of a period.
      if (seen.extremes.size() == 2) seen.period = 4.0 / 3 * (time - now / (now - last) / 240);
    }
    if (std::abs(now) > std::abs(extreme)) extreme = now;
    last = now;
  }
  return seen;
}

TEST_P(ViscoelasticDrop, LongDropOscillatesEquallyInEveryForm) {
  double first = 0;
  for (const std::string& form : relaxations(GetParam())) {
    const Oscillation seen = watch_oscillation(*start(long_drop(form, 2.8)));
    ASSERT_GE(seen.extremes.size(), 2u) << form;
    RecordProperty(form + "_period", std::to_string(seen.period));
    EXPECT_GT(seen.extremes[0], 0.3);
    EXPECT_LT(seen.extremes[1], -0.1);
    EXPECT_LT(std::abs(seen.extremes[1]), seen.extremes[0]);
    if (seen.extremes.size() > 2) {
      EXPECT_LT(seen.extremes[2], std::abs(seen.extremes[1]));
    }
    if (first == 0) first = seen.period;
    EXPECT_NEAR(seen.period / first, 1, 0.05) << form;
  }
}

// Surface tension grows with the stiffness, and the period falls with its root.
TEST_P(ViscoelasticDrop, DoubledStiffnessShortensThePeriodByTheRootOfTwo) {
  const double soft = watch_oscillation(*start(long_drop("gather", 2))).period;
  const double stiff = watch_oscillation(*start(long_drop("gather", 2 * std::sqrt(2)))).period;
  RecordProperty("soft", std::to_string(soft));
  RecordProperty("stiff", std::to_string(stiff));
  EXPECT_TRUE(advice(long_drop("gather", 2.83)).empty());
  EXPECT_NEAR(soft / stiff, std::sqrt(2), 0.1 * std::sqrt(2));
}

// A lattice that fills a periodic box cannot move.
TEST_P(ViscoelasticDrop, PeriodicLatticeHasNoPressure) {
  for (const std::string& form : relaxations(GetParam())) {
    Scene scene = free_space();
    scene.has_domain = true;
    scene.domain.max = {0.2, 0.2, 0.2};
    scene.domain.periodic = {true, true, true};
    scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.2f, 0.2f})}};
    scene.solver["relaxation"] = form;
    scene.solver["sound_speed"] = 1.0;
    const auto sim = start(scene);
    const ParticleFrame before = sim->snapshot();
    ASSERT_EQ(before.size(), 1000u);
    for (const float p : before.pressure()) ASSERT_NEAR(p, 0, 1e-3 * 1000) << form;
    for (const float rho : before.density()) ASSERT_NEAR(rho, 1000, 0.1) << form;
    sim->advance_to(0.1);
    const ParticleFrame after = sim->snapshot();
    EXPECT_LT(fastest_of(after), form == "gather" ? 1e-4 : 1e-2) << form;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticDrop, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
