// Constraints that are added, removed and changed during a run: by events, by
// Simulation::change(), and across saving and restoring.
#include <gtest/gtest.h>

#include <functional>

#include "panta/load/load.h"
#include "panta/run/timeline.h"
#include "unified_scenes.h"

namespace panta {
namespace {

constexpr double g = earth_gravity;

// Two grains, 0.2 m apart, of which the upper one is held and the lower one hangs from it.
std::string hanging(const std::string& events, const std::string& more = "") {
  return R"({"method": "unified", "spacing": 0.05, "duration": 1,
    "materials": {"sand": {"kind": "granular"}},
    "fluids": [
      {"material": "sand", "jitter": 0, "shape": {"box": {"min": [-0.001, 0.999, -0.001],
                                             "max": [0.001, 1.001, 0.001]}}},
      {"material": "sand", "jitter": 0, "shape": {"box": {"min": [-0.001, 0.799, -0.001],
                                             "max": [0.001, 0.801, 0.001]}}}],
    "constraints": [{"name": "hook", "type": "attach", "particles": [0]},
                    {"name": "rope", "type": "distance", "particles": [0, 1]}],
    "solver": {"time_step": 0.002, "iterations": 20})" +
         more + R"(, "events": [)" + events + "]}";
}

Scene hanging_scene(const std::string& events, const std::string& more = "") {
  return parse_scene(hanging(events, more), "test.json");
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string text = error.what();
    return text.substr(text.find(": ") + 2);
  }
  return "no error";
}

class ConstraintChanges : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) {
    return make_simulation(scene, {GetParam(), threads, false});
  }
  ParticleFrame at(const Scene& scene, double time) {
    Timeline timeline(scene);
    const auto sim = start(scene);
    timeline.advance(*sim, time);
    return sim->snapshot();
  }
};

// The distance of a free fall from rest. Steps of length h add up to g t h / 2 to it.
double fall(double time) { return 0.5 * g * time * time; }

TEST_P(ConstraintChanges, ParticlesFallFreelyAfterRemoval) {
  const Scene scene = hanging_scene(R"({"at": 0.2, "remove_constraints": ["rope"]})");
  const ParticleFrame before = at(scene, 0.2), later = at(scene, 0.5);
  const double y = before.position()[1].y, v = before.velocity()[1].y;
  EXPECT_NEAR(y, 0.8, 1e-4);
  EXPECT_NEAR(v, 0, g * 0.002);
  EXPECT_NEAR(later.position()[1].y, y + 0.3 * v - fall(0.3), 0.3 * g * 0.001);
  // Velocities are differences of positions, which are rounded to 6e-8 m in every substep.
  EXPECT_NEAR(later.velocity()[1].y, v - 0.3 * g, 0.005 * 0.3 * g);
  EXPECT_NEAR(later.position()[0].y, 1, 1e-5);
}

// The attachment point is the particle's position at that time; a rope has its initial length.
TEST_P(ConstraintChanges, AddedConstraintActs) {
  const Scene caught = hanging_scene(R"(
    {"at": 0.1, "remove_constraints": ["rope"]},
    {"at": 0.3, "add_constraints": [{"name": "nail", "type": "attach", "particles": [1]}]},
    {"at": 0.5, "remove_constraints": ["nail"]})");
  const double height = at(caught, 0.3).position()[1].y;
  EXPECT_NEAR(height, 0.8 - fall(0.2), 0.2 * g * 0.002);
  EXPECT_NEAR(at(caught, 0.4).position()[1].y, height, 1e-4);
  EXPECT_NEAR(at(caught, 0.6).position()[1].y, height - fall(0.1), 0.1 * g * 0.002);
  const Scene pulled = hanging_scene(R"(
    {"at": 0.1, "remove_constraints": ["rope"]},
    {"at": 0.2, "add_constraints": [{"type": "distance", "particles": [0, 1]}]})");
  EXPECT_NEAR(at(pulled, 0.6).position()[1].y, 0.8, 1e-3);
}

