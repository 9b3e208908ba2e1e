// Events, changes of the scene, fluid added and removed, and saving and restoring during a run.
#include "panta/run/timeline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "device_list.h"
#include "panta/run/probes.h"
#include "panta/run/stats.h"
#include "panta/sources/emitter.h"
#include "panta/step/step_state.h"

namespace panta {
namespace {

// A tank with all kinds of state: an emitter, a sink, a paddle, fluid.
Scene busy_scene() {
  Scene scene;
  scene.spacing = 0.025;
  scene.duration = 2;
  scene.materials = {Material{}};
  scene.has_domain = true;
  scene.domain.max = {0.6, 0.6, 0.2};
  scene.domain.walls = {true, true, true, false, true, true};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.3f, 0.2f, 0.2f})}};
  Emitter emitter;
  emitter.name = "tap";
  emitter.at = {0.1f, 0.45f, 0.1f};
  emitter.direction = {0.3f, -1, 0};
  emitter.profile = Shape::sphere(emitter.at, 0.05f);
  emitter.speed = 1.2f;
  emitter.pulse_period = 0.2;
  emitter.pulse_on = 0.13;
  scene.emitters = {emitter};
  scene.sinks = {{"drain", Shape::box({0.5f, -1, -1}, {2, 0.05f, 2})}};
  Body paddle;
  paddle.shape = Shape::box({0.28f, 0, 0.02f}, {0.33f, 0.3f, 0.18f});
  paddle.motion.program.pivot = {0.3f, 0, 0.1f};
  paddle.motion.program.axis = {0, 0, 1};
  paddle.motion.keys = {{0, {}, {}}, {0.2, {}, axis_angle({0, 0, 1}, 0.6f)}, {0.4, {}, {}}};
  scene.bodies = {paddle};
  return scene;
}

std::shared_ptr<const Scene> changed(Scene scene, double gravity, float speed) {
  scene.gravity.y = gravity;
  scene.emitters[0].speed = speed;
  scene.emitters[0].pulse_period = 0;
  return std::make_shared<const Scene>(std::move(scene));
}

Scene eventful_scene() {
  Scene scene = busy_scene();
  const Scene base = scene;
  Event change, add, remove;
  change.time = 0.11;
  change.changed = changed(base, -5, 2);
  add.time = 0.15;
  add.added = {{0, Shape::sphere({0.45f, 0.4f, 0.1f}, 0.07f), {-1, 0, 0}}};
  remove.time = 0.15;
  remove.cleared = {Shape::box({0, 0, 0}, {0.1f, 0.1f, 1})};
  scene.events = {change, add, remove};
  return scene;
}

class TimelineTest : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) {
    return make_simulation(scene, {GetParam(), threads, false});
  }
};

TEST_P(TimelineTest, RestoredRunsEqualUninterruptedRuns) {
  const Scene scene = eventful_scene();
  Timeline whole_line(scene);
  const auto whole = start(scene, 2);
  std::vector<State> states;
  std::vector<double> times;
  for (int frame = 1; frame <= 12; ++frame) {
    whole_line.advance(*whole, frame / 40.0);
    whole->snapshot();
    if (frame % 3 == 0) {
      states.emplace_back();
      whole->save(states.back());
      times.push_back(frame / 40.0);
    }
  }
  const ParticleFrame expected = whole->snapshot();
  EXPECT_GT(whole->removed(), 0u);
  EXPECT_GT(whole->emitted(), 0u);
  for (std::size_t k = 0; k < states.size(); ++k) {
    SCOPED_TRACE(times[k]);
    Timeline line(scene, times[k]);
    const auto part = start(scene, k % 2 ? 1 : 3);
    line.restore(*part, states[k]);
    EXPECT_EQ(part->time(), times[k]);
    for (int frame = 3 * static_cast<int>(k + 1) + 1; frame <= 12; ++frame) {
      line.advance(*part, frame / 40.0);
      part->snapshot();
    }
    const ParticleFrame got = part->snapshot();
    EXPECT_EQ(part->steps(), whole->steps());
    EXPECT_EQ(part->emitted(), whole->emitted());
    EXPECT_EQ(part->removed(), whole->removed());
    EXPECT_EQ(got.size(), expected.size());
    if (GetParam() == "cpu") {
      EXPECT_TRUE(same_bits(got, expected));
    }
  }
}

TEST_P(TimelineTest, SavingChangesNothing) {
  const Scene scene = busy_scene();
  const auto saved = start(scene), left_alone = start(scene);
  for (int frame = 1; frame <= 6; ++frame) {
    saved->advance_to(frame / 40.0);
    left_alone->advance_to(frame / 40.0);
    State state;
    saved->save(state);
  }
  EXPECT_EQ(saved->steps(), left_alone->steps());
  EXPECT_TRUE(same_bits(saved->snapshot(), left_alone->snapshot()));
}

