// The formulas of a pair against the paper's equations, sums over lattices, units.
#include "panta/methods/viscoelastic_clavet2005/kernels.h"

#include <gtest/gtest.h>

#include "panta/methods/viscoelastic_clavet2005/units.h"
#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

constexpr double h = 0.05, dt = 1.0 / 120;

SpringLaw law_of(float stretch_flow, float stretch_yield, float shrink_flow, float shrink_yield) {
  SpringLaw law;
  law.stiffness = 1;
  law.flow[0] = stretch_flow;
  law.flow[1] = shrink_flow;
  law.yield[0] = stretch_yield;
  law.yield[1] = shrink_yield;
  return law;
}

float after_steps(const SpringLaw& law, float rest, float r, int steps) {
  for (int k = 0; k < steps; ++k) rest = flowed(law, rest, r, static_cast<float>(dt));
  return rest;
}

// At a constant distance equations 7 and 8 are linear in L, so that L converges geometrically to r
// / (1 + gamma) if stretched and to r / (1 - gamma) if compressed.
TEST(ViscoelasticKernel, RestLengthsOfHeldPairsFlowGeometrically) {
  const SpringLaw law = law_of(6, 0.1f, 15, 0.2f);
  for (const int steps : {1, 2, 10, 100, 1000}) {
    const double r = 0.045, start = 0.02;
    const double end = r / 1.1, ratio = 1 - dt * 6 * 1.1;
    EXPECT_NEAR(after_steps(law, float(start), float(r), steps),
                end + std::pow(ratio, steps) * (start - end), 1e-6 * r);
    const double near = 0.02, end_near = near / 0.8, ratio_near = 1 - dt * 15 * 0.8;
    EXPECT_NEAR(after_steps(law, float(h), float(near), steps),
                end_near + std::pow(ratio_near, steps) * (h - end_near), 1e-6 * h);
  }
}

TEST(ViscoelasticKernel, RestLengthsStayBelowTheYield) {
  const SpringLaw law = law_of(20, 0.1f, 40, 0.25f);
  const float rest = 0.03f;
  for (const float r : {0.0226f, 0.025f, 0.03f, 0.0329f})
    EXPECT_EQ(after_steps(law, rest, r, 50), rest) << r;
  EXPECT_GT(after_steps(law, rest, 0.0331f, 1), rest);
  EXPECT_LT(after_steps(law, rest, 0.0224f, 1), rest);
}

TEST(ViscoelasticKernel, StretchingAndCompressionFlowIndependently) {
  EXPECT_EQ(after_steps(law_of(20, 0.1f, 0, 0), 0.03f, 0.01f, 20), 0.03f);
  EXPECT_EQ(after_steps(law_of(0, 0, 20, 0.1f), 0.03f, 0.05f, 20), 0.03f);
}

TEST(ViscoelasticKernel, FastPlasticFlowStopsAtTheDistance) {
  const SpringLaw law = law_of(1e6f, 0, 1e6f, 0);
  EXPECT_NEAR(after_steps(law, 0.02f, 0.04f, 1), 0.04f, 1e-8);
  EXPECT_NEAR(after_steps(law, 0.05f, 0.01f, 1), 0.01f, 1e-8);
}

// Algorithm 3; no force if the rest length equals the support.
TEST(ViscoelasticKernel, SpringForceFollowsTheirLength) {
  const float strength = 0.2f, per_h = static_cast<float>(1 / h);
  EXPECT_NEAR(spring_push(strength, 0.03f, 0.02f, per_h), 0.2 * (1 - 0.03 / h) * 0.01, 1e-9);
  EXPECT_LT(spring_push(strength, 0.03f, 0.04f, per_h), 0);
  EXPECT_EQ(spring_push(strength, 0.05f, 0.01f, per_h), 0);
}

// A pair loses at most its approach speed, and separating pairs are not affected.
TEST(ViscoelasticKernel, ViscosityNeverReversesAnApproach) {
  const Scene scene = free_space();
  const float most = make_setup(scene).most_viscosity;
  for (const float sigma : {0.0f, 1.0f, 1e3f, 1e9f})
    for (const float beta : {0.0f, 1.0f, 1e9f})
      for (const float step : {1e-5f, 1e-2f, 1.0f})
        for (const float u : {1e-6f, 1.0f, 1e4f})
          for (const float reach : {0.0f, 0.5f, 1.0f}) {
            const float each = viscous_change<float>({sigma, beta, 0}, reach, u, step, most);
            ASSERT_GE(each, 0);
            ASSERT_LE(2 * each, u) << sigma << ' ' << beta << ' ' << step << ' ' << u;
            ASSERT_EQ(viscous_change<float>({sigma, beta, 0}, reach, -u, step, most), 0);
          }
}

// Algorithm 5, without the limit: half of the impulse to each.
TEST(ViscoelasticKernel, ViscosityIsLinearAndQuadraticInTheSpeed) {
  const Viscosity<float> of_paper{3, 2, 0}, of_both{3, 2, 4};
  const double approach = 3 * 0.5 + 2 * 0.25, each = 0.5 * 0.01 * 0.4;
  EXPECT_NEAR(viscous_change(of_paper, 0.4f, 0.5f, 0.01f, 1.0f), each * approach, 1e-9);
  EXPECT_NEAR(viscous_change(of_both, 0.4f, 0.5f, 0.01f, 1.0f), each * (approach + 2), 1e-9);
  EXPECT_NEAR(viscous_change(of_both, 0.4f, -0.5f, 0.01f, 1.0f), each * -2, 1e-9);
}

