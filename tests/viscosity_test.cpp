// Viscosity in Pa s, the same in every method, against closed forms: shear waves, flow between
// plates, a lump in free fall, thick liquid that spreads on a floor.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device_list.h"
#include "error_of.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;

class Viscosity : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  const std::string& method() const { return std::get<0>(GetParam()); }

  // One liquid of 1000 kg/m3 in weightlessness.
  Scene liquid(double pascal_seconds, double spacing) const {
    Scene scene;
    scene.method = method();
    scene.spacing = spacing;
    scene.gravity = {};
    scene.materials = {{.name = "liquid", .viscosity = pascal_seconds}};
    return scene;
  }
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {std::get<1>(GetParam()), 1, false});
  }
};

// vx = U sin(k y) in a periodic box decays as exp(-nu k^2 t).
struct Wave {
  double pascal_seconds, spacing;
  float jitter;
};

TEST_P(Viscosity, ShearWavesDecayAtTheExactRate) {
  for (const Wave& w : {Wave{0.1, 0.6e-3, 0.2f},
                        {0.1, 1.2e-3, 0},
                        {1, 2e-3, 0},
                        {1, 4e-3, 0.2f},
                        {10, 6e-3, 0.2f},
                        {10, 0.012, 0},
                        {100, 0.02, 0},
                        {100, 0.04, 0.2f},
                        {1000, 0.06, 0},
                        {1000, 0.06, 0.2f},
                        {1000, 0.12, 0.2f}}) {
    const double nu = w.pascal_seconds / 1000, side = 20 * w.spacing, k = 2 * pi / side;
    const double fastest = 0.4 * nu / w.spacing;
    Scene scene = liquid(w.pascal_seconds, w.spacing);
    const float end = static_cast<float>(side);
    scene.has_domain = true;
    scene.domain.max = {side, side, side};
    scene.domain.periodic = {true, true, true};
    scene.fluids = {{0, Shape::box({0, 0, 0}, {end, end, end})}};
    scene.fluids[0].jitter = w.jitter;
    scene.fluids[0].velocity_at = [=](const Vec3& x) {
      return Vec3{static_cast<float>(fastest * std::sin(k * x.y)), 0, 0};
    };
    if (method() == "sph") scene.solver["sound_speed"] = 10 * fastest;
    const auto sim = start(scene);
    const auto amplitude = [&] {
      const ParticleFrame frame = sim->snapshot();
      double sum = 0;
      for (std::size_t i = 0; i < frame.size(); ++i)
        sum += frame.velocity()[i].x * std::sin(k * frame.position()[i].y);
      return 2 * sum / double(frame.size());
    };
    const double rate = nu * k * k, duration = 0.5 / rate, before = amplitude();
    sim->advance_to(duration);
    const double ratio = std::log(before / amplitude()) / duration / rate;
    RecordProperty(std::to_string(w.pascal_seconds) + "_" + std::to_string(w.spacing),
                   std::to_string(ratio));
    EXPECT_NEAR(ratio, 1, 0.1) << w.pascal_seconds << " Pa s, spacing " << w.spacing << ", jitter "
                               << w.jitter;
  }
}

