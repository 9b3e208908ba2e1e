// Features of the toy method: its own column, a second set of particles, solves that may fail.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "conformance_fixture.h"
#include "file_test_fixture.h"
#include "methods/tracer_toy/columns.h"
#include "panta/io/frame_files.h"
#include "panta/io/output.h"
#include "panta/io/particle_file.h"
#include "panta/load/load.h"
#include "panta/run/run.h"

namespace panta {
namespace {

constexpr const char* toy = "tracer_toy";

class ToyTest : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

TEST_P(ToyTest, NewColumnIsShownSortedEmittedAndSaved) {
  Scene scene = busy_scene(toy);
  scene.solver["cooling"] = 0.0;
  const auto sim = start(scene);
  const auto initial = static_cast<std::uint32_t>(sim->size());
  const ParticleFrame first = sim->snapshot();
  for (const float t : first.scalars("temperature")) EXPECT_EQ(t, tracer_toy::start_temperature);
  State state;
  sim->save(state);
  const auto ids = state.get<std::uint32_t>("column id");
  std::vector<float> values;
  for (const std::uint32_t id : ids) values.push_back(300 + static_cast<float>(id));
  sim->restore(with_array(state, "column temperature", values));
  sim->advance_to(0.15);
  State later;
  sim->save(later);
  const auto resumed = start(scene);
  resumed->restore(later);
  for (Simulation* s : {sim.get(), resumed.get()}) {
    const ParticleFrame frame = s->snapshot();
    const auto& temperature = frame.scalars("temperature");
    ASSERT_EQ(temperature.size(), frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const std::uint32_t id = frame.id()[i];
      const bool emitted = id >= initial;
      EXPECT_EQ(temperature[i],
                emitted ? tracer_toy::start_temperature : 300 + static_cast<float>(id));
    }
    EXPECT_GT(frame.id().back(), initial);
  }
}

TEST_P(ToyTest, ComputedColumnIsShown) {
  Scene scene = block_scene(toy);
  scene.fluids[0].jitter = 0;
  const ParticleFrame frame = start(scene)->snapshot();
  // On a lattice within two spacings: weights at 1, sqrt(2) and sqrt(3) spacings; those at two are
  // zero.
  const auto weight = [](double r) { return (1 - r / 2) * (1 - r / 2); };
  const double inside = 6 * weight(1) + 12 * weight(std::sqrt(2)) + 8 * weight(std::sqrt(3));
  const auto& crowding = frame.scalars("crowding");
  EXPECT_NEAR(*std::max_element(crowding.begin(), crowding.end()), inside, 1e-4);
}

TEST_P(ToyTest, SmoothingKeepsMomentum) {
  Scene scene = block_scene(toy);
  scene.gravity = {};
  scene.has_domain = false;
  scene.domain = {};
  scene.solver["smoothing"] = 500.0;
  scene.fluids[0].velocity_at = [](const Vec3& x) { return Vec3{x.y, -2 * x.z, 1}; };
  const auto sum = [](const ParticleFrame& frame) {
    Vec3d total;
    for (const Vec3& v : frame.velocity()) total += to_double(v);
    return total;
  };
  const auto spread = [](const ParticleFrame& frame) {
    double most = 0, least = 0;
    for (const Vec3& v : frame.velocity())
      most = std::max(most, double(v.y)), least = std::min(least, double(v.y));
    return most - least;
  };
  const auto sim = start(scene);
  const ParticleFrame before = sim->snapshot();
  sim->advance_to(0.05);
  const ParticleFrame after = sim->snapshot();
  const Vec3d change = sum(after) - sum(before);
  EXPECT_LT(length(change), 1e-4 * length(sum(before)));
  EXPECT_LT(spread(after), 0.9 * spread(before));
}

TEST_P(ToyTest, TracersFollowTheFluid) {
  Scene scene = block_scene(toy);
  scene.has_domain = false;
  scene.domain = {};
  const auto sim = start(scene);
  EXPECT_EQ(sim->sets(), (std::vector<std::string>{"particles", "tracers"}));
  const ParticleFrame before = sim->snapshot("tracers");
  EXPECT_EQ(before.size(), (sim->size() + 3) / 4);
  sim->advance_to(0.1);
  const ParticleFrame after = sim->snapshot("tracers");
  ASSERT_EQ(after.id(), before.id());
  const Vec3d fallen = middle(after, 0) - middle(before, 0);
  EXPECT_NEAR(fallen.y, -0.5 * 9.81 * 0.01, 0.005);
  EXPECT_EQ(after.time, sim->time());
  for (const float age : after.scalars("age")) EXPECT_NEAR(age, 0.1, 1e-5);
  EXPECT_EQ(sim->snapshot("particles").size(), sim->size());
  expect_contains(error_message(ErrorKind::usage, [&] { sim->snapshot("tracer"); }),
                  "did you mean 'tracers'?");
}

TEST_P(ToyTest, ColumnsOfTheAdditionalSetAreReadAndWritten) {
  const auto sim = start(block_scene(toy));
  const std::size_t count = sim->snapshot("tracers").size();
  ColumnView view = sim->view("age", "tracers");
  EXPECT_EQ(view.count, count);
  sim->write("age", std::vector<float>(count, 7.0f), "tracers");
  const ParticleFrame written = sim->snapshot("tracers");
  for (const float age : written.scalars("age")) EXPECT_EQ(age, 7);
  sim->advance_to(0.02);
  EXPECT_TRUE(view.stale());
  const ParticleFrame later = sim->snapshot("tracers");
  for (const float age : later.scalars("age")) EXPECT_NEAR(age, 7.02, 1e-5);
  EXPECT_EQ(sim->columns("tracers").back().name, "age");
  const auto message = [&](const std::string& column, const std::string& set) {
    return error_message(ErrorKind::usage, [&] { sim->view(column, set); });
  };
  expect_contains(message("temperature", "tracers"), "there is no column 'temperature'");
  expect_contains(message("age", "tracer"), "did you mean 'tracers'?");
  expect_contains(message("crowding", "particles"), "use snapshot()");
  expect_contains(error_message(ErrorKind::usage,
                                [&] {
                                  sim->write("age", {1, 2}, "tracers");
                                }),
                  "takes 1 floats");
}

TEST_P(ToyTest, ViewsOfTheAdditionalSetLeaveOutRemovedParticles) {
  Scene scene = block_scene(toy);
  scene.sinks = {Sink{}};
  scene.sinks[0].shape = Shape::box({-10, -10, -10}, {10, 0.5f * float(scene.spacing), 10});
  const auto sim = start(scene);
  const std::size_t before = sim->snapshot("tracers").size();
  sim->advance_to(0.1);
  const std::size_t after = sim->snapshot("tracers").size();
  EXPECT_LT(after, before);
  EXPECT_EQ(sim->view("age", "tracers").count, after);
}

TEST_P(ToyTest, AdditionalSetGrowsAndShrinks) {
  Scene scene = block_scene(toy);
  scene.has_domain = false;
  scene.domain = {};
  scene.solver["new_tracers"] = 5.0;
  scene.solver["tracer_source"] = Vec3d{1, 1, 1};  // no fluid there: they stay
  const auto sim = start(scene);
  const std::size_t initial = sim->snapshot("tracers").size();
  sim->advance_to(0.2);
  const ParticleFrame grown = sim->snapshot("tracers");
  EXPECT_EQ(grown.size(), initial + 5 * sim->steps());
  EXPECT_EQ(by_id(grown).size(), grown.size());
  EXPECT_EQ(grown.position().back(), (Vec3{1, 1, 1}));
  EXPECT_EQ(grown.scalars("age").back(), 0);
  Scene changed = scene;
  changed.solver["new_tracers"] = 0.0;
  changed.sinks = {{.name = "all", .shape = Shape::sphere({1, 1, 1}, 0.1f)}};
  sim->change(changed);
  sim->advance_to(0.22);
  EXPECT_EQ(sim->snapshot("tracers").size(), initial);
  State state;
  sim->save(state);
  EXPECT_EQ(state.get<Vec3>("tracers column position").size(), initial);
}

TEST_P(ToyTest, TracersRemainWhenTheFluidIsGone) {
  const auto sim = start(block_scene(toy));
  const std::size_t tracers = sim->snapshot("tracers").size();
  sim->advance_to(0.02);
  sim->clear(Shape::sphere({}, 10));
  EXPECT_EQ(sim->size(), 0u);
  const double height = middle(sim->snapshot("tracers"), 0).y;
  sim->advance_to(0.1);
  const ParticleFrame frame = sim->snapshot("tracers");
  EXPECT_EQ(frame.size(), tracers);
  EXPECT_LT(middle(frame, 0).y, height);
}

TEST_P(ToyTest, ErrorNamesTheTracerAndItsSet) {
  const auto sim = start(block_scene(toy));
  State state;
  sim->save(state);
  auto places = state.get<Vec3>("tracers column position");
  places[7].y = std::numeric_limits<float>::quiet_NaN();
  sim->restore(with_array(state, "tracers column position", places));
  expect_contains(error_message(ErrorKind::simulation, [&] { sim->advance_to(0.02); }),
                  "particle 7 of 'tracers' at");
}

TEST_P(ToyTest, StateWithoutTheAdditionalSetIsRefused) {
  const auto sim = start(block_scene(toy));
  State state;
  sim->save(state);
  State cut;
  for (const StateArray& array : state.arrays())
    if (array.name != "tracers column age") cut.add(array);
  expect_contains(error_message(ErrorKind::io, [&] { sim->restore(cut); }), "tracers column age");
}

Scene hard_scene(const std::string& on_failure) {
  Scene scene = block_scene(toy);
  scene.fluids[0].velocity_at = [](const Vec3& x) { return Vec3{10 * x.y, -20 * x.z, x.x}; };
  scene.solver["smoothing"] = 1e4;
  scene.solver["iterations"] = 2.0;
  scene.solver["on_failure"] = on_failure;
  scene.duration = 0.1;
  scene.fps = 50;
  scene.particle_format = "none";
  return scene;
}

TEST_P(ToyTest, SolvesAreReported) {
  Scene scene = block_scene(toy);
  auto sim = start(scene);
  sim->advance_to(0.02);
  const auto good = sim->convergence();
  ASSERT_TRUE(good);
  EXPECT_EQ(good->solves, sim->steps());
  EXPECT_EQ(good->failures, 0u);
  EXPECT_LE(good->worst_residual, 1e-5);
  sim = start(hard_scene("warn"));
  sim->advance_to(0.02);
  const auto bad = sim->convergence();
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->failures, sim->steps());
  EXPECT_EQ(bad->iterations, 2 * sim->steps());
  EXPECT_GT(bad->worst_residual, 1e-5);
  EXPECT_EQ(sim->convergence()->solves, 0u);
  EXPECT_FALSE(start(block_scene("sph"))->convergence());
}

TEST_P(ToyTest, FailedSolvesEndTheSimulationIfRequested) {
  const auto sim = start(hard_scene("fail"));
  const std::string message = error_message(ErrorKind::simulation, [&] { sim->advance_to(0.02); });
  expect_contains(message, "did not reach their tolerance");
  expect_contains(message, "solver.on_failure");
}

INSTANTIATE_TEST_SUITE_P(Devices, ToyTest, ::testing::ValuesIn(devices()));

class ToyRun : public FileTest {
 protected:
  // Returns the log of the run.
  std::string run(const Scene& scene) {
    RunOptions options;
    options.out = path("run");
    options.overwrite = true;
    options.device = {"cpu", 1, false};
    std::FILE* const file = std::tmpfile();
    const Log log(LogLevel::warning, file);
    try {
      run_scene(scene, options, log);
    } catch (const Error& error) {
      exit_code_ = error.exit_code();
    }
    std::string text;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    std::fclose(file);
    return text;
  }
  std::string stats() const {
    std::ostringstream text;
    text << std::ifstream(path("run/stats.jsonl")).rdbuf();
    return text.str();
  }
  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }

