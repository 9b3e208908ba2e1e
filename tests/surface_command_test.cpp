// panta surface from the user's side: files, reuse of finished frames, and broken frames.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "command_test_fixture.h"
#include "panta/engine/devices.h"
#include "panta/engine/simulation.h"
#include "panta/geometry/read_mesh.h"
#include "panta/io/output.h"
#include "panta/io/particle_file.h"

namespace panta {
namespace {

class SurfaceCommand : public CommandTest {
 protected:
  // A run of five frames: a block of water that falls.
  void SetUp() override {
    CommandTest::SetUp();
    const Outcome run = panta("run tiny.json --device cpu --threads 1 --out o --quiet");
    ASSERT_EQ(run.code, 0) << run.text;
  }
  Outcome surface(const std::string& options = "") const {
    return panta("surface o --threads 1 " + options);
  }
  bool exists(const std::string& file) const { return fs::exists(folder_ / file); }
  TriangleMesh mesh(const std::string& file) const { return read_mesh((folder_ / file).string()); }
  std::string particles(int frame) const {
    return (folder_ / fmt::format("o/particles/frame_{:06}.vtp", frame)).string();
  }
  // Changes a frame's particles.
  void change(int frame, const std::function<void(ParticleFrame&)>& action) const {
    ParticleFrame content = read_particles(particles(frame));
    action(content);
    write_particles(particles(frame), "vtp", content);
  }
  static void keep_first(ParticleFrame& frame, std::size_t count) { frame.resize(count); }
  static void expect_says(const Outcome& outcome, int code, const std::string& text) {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find(text), std::string::npos) << outcome.text;
  }
};

TEST_F(SurfaceCommand, EveryFrameBecomesAClosedMeshOfTheRightVolume) {
  expect_says(surface(), 0, "6 frames in o/surface");
  for (int frame = 0; frame <= 5; ++frame) {
    const TriangleMesh found = mesh(fmt::format("o/surface/frame_{:06}.ply", frame));
    EXPECT_TRUE(inspect_mesh(found).closed());
    EXPECT_NEAR(mesh_volume(found), 0.027, 0.005);
  }
  const TriangleMesh first = mesh("o/surface/frame_000000.ply");
  const MeshBounds bounds = mesh_bounds(first);  // three walls are touched
  EXPECT_NEAR(bounds.min.x, 0, 1e-6f);
  EXPECT_NEAR(bounds.min.y, 0, 1e-6f);
  EXPECT_NEAR(bounds.min.z, 0, 1e-6f);
}

TEST_F(SurfaceCommand, FinishedFramesAreKept) {
  ASSERT_EQ(surface("--frames 0:2").code, 0);
  const auto before = fs::last_write_time(folder_ / "o/surface/frame_000001.ply");
  expect_says(surface(), 0, "3 kept from before");
  EXPECT_EQ(fs::last_write_time(folder_ / "o/surface/frame_000001.ply"), before);
  expect_says(surface(), 0, "0 frames in o/surface, 6 kept from before");
  // A frame whose particles have changed, or whose file is gone, is made again.
  change(3, [](ParticleFrame& frame) { keep_first(frame, 5); });
  fs::remove(folder_ / "o/surface/frame_000005.ply");
  expect_says(surface(), 0, "2 frames in o/surface");
  expect_says(surface("--smooth 2"), 4, "made with other options (smooth was 5): pass --overwrite");
  expect_says(surface("--smooth 2 --frames 0:1 --overwrite"), 0, "2 frames in o/surface");
  EXPECT_FALSE(exists("o/surface/frame_000004.ply"));
}

TEST_F(SurfaceCommand, JobsAndThreadsGiveTheSameFiles) {
  ASSERT_EQ(panta("surface o --threads 1 --jobs 1 --out one --quiet").code, 0);
  ASSERT_EQ(panta("surface o --threads 4 --jobs 3 --out three --quiet").code, 0);
  for (int frame = 0; frame <= 5; ++frame) {
    const std::string name = fmt::format("frame_{:06}.ply", frame);
    EXPECT_TRUE(read("one/" + name) == read("three/" + name)) << name;
  }
}

TEST_F(SurfaceCommand, ParaViewGetsACollectionWithTheTimes) {
  ASSERT_EQ(surface("--format vtp --every 5").code, 0);
  const std::string collection = read("o/surface.pvd");
  EXPECT_NE(collection.find("timestep=\"0.05\" group=\"\" part=\"0\" "
                            "file=\"surface/frame_000005.vtp\""),
            std::string::npos)
      << collection;
  EXPECT_FALSE(exists("o/surface/frame_000001.vtp"));
}

TEST_F(SurfaceCommand, SeveralLiquidsAreSeveralFiles) {
  std::ofstream(folder_ / "two.json") << R"({
    "method": "sph", "spacing": 0.1, "duration": 0.01, "fps": 100,
    "domain": {"min": [0, 0, 0], "max": [0.6, 0.6, 0.6]},
    "materials": {"water": {}, "olive oil": {"density": 900}, "unused": {}},
    "fluids": [
      {"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.3]}}},
      {"material": "olive oil", "shape": {"box": {"min": [0.3, 0, 0], "max": [0.6, 0.3, 0.3]}}}],
    "bodies": [{"name": "ball", "shape": {"sphere": {"center": [0.3, 0.5, 0.3], "radius": 0.05}}}]
  })";
  ASSERT_EQ(panta("run two.json --device cpu --threads 1 --out o --overwrite --quiet").code, 0);
  ASSERT_EQ(surface("--frames 0 --format vtp").code, 0);
  EXPECT_TRUE(exists("o/surface/frame_000000_water.vtp"));
  EXPECT_TRUE(exists("o/surface/frame_000000_olive_oil.vtp"));
  EXPECT_FALSE(exists("o/surface/frame_000000_unused.vtp"));
  EXPECT_NE(read("o/surface.pvd").find("part=\"1\""), std::string::npos);
  EXPECT_NEAR(mesh_volume(mesh("o/surface/solids/ball.ply")), 4.18879 * std::pow(0.05, 3), 2e-6);
}