// With one moving plate the velocity profile is linear; with a force along resting plates it is a
// parabola. Both change if the liquid slips at the plates.
TEST_P(Viscosity, FlowBetweenPlatesIsLinearOrParabolic) {
  constexpr double spacing = 0.02, gap = 16 * spacing, nu = 0.1;
  constexpr float length = 8 * spacing, fastest = 1;
  for (const bool driven : {false, true}) {
    Scene scene = liquid(1000 * nu, spacing);
    if (driven) scene.gravity = {8 * nu * fastest / (gap * gap), 0, 0};
    scene.has_domain = true;
    scene.domain.max = {length, gap, length};
    scene.domain.periodic = {true, false, true};
    scene.domain.walls = {false, false, true, true, false, false};
    for (Surface& s : scene.domain.surfaces) s.no_slip = true;
    if (!driven) scene.domain.surfaces[plus_y].velocity = {fastest, 0, 0};
    scene.fluids = {{0, Shape::box({0, 0, 0}, {length, float(gap), length})}};
    scene.solver["viscosity_solver"] = std::string("implicit");
    if (method() == "sph") scene.solver["sound_speed"] = 20.0 * fastest;
    if (method() == "sph") scene.solver["negative_pressure"] = true;
    const auto sim = start(scene);
    sim->advance_to(0.6 * gap * gap / nu);
    const ParticleFrame frame = sim->snapshot();
    double worst = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const double y = frame.position()[i].y / gap;
      const double exact = driven ? 4 * fastest * y * (1 - y) : fastest * y;
      worst = std::max(worst, std::abs(frame.velocity()[i].x - exact));
    }
    RecordProperty(driven ? "driven" : "dragged", std::to_string(worst));
    EXPECT_LT(worst, 0.05 * fastest) << (driven ? "driven" : "dragged");
  }
}

// Pair forces conserve momentum and angular momentum, so that a lump falls and rotates like a rigid
// body.
TEST_P(Viscosity, SpinningLumpFallsFreely) {
  constexpr double spacing = 0.02, spin = 5, end = 0.3, g = 9.81;
  for (const double pascal_seconds : {100.0, 1000.0}) {
    Scene scene = liquid(pascal_seconds, spacing);
    scene.gravity = {0, -g, 0};
    scene.fluids = {{0, Shape::sphere({0, 0, 0}, 6 * spacing)}};
    scene.fluids[0].jitter = 0.2f;
    scene.fluids[0].velocity_at = [](const Vec3& x) {
      return Vec3{static_cast<float>(1 - spin * x.y), static_cast<float>(spin * x.x), 0};
    };
    scene.solver["viscosity_solver"] = std::string("implicit");
    if (method() == "sph") scene.solver["sound_speed"] = 20.0;
    const auto sim = start(scene);
    struct Motion {
      Vec3d place, velocity, spin;
    };
    const auto motion = [&] {
      const ParticleFrame frame = sim->snapshot();
      Motion m;
      for (std::size_t i = 0; i < frame.size(); ++i) {
        m.place += to_double(frame.position()[i]) * (1.0 / double(frame.size()));
        m.velocity += to_double(frame.velocity()[i]) * (1.0 / double(frame.size()));
      }
      for (std::size_t i = 0; i < frame.size(); ++i)
        m.spin += cross(to_double(frame.position()[i]) - m.place,
                        to_double(frame.velocity()[i]) - m.velocity);
      return m;
    };
    const Motion before = motion();
    sim->advance_to(end);
    const Motion after = motion();
    EXPECT_NEAR(after.velocity.x, before.velocity.x, 1e-4);
    EXPECT_NEAR(after.velocity.y, before.velocity.y - g * end, 0.003 * g * end);
    EXPECT_NEAR(after.place.y - before.place.y, -0.5 * g * end * end, 0.005 * g * end * end);
    EXPECT_NEAR(after.spin.z / before.spin.z, 1, method() == "sph" ? 0.005 : 0.05);
  }
}

// R = 0.894 (g V^3 / 3 nu)^(1/8) t^(1/8) (Huppert 1982) for a cylinder on a no-slip floor; a
// quarter of it is simulated between free-slip walls. R follows from the second moment, which is
// 3/7 R^2 for the profile (1 - r^2/R^2)^(1/3).
TEST_P(Viscosity, ThickLiquidSpreadsOnTheFloor) {
  constexpr double spacing = 0.02, pascal_seconds = 50, radius = 12 * spacing, g = 9.81;
  Scene scene = liquid(pascal_seconds, spacing);
  scene.gravity = {0, -g, 0};
  scene.has_domain = true;
  scene.domain.max = {4 * radius, 2 * radius, 4 * radius};
  scene.domain.walls = {true, false, true, false, true, false};
  scene.domain.surfaces[minus_y].no_slip = true;
  scene.fluids = {{0, Shape::cylinder({0, 0, 0}, {0, float(radius), 0}, float(radius))}};
  const auto sim = start(scene);
  const double volume = 4 * double(sim->size()) * std::pow(spacing, 3);
  const double scale =
      0.894 * std::pow(g * std::pow(volume, 3) / (3 * pascal_seconds / 1000), 0.125);
  const double end = std::pow(2 * radius / scale, 8);
  for (const double t : {0.5 * end, end}) {
    sim->advance_to(t);
    const ParticleFrame frame = sim->snapshot();
    double moment = 0;
    for (const Vec3& x : frame.position()) moment += double(x.x) * x.x + double(x.z) * x.z;
    const double measured = std::sqrt(7.0 / 3 * moment / double(frame.size()));
    const double ratio = measured / (scale * std::pow(t, 0.125));
    RecordProperty(t < end ? "half" : "end", std::to_string(ratio));
    EXPECT_NEAR(ratio, 1, 0.04) << t;
  }
}