  int exit_code_ = 0;
};

TEST_F(ToyRun, FailuresAreInStatisticsAndLoggedOncePerFrame) {
  const std::string log = run(hard_scene("warn"));
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(count(log, "solves did not reach their tolerance"), 5) << log;
  expect_contains(log, "warning: frame 1: ");
  EXPECT_EQ(count(stats(), "\"solver_iterations\": "), 6);
  EXPECT_EQ(count(stats(), "\"solver_failures\": 0"), 1) << stats();  // frame 0
  EXPECT_EQ(count(stats(), "\"solver_residual\": "), 6);
}

TEST_F(ToyRun, FurtherSetsAreWrittenToResultFolders) {
  Scene scene = block_scene(toy);
  scene.duration = 0.1;
  scene.fps = 50;
  scene.particle_format = "vtp";
  run(scene);
  ASSERT_EQ(exit_code_, 0);
  EXPECT_EQ(list_frames(path("run")).size(), 6u);
  const ParticleFrame tracers = read_particles(path("run/particles/tracers_000005.vtp"));
  EXPECT_GT(tracers.size(), 0u);
  for (const float age : tracers.scalars("age")) EXPECT_NEAR(age, 0.1, 1e-5);
  scene.duration = 0.02;
  run(scene);  // overwrites
  EXPECT_TRUE(std::filesystem::exists(path("run/particles/tracers_000001.vtp")));
  EXPECT_FALSE(std::filesystem::exists(path("run/particles/tracers_000005.vtp")));
}

