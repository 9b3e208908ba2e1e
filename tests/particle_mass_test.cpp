// Particles with individual masses, in every method that supports them, on every available device.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "device_list.h"
#include "file_test_fixture.h"
#include "panta/core/random.h"
#include "panta/engine/methods.h"
#include "panta/run/stats.h"

namespace panta {
namespace {

std::vector<std::string> methods_with_masses() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods())
    if (method.own_masses) names.push_back(method.name);
  return names;
}

// Masses between 1 - spread and 1 + spread times that of the material.
std::vector<float> random_masses(const Simulation& sim, double spread) {
  std::vector<float> masses;
  for (std::size_t i = 0; i < sim.size(); ++i) {
    const double share = 1 + spread * (2 * double(random_uniform(7, i, 0)) - 1);
    masses.push_back(static_cast<float>(share * sim.particle_mass(0)));
  }
  return masses;
}

const std::vector<float>& masses_of(const ParticleFrame& frame) { return frame.scalars("mass"); }

struct Momentum {
  Vec3d sum;
  double size = 0;  // sum of m |v|
};
Momentum momentum_of(const ParticleFrame& frame) {
  Momentum m;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vec3d p = to_double(frame.velocity()[i]) * double(masses_of(frame)[i]);
    m.sum += p;
    m.size += length(p);
  }
  return m;
}

// A disordered block with random velocities, in free space.
Scene lump(const std::string& method) {
  Scene scene;
  scene.method = method;
  scene.spacing = 0.02;
  scene.gravity = {};
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.16f, 0.14f, 0.12f}), {}, 0.3f}};
  scene.fluids[0].velocity_at = [](const Vec3& x) {
    const auto key = static_cast<std::uint64_t>(1e6f * (x.x + 3 * x.y + 7 * x.z) + 1e7f);
    const auto random = [&](std::uint64_t n) { return random_uniform(3, key, n) - 0.5f; };
    return Vec3{random(0) + 0.2f, random(1), random(2)};
  };
  if (method == "sph") scene.solver["sound_speed"] = 10.0;
  return scene;
}

// Liquid that fills the bottom of a box.
Scene tank(const std::string& method) {
  Scene scene;
  scene.method = method;
  scene.spacing = 0.02;
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.16f, 0.2f, 0.16f})}};
  scene.has_domain = true;
  scene.domain.max = {0.16, 0.4, 0.16};
  scene.domain.walls = {true, true, true, true, true, true};
  return scene;
}

class ParticleMassTest : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  std::string method() const { return std::get<0>(GetParam()); }
  std::string device() const { return std::get<1>(GetParam()); }
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) const {
    return make_simulation(scene, {device(), threads, false});
  }
  double drift_of_momentum(const Scene& scene) const {
    const auto sim = start(scene);
    sim->write("mass", random_masses(*sim, 0.5));
    const Momentum before = momentum_of(sim->snapshot());
    sim->advance_to(0.3);
    return length(momentum_of(sim->snapshot()).sum - before.sum) / before.size;
  }
};

TEST_P(ParticleMassTest, MomentumIsConserved) {
  std::vector<Scene> scenes = {lump(method())};
  if (method() == "sph") {
    Scene two = lump(method());
    two.materials.push_back({.name = "oil", .density = 500, .viscosity = 0.1});
    two.fluids.push_back({1, Shape::box({0.18f, 0, 0}, {0.26f, 0.14f, 0.12f}), {-0.5f, 0, 0}});
    scenes.push_back(two);
  }
  if (method() == "viscoelastic") {
    for (const std::string form : {"coloured", "sequential"}) {
      scenes.push_back(lump(method()));
      scenes.back().solver["relaxation"] = form;
      if (device() != "cpu") scenes.pop_back();
    }
    Scene springy = lump(method());
    auto& law = springy.materials[0].methods["viscoelastic"];
    law["linear_viscosity"] = 0.2;
    law["quadratic_viscosity"] = 0.5;
    law["springs"] = 0.3;
    law["plasticity"] = 0.3;
    springy.solver["spring_passes"] = 2.0;
    scenes.push_back(springy);
  }
  if (method() == "unified") {
    Scene sticky = lump(method());
    sticky.materials[0].surface_tension = 0.1;
    sticky.materials[0].viscosity = 0.05;
    scenes.push_back(sticky);
    Scene two = lump(method());  // smoothing moves momentum from one liquid to another
    two.solver["smoothing"] = 0.0;
    two.materials.push_back({.name = "oil", .density = 500});
    two.fluids.push_back({1, Shape::box({0.18f, 0, 0}, {0.26f, 0.14f, 0.12f}), {-0.5f, 0, 0}});
    scenes.push_back(two);
    Scene grains = lump(method());
    grains.materials[0].kind = MaterialKind::granular;
    scenes.push_back(grains);
  }
  for (std::size_t k = 0; k < scenes.size(); ++k)
    EXPECT_LT(drift_of_momentum(scenes[k]), 1e-5) << "scene " << k;
}

// A tank at rest; averages over the samples between 1 s and `end`.
struct Settled {
  double pressure = 0;  // at the bottom, over that of the weight above
  double energy = 0;    // of motion, over mass times g times height
};
Settled look_at(Simulation& sim, const std::vector<float>& masses) {
  const double g = 9.81, area = 0.16 * 0.16, density = 1000, bottom = 0.05;
  const ParticleFrame frame = sim.snapshot();
  double mass = 0, energy = 0, pressure = 0, expected = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    mass += double(masses[i]);
    energy += 0.5 * double(masses[i]) * double(dot(frame.velocity()[i], frame.velocity()[i]));
  }
  const double height = mass / (density * area);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const double y = double(frame.position()[i].y);
    if (y > bottom) continue;
    pressure += double(masses[i]) * double(frame.pressure()[i]);
    expected += double(masses[i]) * density * g * (height - y);
  }
  return {pressure / expected, energy / (mass * g * height)};
}
Settled settle(Simulation& sim, const std::vector<float>& masses, double end) {
  Settled mean;
  int samples = 0;
  for (double t = 1; t <= end; t += 0.1, ++samples) {
    sim.advance_to(t);
    const Settled now = look_at(sim, masses);
    mean.pressure += now.pressure;
    mean.energy += now.energy;
  }
  return {mean.pressure / samples, mean.energy / samples};
}

