// Limiting cases for every method on every device: no particles, a single particle, all at one
// point, NaN positions.
#include <cmath>
#include <limits>

#include "conformance_fixture.h"
#include "file_test_fixture.h"

namespace panta {
namespace {

class Limits : public Conformance {};

constexpr double later = 0.1;  // s

Scene empty_scene(const std::string& method) {
  Scene scene = block_scene(method);
  scene.fluids.clear();
  return scene;
}

TEST_P(Limits, SceneWithoutParticles) {
  const auto sim = start(empty_scene(method()));
  sim->advance_to(later);
  EXPECT_EQ(sim->time(), later);
  for (const ParticleFrame& frame : all_frames(*sim)) EXPECT_EQ(frame.size(), 0u);
  EXPECT_EQ(sim->size(), 0u);
  EXPECT_EQ(sim->mean_neighbors(), 0);
  sim->clear(Shape::sphere({}, 1));
  sim->add({{.shape = Shape::box({0.1f, 0.1f, 0.1f}, {0.3f, 0.3f, 0.3f})}});
  EXPECT_EQ(sim->size(), 64u);
  sim->advance_to(2 * later);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.size(), 64u);
  EXPECT_TRUE(all_finite(frame));
}

TEST_P(Limits, EmitterThatStartsLater) {
  Scene scene = empty_scene(method());
  scene.emitters = {conformance_tap()};
  scene.emitters[0].start = 0.05;
  const auto sim = start(scene);
  sim->advance_to(0.04);
  EXPECT_EQ(sim->size(), 0u);
  EXPECT_EQ(sim->snapshot().size(), 0u);
  State state;
  sim->save(state);
  const auto other = start(scene);
  other->restore(state);
  for (Simulation* s : {sim.get(), other.get()}) s->advance_to(0.15);
  EXPECT_GT(sim->size(), 10u);
  EXPECT_TRUE(all_finite(sim->snapshot()));
  if (on_cpu()) expect_same_frames(all_frames(*other), all_frames(*sim));
}

TEST_P(Limits, BodiesWithoutParticles) {
  Scene scene = empty_scene(method());
  const bool free = find_method(method()).free_bodies;
  scene.bodies = {{.shape = Shape::box({0.2f, 0.4f, 0.2f}, {0.3f, 0.5f, 0.3f})}};
  if (free) scene.bodies[0].free = FreeBody{};
  const auto sim = start(scene);
  sim->advance_to(later);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.size(), 0u);
  ASSERT_EQ(frame.bodies.size(), free ? 1u : 0u);
  for (const BodyPose& body : frame.bodies) EXPECT_NEAR(body.velocity.y, -9.81 * later, 0.05);
}

TEST_P(Limits, OneParticleFalls) {
  Scene scene = block_scene(method());
  scene.has_domain = false;
  scene.domain = {};
  const float s = static_cast<float>(scene.spacing);
  scene.fluids[0] = {.shape = Shape::box({0, 0, 0}, {s, s, s})};
  const auto sim = start(scene);
  ASSERT_EQ(sim->size(), 1u);
  const Vec3 before = sim->snapshot().position()[0];
  sim->advance_to(later);
  const ParticleFrame frame = sim->snapshot();
  ASSERT_EQ(frame.size(), 1u);
  const Vec3 fallen = frame.position()[0] - before;
  EXPECT_NEAR(fallen.y, -0.5 * 9.81 * later * later, 0.1 * 9.81 * later * later);
  EXPECT_EQ(fallen.x, 0);
  EXPECT_NEAR(frame.velocity()[0].y, -9.81 * later, 0.1);
}

// Continues with other positions; returns false on a simulation error, whose message is checked.
bool continues(Simulation& sim, const std::string& in_message) {
  try {
    sim.advance_to(sim.time() + 0.02);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::simulation) << error.what();
    EXPECT_NE(std::string(error.what()).find(in_message), std::string::npos) << error.what();
    return false;
  }
  return true;
}

TEST_P(Limits, AllParticlesAtOnePoint) {
  const auto sim = start(block_scene(method()));
  State state;
  sim->save(state);
  const std::vector<Vec3> places(sim->size(), Vec3{0.25f, 0.25f, 0.25f});
  sim->restore(with_array(state, "column position", places));
  if (!continues(*sim, "exploded")) return;
  EXPECT_TRUE(all_finite(sim->snapshot()));
}

TEST_P(Limits, NanPositionErrorNamesTheParticle) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Vec3& bad : {Vec3{nan, 0, 0}, Vec3{0, infinity, 0}}) {
    const auto sim = start(block_scene(method()));
    sim->advance_to(0.02);
    State state;
    sim->save(state);
    auto places = state.get<Vec3>("column position");
    const auto ids = state.get<std::uint32_t>("column id");
    places[123] = bad;
    sim->restore(with_array(state, "column position", places));
    EXPECT_FALSE(continues(*sim, "particle " + std::to_string(ids[123]) + " at"));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Limits, ::testing::ValuesIn(conformance_cases()),
                         [](const auto& info) {
                           return info.param.method + "_" + info.param.device;
                         });

}  // namespace
}  // namespace panta
