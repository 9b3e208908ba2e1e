// How much shear stress a liquid without viscosity holds (viscosity itself: viscosity_test.cpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

class ViscoelasticViscosity : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

constexpr double side = 0.4, step = 1.0 / 240, wave_number = 2 * std::numbers::pi / side;

// vx = fastest sin(k y) in a periodic box.
Scene shear_wave(double viscosity, double fastest = 1) {
  Scene scene = free_space();
  scene.has_domain = true;
  scene.domain.max = {side, side, side};
  scene.domain.periodic = {true, true, true};
  scene.materials[0].viscosity = viscosity;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {float(side), float(side), float(side)})}};
  scene.fluids[0].jitter = 0.2f;  // a lattice is not the same in all directions
  scene.fluids[0].velocity_at = [fastest](const Vec3& x) {
    return Vec3{float(fastest) * std::sin(float(wave_number) * x.y), 0, 0};
  };
  scene.solver["time_step"] = step;
  return scene;
}

double amplitude(const ParticleFrame& frame) {
  double sum = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    sum += frame.velocity()[i].x * std::sin(wave_number * frame.position()[i].y);
  return 2 * sum / double(frame.size());
}

// Ordered particles have a yield stress, so that a wave loses the same speed per second at any
// speed. The stress is a fraction of rho c^2 that falls with wider kernels and with a weaker
// near-pressure.
TEST_P(ViscoelasticViscosity, InviscidLiquidHasLittleShearStress) {
  struct Case {
    double support, ratio, most;
  };
  for (const Case& expected : {Case{2.6, 2.5, 2.5e-3}, Case{2.6, 0.5, 0.8e-3},
                               Case{3.2, 2.5, 1.5e-3}, Case{4.0, 2.5, 0.5e-3}})
    for (const double sound : {3.0, 6.0}) {
      Scene scene = shear_wave(0, sound / 6);
      scene.solver["support"] = expected.support;
      scene.solver["near_ratio"] = expected.ratio;
      scene.solver["sound_speed"] = sound;
      scene.solver["time_step"] = 0.25 * expected.support * scene.spacing / sound;
      const auto sim = start(scene);
      sim->advance_to(0.2);
      const double begin = amplitude(sim->snapshot());
      sim->advance_to(0.4);
      const double lost = (begin - amplitude(sim->snapshot())) / 0.2;
      const double stress = lost / wave_number / (sound * sound);  // over rho c^2
      const std::string name =
          fmt::format("stress_{}_{}_{}", expected.support, expected.ratio, sound);
      RecordProperty(name, fmt::format("{:.2e}", stress));
      EXPECT_GT(stress, 0) << name;
      EXPECT_LT(stress, expected.most) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticViscosity, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
