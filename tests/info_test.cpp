// panta info FILE: the description of each kind of file.
#include "command_test_fixture.h"

namespace panta {
namespace {

class Info : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    const Outcome run = panta("run tiny.json --device cpu --threads 1 --out o");
    ASSERT_EQ(run.code, 0) << run.text;
  }
};

TEST_F(Info, Checkpoint) {
  expect_output("info o/checkpoint.panta", "a checkpoint, its checksums are right");
  expect_output("info o/checkpoint.panta", "frame           5, t = 0.05 s after ");
  expect_output("info o/checkpoint.panta", "particles       27\n");
  fs::resize_file(folder_ / "o/checkpoint.panta", 100);
  expect_error("info o/checkpoint.panta", 4, "truncated: 100 of ");
}

TEST_F(Info, Particles) {
  const std::string frame = "o/particles/frame_000000.";
  for (const std::string format : {"vtp", "ply", "csv"}) {
    ASSERT_EQ(panta("run tiny.json --device cpu --threads 1 --out o --overwrite --frames 0 --set "
                    "output.particles=" +
                    format)
                  .code,
              0);
    expect_output("info " + frame + format, "particles       27\n");
    expect_output("info " + frame + format, "(0.05, 0.05, 0.05) to (0.25, 0.25, 0.25) m");
    expect_output("info " + frame + format, "speed           0 to 0 m/s");
    expect_output("info " + frame + format, "number 0: 27 particles");
    expect_output("info " + frame + format,
                  "column          velocity: vector, m/s; at the frame's time\n");
  }
}

TEST_F(Info, Lines) {
  expect_output("info o/stats.jsonl", "lines           6\n  last frame      5\n");
  expect_output("info o/stats.jsonl", "last time       0.05 s");
  expect_output("info o/timings.jsonl", "wall_seconds");
  expect_output("info o/particles.pvd", "frames          6\n  time            0 to 0.05 s\n");
}

TEST_F(Info, Runs) {
  expect_output("info o/run.json", "status          done");
  expect_output("info o", "status          done");
  expect_output("info o", "checkpoint      frame 5, t = 0.05 s");
  expect_output("info o", "column          id: word; number of the particle, never used again\n");
  expect_output("info o", "column          density: scalar, kg/m3; mass density at the particle\n");
  fs::resize_file(folder_ / "o/particles/frame_000000.vtp", 100);
  expect_output("info o", "columns         not known: cannot read 'o/particles/frame_000000.vtp'");
  expect_output("info o/scene.json", "a scene; 'panta check o/scene.json' describes it");
}

TEST_F(Info, Meshes) {
  std::ofstream(folder_ / "corner.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                           "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  expect_output("info corner.obj", "triangles       4 with 4 vertices");
  expect_output("info corner.obj", "volume          0.16667 m3");
}

TEST_F(Info, Surfaces) {
  for (const std::string format : {"ply", "obj", "vtp"}) {
    ASSERT_EQ(
        panta("surface o --frames 0:0 --threads 1 --out " + format + " --format " + format).code,
        0);
    const std::string frame = format + "/frame_000000." + format;
    expect_output("info " + frame, "a triangle mesh");
    expect_output("info " + frame, "volume          0.0");
    expect_output("info " + frame, "closed");
  }
  fs::resize_file(folder_ / "vtp/frame_000000.vtp", 5000);
  expect_error("info vtp/frame_000000.vtp", 4, "truncated: the array ");
}

TEST_F(Info, UnknownFiles) {
  std::ofstream(folder_ / "notes.txt") << "hello";
  std::ofstream(folder_ / "other.json") << "{\"a\": 1}";
  expect_error("info notes.txt", 2, "'notes.txt' is of an unknown kind: .csv .json");
  expect_error("info other.json", 2, "neither a scene nor the record of a run");
  expect_error("info .", 2, "is not a result folder");
  std::ofstream(folder_ / "empty.vtp");
  expect_error("info empty.vtp", 4, "not a VTK XML file");
}

}  // namespace
}  // namespace panta
