// What the command does with files that are already in the folder for its results: nothing that a
// user or another process needs is replaced.
#include "command_test_fixture.h"

namespace panta {
namespace {

class OutputFolder : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    run_ = "run tiny.json --device cpu --threads 1 ";
  }
  std::string run_;
};

TEST_F(OutputFolder, EmptyNameIsRefused) {
  expect_error(run_ + "--out ''", 2, "--out needs a value, got an empty text");
  expect_error(run_ + "--out=", 2, "--out needs a value");
}

TEST_F(OutputFolder, SceneFileIsNeverReplaced) {
  fs::rename(folder_ / "tiny.json", folder_ / "scene.json");
  const std::string before = read("scene.json");
  for (const std::string out : {".", "$PWD"})
    expect_error("run scene.json --device cpu --threads 1 --out " + out, 2,
                 "would replace 'scene.json', which it reads: choose another --out");
  EXPECT_EQ(read("scene.json"), before);
  EXPECT_FALSE(fs::exists(folder_ / "run.json"));
}

TEST_F(OutputFolder, IncludedFileIsNeverReplaced) {
  fs::create_directory(folder_ / "base");
  fs::rename(folder_ / "tiny.json", folder_ / "base/scene.json");
  std::ofstream(folder_ / "more.json") << R"({"include": ["base/scene.json"], "fps": 50})";
  const std::string before = read("base/scene.json");
  expect_error("run more.json --device cpu --threads 1 --out base --overwrite", 2,
               "base/scene.json', which it reads");
  EXPECT_EQ(read("base/scene.json"), before);
}

TEST_F(OutputFolder, SceneOfAnEarlierRunCanBeRunAgain) {
  ASSERT_EQ(panta(run_ + "--out o").code, 0);
  const std::string again = "run o/scene.json --device cpu --threads 1 --out o ";
  EXPECT_EQ(panta(again + "--resume --duration 0.06").code, 0);
  EXPECT_EQ(panta(again + "--overwrite").code, 0);
}

TEST_F(OutputFolder, TwoRunsInOneFolderAreRefused) {
  const Outcome second = shell(
      "$PANTA " + run_ +
      "--out o --duration 1000 --quiet & p=$!; while ! [ -s o/stats.jsonl ]; do sleep 0.02; done; "
      "for way in '' --overwrite --resume; do $PANTA " +
      run_ +
      "--out o --quiet $way; echo code $?; done; $PANTA info o >/dev/null && echo read; "
      "kill -KILL $p; wait $p; $PANTA " +
      run_ + "--out o --overwrite --quiet; echo after $?");
  std::size_t refused = 0;
  const std::string message = "another process is writing into the folder 'o'";
  for (std::size_t at = 0; (at = second.text.find(message, at)) != std::string::npos; ++at)
    ++refused;
  EXPECT_EQ(refused, 3u) << second.text;
  EXPECT_NE(second.text.find("code 4\n"), std::string::npos) << second.text;
  EXPECT_NE(second.text.find("read\n"), std::string::npos) << second.text;
  EXPECT_NE(second.text.find("after 0\n"), std::string::npos) << second.text;
  EXPECT_FALSE(fs::exists(folder_ / "o/write.lock"));
}

// Root may write everywhere: there the command runs as another user.
TEST_F(OutputFolder, OverwritingAReadOnlyRunKeepsItsCheckpoint) {
  ASSERT_EQ(panta(run_ + "--out o").code, 0);
  const std::string as_nobody = "setpriv --reuid=65534 --clear-groups ";
  if (geteuid() == 0 && shell("chown -R 65534 . && " + as_nobody + "$PANTA --version").code != 0)
    GTEST_SKIP() << "needs setpriv";
  for (const std::string locked : {"o", "o/particles"}) {
    fs::permissions(folder_ / locked, fs::perms::owner_read | fs::perms::owner_exec);
    const Outcome refused =
        shell((geteuid() == 0 ? as_nobody : "") + "$PANTA " + run_ + "--out o --overwrite");
    fs::permissions(folder_ / locked, fs::perms::owner_all);
    EXPECT_EQ(refused.code, 4) << refused.text;
    EXPECT_NE(refused.text.find("cannot write into the folder"), std::string::npos) << refused.text;
    EXPECT_TRUE(fs::exists(folder_ / "o/checkpoint.panta")) << locked;
    EXPECT_TRUE(fs::exists(folder_ / "o/particles/frame_000005.vtp")) << locked;
  }
}

TEST_F(OutputFolder, FilesBehindALinkAreNotRemoved) {
  ASSERT_EQ(panta(run_ + "--out o").code, 0);
  fs::rename(folder_ / "o/particles", folder_ / "elsewhere");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "o/particles");
  expect_error(run_ + "--out o --overwrite", 4, "'o/particles' is a symbolic link");
  EXPECT_TRUE(fs::exists(folder_ / "elsewhere/frame_000005.vtp"));
  EXPECT_TRUE(fs::exists(folder_ / "o/checkpoint.panta"));
}

}  // namespace
}  // namespace panta