TEST_P(ConstraintChanges, AddedPointStartsAtTheParticle) {
  const Scene scene = hanging_scene(R"(
    {"at": 0.1, "remove_constraints": ["hook"]},
    {"at": 0.2, "add_constraints": [{"type": "attach", "particles": [0],
                                     "velocity": [0.5, 0, 0]}]})");
  const Vec3 before = at(scene, 0.2).position()[0], after = at(scene, 0.4).position()[0];
  EXPECT_NEAR(before.y, 1 - fall(0.1), 0.1 * g * 0.002);
  EXPECT_NEAR(after.x, before.x + 0.1, 1e-4);
  EXPECT_NEAR(after.y, before.y, 1e-4);
}

TEST_P(ConstraintChanges, EventSetsALengthByName) {
  const Scene scene =
      hanging_scene(R"({"at": 0.1, "set": {"constraints.rope.rest_length": 0.15}})");
  EXPECT_NEAR(at(scene, 0.1).position()[1].y, 0.8, 1e-4);
  EXPECT_NEAR(length(at(scene, 0.3).position()[1] - at(scene, 0.3).position()[0]), 0.15, 1e-4);
}

TEST_P(ConstraintChanges, ChangeAppliesConstraints) {
  Scene scene = hanging_scene("");
  const auto sim = start(scene);
  sim->advance_to(0.1);
  scene.constraints[1].parameters["rest_length"] = 0.25;
  sim->change(scene);
  sim->advance_to(0.3);
  EXPECT_NEAR(length(sim->snapshot().position()[1] - sim->snapshot().position()[0]), 0.25, 1e-3);
  scene.constraints.clear();
  sim->change(scene);
  const double height = sim->snapshot().position()[0].y;
  sim->advance_to(0.4);
  EXPECT_NEAR(sim->snapshot().position()[0].y, height - fall(0.1), 0.1 * g * 0.002);
}

// A change that fails does not alter the constraints.
TEST_P(ConstraintChanges, UnknownParticlesAreErrors) {
  Scene scene = hanging_scene("");
  const auto sim = start(scene);
  sim->advance_to(0.1);
  scene.constraints[1].particles = {0, 7};
  try {
    sim->change(scene);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "constraints.1: there is no particle 7: there have been 2, counted from 0");
  }
  sim->advance_to(0.2);
  EXPECT_NEAR(sim->snapshot().position()[1].y, 0.8, 1e-4);
}

// Constraints of later particles use the distance at the time when they are added, and keep it
// through other changes.
TEST_P(ConstraintChanges, LaterParticlesCanBeConstrained) {
  const Scene scene = hanging_scene(R"(
    {"at": 0.1, "add": {"material": "sand", "jitter": 0, "shape": {"box": {"min": [0.299, 0.999, -0.001],
                                                              "max": [0.301, 1.001, 0.001]}}}},
    {"at": 0.1, "add_constraints": [{"type": "distance", "particles": [0, 2]}]},
    {"at": 0.3, "set": {"gravity": [0, -5, 0]}})");
  const ParticleFrame early = at(scene, 0.29), late = at(scene, 0.8);
  EXPECT_NEAR(length(early.position()[2] - early.position()[0]), 0.3, 1e-3);
  EXPECT_NEAR(length(late.position()[2] - late.position()[0]), 0.3, 1e-3);
  EXPECT_LT(early.position()[2].y, 0.95);  // it swings
}

