// The command, run like a user runs it: exit codes, messages and files.
#include "command_test_fixture.h"

namespace panta {
namespace {

using Cli = CommandTest;

TEST_F(Cli, PrintsHelp) {
  expect_output("--version", "panta ");
  expect_output("--help", "usage: panta COMMAND");
  for (const std::string command : {"run", "check", "scenes", "info"})
    expect_output(command + " --help", "usage: panta " + command);
  expect_output("info", "methods");
  expect_output("info sph", "cfl");
  expect_output("info sph", "columns of particles, in frames and files:\n");
  expect_output("info unified", "correction that makes the stress of the pushes isotropic");
  EXPECT_EQ(panta("").code, 2);
}

TEST_F(Cli, UsageErrors) {
  expect_error("rnu", 2, "unknown command 'rnu' (did you mean 'run'?)");
  expect_error("run", 2, "SCENE is missing");
  expect_error("run tiny.json more", 2, "unexpected 'more'");
  expect_error("run tiny.json --thread 2", 2,
               "unknown option '--thread' (did you mean '--threads'?)");
  expect_error("run tiny.json --threads", 2, "--threads needs a value");
  expect_error("run tiny.json --out --quiet", 2, "--out needs a value");
  expect_error("run tiny.json --threads two", 2,
               "--threads must be a whole number >= 1, got 'two'");
  expect_error("run tiny.json --threads 10000", 2, "--threads must be at most 1024, got 10000");
  expect_error("run tiny.json --frames -1", 2, "--frames must be a whole number >= 0, got '-1'");
  expect_error("run tiny.json --quiet=1", 2, "--quiet takes no value");
  expect_error("run tiny.json --out a --out b", 2, "--out is given twice");
  expect_error("run tiny.json --device gpu", 2, "'--device' cannot be 'gpu'");
  expect_error("run tiny.json --duration -1", 2, "--duration must be a number >= 0, got '-1'");
  expect_error("info spf", 2, "unknown method 'spf' (did you mean 'sph'?)");
}

TEST_F(Cli, SceneErrors) {
  expect_error("run basics/dam_brek", 2, "did you mean 'basics/dam_break'?");
  expect_error("check tiny.json --set spacin=1", 2, "--set spacin=1: unknown key 'spacin'");
  std::ofstream(folder_ / "bad.json") << "{\n  \"method\": 3\n}";
  expect_error("check bad.json", 2, "bad.json:2:13: 'method' must be text");
  expect_error("run bad.json", 2, "bad.json:2:13");
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

TEST_F(Cli, ChecksScenes) {
  expect_output("check tiny.json", "particles   27");
  expect_output("check tiny.json --set spacing=0.05", "particles   216");
  expect_output("check tiny.json", "fluid       0: 27 of 'water', 27 kg, 0.027 m3");
  expect_output("check tiny.json --all", "sound_speed");
}

// Emitters and added fluids count, too; a duration between two frames is reported.
TEST_F(Cli, ChecksWhatARunAdds) {
  const std::string tap =
      R"( --set 'emitters=[{"material": "water", "at": [0.3, 0.5, 0.3], "disc": {"radius": 0.1}, )"
      R"("speed": 1}]' --set duration=0.055 )"
      R"(--set 'events=[{"at": 0.052, "set": {"gravity": [0, 0, 0]}}]')";
  expect_output("check tiny.json" + tap, " at the start, ");
  expect_output("check tiny.json" + tap, "the run ends with frame 5, at 0.05 s");
  expect_output("check tiny.json" + tap, "event 0 at 0.052 s comes after the end at 0.05 s");
}

TEST_F(Cli, EventAtTheLastInstantActsBeforeTheLastFrame) {
  const std::string run = "run tiny.json --device cpu --threads 1 --out o ";
  const std::string event =
      R"(--set 'events=[{"at": 0.05, "remove": {"sphere": {"center": [0, 0, 0], "radius": 5}}}]' )";
  ASSERT_EQ(panta(run + event).code, 0);
  const std::string removed = "\"particles\": 0,";
  const std::string stats = read("o/stats.jsonl");
  EXPECT_EQ(stats.find(removed), stats.rfind(removed)) << stats;
  EXPECT_GT(stats.find(removed), stats.find("\"frame\": 5,")) << stats;
  // It does not act again in a longer run.
  const Outcome longer = panta(run + event + "--resume --duration 0.06");
  EXPECT_EQ(longer.code, 0) << longer.text;
  EXPECT_EQ(lines("o/stats.jsonl"), 7u);
}

TEST_F(Cli, ListsAndFindsBundledScenes) {
  expect_output("scenes", "basics/dam_break");
  expect_output("check basics/dam_break", "Dam break");
  const Outcome other = shell("PANTA_SCENES=/nonexistent $PANTA scenes");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.text.find("PANTA_SCENES"), std::string::npos) << other.text;
}

TEST_F(Cli, EveryBundledSceneIsValid) {
  const Outcome listed = shell(
      "$PANTA scenes | cut -d' ' -f1 | while read -r s; do $PANTA check $s "
      "|| exit 9; done");
  EXPECT_EQ(listed.code, 0) << listed.text;
  EXPECT_NE(listed.text.find("dam_break.json: ok"), std::string::npos) << listed.text;
}

TEST_F(Cli, RunsASceneIntoAFolder) {
  const Outcome run = panta("run tiny.json --device cpu --threads 1");
  ASSERT_EQ(run.code, 0) << run.text;
  EXPECT_NE(run.text.find("frame 5/5"), std::string::npos) << run.text;
  EXPECT_EQ(lines("results/tiny/stats.jsonl"), 6u);
  EXPECT_TRUE(fs::exists(folder_ / "results/tiny/particles/frame_000005.vtp"));
  EXPECT_NE(read("results/tiny/run.json").find("done"), std::string::npos);
  expect_output("check results/tiny/scene.json", "particles   27");
  expect_error("run tiny.json --device cpu", 4, "--overwrite");
  EXPECT_EQ(panta("run tiny.json --device cpu --overwrite --frames 1").code, 0);
  EXPECT_EQ(lines("results/tiny/stats.jsonl"), 2u);
}

TEST_F(Cli, OptionsOverrideTheScene) {
  const Outcome run = panta(
      "run tiny.json --device cpu --out o --duration 0.02 --set output.particles=none --quiet");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.text, "");
  EXPECT_EQ(lines("o/stats.jsonl"), 3u);
  EXPECT_NE(read("o/scene.json").find("\"duration\": 0.02"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "o/particles/frame_000000.vtp"));
}

TEST_F(Cli, OutputErrors) {
  std::ofstream(folder_ / "file") << "x";
  expect_error("run tiny.json --device cpu --out file/sub", 4, "file/sub");
}

TEST_F(Cli, InterruptFinishesTheFrame) {
  const Outcome run = shell(
      "$PANTA run tiny.json --device cpu --out o --duration 1000 --quiet & p=$!; "
      "while ! [ -s o/stats.jsonl ]; do sleep 0.05; done; kill -TERM $p; wait $p; exit $?");
  EXPECT_EQ(run.code, 130) << run.text;
  EXPECT_NE(run.text.find("interrupted after frame"), std::string::npos) << run.text;
  EXPECT_NE(read("o/run.json").find("interrupted"), std::string::npos);
}

}  // namespace
}  // namespace panta
