// Conservation in the viscoelastic method and the damping of its two velocity updates, in free
// space.
#include <gtest/gtest.h>

#include "panta/core/random.h"
#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

constexpr double step = 1.0 / 120;

class ViscoelasticMomentum : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) const {
    return make_simulation(scene, {GetParam(), threads, false});
  }
};

// A disordered lump with random velocities, and an inward velocity at a rate in 1/s.
Scene disordered_lump(float inwards = 0) {
  Scene scene = free_space();
  scene.fluids = {blob(scene, 8, 7, 6, 0.3f)};
  scene.fluids[0].velocity_at = [inwards](const Vec3& x) {
    const auto key = static_cast<std::uint64_t>(1e6f * (x.x + 3 * x.y + 7 * x.z) + 1e7f);
    const auto random = [&](std::uint64_t n) { return random_uniform(3, key, n) - 0.5f; };
    return Vec3{random(0) + 0.2f, random(1), random(2)} - x * inwards;
  };
  return scene;
}

void make_viscous(Scene& scene) {
  scene.materials[0].methods["viscoelastic"]["linear_viscosity"] = 0.2;
  scene.materials[0].methods["viscoelastic"]["quadratic_viscosity"] = 0.5;
}
void make_springy(Scene& scene) {
  scene.materials[0].methods["viscoelastic"]["springs"] = 0.3;
  scene.materials[0].methods["viscoelastic"]["plasticity"] = 0.3;
  scene.materials[0].methods["viscoelastic"]["yield"] = 0.1;
}

double drift_of_momentum(Simulation& sim) {
  const Momenta before = momenta_of(sim.snapshot());
  sim.advance_to(60 * step);
  return length(momenta_of(sim.snapshot()).linear - before.linear) / before.speed;
}

TEST_P(ViscoelasticMomentum, IsConservedByEveryFormOfRelaxation) {
  for (const std::string& form : relaxations(GetParam()))
    for (const std::string update : {"displacement", "leapfrog"}) {
      Scene scene = disordered_lump();
      scene.solver["relaxation"] = form;
      scene.solver["velocity_update"] = update;
      EXPECT_LT(drift_of_momentum(*start(scene)), 1e-5) << form << ' ' << update;
    }
}

// Liquid falls into the corner of a floor and a smooth wall: what their images do to two particles
// is opposite along both, up to rounding.
TEST_P(ViscoelasticMomentum, IsConservedAlongSmoothWalls) {
  Scene scene = disordered_lump();
  scene.gravity = {-6, -6, 0};
  scene.has_domain = true;
  scene.domain.min = {-0.08, -0.07, -2};
  scene.domain.max = {2, 2, 2};
  scene.domain.walls = {true, false, true, false, false, false};
  const auto sim = start(scene);
  const Momenta before = momenta_of(sim->snapshot());
  sim->advance_to(0.4);
  const Momenta after = momenta_of(sim->snapshot());
  EXPECT_LT(std::abs(after.linear.z - before.linear.z), 2e-4 * before.speed);
}

TEST_P(ViscoelasticMomentum, IsConservedByViscosityAndSprings) {
  Scene viscous = disordered_lump(), springy = disordered_lump(), both = disordered_lump();
  make_viscous(viscous);
  make_springy(springy);
  make_viscous(both);
  make_springy(both);
  both.solver["spring_passes"] = 3.0;
  for (const Scene& scene : {viscous, springy, both})
    EXPECT_LT(drift_of_momentum(*start(scene)), 1e-5);
}

