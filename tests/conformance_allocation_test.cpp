// Steps in steady state allocate nothing, for every method on every device.
#include <algorithm>

#include "conformance_fixture.h"
#include "panta/core/memory.h"

namespace panta {
namespace {

class Allocation : public Conformance {
 protected:
  // Advances to `steady`, and then in two parts for another `duration`.
  void expect_none(Simulation& sim, double steady, double duration) {
    for (const double share : {0.5, 0.8, 1.0}) sim.advance_to(share * steady);
    const std::uint64_t before = allocation_count();
    for (const double share : {0.5, 1.0}) sim.advance_to(steady + share * duration);
    EXPECT_EQ(allocation_count(), before);
  }
};

// A layer of fluid at rest. If it spread, the table of its grid would grow.
Scene rest_scene(const std::string& method) {
  Scene scene = block_scene(method);
  scene.fluids = {{.shape = Shape::box({0, 0, 0}, {0.6f, 0.3f, 0.5f})}};
  scene.gravity = {0, -0.5, 0};
  return scene;
}

TEST_P(Allocation, NoneAtRest) {
  const auto sim = start(rest_scene(method()));
  expect_none(*sim, 0.06, 0.04);
}

// A jet through a box that a sink removes: as many particles come as go.
TEST_P(Allocation, NoneInASteadyFlow) {
  Scene scene = block_scene(method());
  scene.fluids.clear();
  scene.gravity = {};
  scene.emitters = {conformance_tap()};
  scene.sinks = {{.name = "drain", .shape = Shape::box({-1, -1, -1}, {1, 0.2f, 1})}};
  const auto sim = start(scene);
  expect_none(*sim, 0.5, 0.1);
  EXPECT_GT(sim->removed(), 0u);
  EXPECT_GT(sim->emitted(), sim->removed());
}

TEST_P(Allocation, NoneWithAFreeBody) {
  if (!find_method(method()).free_bodies) GTEST_SKIP() << "of methods with free bodies";
  Scene scene = rest_scene(method());
  scene.bodies = {{.shape = Shape::sphere({0.3f, 0.2f, 0.25f}, 0.08f), .free = FreeBody{}}};
  const auto sim = start(scene);
  expect_none(*sim, 0.06, 0.04);
}

TEST_P(Allocation, NoneWithImplicitViscosity) {
  const auto& known = find_method(method()).parameters;
  if (std::none_of(known.begin(), known.end(), [](const ParameterInfo& parameter) {
        return parameter.name == std::string("viscosity_solver");
      }))
    GTEST_SKIP() << "of methods with implicit viscosity";
  Scene scene = rest_scene(method());
  scene.materials[0].viscosity = 50;
  scene.solver["viscosity_solver"] = std::string("implicit");
  const auto sim = start(scene);
  expect_none(*sim, 0.06, 0.04);
  EXPECT_GT(sim->convergence()->solves, 0u);
}

INSTANTIATE_TEST_SUITE_P(Methods, Allocation, ::testing::ValuesIn(conformance_cases()),
                         [](const auto& info) {
                           return info.param.method + "_" + info.param.device;
                         });

}  // namespace
}  // namespace panta
