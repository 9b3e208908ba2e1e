// Viscosity in Pa s: a shear flow dies away as fast as Navier and Stokes say.
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

constexpr double side = 0.4, step = 1.0 / 240;

// vx = sin(k y) in a periodic box.
Scene shear_wave(double viscosity) {
  Scene scene = free_space();
  scene.has_domain = true;
  scene.domain.max = {side, side, side};
  scene.domain.periodic = {true, true, true};
  scene.materials[0].viscosity = viscosity;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {float(side), float(side), float(side)})}};
  scene.fluids[0].jitter = 0.2f;  // a lattice is not the same in all directions
  scene.fluids[0].velocity_at = [](const Vec3& x) {
    return Vec3{std::sin(float(2 * std::numbers::pi / side) * x.y), 0, 0};
  };
  scene.solver["time_step"] = step;
  return scene;
}

double amplitude(const ParticleFrame& frame) {
  double sum = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    sum += frame.velocity[i].x * std::sin(2 * std::numbers::pi / side * frame.position[i].y);
  return 2 * sum / double(frame.size());
}

// With as much as two passes of neighbours carry, and as much as all of them do. Less viscous or
// stiffer liquids are left out: what viscosity they have of their own counts there (README.md).
TEST_P(ViscoelasticViscosity, AShearWaveDecaysAsItShould) {
  const double k = 2 * std::numbers::pi / side;
  std::size_t most_passes = 0;
  for (const double viscosity : {20.0, 100.0, 250.0}) {
    const Scene scene = shear_wave(viscosity);
    most_passes = std::max(most_passes, make_setup(scene).viscous_passes.size());
    const double rate = viscosity / scene.materials[0].density * k * k;
    const double end = std::round(0.6 / rate / step) * step;
    const auto sim = start(scene);
    const double begin = amplitude(sim->snapshot());
    sim->advance(end);
    const double got = std::log(begin / amplitude(sim->snapshot())) / end;
    RecordProperty("rate_at_" + std::to_string(int(viscosity)), std::to_string(got / rate));
    EXPECT_NEAR(got / rate, 1, 0.1) << viscosity;
  }
  EXPECT_GT(most_passes, 4u);
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticViscosity, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