// Viscosity removes energy and never adds any, for any viscosity and compression: here it starts
// when the lump has eight times its rest density.
TEST_P(ViscoelasticMomentum, ViscosityNeverAddsEnergy) {
  using Viscosity = std::array<double, 3>;  // sigma, beta, Pa s
  for (const auto& [sigma, beta, pascal_seconds] : {Viscosity{0.1, 0.0, 0.0},
                                                    {0.1, 1e6, 0.0},
                                                    {10.0, 0.0, 0.0},
                                                    {10.0, 1e6, 10.0},
                                                    {1e6, 0.0, 0.0},
                                                    {1e6, 1e6, 0.0},
                                                    {0.0, 0.0, 10.0},
                                                    {0.0, 0.0, 200.0},
                                                    {0.0, 0.0, 1e3},
                                                    {1.0, 1e6, 1e3}})
    for (const int squeezed : {0, 2}) {  // steps until viscosity begins
      Scene scene = disordered_lump(squeezed > 0 ? static_cast<float>(0.5 / (squeezed * step)) : 0);
      scene.solver["units"] = std::string("si");
      scene.solver["stiffness"] = 1e-9;
      const auto sim = start(scene);
      if (squeezed) sim->advance_to(squeezed * step);
      scene.materials[0].methods["viscoelastic"]["linear_viscosity"] = sigma;
      scene.materials[0].methods["viscoelastic"]["quadratic_viscosity"] = beta;
      scene.materials[0].viscosity = pascal_seconds;
      sim->change(scene);
      double before = energy_of(sim->snapshot());
      for (int k = squeezed + 1; k <= squeezed + 10; ++k) {
        sim->advance_to(k * step);
        const double after = energy_of(sim->snapshot());
        ASSERT_LE(after, before * (1 + 1e-6))
            << sigma << ' ' << beta << ' ' << pascal_seconds << ", step " << k;
        before = after;
      }
    }
}

// Heavy and light liquid in one lump: the sum of mass times velocity is conserved.
TEST_P(ViscoelasticMomentum, IsConservedBetweenLiquidsOfDifferentDensity) {
  for (const std::string& form : relaxations(GetParam())) {
    Scene scene = disordered_lump();
    make_viscous(scene);
    scene.solver["relaxation"] = form;
    scene.materials.push_back(scene.materials[0]);
    scene.materials[1].name = "oil";
    scene.materials[1].density = 250;
    scene.fluids.push_back(blob(scene, 8, 4, 6, 0.3f));
    scene.fluids[1].material = 1;
    scene.fluids[1].shape = scene.fluids[1].shape.moved({0, 0.13f, 0});
    const auto sim = start(scene);
    const auto momentum = [&] {
      const ParticleFrame frame = sim->snapshot();
      Vec3d sum;
      for (std::size_t i = 0; i < frame.size(); ++i)
        sum += to_double(frame.velocity()[i]) * sim->particle_mass(frame.phase()[i]);
      return sum;
    };
    const double size = momenta_of(sim->snapshot()).speed * sim->particle_mass(0);
    const Vec3d before = momentum();
    sim->advance_to(60 * step);
    EXPECT_LT(length(momentum() - before), 1e-5 * size) << form;
  }
}

// A rotating lump; the fraction of its angular momentum that remains after half a second.
double spin_left(const std::string& update, const std::string& form, const std::string& device) {
  Scene scene = free_space();
  scene.fluids = {blob(scene, 8, 8, 8, 0.1f)};
  scene.fluids[0].velocity_at = [](const Vec3& x) { return cross(Vec3{0, 0, 3}, x); };
  scene.solver["velocity_update"] = update;
  scene.solver["relaxation"] = form;
  const auto sim = make_simulation(scene, {device, 1, false});
  const Vec3d before = momenta_of(sim->snapshot()).angular;
  sim->advance_to(0.5);
  return dot(momenta_of(sim->snapshot()).angular, before) / dot(before, before);
}

TEST_P(ViscoelasticMomentum, LeapfrogKeepsSpinAndDisplacementUpdateLosesIt) {
  for (const std::string& form : relaxations(GetParam())) {
    const double kept = spin_left("leapfrog", form, GetParam());
    const double damped = spin_left("displacement", form, GetParam());
    RecordProperty(form + "_leapfrog", std::to_string(kept));
    RecordProperty(form + "_displacement", std::to_string(damped));
    EXPECT_NEAR(kept, 1, form == "gather" ? 1e-5 : 0.005) << form;
    EXPECT_LT(damped, 1 - 1e-3) << form;
    EXPECT_GT(damped, 0.5) << form;
  }
}

// The sum of x* x dx of one relaxation, relative to the sum of |x* x dx|: after a step from rest x*
// is the old position.
double moment_of_relaxation(const std::string& form, double stiffness, const std::string& device) {
  Scene scene = free_space();
  scene.fluids = {blob(scene, 7, 7, 7, 0.3f)};
  scene.solver["relaxation"] = form;
  scene.solver["stiffness"] = stiffness;
  const auto sim = make_simulation(scene, {device, 1, false});
  const ParticleFrame before = sim->snapshot();
  sim->advance_to(step);
  const ParticleFrame after = sim->snapshot();
  Vec3d sum;
  double size = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vec3d moment = cross(to_double(before.position()[i]), to_double(after.velocity()[i]));
    sum += moment;
    size += length(moment);
  }
  return length(sum) / size;
}

