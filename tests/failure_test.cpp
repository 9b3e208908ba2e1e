// The command in an environment that fails: exit codes, messages and remaining files, as documented
// in docs/failures.md.
#include "command_test_fixture.h"
#include "panta/engine/memory_check.h"
#include "panta/load/load.h"

namespace panta {
namespace {

class Failure : public CommandTest {
 protected:
  void expect_failed(const Outcome& outcome, int code, const std::string& message) const {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find("panta: error: "), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
  }
  void expect_record(const std::string& dir, const std::string& status) const {
    const std::string record = read(dir + "/run.json");
    EXPECT_NE(record.find("\"status\": \"" + status), std::string::npos) << record;
  }
};

// A limit on file sizes replaces the full disk: the file of statistics reaches it first.
TEST_F(Failure, FullDiskEndsTheRunWhichCanBeResumed) {
  if (PANTA_THREAD_SANITIZER) GTEST_SKIP() << "its runtime needs larger files than the limit";
  const std::string run =
      "run tiny.json --device cpu --threads 1 --duration 0.4 --checkpoint-every 5 ";
  const Outcome full =
      shell("trap '' XFSZ; ulimit -f 16; $PANTA " + run + "--out o");  // 8 or 16 kB
  expect_failed(full, 4, "cannot write 'o/stats.jsonl': File too large");
  EXPECT_NE(full.text.find("last good checkpoint: frame "), std::string::npos) << full.text;
  EXPECT_NE(full.text.find("and continue with --resume"), std::string::npos) << full.text;
  expect_record("o", "failed: cannot write");
  ASSERT_EQ(panta(run + "--out whole").code, 0);
  EXPECT_EQ(panta(run + "--out o --resume --quiet").code, 0);
  for (const std::string name : {"stats.jsonl", "particles.pvd", "particles/frame_000040.vtp"})
    EXPECT_TRUE(read("o/" + name) == read("whole/" + name)) << name;
  expect_record("o", "done");
}

TEST_F(Failure, FullDiskAtTheStartLeavesNoCompleteOutput) {
  const Outcome full =
      shell("trap '' XFSZ; ulimit -f 1; $PANTA run tiny.json --device cpu --threads 1 --out o");
  expect_failed(full, 4, "File too large");
  EXPECT_FALSE(fs::exists(folder_ / "o/particles/frame_000000.vtp"));
  EXPECT_FALSE(fs::exists(folder_ / "o/particles/frame_000000.vtp.tmp"));
}

TEST_F(Failure, ReadOnlyFolderIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(folder_ / "o");
  fs::permissions(folder_ / "o", fs::perms::owner_read | fs::perms::owner_exec);
  expect_failed(panta("run tiny.json --device cpu --threads 1 --out o"), 4,
                "cannot write into the folder 'o'");
  fs::permissions(folder_ / "o", fs::perms::owner_all);
}

TEST_F(Failure, RemovedFolderEndsTheRun) {
  const Outcome moved = shell(
      "$PANTA run tiny.json --device cpu --threads 1 --out o --duration 1000 & p=$!; "
      "while ! [ -s o/stats.jsonl ]; do sleep 0.01; done; mv o elsewhere; wait $p; exit $?");
  expect_failed(moved, 4, "the result folder 'o' was moved, removed or replaced");
  EXPECT_FALSE(fs::exists(folder_ / "o"));
  expect_record("elsewhere", "running");
}

// A closed box takes no more liquid than it has room for.
TEST_F(Failure, LiquidWithoutRoomEndsTheRun) {
  std::ofstream(folder_ / "tap.json")
      << R"({"method": "sph", "spacing": 0.05, "duration": 6, "fps": 10,
    "domain": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.3], "walls": "all"},
    "materials": {"water": {"density": 1000}},
    "emitters": [{"material": "water", "at": [0.15, 0.25, 0.15], "disc": {"radius": 0.08},
                  "direction": [0, -1, 0], "speed": 1}]})";
  const Outcome full = panta("run tap.json --device cpu --threads 1 --out o");
  expect_failed(full, 3, "which is beyond max_density_error");
  EXPECT_NE(full.text.find("too dense on average, a particle"), std::string::npos) << full.text;
  expect_record("o", "failed: liquids have been more than 50 % too dense");
  EXPECT_EQ(
      panta("run tap.json --device cpu --threads 1 --out any --set max_density_error=1e6").code, 0);
}