TEST_P(TimelineTest, StatesOfOtherScenesAreRefused) {
  Scene other = busy_scene();
  const auto sim = start(other);
  State state;
  sim->save(state);
  other.emitters.clear();
  EXPECT_THROW(start(other)->restore(state), Error);
  EXPECT_THROW(start(other)->restore(State{}), Error);
}

// `state` with other values for one of its arrays.
template <class T>
State with(const State& state, const std::string& name, const std::vector<T>& values) {
  State changed;
  for (const StateArray& array : state.arrays()) {
    if (array.name == name) {
      changed.put(name, values);
    } else {
      changed.add(array);
    }
  }
  return changed;
}

// Found by fuzzing: such states requested too much memory, or did not terminate.
TEST_P(TimelineTest, InconsistentStatesAreRefused) {
  const Scene scene = busy_scene();
  const auto sim = start(scene);
  sim->advance_to(0.05);
  State state;
  sim->save(state);
  const auto emitters = state.get<EmitterState>("emitters");
  for (const double travelled : {-1.0, 1e9, 1e300, std::nan("")}) {
    auto changed = emitters;
    changed[0].travelled = travelled;
    EXPECT_THROW(start(scene)->restore(with(state, "emitters", changed)), Error) << travelled;
  }
  auto population = state.get<Population>("population");
  population[0].gone = 1;
  EXPECT_THROW(start(scene)->restore(with(state, "population", population)), Error);
  auto step = state.get<StepState>("step");
  step[0].time = -1e30;
  EXPECT_THROW(start(scene)->restore(with(state, "step", step)), Error);
  auto position = state.get<Vec3>("column position");
  position.pop_back();
  EXPECT_THROW(start(scene)->restore(with(state, "column position", position)), Error);
}

// Requests for longer arrays belong to the step that made them: a restored solver makes its own.
TEST_P(TimelineTest, RestoringDiscardsRequestsForRoom) {
  const Scene scene = busy_scene();
  const auto sim = start(scene), restored = start(scene);
  State state;
  sim->save(state);
  auto step = state.get<StepState>("step");
  step[0].needed[0] = 2;
  step[0].closed = StepState::lacks_room(0);
  restored->restore(with(state, "step", step));
  restored->advance_to(0.01);
  EXPECT_EQ(restored->time(), 0.01);
}

TEST_P(TimelineTest, NeighborListsAreLimitedByTheNumberOfParticles) {
  const Scene scene = busy_scene();
  const auto sim = start(scene), restored = start(scene);
  sim->advance_to(0.05);
  State state;
  sim->save(state);
  restored->restore(with(state, "list capacity", std::vector<Index>{1 << 30}));
  for (Simulation* each : {sim.get(), restored.get()}) each->advance_to(0.06);
  EXPECT_EQ(restored->steps(), sim->steps());
  EXPECT_EQ(restored->size(), sim->size());
}

TEST_P(TimelineTest, EventsHappenAtTheirTimes) {
  Scene scene = busy_scene();
  scene.emitters.clear();
  scene.sinks.clear();
  scene.bodies.clear();
  Event remove, add, fall;
  remove.time = 0.02;
  remove.cleared = {Shape::box({-1, -1, -1}, {0.15f, 1, 1})};
  add.time = 0.03;
  add.added = {{0, Shape::box({0.4f, 0.3f, 0.05f}, {0.5f, 0.4f, 0.15f})}};
  fall.time = 0.05;
  Scene weightless = scene;
  weightless.gravity = {};
  fall.changed = std::make_shared<const Scene>(weightless);
  scene.events = {remove, add, fall};
  Timeline line(scene);
  const auto sim = start(scene);
  const std::size_t initial = sim->size();
  ASSERT_EQ(initial, 12u * 8 * 8);
  line.advance(*sim, 0.02);
  EXPECT_EQ(sim->size(), initial);  // a frame at an event's time has the state before it
  line.advance(*sim, 0.025);
  EXPECT_EQ(sim->size(), initial / 2);
  line.advance(*sim, 0.04);
  EXPECT_EQ(sim->size(), initial / 2 + 64);
  line.advance(*sim, 0.05);
  const auto speed_of_block = [&] {
    const ParticleFrame frame = sim->snapshot();
    double speed = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
      if (frame.position()[i].y > 0.25f) speed += frame.velocity()[i].y / 64;
    return speed;
  };
  EXPECT_NEAR(speed_of_block(), -9.81 * 0.02, 0.01);
  line.advance(*sim, 0.08);
  EXPECT_NEAR(speed_of_block(), -9.81 * 0.02, 0.015);  // gravity is off since 0.05 s
  EXPECT_EQ(line.scene().gravity.y, 0);
}