TEST(ViscoelasticKernel, PaperUnitsAreSupportsAndThirtiethsOfASecond) {
  const Units paper = Units::paper(0.05);
  EXPECT_NEAR(paper.acceleration(0.004), 0.18, 1e-12);  // 0.004 * 0.05 * 900 m/s2
  EXPECT_NEAR(paper.stiffness(0.3), 270, 1e-9);
  EXPECT_NEAR(paper.rate(0.3), 9, 1e-12);
  EXPECT_NEAR(paper.per_length(2), 40, 1e-12);
  const Units si;
  EXPECT_EQ(si.acceleration(0.18), 0.18);
  EXPECT_EQ(si.per_length(40), 40);
}

Scene jelly(const char* units) {
  Scene scene = free_space();
  scene.solver["units"] = std::string(units);
  scene.solver["time_step"] = 1.0 / 90;
  scene.fluids = {blob(scene, 6, 5, 4, 0.2f)};
  scene.fluids[0].velocity_at = [](const Vec3& x) { return Vec3{5 * x.y, -x.z, 3 * x.x}; };
  return scene;
}

TEST(ViscoelasticKernel, SceneInPaperUnitsEqualsOneInSi) {
  Scene paper = jelly("paper"), si = jelly("si");
  const Units units = Units::paper(2.6 * paper.spacing);
  paper.solver["stiffness"] = 0.004;
  paper.solver["near_stiffness"] = 0.01;
  si.solver["stiffness"] = units.acceleration(0.004);
  si.solver["near_stiffness"] = units.acceleration(0.01);
  paper.materials[0].methods["viscoelastic"] = {{"springs", 0.3},
                                                {"plasticity", 0.2},
                                                {"yield", 0.05},
                                                {"linear_viscosity", 0.1},
                                                {"quadratic_viscosity", 0.3}};
  si.materials[0].methods["viscoelastic"] = {{"springs", units.stiffness(0.3)},
                                             {"plasticity", units.rate(0.2)},
                                             {"yield", 0.05},
                                             {"linear_viscosity", units.rate(0.1)},
                                             {"quadratic_viscosity", units.per_length(0.3)}};
  const auto one = make_simulation(paper, {"cpu", 1, false});
  const auto other = make_simulation(si, {"cpu", 1, false});
  one->advance_to(0.2);
  other->advance_to(0.2);
  EXPECT_TRUE(same_bits(one->snapshot(), other->snapshot()));
}

// All points of a cubic lattice around one of them.
template <class Visit>
void each_place(double spacing, const Visit& visit) {
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y)
      for (int z = -4; z <= 4; ++z)
        if (x || y || z) visit(spacing * std::sqrt(double(x * x + y * y + z * z)));
}

// The virial pressure divided by the density, of a lattice with another spacing than at rest.
double specific_pressure(const Setup& setup, double spacing) {
  double rho = 0, near = 0, moment = 0, near_moment = 0;
  each_place(spacing, [&](double r) {
    const double q = r / setup.support, w = std::max(0.0, 1 - q);
    rho += w * w, near += w * w * w, moment += w * q, near_moment += w * w * q;
  });
  return setup.support / 6 *
         (setup.kernel.stiffness * (rho - setup.kernel.rest) * moment +
          setup.kernel.near * near * near_moment);
}

TEST(ViscoelasticKernel, LatticeAtRestSpacingHasNoPressure) {
  for (const double support : {1.8, 2.2, 2.6, 3.1})
    for (const double ratio : {0.5, 2.5}) {
      Scene scene = free_space();
      scene.solver["support"] = support;
      scene.solver["near_ratio"] = ratio;
      const auto setup = make_setup(scene);
      const double c2 = setup.sound_speed * setup.sound_speed;
      EXPECT_FLOAT_EQ(setup.kernel.near / setup.kernel.stiffness, static_cast<float>(ratio));
      EXPECT_LT(std::abs(specific_pressure(setup, scene.spacing)), 1e-6 * c2) << support;
    }
}

// A slightly compressed lattice has the pressure of the given sound speed. The formula holds for
// neighbours in all directions; those of a cubic lattice lie in a few shells.
TEST(ViscoelasticKernel, CompressedLatticeHasThePressureOfItsSoundSpeed) {
  for (const double support : {2.2, 2.6, 3.1}) {
    Scene scene = free_space();
    scene.solver["support"] = support;
    scene.solver["sound_speed"] = 1.0;
    const auto setup = make_setup(scene);
    ASSERT_EQ(setup.sound_speed, 1.0);
    const double squeezed = scene.spacing * std::pow(1.01, -1.0 / 3);
    const double rise = specific_pressure(setup, squeezed) / 0.01;
    RecordProperty("share_at_" + std::to_string(support), std::to_string(rise));
    EXPECT_NEAR(std::sqrt(rise), 1, 0.15) << support;
  }
}

}  // namespace
}  // namespace panta::viscoelastic