TEST_P(ViscoelasticMomentum, JacobiRelaxationKeepsAngularMomentum) {
  EXPECT_LT(moment_of_relaxation("gather", 0.04, GetParam()), 1e-6);
}

// In sequential order, each particle's move conserves angular momentum, but the next move starts
// from changed positions: the total error is of second order in the moves, and so halves relative
// to them with half the stiffness.
TEST(ViscoelasticTurns, OrderedRelaxationKeepsAngularMomentumToSecondOrder) {
  for (const std::string form : {"coloured", "sequential"}) {
    const double whole = moment_of_relaxation(form, 0.04, "cpu");
    const double half = moment_of_relaxation(form, 0.02, "cpu");
    RecordProperty(form, std::to_string(whole));
    EXPECT_LT(whole, 0.02) << form;
    EXPECT_NEAR(half / whole, 0.5, 0.1) << form;
  }
}

constexpr double tie_support = 1.3 * usual_spacing;

// Two particles connected by one spring of this dt^2 k_spring, with a negligible pressure of the
// liquid: the distances between them, step by step. The spring is created at the end of the first
// prediction with the current distance: the first distance is its rest length.
std::vector<double> oscillation(const std::string& update, double strength,
                                const std::string& device) {
  Scene scene = free_space();
  scene.solver = {{"support", 1.3},
                  {"units", std::string("si")},
                  {"stiffness", 1e-9},
                  {"time_step", step},
                  {"velocity_update", update}};
  scene.materials[0].methods["viscoelastic"]["springs"] = strength / (step * step);
  scene.materials[0].methods["viscoelastic"]["spring_length"] = std::string("distance");
  const float x = static_cast<float>(0.3 * tie_support), v = 0.03f * x / static_cast<float>(step);
  scene.fluids = {particle_at({-x, 0, 0}, {v, 0, 0}), particle_at({x, 0, 0}, {-v, 0, 0})};
  const auto sim = make_simulation(scene, {device, 1, false});
  std::vector<double> r;
  for (int k = 1; k <= 40; ++k) {
    sim->advance_to(k * step);
    const ParticleFrame frame = sim->snapshot();
    r.push_back(length(to_double(frame.position()[1]) - to_double(frame.position()[0])));
  }
  return r;
}

// For a recurrence e[n+2] = T e[n+1] - d e[n], e[n] e[n+2] - e[n+1]^2 is multiplied by d from one n
// to the next.
double determinant_of(const std::vector<double>& r) {
  const auto area = [&](std::size_t n) {
    const double a = r[n] - r[0], b = r[n + 1] - r[0], c = r[n + 2] - r[0];
    return a * c - b * b;
  };
  return std::pow(area(30) / area(0), 1.0 / 30);
}

// The appendix: a harmonic oscillator loses the fraction K = dt^2 k of its phase area in each step;
// its amplitude is multiplied by sqrt(1 - K). Leapfrog has no loss.
TEST_P(ViscoelasticMomentum, OscillatorDampingMatchesTheAppendix) {
  for (const double strength : {0.1, 0.2, 0.5}) {
    const std::vector<double> damped = oscillation("displacement", strength, GetParam());
    const double share = strength * (1 - damped[0] / tie_support);
    EXPECT_NEAR(determinant_of(damped), 1 - share, 1e-3) << strength;
    EXPECT_NEAR(determinant_of(oscillation("leapfrog", strength, GetParam())), 1, 1e-3) << strength;
  }
}

TEST(ViscoelasticTurns, SameBitsForAnyNumberOfThreads) {
  for (const std::string& form : relaxations("cpu")) {
    Scene scene = disordered_lump();
    make_viscous(scene);
    make_springy(scene);
    scene.solver["relaxation"] = form;
    scene.has_domain = true;
    scene.domain = {
        {-0.1, -0.1, -0.1}, {0.12, 0.2, 0.1}, {true, true, true, true, true, true}, {}, {}};
    scene.gravity = {0, -9.81, 0};
    const auto run = [&](int threads) {
      const auto sim = make_simulation(scene, {"cpu", threads, false});
      sim->advance_to(8 * step);
      return sim->snapshot();
    };
    const ParticleFrame one = run(1);
    for (const int threads : {2, 5}) EXPECT_TRUE(same_bits(one, run(threads))) << form << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticMomentum, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