TEST_F(SurfaceCommand, BrokenFramesAreReportedAndOthersMade) {
  fs::resize_file(particles(1), fs::file_size(particles(1)) / 2);
  fs::remove(particles(2));
  change(3, [](ParticleFrame& frame) {
    for (Vec3& x : frame.position()) x.x = std::numeric_limits<float>::quiet_NaN();
  });
  change(4, [](ParticleFrame& frame) { frame.position()[0].y = std::nanf(""); });
  const Outcome outcome = surface();
  expect_says(outcome, 4, "frame 1: cannot read 'o/particles/frame_000001.vtp': truncated");
  expect_says(outcome, 4, "frame 2 is missing in 'o/particles'");
  expect_says(outcome, 4, "frame 3: 27 of 27 particles in 'o/particles/frame_000003.vtp'");
  expect_says(outcome, 4, "warning: 1 of 27 particles in 'o/particles/frame_000004.vtp'");
  expect_says(outcome, 4, "3 frames in o/surface");
  expect_says(outcome, 4, "3 frames failed");
  for (const int made : {0, 4, 5})
    EXPECT_TRUE(exists(fmt::format("o/surface/frame_{:06}.ply", made)));
  for (const int failed : {1, 2, 3})
    EXPECT_FALSE(exists(fmt::format("o/surface/frame_{:06}.ply", failed)));
}

TEST_F(SurfaceCommand, HandlesZeroAndOneParticle) {
  change(0, [](ParticleFrame& frame) { keep_first(frame, 0); });
  change(1, [](ParticleFrame& frame) {
    keep_first(frame, 1);
    frame.position()[0] = {0.35f, 0.35f, 0.35f};
  });
  EXPECT_EQ(surface().code, 0);
  EXPECT_NE(read("o/surface/frame_000000.ply").find("element face 0\n"), std::string::npos);
  const TriangleMesh drop = mesh("o/surface/frame_000001.ply");
  EXPECT_TRUE(inspect_mesh(drop).closed());
  EXPECT_GT(mesh_volume(drop), 0.0002);
  EXPECT_LT(mesh_volume(drop), 0.003);
}

TEST_F(SurfaceCommand, FullDiskLeavesNoPartOfAFile) {
  if (PANTA_THREAD_SANITIZER) GTEST_SKIP() << "its runtime needs larger files than the limit";
  const Outcome full = shell("trap '' XFSZ; ulimit -f 20; $PANTA surface o --threads 1 --cell 0.2");
  expect_says(full, 4, "cannot write 'o/surface/frame_000000.ply': File too large");
  expect_says(full, 4, "6 frames failed");
  for (const auto& entry : fs::directory_iterator(folder_ / "o/surface"))
    EXPECT_EQ(entry.path().filename(), "surface.json");
}

TEST_F(SurfaceCommand, ReadOnlyFolderIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_ / "o", fs::perms::owner_read | fs::perms::owner_exec);
  expect_says(surface(), 4, "cannot make the folder 'o/surface'");
  fs::permissions(folder_ / "o", fs::perms::owner_all);
}

TEST_F(SurfaceCommand, DevicesAreChosenByName) {
  expect_says(surface("--device gpu"), 2, "unknown device 'gpu'");
  expect_says(surface("--device cuda --method follow"), 2, "choose --device cpu");
  if (!cuda_available()) expect_says(surface("--device cuda"), 5, "no CUDA device can be used");
  EXPECT_FALSE(exists("o/surface"));
  expect_says(surface("--device cpu --frames 0"), 0, "1 frames in o/surface");
  expect_says(surface("--device auto --method follow --frames 0 --out f"), 0, "1 frames in f");
  // Meshes of different devices are never mixed in a folder.
  if (cuda_available())
    expect_says(surface("--device cuda"), 4, "made with other options (device was not set)");
  else
    expect_says(surface("--device auto"), 0, "5 frames in o/surface");
}

TEST_F(SurfaceCommand, WrongOptionsAreRefusedBeforeAnythingIsWritten) {
  expect_error("surface nowhere", 4, "'nowhere' is not a result folder");
  expect_error("surface o --method colr", 2, "colour");
  expect_error("surface o --cell 50", 2, "0.15 to 4 spacings");
  expect_error("surface o --decimate 2", 2, "--decimate: 2");
  expect_error("surface o --frames 9:4", 2, "FIRST:LAST");
  expect_error("surface o --frames 90:99", 2, "the run has frames 0 to 5");
  expect_error("surface o --volume smoke", 2, "level_set");
  EXPECT_FALSE(exists("o/surface"));
}

}  // namespace
}  // namespace panta
