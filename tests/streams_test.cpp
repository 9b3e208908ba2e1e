// Signals, standard streams that cannot be written, and control characters in messages.
#include "command_test_fixture.h"
#include "panta/core/visible_text.h"

namespace panta {
namespace {

using Streams = CommandTest;

const std::string short_run = "$PANTA run tiny.json --device cpu --threads 1 ";

TEST_F(Streams, FullOrClosedLogDoesNotEndARun) {
  EXPECT_EQ(shell(short_run + "--out full 2>/dev/full").code, 0);
  EXPECT_EQ(shell(short_run + "--out closed 2>&-").code, 0);
  for (const std::string out : {"full", "closed"}) {
    EXPECT_NE(read(out + "/run.json").find("\"done\""), std::string::npos) << out;
    EXPECT_EQ(read(out + "/scene.json"), read("full/scene.json"));
    EXPECT_EQ(read(out + "/stats.jsonl"), read("full/stats.jsonl"));
  }
  EXPECT_EQ(shell("$PANTA rnu 2>/dev/full").code, 2);
}

TEST_F(Streams, OutputThatCannotBeWrittenIsAnError) {
  const std::string message = "panta: error: cannot write the standard output";
  for (const std::string where : {">/dev/full", ">&-"}) {
    const Outcome outcome = shell("$PANTA info sph 2>&1 " + where);
    EXPECT_EQ(outcome.code, 4) << where;
  }
  const Outcome full = shell("{ $PANTA check tiny.json 3>&2 >/dev/full; echo code $?; }");
  EXPECT_NE(full.text.find(message), std::string::npos) << full.text;
  EXPECT_NE(full.text.find("code 4"), std::string::npos) << full.text;
  const Outcome piped = shell("{ $PANTA info --schema; echo code $? >code; } | true; cat code");
  EXPECT_NE(piped.text.find("code "), std::string::npos) << piped.text;
}

// A closed terminal sends SIGHUP, perhaps several times.
TEST_F(Streams, ClosedTerminalStopsARunWithACheckpoint) {
  const Outcome run = shell(
      short_run +
      "--out o --duration 1000 --quiet & p=$!; while ! [ -s o/stats.jsonl ]; do sleep 0.02; done; "
      "kill -HUP $p; kill -HUP $p; wait $p; exit $?");
  EXPECT_EQ(run.code, 130) << run.text;
  EXPECT_NE(read("o/run.json").find("interrupted"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder_ / "o/checkpoint.panta"));
}

TEST_F(Streams, IgnoredHangUpStaysIgnored) {
  const Outcome run =
      shell("trap '' HUP; " + short_run +
            "--out o --duration 0.3 & p=$!; while ! [ -s o/stats.jsonl ]; do sleep 0.02; done; "
            "kill -HUP $p; wait $p; exit $?");
  EXPECT_EQ(run.code, 0) << run.text;
}

// The limit on file sizes sends SIGXFSZ, whose default action ends the process.
TEST_F(Streams, FileSizeLimitIsReported) {
  if (PANTA_THREAD_SANITIZER) GTEST_SKIP() << "its runtime needs larger files than the limit";
  const Outcome full = shell("ulimit -f 16; " + short_run + "--out o --duration 0.4");
  EXPECT_EQ(full.code, 4) << full.text;
  EXPECT_NE(full.text.find("File too large"), std::string::npos) << full.text;
}

TEST_F(Streams, ControlCharactersOfFilesAreEscaped) {
  std::ofstream(folder_ / "bad.json") << R"({"method": "\u001b[31msph\npanta: done"})";
  const Outcome bad = panta("check bad.json");
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.text.find('\x1b'), std::string::npos) << bad.text;
  EXPECT_NE(bad.text.find("\\x1b[31msph\\npanta: done"), std::string::npos) << bad.text;
  const Outcome title = panta(R"(check tiny.json --set 'title="a\u001b]0;b\u0007\nc"')");
  EXPECT_EQ(title.code, 0);
  EXPECT_NE(title.text.find("a\\x1b]0;b\\x07\\nc"), std::string::npos) << title.text;
}

TEST(VisibleText, KeepsLettersAndEscapesControls) {
  EXPECT_EQ(visible_text("größe 5 µm"), "größe 5 µm");
  EXPECT_EQ(visible_text("a\nb\r\x7f\xc2\x9b"), "a\\nb\\x0d\\x7f\\x9b");
  EXPECT_EQ(visible_text("a\nb\x1b", true), "a\nb\\x1b");
}

}  // namespace
}  // namespace panta
