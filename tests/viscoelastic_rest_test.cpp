// Liquids with the steps that the method chooses: water at rest comes to rest, the energy of a dam
// does not grow, its flow does not depend on the spacing, the lighter of two liquids stays on top.
#include <gtest/gtest.h>

#include "shear_wave.h"
#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

class ViscoelasticRest : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

double rms_speed(const ParticleFrame& frame) {
  return std::sqrt(2 * energy_of(frame) / static_cast<double>(frame.size()));
}

double energy_with_height(const ParticleFrame& frame) {
  double sum = energy_of(frame);
  for (const Vec3& x : frame.position()) sum += 9.81 * x.y;
  return sum;
}

TEST_P(ViscoelasticRest, WaterComesToRestAndFillsItsVolume) {
  for (const float friction : {0.0f, 0.3f}) {
    Scene scene = closed_box({0.16, 0.3, 0.12});
    for (Surface& side : scene.domain.surfaces) side.friction = friction;
    scene.fluids = {{0, Shape::box({0, 0, 0}, {0.16f, 0.12f, 0.12f})}};
    EXPECT_TRUE(advice(scene).empty());
    const auto sim = start(scene);
    double energy = energy_with_height(sim->snapshot());
    for (int k = 1; k <= 6; ++k) {
      sim->advance_to(0.5 * k);
      const double now = energy_with_height(sim->snapshot());
      EXPECT_LT(now, 1.001 * energy) << k;
      energy = now;
    }
    const ParticleFrame seen = sim->snapshot();
    RecordProperty("rms_" + std::to_string(friction), std::to_string(rms_speed(seen)));
    EXPECT_LT(rms_speed(seen), 0.01 * std::sqrt(9.81 * 0.12));
    EXPECT_NEAR(centre_of(seen).y, 0.06, 0.003);
  }
}

TEST_P(ViscoelasticRest, ADamFlowsAlikeAtTwoSpacings) {
  double middle[2] = {};
  for (const int k : {0, 1}) {
    Scene scene = closed_box({1.6, 1.2, 0.2}, k == 0 ? 0.05 : 0.04);
    scene.fluids = {{0, Shape::box({0, 0, 0}, {0.4f, 0.8f, 0.2f})}};
    EXPECT_TRUE(advice(scene).empty());
    const auto sim = start(scene);
    const double before = energy_with_height(sim->snapshot());
    sim->advance_to(0.3);
    const ParticleFrame seen = sim->snapshot();
    EXPECT_LT(energy_with_height(seen), before);
    for (const float rho : seen.density()) EXPECT_LT(rho, 1100);
    middle[k] = centre_of(seen).y;
  }
  EXPECT_NEAR(middle[1] / middle[0], 1, 0.03);
  EXPECT_NEAR(middle[0], 0.2036, 0.04 * 0.2036);  // SPH
}

TEST_P(ViscoelasticRest, TheLighterLiquidStaysOnTop) {
  for (const float ratio : {0.5f, 0.9f}) {
    Scene scene = closed_box({0.12, 0.24, 0.12});
    scene.materials.push_back(scene.materials[0]);
    scene.materials[1].name = "light";
    scene.materials[1].density = 1000.0f * ratio;
    scene.fluids = {{0, Shape::box({0, 0, 0}, {0.12f, 0.08f, 0.12f})},
                    {1, Shape::box({0, 0.08f, 0}, {0.12f, 0.16f, 0.12f})}};
    const auto sim = start(scene);
    sim->advance_to(2);
    const ParticleFrame seen = sim->snapshot();
    double height[2] = {};
    int count[2] = {};
    for (std::size_t i = 0; i < seen.size(); ++i) {
      height[seen.phase()[i]] += seen.position()[i].y;
      ++count[seen.phase()[i]];
    }
    EXPECT_LT(height[0] / count[0], 0.05) << ratio;
    EXPECT_GT(height[1] / count[1], 0.1) << ratio;
  }
}

TEST_P(ViscoelasticRest, ShearWaveKeepsItsSpeed) {
  for (const float jitter : {0.0f, 0.2f}) {
    const double kept = kept_of_shear_wave("viscoelastic", jitter, {GetParam(), 1, false});
    RecordProperty("kept_" + std::to_string(jitter), std::to_string(kept));
    EXPECT_GT(kept, 0.9) << jitter;
    EXPECT_LT(kept, 1.01) << jitter;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticRest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