// In free space a body hits the lump; the particles gain the momentum that it loses.
TEST_P(ParticleMassTest, FreeBodiesExchangeMomentumWithWeightedParticles) {
  Scene scene = lump(method());
  scene.fluids[0].velocity_at = {};
  if (scene.method == "sph") scene.solver["sound_speed"] = 15.0;
  Body ball;
  ball.name = "ball";
  ball.shape = Shape::sphere({-0.06f, 0.07f, 0.06f}, 0.05f);
  ball.free.emplace();
  ball.free->mass = 1.0;
  ball.free->velocity = {1, 0, 0};
  scene.bodies = {ball};
  const auto sim = start(scene);
  sim->write("mass", random_masses(*sim, 0.5));
  sim->advance_to(0.1);
  const ParticleFrame frame = sim->snapshot();
  const double body = frame.bodies.at(0).velocity.x;
  EXPECT_LT(body, 0.9);
  EXPECT_NEAR(momentum_of(frame).sum.x + body, 1.0, 0.005);
}

// The masses do not fit the initial lattice. The viscoelastic liquid is not at rest by then with
// equal masses either, and its pressure is lower: the result has to match that with equal masses.
TEST_P(ParticleMassTest, LiquidSettlesAsWithEqualMasses) {
  const auto plain = start(tank(method())), sim = start(tank(method()));
  const std::vector<float> masses = random_masses(*sim, 0.5);
  sim->write("mass", masses);
  // The pressure of SPH oscillates by some per cent while particles rearrange at the walls.
  const double time = method() == "sph" ? 3 : 1;
  const Settled expected = settle(*plain, random_masses(*plain, 0), time);
  const Settled settled = settle(*sim, masses, time);
  EXPECT_NEAR(settled.pressure, expected.pressure, 0.1 * expected.pressure);
  EXPECT_LT(settled.energy, std::max(1e-3, 1.2 * expected.energy));
  if (method() == "sph") {
    EXPECT_NEAR(settled.pressure, 1, 0.1);
  }
}

TEST_P(ParticleMassTest, MassesOfTheMaterialChangeNothing) {
  Scene scene = tank(method());
  if (method() == "unified") {  // rounding adds up over steps
    scene.solver["time_step"] = 1.0 / 120;
    scene.solver["substeps"] = 4.0;
  }
  const auto plain = start(scene), weighted = start(scene);
  weighted->write("mass", random_masses(*weighted, 0));
  for (Simulation* sim : {plain.get(), weighted.get()}) sim->advance_to(0.05);
  const ParticleFrame a = plain->snapshot(), b = weighted->snapshot();
  EXPECT_EQ(weighted->steps(), plain->steps());
  EXPECT_LT(mean_distance(a, b), 1e-5 * scene.spacing);
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(b.density()[i], a.density()[i], 1e-3f * a.density()[i]);
}

TEST_P(ParticleMassTest, ForcesActOnTheMassOfEachParticle) {
  Scene scene = lump(method());
  scene.fluids.clear();
  for (const float x : {0.0f, 0.1f, 0.2f})
    scene.fluids.push_back({0, Shape::box({x, 0, 0}, {x + 0.02f, 0.02f, 0.02f})});
  const auto sim = start(scene);
  ASSERT_EQ(sim->size(), 3u);
  const auto unit = static_cast<float>(sim->particle_mass(0));
  sim->write("mass", {0.5f * unit, unit, 2 * unit});
  sim->set_forces(std::vector<Vec3>(3, {unit, 0, 0}));
  sim->advance_to(0.1);
  const ParticleFrame frame = sim->snapshot();
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(frame.velocity()[static_cast<std::size_t>(i)].x, 0.2 / (1 << i), 1e-4) << i;
}

TEST_P(ParticleMassTest, StatisticsSumTheMasses) {
  const auto sim = start(lump(method()));
  const std::vector<float> masses = random_masses(*sim, 0.5);
  sim->write("mass", masses);
  sim->advance_to(0.05);
  double sum = 0;
  for (const float mass : masses) sum += double(mass);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(masses_of(frame), masses);
  EXPECT_NEAR(compute_stats(*sim, frame, {}).mass, sum, 1e-9 * sum);
}

TEST_P(ParticleMassTest, WrongMassesAreRefusedAndChangeNothing) {
  const auto sim = start(lump(method())), other = start(lump(method()));
  const auto refused = [&](std::vector<float> masses) {
    return error_message(ErrorKind::usage, [&] { sim->write("mass", masses); });
  };
  std::vector<float> masses(sim->size(), 1);
  for (const float wrong : {0.0f, -1.0f, std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
    masses[3] = wrong;
    EXPECT_NE(refused(masses).find("value 3"), std::string::npos) << wrong;
  }
  EXPECT_NE(refused({1, 2}), "");
  sim->advance_to(0.05);
  other->advance_to(0.05);
  EXPECT_TRUE(same_bits(sim->snapshot(), other->snapshot()));
}

INSTANTIATE_TEST_SUITE_P(Methods, ParticleMassTest,
                         ::testing::Combine(::testing::ValuesIn(methods_with_masses()),
                                            ::testing::ValuesIn(devices())),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

}  // namespace
}  // namespace panta