TEST_F(ToyRun, FailureEndsTheRunWithCodeThree) {
  run(hard_scene("fail"));
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(ToyRun, MethodsWithoutSolvesHaveNoSuchStatistics) {
  Scene scene = block_scene("sph");
  scene.duration = 0.02;
  scene.fps = 50;
  scene.particle_format = "none";
  EXPECT_EQ(run(scene), "");
  EXPECT_EQ(count(stats(), "solver"), 0);
}

TEST(AddedMethod, IsKnownToSceneFiles) {
  const std::string text = R"({
    "method": "tracer_toy", "spacing": 0.1, "materials": {"water": {}},
    "fluids": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}],
    "solver": {"smoothing": 3, "on_failure": "fail"}})";
  const Scene scene = parse_scene(text, "scene");
  EXPECT_EQ(std::get<double>(scene.solver.at("smoothing")), 3);
  expect_contains(
      error_message(ErrorKind::usage, [&] { parse_scene(text, "scene", {"solver.smoothin=1"}); }),
      "smoothing");
}

TEST(AddedMethod, NamesAreUnique) {
  MethodEntry entry;
  entry.info = find_method("sph");
  expect_contains(error_message(ErrorKind::usage, [&] { add_method(entry); }), "'sph'");
}

}  // namespace
}  // namespace panta