// A light no-slip ball in very thick liquid is part of the same system of equations. It stays
// nearly at rest, although its drag in a step is many times its momentum. (By Stokes' law it would
// rise at 4 mm/s; without coupling it moves at about 1 m/s in random directions.)
TEST_P(Viscosity, LightBallsAreStableInThickLiquid) {
  constexpr float width = 0.28f, depth = 0.32f, radius = 0.06f;
  Scene scene = liquid(1000, 0.02);
  scene.gravity = {0, -9.81, 0};
  scene.has_domain = true;
  scene.domain.max = {width, 0.5, width};
  scene.domain.walls = {true, true, true, true, true, true};
  for (Surface& s : scene.domain.surfaces) s.no_slip = true;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {width, depth, width})}};
  Body ball;
  ball.shape = Shape::sphere({width / 2, depth / 2, width / 2}, radius);
  ball.surface.no_slip = true;
  ball.free = FreeBody{};
  ball.free->density = 500;
  scene.bodies = {ball};
  const auto sim = start(scene);
  sim->advance_to(0.4);
  for (double t = 0.41; t < 0.5; t += 0.01) {
    sim->advance_to(t);
    EXPECT_LT(std::abs(sim->snapshot().bodies[0].velocity.y), 0.05) << t;
  }
}

TEST_P(Viscosity, OnlyImplicitSolvesAreReported) {
  Scene scene = liquid(1000, 0.02);
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.1f, 0.1f, 0.1f})}};
  scene.fluids[0].velocity_at = [](const Vec3& x) { return Vec3{x.y, 0, 0}; };
  if (method() == "sph") scene.solver["sound_speed"] = 1.0;
  const auto thick = start(scene);
  thick->advance_to(0.02);
  ASSERT_TRUE(thick->convergence());
  const auto again = start(scene);
  again->advance_to(0.02);
  const ConvergenceReport report = *again->convergence();
  EXPECT_GT(report.solves, 0u);
  EXPECT_GT(report.iterations, 0u);
  EXPECT_EQ(report.failures, 0u);
  EXPECT_LT(report.worst_residual, 1e-4);
  scene.materials[0].viscosity = 1e-3;
  EXPECT_FALSE(start(scene)->convergence());
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<std::string, std::string>>& info) {
  return std::get<0>(info.param) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Methods, Viscosity,
                         ::testing::Combine(::testing::Values("sph", "unified", "viscoelastic"),
                                            ::testing::ValuesIn(devices())),
                         name_of);

TEST(UnifiedViscosity, ExplicitFormRefusesTooLargeViscosity) {
  Scene scene;
  scene.method = "unified";
  scene.spacing = 0.01;
  scene.materials = {{.name = "honey", .viscosity = 100}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.1f, 0.1f, 0.1f})}};
  scene.solver["viscosity_solver"] = std::string("explicit");
  const std::string message = error_of([&] { make_simulation(scene, {"cpu", 1, false}); });
  EXPECT_NE(message.find("honey"), std::string::npos) << message;
  EXPECT_NE(message.find("solver.viscosity_solver"), std::string::npos) << message;
}

}  // namespace
}  // namespace panta
