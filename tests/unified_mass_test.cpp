// Particles with individual masses in the unified method, on every available device.
// particle_mass_test.cpp has the requirements for all methods.
#include <gtest/gtest.h>

#include "file_test_fixture.h"
#include "panta/core/random.h"
#include "unified_scenes.h"

namespace panta {
namespace {

constexpr double spacing = 0.05, step = 1.0 / 120;

class UnifiedMassTest : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

// Between `least` and `most` times the mass of the material, uniform in the logarithm.
std::vector<float> random_masses(const Simulation& sim, double least, double most) {
  std::vector<float> masses;
  for (std::size_t i = 0; i < sim.size(); ++i)
    masses.push_back(static_cast<float>(sim.particle_mass(0) * least *
                                        std::pow(most / least, double(random_uniform(7, i, 0)))));
  return masses;
}

Scene tank() {
  Scene scene = validation::unified_scene(material_of(MaterialKind::liquid), 0.02);
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.2f, 0.2f})}};
  scene.has_domain = true;
  scene.domain.max = {0.2, 2, 0.2};
  scene.domain.walls = {true, true, true, true, true, true};
  return scene;
}

struct TankState {
  double kinetic = 0, total = 0;  // J
  double pressure = 0;            // in the lower half, over that of the mass above
};

TankState state_of(const ParticleFrame& frame, const std::vector<float>& masses) {
  TankState state;
  double height = 0, mass = 0, pressure = 0, expected = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const double m = double(masses[i]), v = double(length(frame.velocity()[i]));
    state.kinetic += 0.5 * m * v * v;
    height += m * double(frame.position()[i].y);
    mass += m;
  }
  state.total = state.kinetic + earth_gravity * height;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const double y = double(frame.position()[i].y);
    if (y > height / mass) continue;
    double above = 0;
    for (std::size_t j = 0; j < frame.size(); ++j)
      if (double(frame.position()[j].y) > y) above += double(masses[j]);
    pressure += double(masses[i]) * double(frame.pressure()[i]);
    expected += double(masses[i]) * earth_gravity * above / (0.2 * 0.2);
  }
  state.pressure = pressure / expected;
  return state;
}

// The pressure of a tank with equal masses follows from its weight, apart from the influence of the
// walls of such a narrow tank: uneven masses must give the same.
TEST_P(UnifiedMassTest, TankWithUnevenMassesRestsAtThePressureOfItsWeight) {
  const auto plain = start(tank()), sim = start(tank());
  const std::vector<float> equal = random_masses(*plain, 1, 1);
  const std::vector<float> masses = random_masses(*sim, 0.5, 2);
  sim->write("mass", masses);
  for (Simulation* each : {plain.get(), sim.get()}) each->advance_to(1.5);
  const TankState expected = state_of(plain->snapshot(), equal);
  TankState last = state_of(sim->snapshot(), masses);
  EXPECT_NEAR(last.pressure, expected.pressure, 0.05 * expected.pressure);
  for (const double time : {2.0, 2.5, 3.0}) {
    sim->advance_to(time);
    const TankState now = state_of(sim->snapshot(), masses);
    EXPECT_LT(now.total, last.total * 1.0005) << time;
    EXPECT_LT(now.kinetic, 1e-3 * now.total) << time;
    last = now;
  }
}

TEST_P(UnifiedMassTest, VeryUnevenMassesComeToRest) {
  for (const auto& [least, most] : {std::pair{0.1, 1.0}, {0.25, 8.0}, {6.0, 8.0}, {1.0, 30.0}}) {
    const auto sim = start(tank());
    const std::vector<float> masses = random_masses(*sim, least, most);
    sim->write("mass", masses);
    sim->advance_to(2);
    const TankState now = state_of(sim->snapshot(), masses);
    EXPECT_LT(now.kinetic, 3e-3 * now.total) << least << " to " << most;
  }
}

// An isolated heavy particle has no pressure and does not move.
TEST_P(UnifiedMassTest, LoneHeavyParticleHasNoPressure) {
  Scene scene = empty_space(MaterialKind::liquid, spacing);
  scene.fluids = {grain_at({0, 0, 0})};
  const auto sim = start(scene);
  sim->write("mass", {static_cast<float>(20 * sim->particle_mass(0))});
  sim->advance_to(0.5);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.pressure()[0], 0);
  EXPECT_EQ(length(frame.velocity()[0]), 0);
}

