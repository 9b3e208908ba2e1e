// Runs that were killed, interrupted or finished can be resumed without a difference: all
// reproducible files of the result folder are bitwise equal.
#include <fcntl.h>
#include <signal.h>

#include <chrono>
#include <map>
#include <random>
#include <vector>

#include "command_test_fixture.h"

namespace panta {
namespace {

using Files = std::map<std::string, std::string>;  // name -> content

class Resume : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::ofstream(folder_ / "splash.json") << R"json({
      "method": "sph", "spacing": 0.025, "duration": 0.2, "fps": 100,
      "domain": {"min": [0, 0, 0], "max": [0.6, 0.6, 0.3]},
      "materials": {"water": {}, "oil": {"density": 900}},
      "fluids": [
        {"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [0.25, 0.4, 0.3]}}},
        {"material": "oil", "shape": {"sphere": {"center": [0.45, 0.3, 0.15], "radius": 0.1}},
         "velocity": [0, -2, 0], "jitter": 0.1}],
      "bodies": [
        {"name": "paddle", "shape": {"box": {"min": [0.3, 0, 0.1], "max": [0.35, 0.2, 0.2]}},
         "motion": {"pivot": [0.3, 0, 0.15],
                    "rotate": {"axis": [0, 0, 1], "degrees": "20*sin(30*t)"}}}],
      "emitters": [
        {"name": "tap", "material": "oil", "at": [0.1, 0.55, 0.15], "speed": 2,
         "disc": {"radius": 0.06}, "start": 0.02, "pulse": {"period": 0.05, "on": 0.03}}],
      "sinks": [
        {"name": "drain", "active": false,
         "shape": {"box": {"min": [0.5, 0, 0], "max": [0.6, 0.1, 0.3]}}}],
      "events": [
        {"at": 0.045, "start": "drain"},
        {"at": 0.07, "set": {"gravity": [2, -9.81, 0], "emitters.tap.speed": 1}},
        {"at": 0.1, "add": {"material": "water", "velocity": [0, -1, 0],
                            "shape": {"sphere": {"center": [0.5, 0.5, 0.15], "radius": 0.06}}}},
        {"at": 0.15, "remove": {"sphere": {"center": [0.1, 0.1, 0.15], "radius": 0.08}}}],
      "probes": {
        "front": {"type": "extent", "axis": "+x"},
        "oil": {"type": "count", "material": "oil"}}
    })json";
  }

  // The content of a result folder except files that depend on the clock (a checkpoint contains the
  // length of the timings).
  Files results(const std::string& dir) const {
    Files files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / dir)) {
      const std::string name = fs::relative(entry.path(), folder_ / dir).string();
      if (!entry.is_regular_file()) continue;
      if (name == "run.json" || name == "timings.jsonl" || name == "checkpoint.panta") continue;
      files[name] = read(dir + "/" + name);
    }
    return files;
  }
  void expect_same_results(const std::string& dir, const Files& expected) const {
    const Files found = results(dir);
    for (const auto& [name, content] : found) EXPECT_TRUE(expected.contains(name)) << name;
    for (const auto& [name, content] : expected) {
      ASSERT_TRUE(found.contains(name)) << name << " is missing";
      EXPECT_TRUE(found.at(name) == content) << name << " differs";
    }
  }

  // Starts a run without waiting for it.
  pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t child = fork();
    if (child != 0) return child;
    const int log = open((folder_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    std::vector<std::string> all = {PANTA_BINARY, "run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& argument : all) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (chdir(folder_.c_str()) == 0) execv(PANTA_BINARY, argv.data());
    _exit(127);
  }

  // Kills the run shortly after the file appeared; false if it ended before.
  bool kill_after(pid_t child, const fs::path& file, std::chrono::microseconds later) const {
    using Clock = std::chrono::steady_clock;
    Clock::time_point moment = Clock::time_point::max();
    while (Clock::now() < moment) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) {
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << read("log");
        return false;
      }
      if (moment == Clock::time_point::max() && fs::exists(file)) moment = Clock::now() + later;
      usleep(100);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return true;
  }

  static std::string frame_file(unsigned frame) {
    char name[64];
    std::snprintf(name, sizeof name, "particles/frame_%06u.vtp", frame);
    return name;
  }
};

TEST_F(Resume, KilledRunsResumeToTheSameResult) {
  ASSERT_EQ(panta("run splash.json --device cpu --threads 1 --out whole --quiet").code, 0);
  const Files expected = results("whole");
  ASSERT_EQ(expected.size(), 21u + 5u);  // frames; scene, statistics, probes, objects, collection
  std::mt19937 random(2026);
  int kills = 0;
  for (int round = 0; kills < 20 && round < 40; ++round) {
    const std::string dir = "round" + std::to_string(round);
    unsigned frame = 0;
    bool killed = true;
    while (killed) {
      const pid_t run = start({"splash.json", "--device", "cpu", "--out", dir, "--resume",
                               "--threads", std::to_string(1 + random() % 2), "--checkpoint-every",
                               std::to_string(1 + random() % 3)});
      frame += random() % 8;
      const fs::path seen = frame == 0 ? folder_ : folder_ / dir / frame_file(frame);
      killed = kill_after(run, seen, std::chrono::microseconds(random() % 8000));
      kills += killed;
    }
    expect_same_results(dir, expected);
    EXPECT_TRUE(fs::exists(folder_ / dir / "checkpoint.panta"));
    EXPECT_EQ(lines(dir + "/timings.jsonl"), 21u);
    EXPECT_NE(read(dir + "/run.json").find("\"status\": \"done\""), std::string::npos);
  }
  EXPECT_GE(kills, 20);
}

