// A block with springs under a foot: it recovers, keeps the print or flows away, depending on its
// springs.
#include <gtest/gtest.h>

#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

constexpr double rest_until = 0.4, foot_gone = 1.2, end = 2;
constexpr float foot_start = 0.15f, foot_low = 0.073f;  // m, of its sole

class ViscoelasticElastic : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

// A block on a floor, and a foot above it that comes down after a while and goes up again.
Scene block_under_foot() {
  Scene scene = closed_box({0.6, 0.5, 0.6});
  scene.domain.surfaces[minus_y].no_slip = true;
  scene.fluids = {{0, Shape::box({0.18f, 0, 0.18f}, {0.42f, 0.12f, 0.42f})}};
  ParameterSet& v = scene.materials[0].methods["viscoelastic"];
  v["springs"] = 10.0;
  v["linear_viscosity"] = 0.1;
  v["spring_length"] = std::string("once");
  scene.solver["spring_passes"] = 8.0;
  Body foot;
  foot.shape = Shape::box({0.25f, foot_start, 0.25f}, {0.35f, 0.25f, 0.35f});
  foot.motion.keys = {{rest_until, {}, {}},
                      {0.7, {0, foot_low - foot_start, 0}, {}},
                      {0.9, {0, foot_low - foot_start, 0}, {}},
                      {foot_gone, {}, {}}};
  scene.bodies = {foot};
  return scene;
}

// The highest particle under the foot.
double height_under_foot(const ParticleFrame& frame) {
  double high = 0;
  for (const Vec3& x : frame.position())
    if (std::hypot(x.x - 0.3, x.z - 0.3) < 0.035) high = std::max(high, double(x.y));
  return high;
}

struct Pressing {
  ParticleFrame before, pressed, after;
  double depth = 0, print = 0;  // m, below the foot, and when it has left
};
Pressing press(Simulation& sim, Timeline& line) {
  Pressing p;
  line.advance(sim, rest_until);
  p.before = sim.snapshot();
  line.advance(sim, 0.9);
  p.pressed = sim.snapshot();
  line.advance(sim, end);
  p.after = sim.snapshot();
  p.depth = height_under_foot(p.before) - height_under_foot(p.pressed);
  p.print = height_under_foot(p.before) - height_under_foot(p.after);
  return p;
}

// Mean displacement of particles, relative to the height of the block.
double displaced(const ParticleFrame& a, const ParticleFrame& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec3d d = to_double(b.position()[i]) - to_double(a.position()[i]);
    sum += dot(d, d);
  }
  return std::sqrt(sum / static_cast<double>(a.size())) / 0.12;
}

TEST_P(ViscoelasticElastic, ElasticBlockRecovers) {
  const Scene scene = block_under_foot();
  const auto sim = start(scene);
  Timeline line(scene);
  const Pressing p = press(*sim, line);
  EXPECT_GT(p.depth, 0.025);
  RecordProperty("displaced", std::to_string(displaced(p.before, p.after)));
  RecordProperty("print", std::to_string(p.print));
  EXPECT_LT(displaced(p.before, p.after), 0.03);
  EXPECT_LT(std::abs(p.print), 0.03 * height_under_foot(p.before));
  EXPECT_EQ(counter(*sim, "springs_removed"), 0u);
}

TEST_P(ViscoelasticElastic, PlasticBlockKeepsTheFootprint) {
  Scene scene = block_under_foot();
  scene.materials[0].methods["viscoelastic"]["plasticity"] = 0.5;
  scene.materials[0].methods["viscoelastic"]["yield"] = 0.1;
  const auto sim = start(scene);
  Timeline line(scene);
  const Pressing p = press(*sim, line);
  RecordProperty("print", std::to_string(p.print));
  EXPECT_GT(p.print, 0.3 * p.depth);
  // It does not move beside the print.
  EXPECT_LT(fastest_of(p.after), 0.1);
}

TEST_P(ViscoelasticElastic, BlockWithoutSpringsFlowsAway) {
  Scene scene = block_under_foot();
  Scene loose = scene;
  loose.materials[0].methods["viscoelastic"]["springs"] = 0.0;
  Event melt;
  melt.time = foot_gone;
  melt.changed = std::make_shared<const Scene>(loose);
  scene.events = {melt};
  const auto sim = start(scene);
  Timeline line(scene);
  const Pressing p = press(*sim, line);
  EXPECT_GT(spread_of(p.after).x, 1.5 * spread_of(p.before).x);
  EXPECT_LT(spread_of(p.after).y, 0.5 * spread_of(p.before).y);
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticElastic, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