TEST_F(Failure, MotionThatIsNotANumberNamesItsFormula) {
  const std::string paddle =
      R"x(--set 'bodies=[{"name": "paddle", "shape": {"box": {"min": [0.4, 0, 0], )x"
      R"x("max": [0.5, 0.5, 0.6]}}, "motion": {"translate": ["0*log(0.035 - t)", 0, 0]}}]')x";
  const Outcome lost = panta("run tiny.json --device cpu --threads 1 --out o " + paddle);
  expect_failed(lost, 3,
                "the formula 'bodies.0.motion.translate.0' of 'paddle' gives no number at 0.0");
  EXPECT_TRUE(fs::exists(folder_ / "o/particles/frame_000003.vtp"));
  EXPECT_FALSE(fs::exists(folder_ / "o/particles/frame_000004.vtp"));
  expect_record("o", "failed: the formula");
}

TEST_F(Failure, MissingGpuIsAnErrorOfTheDevice) {
  const Outcome none = shell("CUDA_VISIBLE_DEVICES= $PANTA run tiny.json --device cuda --out o");
  expect_failed(none, 5, "choose --device cpu");
  EXPECT_FALSE(fs::exists(folder_ / "o"));
}

TEST_F(Failure, TooLittleMemoryIsDetectedBeforeTheRun) {
  const std::string spacing = "spacing=0.00025";  // 1.7e9 particles
  const Scene scene = load_scene((folder_ / "tiny.json").string(), {spacing});
  const MemoryNeed need = estimate_memory(scene, {.device = "cpu"});
  if (need.fits()) GTEST_SKIP() << "a machine with that much memory";
  const Outcome large = panta("run tiny.json --device cpu --threads 1 --out o --set " + spacing);
  expect_failed(large, 5, "the scene needs about " + memory_text(need.bytes));
  EXPECT_NE(large.text.find("use a larger spacing"), std::string::npos) << large.text;
  EXPECT_FALSE(fs::exists(folder_ / "o"));
  expect_output("check tiny.json --set " + spacing, "more than is free");
}

TEST_F(Failure, ExplosionNamesTheLastGoodCheckpoint) {
  const std::string run = "run tiny.json --device cpu --threads 1 --out o --checkpoint-every 1 ";
  ASSERT_EQ(panta(run + "--duration 0.02").code, 0);
  const Outcome blown = panta(run + "--resume --duration 1 --set solver.time_step=0.01");
  expect_failed(blown, 3, "last good checkpoint: frame ");
  EXPECT_NE(blown.text.find("change a parameter of the solver and continue with --resume"),
            std::string::npos)
      << blown.text;
  expect_record("o", "failed: ");
}

// Two blocks of very viscous liquid that slide past each other, and a tolerance below the smallest
// float, which the implicit form cannot reach in any method.
class FailedSolves : public Failure, public testing::WithParamInterface<std::string> {
 protected:
  Outcome run(const std::string& on_failure) const {
    std::ofstream(folder_ / "honey.json") << R"({
      "method": ")" << GetParam() << R"(", "spacing": 0.02, "duration": 0.03, "fps": 100,
      "gravity": [0, 0, 0], "materials": {"honey": {"viscosity": 1000}},
      "fluids": [
        {"material": "honey", "jitter": 0.1, "velocity": [0, -1, 0],
         "shape": {"box": {"min": [0, 0, 0], "max": [0.06, 0.06, 0.06]}}},
        {"material": "honey", "jitter": 0.1, "velocity": [0, 1, 0],
         "shape": {"box": {"min": [0.06, 0, 0], "max": [0.12, 0.06, 0.06]}}}],
      "solver": {"viscosity_solver": "implicit", "viscosity_tolerance": 1e-300,
                 "on_failure": ")" << on_failure
                                          << R"("}})";
    return panta("run honey.json --device cpu --threads 1 --out o");
  }
};

TEST_P(FailedSolves, EndTheRunIfTheSceneAsksForIt) {
  expect_failed(run("fail"), 3, "did not reach their tolerance");
  expect_record("o", "failed: ");
  EXPECT_EQ(lines("o/stats.jsonl"), 1u);  // frame 0
}

TEST_P(FailedSolves, AreOneWarningPerFrameOtherwise) {
  const Outcome outcome = run("warn");
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  for (int frame = 1; frame <= 3; ++frame) {
    const std::string warning = "warning: frame " + std::to_string(frame) + ": ";
    const std::size_t at = outcome.text.find(warning);
    ASSERT_NE(at, std::string::npos) << outcome.text;
    EXPECT_EQ(outcome.text.find(warning, at + 1), std::string::npos) << outcome.text;
  }
  EXPECT_EQ(outcome.text.find("warning: frame 0"), std::string::npos) << outcome.text;
  const std::string stats = read("o/stats.jsonl"), key = "\"solver_failures\": ";
  const std::size_t at = stats.rfind(key);
  ASSERT_NE(at, std::string::npos) << stats;
  EXPECT_GT(std::stoi(stats.substr(at + key.size())), 0) << stats;
}

INSTANTIATE_TEST_SUITE_P(Methods, FailedSolves, testing::Values("sph", "unified", "viscoelastic"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