TEST_F(Resume, InterruptedRunCanBeResumed) {
  const std::string run = "run splash.json --device cpu --threads 1 --duration 0.1 ";
  ASSERT_EQ(panta(run + "--out whole").code, 0);
  for (const std::string signal : {"INT", "TERM"}) {
    const Outcome cut =
        shell("$PANTA " + run + "--out o" + signal + " & p=$!; while ! [ -s o" + signal +
              "/stats.jsonl ]; do sleep 0.01; done; kill -" + signal + " $p; wait $p; exit $?");
    EXPECT_EQ(cut.code, 130) << cut.text;
    EXPECT_NE(cut.text.find("the same command with --resume"), std::string::npos) << cut.text;
    EXPECT_TRUE(fs::exists(folder_ / ("o" + signal) / "checkpoint.panta"));
    const Outcome rest = panta(run + "--resume --out o" + signal);
    EXPECT_EQ(rest.code, 0) << rest.text;
    expect_same_results("o" + signal, results("whole"));
    EXPECT_NE(read("o" + signal + "/run.json").find("\"resumed_from_frame\": "), std::string::npos);
  }
}

TEST_F(Resume, FinishedRunCanBeExtended) {
  const std::string run = "run splash.json --device cpu --threads 1 ";
  ASSERT_EQ(panta(run + "--out whole --duration 0.1").code, 0);
  ASSERT_EQ(panta(run + "--out o --duration 0.05").code, 0);
  const std::string record = read("o/run.json");
  expect_output(run + "--out o --duration 0.05 --resume", "nothing to do");
  expect_output(run + "--out o --duration 0.05 --frames 2 --resume", "nothing to do");
  EXPECT_EQ(read("o/run.json"), record);
  expect_output(run + "--out o --duration 0.1 --resume", "done after frame 10");
  expect_same_results("o", results("whole"));
}

TEST_F(Resume, EveryParticleFormatCanBeResumed) {
  for (const std::string format : {"ply", "csv", "none"}) {
    const std::string run =
        "run tiny.json --device cpu --threads 1 --set output.particles=" + format;
    ASSERT_EQ(panta(run + " --out whole_" + format).code, 0);
    ASSERT_EQ(panta(run + " --duration 0.02 --out " + format).code, 0);
    ASSERT_EQ(panta(run + " --resume --out " + format).code, 0);
    expect_same_results(format, results("whole_" + format));
  }
}

TEST_F(Resume, ChangedSceneIsRefusedWithTheKey) {
  const std::string run = "run tiny.json --device cpu --threads 1 --out o ";
  ASSERT_EQ(panta(run + "--duration 0.02").code, 0);
  const Files before = results("o");
  expect_error(run + "--resume --set materials.water.density=999", 2,
               "contains a run of another scene ('materials.water.density' differs)");
  expect_error(run + "--resume --set spacing=0.05", 2, "('spacing' differs)");
  expect_error(run + "--resume --overwrite", 2, "choose one");
  expect_same_results("o", before);
  expect_output(run + "--resume --set title=renamed", "done after frame 5");
}

TEST_F(Resume, ChangedSolverParametersAreAllowedWithAWarning) {
  ASSERT_EQ(panta("run tiny.json --device cpu --threads 1 --out o --duration 0.02").code, 0);
  expect_output(
      "run tiny.json --device cpu --threads 1 --out o --resume --set solver.cfl=0.2",
      "'solver.sph.cfl' was different when the run began: the new value applies from frame "
      "3");
}

TEST_F(Resume, WithoutACheckpointTheRunStartsAgain) {
  const std::string run = "run tiny.json --device cpu --threads 1 --out o --checkpoint-every 0 ";
  expect_output(run + "--resume", "no checkpoint in 'o': the run starts from the beginning");
  EXPECT_FALSE(fs::exists(folder_ / "o/checkpoint.panta"));
  expect_error(run + "--resume", 2, "contains a finished run without a checkpoint");
  expect_error(run, 4, "--resume or pass --overwrite");
  const Files expected = results("o");
  std::ofstream(folder_ / "o/run.json") << "{\"status\": \"running\"}";  // as if killed
  fs::remove(folder_ / "o/stats.jsonl");
  expect_output(run + "--resume", "starts from the beginning");
  expect_same_results("o", expected);
}

TEST_F(Resume, DamagedCheckpointIsReported) {
  const std::string run = "run tiny.json --device cpu --threads 1 --out o ";
  ASSERT_EQ(panta(run + "--duration 0.02").code, 0);
  fs::resize_file(folder_ / "o/checkpoint.panta", 1000);
  expect_error(run + "--resume", 4, "checkpoint.panta': truncated: 1000 of ");
  std::ofstream(folder_ / "o/checkpoint.panta") << "hello";
  expect_error(run + "--resume", 4, "is not a checkpoint");
  EXPECT_EQ(panta(run + "--overwrite").code, 0);
}

}  // namespace
}  // namespace panta
