// Result folders and checkpoints that the first edition wrote (tests/data/README.md) can be
// described, meshed and drawn; its checkpoints give a clear error.
#include "command_test_fixture.h"
#include "panta/io/run_frames.h"
#include "panta/load/load.h"

namespace panta {
namespace {

class FirstEdition : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    fs::copy(fs::path(PANTA_SOURCE_DIR) / "tests/data/first_edition", folder_,
             fs::copy_options::recursive);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
};

const std::vector<std::string> runs = {"sph_vtp", "unified_ply", "viscoelastic_csv"};

TEST_F(FirstEdition, FoldersAreDescribed) {
  for (const std::string& run : runs) {
    expect_output("info " + run, "status          done");
    expect_output("info " + run, "frames          2");
    expect_output("info " + run, "column          velocity: vector");
    expect_output("info " + run, "written by format version 1");
  }
  expect_output("info sph_vtp/particles/frame_000002.vtp", "particles       36\n");
  expect_output("info unified_ply/particles/frame_000002.ply", "particles       60\n");
  expect_output("info viscoelastic_csv/particles/frame_000002.csv", "particles       36\n");
}

// The first edition wrote neither objects nor poses of solids: both are found from the scene.
TEST_F(FirstEdition, SolidsHaveObjectsAndPoses) {
  const Scene scene = load_scene(path("unified_ply/scene.json"));
  const RunFrames frames(path("unified_ply"), scene);
  ASSERT_EQ(frames.files().size(), 3u);
  const ParticleFrame frame = frames.read(frames.files().back());
  ASSERT_EQ(frame.objects.size(), 2u);
  EXPECT_EQ(frame.objects[1].name, "log");
  ASSERT_TRUE(frame.objects[1].pose);
  const BodyPose& pose = *frame.objects[1].pose;
  const Vec3 centre = rotation(pose.rotation) * Vec3{0.3f, 0.4f, 0.15f} + to_float(pose.position);
  EXPECT_NEAR(centre.y, 0.4 - 1 * frame.time, 0.005);                    // it falls at 1 m/s
  EXPECT_NEAR(rotation_vector(pose.rotation).z, 2 * frame.time, 0.005);  // and turns at 2 rad/s
}

TEST_F(FirstEdition, FreeBodiesHavePoses) {
  const Scene scene = load_scene(path("viscoelastic_csv/scene.json"));
  const RunFrames frames(path("viscoelastic_csv"), scene);
  const ParticleFrame frame = frames.read(frames.files().back());
  ASSERT_EQ(frame.bodies.size(), 1u);
  EXPECT_NEAR(frame.bodies[0].velocity.y, -1, 0.3);
}

TEST_F(FirstEdition, FoldersAreMeshed) {
  for (const std::string& run : runs) {
    const Outcome outcome = panta("surface " + run + " --threads 1");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(fs::exists(folder_ / run / "surface/frame_000002.ply")) << outcome.text;
  }
}

TEST_F(FirstEdition, FoldersAreDrawn) {
  for (const std::string& run : runs) {
    const Outcome outcome = panta("render " + run + " --quality draft --size 160x90 --threads 1");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(fs::exists(folder_ / run / "images/frame_000002.png")) << outcome.text;
  }
}

TEST_F(FirstEdition, CheckpointsAreRefusedWithTheReason) {
  for (const std::string& run : runs) {
    const std::string before = read(run + "/run.json");
    expect_error("run " + run + "/scene.json --device cpu --threads 1 --out " + run + " --resume",
                 4, "format version 1");
    expect_error("info " + run + "/checkpoint.panta", 4, "format version 1");
    EXPECT_EQ(read(run + "/run.json"), before);
  }
}

}  // namespace
}  // namespace panta