// Eq. 22 and 4: as for grains of materials with these densities.
TEST_P(UnifiedMassTest, LighterGrainOfAPairMovesMore) {
  Scene scene = empty_space(MaterialKind::granular, spacing);
  scene.solver["substeps"] = 1.0;
  scene.solver["stabilization"] = 0.0;
  const float gap = 0.8f * float(spacing), overlap = float(spacing) - gap;
  scene.fluids = {grain_at({0, 0, 0}), grain_at({0, gap, 0})};
  scene.solver["contact_iterations"] = 1.0;
  const auto sim = start(scene);
  const auto unit = static_cast<float>(sim->particle_mass(0));
  sim->write("mass", {unit, 3 * unit});
  sim->advance_to(step);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_NEAR(frame.position()[0].y, -0.75f * overlap, 1e-6);
  EXPECT_NEAR(frame.position()[1].y, gap + 0.25f * overlap, 1e-6);
  EXPECT_NEAR(frame.velocity()[0].y + 3 * frame.velocity()[1].y, 0, 1e-5);
}

// Grains keep their size: with twice the mass they behave like grains of a material of twice the
// density, in contact with each other and in water.
TEST_P(UnifiedMassTest, GrainsOfTwiceTheMassEqualThoseOfTwiceTheDensity) {
  const auto scene_of = [](double density) {
    Scene scene = tank();
    scene.materials = {material_of(MaterialKind::liquid),
                       material_of(MaterialKind::granular, density)};
    scene.fluids[0].shape = Shape::box({0, 0, 0}, {0.2f, 0.1f, 0.2f});
    scene.fluids.push_back({1, Shape::box({0.06f, 0.1f, 0.06f}, {0.14f, 0.18f, 0.14f})});
    return scene;
  };
  const auto dense = start(scene_of(2000)), heavy = start(scene_of(1000));
  const ParticleFrame before = heavy->snapshot();
  std::vector<float> masses;
  for (const std::uint32_t phase : before.phase())
    masses.push_back(static_cast<float>(heavy->particle_mass(0) * (phase == 1 ? 2 : 1)));
  heavy->write("mass", masses);
  for (Simulation* sim : {dense.get(), heavy.get()}) sim->advance_to(0.1);
  const ParticleFrame a = dense->snapshot(), b = heavy->snapshot();
  EXPECT_GT(mean_distance(before, b), 0.1 * 0.02);
  EXPECT_LT(mean_distance(a, b), 1e-3 * 0.02);
}

TEST_P(UnifiedMassTest, ConstrainedParticlesMoveByTheirMasses) {
  Scene scene = empty_space(MaterialKind::granular, spacing);
  scene.fluids = {grain_at({0, 0, 0}), grain_at({0.2f, 0, 0})};
  scene.constraints = {{.type = "distance", .particles = {0, 1}}};
  scene.constraints[0].parameters["rest_length"] = 0.1;
  const auto sim = start(scene);
  const auto unit = static_cast<float>(sim->particle_mass(0));
  sim->write("mass", {unit, 4 * unit});
  sim->advance_to(step);
  const ParticleFrame frame = sim->snapshot();
  const float moved[] = {frame.position()[0].x, frame.position()[1].x - 0.2f};
  EXPECT_GT(moved[0], 0.01f);
  EXPECT_NEAR(moved[0] + 4 * moved[1], 0, 1e-5);
}

TEST_P(UnifiedMassTest, ParticlesOfSolidsKeepTheMassOfTheirMaterial) {
  Scene scene = empty_space(MaterialKind::solid);
  scene.solids = {block_at(scene, {0, 0, 0}, 3, 3, 3)};
  scene.solids[0].name = "crate";
  const auto sim = start(scene), other = start(scene);
  const auto unit = static_cast<float>(sim->particle_mass(0));
  std::vector<float> masses(sim->size(), unit);
  masses[4] *= 2;
  const std::string message = error_message(ErrorKind::usage, [&] { sim->write("mass", masses); });
  EXPECT_NE(message.find("particle 4 is part of the solid 'crate'"), std::string::npos) << message;
  EXPECT_FALSE(sim->snapshot().find("mass"));
  sim->write("mass", std::vector<float>(sim->size(), unit));
  for (Simulation* each : {sim.get(), other.get()}) each->advance_to(0.1);
  EXPECT_EQ(sim->snapshot().position(), other->snapshot().position());
}

TEST_P(UnifiedMassTest, ParticlesOfSolidsCannotSplitOrMerge) {
  Scene scene = empty_space(MaterialKind::solid);
  scene.solids = {block_at(scene, {0, 0, 0}, 3, 3, 3)};
  const auto sim = start(scene);
  const std::size_t size = sim->size();
  EXPECT_NE(error_message(ErrorKind::usage, [&] { sim->split({4}, {0.01f, 0, 0}); }), "");
  EXPECT_NE(error_message(ErrorKind::usage, [&] { sim->merge({{3, 4}}); }), "");
  EXPECT_EQ(sim->size(), size);
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedMassTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