TEST_P(ConstraintChanges, RestoredRunsEqualUninterruptedRuns) {
  const Scene scene = hanging_scene(R"(
    {"at": 0.04, "add": {"material": "sand", "velocity": [0, 0, 0.4],
                         "shape": {"box": {"min": [0.299, 0.999, -0.001],
                                           "max": [0.301, 1.001, 0.001]}}}},
    {"at": 0.06, "remove_constraints": ["rope"]},
    {"at": 0.11, "add_constraints": [{"name": "new", "type": "distance", "particles": [0, 2]},
                                     {"type": "attach", "particles": [1],
                                      "velocity": [0.1, 0, 0]}]},
    {"at": 0.16, "set": {"constraints.new.compliance": 0.001}},
    {"at": 0.21, "remove_constraints": ["new"]})");
  constexpr double frame = 0.05;
  constexpr int frames = 6;
  Timeline whole_line(scene);
  const auto whole = start(scene);
  std::vector<State> states(frames + 1);
  for (int k = 1; k <= frames; ++k) {
    whole_line.advance(*whole, k * frame);
    whole->save(states[static_cast<std::size_t>(k)]);
  }
  const ParticleFrame expected = whole->snapshot();
  for (int from = 1; from < frames; ++from) {
    SCOPED_TRACE(from);
    Timeline line(scene, from * frame);
    const auto part = start(scene, from);
    line.restore(*part, states[static_cast<std::size_t>(from)]);
    for (int k = from + 1; k <= frames; ++k) {
      State again;  // a state of a restored run contains the same arrays
      part->save(again);
      line.advance(*part, k * frame);
    }
    if (GetParam() == "cpu") {
      EXPECT_TRUE(same_bits(part->snapshot(), expected));
    }
    EXPECT_LT(mean_distance(part->snapshot(), expected), 1e-5);
  }
}

// The state before a change, restored after the scene was changed back.
TEST_P(ConstraintChanges, StateFromBeforeTheChangeCanBeRestored) {
  const Scene scene = hanging_scene("");
  Scene other = scene;
  other.constraints.clear();
  const auto sim = start(scene), expected = start(scene);
  sim->advance_to(0.1);
  State state;
  sim->save(state);
  sim->change(other);
  sim->advance_to(0.3);
  sim->change(scene);
  sim->restore(state);
  for (Simulation* each : {sim.get(), expected.get()})
    for (const double time : {0.1, 0.3}) each->advance_to(time);
  EXPECT_TRUE(same_bits(sim->snapshot(), expected->snapshot()));
}

TEST_P(ConstraintChanges, StatesOfOtherConstraintsAreRefused) {
  Scene scene = hanging_scene("");
  const auto sim = start(scene);
  scene.constraints[1].parameters["rest_length"] = 0.25;
  sim->change(scene);
  State state;
  sim->save(state);
  scene.constraints.resize(1);
  EXPECT_EQ(error_of([&] { start(scene)->restore(state); }), "it has other constraints");
  scene.constraints.push_back({.type = "attach", .particles = {1}});
  EXPECT_EQ(error_of([&] { start(scene)->restore(state); }), "it has other constraints");
}

TEST(ConstraintEvents, ErrorsAreSpecific) {
  const auto error = [](const std::string& event) {
    return error_of([&] { hanging_scene(event); });
  };
  EXPECT_EQ(error(R"({"at": 1, "remove_constraints": ["roope"]})"),
            "there is no constraint 'roope' at that time (did you mean 'rope'?)");
  EXPECT_EQ(error(R"({"at": 1, "remove_constraints": ["rope"]},
                     {"at": 2, "remove_constraints": ["rope"]})"),
            "there is no constraint 'rope' at that time (valid: hook)");
  EXPECT_EQ(error(R"({"at": 1, "remove_constraints": []})"),
            "'events.0.remove_constraints' must be a list of names, got a list of 0");
  EXPECT_EQ(error(R"({"at": 1, "add_constraints": [{"type": "distnce", "particles": [0, 1]}]})"),
            "'events.0.add_constraints.0.type' cannot be 'distnce' (did you mean 'distance'?)");
  EXPECT_NE(error(R"({"at": 1, "add_constraints": [{"name": "rope", "type": "attach",
                                                     "particles": [1]}]})")
                .find("the name 'rope' is given twice"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Devices, ConstraintChanges, ::testing::ValuesIn(devices()));

}  // namespace
}  // namespace panta