TEST_P(TimelineTest, AddedFluidKeepsItsDistanceFromParticles) {
  Scene scene = busy_scene();
  scene.emitters.clear();
  scene.sinks.clear();
  scene.bodies.clear();
  const auto sim = start(scene);
  const std::size_t initial = sim->size();
  sim->advance_to(0.01);
  sim->add({{0, Shape::box({0.2f, 0, 0}, {0.4f, 0.2f, 0.2f})}});  // half of it is full
  EXPECT_NEAR(static_cast<double>(sim->size() - initial), 0.5 * 8 * 8 * 8, 70);
  sim->advance_to(0.1);  // explodes if particles sit in one another
  EXPECT_LT(compute_stats(*sim, sim->snapshot(), scene.gravity).max_speed, 2);
}

TEST_P(TimelineTest, ForbiddenChangesAreRefused) {
  const Scene scene = busy_scene();
  const auto sim = start(scene);
  Scene other = scene;
  other.spacing = 0.02;
  EXPECT_THROW(sim->change(other), Error);
  other = scene;
  other.emitters.clear();
  EXPECT_THROW(sim->change(other), Error);
  other = scene;
  other.dimensions = 2;
  EXPECT_THROW(sim->change(other), Error);
}

TEST_P(TimelineTest, ProbesMeasureStillWater) {
  Scene scene;
  scene.spacing = 0.025;
  scene.materials = {Material{}};
  scene.has_domain = true;
  scene.domain.max = {0.4, 0.6, 0.4};
  scene.domain.walls = {true, true, true, false, true, true};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.4f, 0.3f, 0.4f})}};
  Probe height, extent, volume, count, center, pressure, velocity, flux, none;
  height = {"height", ProbeType::height, {0.2f, 0, 0.2f}};
  extent = {"extent", ProbeType::extent};
  extent.axis = 1;
  volume = {"volume", ProbeType::volume};
  volume.region = Shape::box({-1, -1, -1}, {0.2f, 1, 1});
  count = {"count", ProbeType::count};
  center = {"center", ProbeType::center_of_mass};
  pressure = {"pressure", ProbeType::pressure, {0.2f, 0.1f, 0.2f}};
  velocity = {"velocity", ProbeType::velocity, {0.2f, 0.1f, 0.2f}};
  flux = {"flux", ProbeType::flux, {0.2f, 0, 0}};
  none = {"none", ProbeType::pressure, {0.2f, 0.55f, 0.2f}};
  scene.probes = {height, extent, volume, count, center, pressure, velocity, flux, none};
  const auto sim = start(scene);
  double mean_pressure = 0;  // sound oscillates for some time, with periods below 0.4 s
  for (int k = 0; k < 8; ++k) {
    sim->advance_to(0.8 + 0.05 * k);
    mean_pressure += measure_probes(scene, *sim, sim->snapshot())[5].value.at(0) / 8;
  }
  const auto values = measure_probes(scene, *sim, sim->snapshot());
  ASSERT_EQ(values.size(), scene.probes.size());
  EXPECT_NEAR(values[0].value.at(0), 0.3, 0.01);
  EXPECT_NEAR(values[1].value.at(0), 0.3, 0.01);
  EXPECT_NEAR(values[2].value.at(0), 0.2 * 0.3 * 0.4, 1e-3);
  EXPECT_EQ(values[3].value.at(0), 16 * 12 * 16);
  EXPECT_NEAR(values[4].value.at(1), 0.15, 0.005);
  EXPECT_NEAR(mean_pressure, 1000 * 9.81 * 0.2, 100);
  for (const double component : values[6].value) EXPECT_NEAR(component, 0, 0.1);
  EXPECT_NEAR(values[7].value.at(0), 0, 3);
  EXPECT_TRUE(values[8].value.empty());
}

// Two boxes that touch, one 10 spacings away from both, and a last one that is around a corner.
TEST_P(TimelineTest, ProbesCountPieces) {
  Scene scene;
  scene.spacing = 0.1;
  scene.materials = {Material{}};
  for (const float at : {0.0f, 1.0f, 3.0f})
    scene.fluids.push_back({0, Shape::box({at, 0, 0}, {at + 1, 0.3f, 0.3f})});
  scene.fluids.push_back({0, Shape::box({3.7f, 0.3f, 0}, {4, 1.3f, 0.3f})});
  Probe all{"all", ProbeType::pieces}, left = all, wide = all, none = all;
  left.region = Shape::box({-1, -1, -1}, {2.5f, 1, 1});
  wide.radius = 1.2f;
  none.region = Shape::box({-1, -1, -1}, {-0.5f, 1, 1});
  scene.probes = {all, left, wide, none};
  const auto sim = start(scene);
  const auto values = measure_probes(scene, *sim, sim->snapshot());
  EXPECT_EQ(values[0].value.at(0), 2);
  EXPECT_EQ(values[1].value.at(0), 1);
  EXPECT_EQ(values[2].value.at(0), 1);
  EXPECT_EQ(values[3].value.at(0), 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, TimelineTest, ::testing::ValuesIn(devices()));

}  // namespace
}  // namespace panta
