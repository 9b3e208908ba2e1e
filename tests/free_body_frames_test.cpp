// Free bodies in result folders, probes and contacts: written, and read back bitwise equal.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <random>

#include "file_test_fixture.h"
#include "free_body_scene.h"
#include "panta/frame/body_places.h"
#include "panta/frame/contact_finder.h"
#include "panta/io/body_file.h"
#include "panta/io/output.h"
#include "panta/io/run_frames.h"
#include "panta/load/load.h"
#include "panta/run/probes.h"
#include "panta/run/recorder.h"
#include "panta/surface/export_scene.h"
#include "particle_frame_fixture.h"
#include "still_solver.h"

namespace panta {
namespace {

ParticleFrame random_bodies(int frame, std::size_t count) {
  std::mt19937_64 random(static_cast<unsigned>(frame));
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vec3d{normal(random), 1e-9 * normal(random), normal(random)}; };
  ParticleFrame out = random_frame(3);
  out.time = frame / 60.0;
  for (std::size_t k = 0; k < count; ++k)
    out.bodies.push_back({vector(), axis_angle(to_float(vector()), 2), vector(), vector() * 1e5});
  return out;
}

bool same_pose(const BodyPose& a, const BodyPose& b) {
  return a.position == b.position && a.velocity == b.velocity && a.spin == b.spin &&
         std::memcmp(&a.rotation, &b.rotation, sizeof a.rotation) == 0;
}

TEST(BodyPlaces, FreeBodiesAreNumberedAndNamed) {
  const Scene scene = scene_of_bodies();
  EXPECT_EQ(free_numbers(scene.bodies), (std::vector<int>{-1, 0, -1, 1}));
  EXPECT_EQ(free_body_names(scene.bodies), (std::vector<std::string>{"crate", "body 4"}));
}

// A simulation of two bodies with given poses.
class BodiesOnly final : public StillSolver {
 public:
  std::size_t size() const override { return 3; }
  ParticleFrame snapshot() override {
    return random_bodies(static_cast<int>(time() * 60 + 0.5), 2);
  }
};

class BodyFrames : public FileTest {
 protected:
  std::string run() const { return path("run"); }
  std::string file() const { return run() + "/bodies.jsonl"; }

  // Frames up to the last, as a run records them.
  void record(const std::string& dir, int last) const {
    const Scene scene = scene_of_bodies();
    Recorder recorder(scene, std::make_unique<ResultFolder>(dir, "{}"), {}, {});
    Simulation sim(scene, std::make_unique<BodiesOnly>());
    for (int frame = 0; frame <= last; ++frame) {
      sim.advance_to(frame / 60.0);
      recorder.record(frame, sim, scene, 0);
    }
    recorder.finish({});
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream in(file());
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
  void replace_line(std::size_t number, const std::string& text) const {
    std::vector<std::string> all = lines();
    all.at(number) = text;
    std::ofstream out(file());
    for (const std::string& line : all) out << line << "\n";
  }
};

TEST_F(BodyFrames, AreReadBackToTheSameBits) {
  record(run(), 4);
  const Scene scene = scene_of_bodies();
  const RunFrames frames(run(), scene);
  ASSERT_EQ(frames.files().size(), 5u);
  for (const FrameFile& file : frames.files()) {
    const ParticleFrame expected = random_bodies(file.frame, 2), found = frames.read(file);
    expect_same_frame(found, expected);
    ASSERT_EQ(found.bodies.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_TRUE(same_pose(found.bodies[k], expected.bodies[k])) << file.frame;
  }
}

TEST_F(BodyFrames, HaveALinePerFrame) {
  ResultFolder folder(run(), "{}");
  folder.write_bodies(0, {}, random_frame(2));
  EXPECT_FALSE(std::filesystem::exists(file()));
  ParticleFrame frame = random_frame(2);
  frame.time = 0.25;
  frame.bodies = {{{1, -2, 0.5},
                   {1, 0, 0, 0},
                   {0, 1e-7, 0},
                   {3, 0, 0},
                   {4, 0, 0},
                   {0, 5, 0},
                   {0, 0, 6},
                   {7, 0, 0}}};
  folder.write_bodies(7, {"crate"}, frame);
  EXPECT_EQ(lines(), (std::vector<std::string>{
                         "{\"frame\": 7, \"time\": 0.25, \"bodies\": [{\"name\": \"crate\", "
                         "\"position\": [1, -2, 0.5], \"rotation\": [1, 0, 0, 0], "
                         "\"velocity\": [0, 1e-07, 0], \"spin\": [3, 0, 0], "
                         "\"force_particles\": [4, 0, 0], \"torque_particles\": [0, 5, 0], "
                         "\"force_contacts\": [0, 0, 6], \"torque_contacts\": [7, 0, 0]}]}"}));
  expect_contains(error_message(ErrorKind::simulation,
                                [&] {
                                  folder.write_bodies(8, {"a", "b"}, frame);
                                }),
                  "frame 8 has 1 free bodies, its scene 2");
}

TEST_F(BodyFrames, DamagedLineAffectsItsFrameOnly) {
  record(run(), 3);
  const std::string whole = lines().at(2);
  const auto message = [&](const std::string& text) {
    replace_line(2, text);
    const Scene scene = scene_of_bodies();
    const RunFrames frames(run(), scene);
    EXPECT_EQ(frames.read(frames.files()[3]).bodies.size(), 2u);
    return error_message(ErrorKind::io, [&] { frames.read(frames.files()[2]); });
  };
  const std::string cut = message(whole.substr(0, whole.size() / 2));
  expect_contains(cut, file());
  expect_contains(cut, "in frame 2 (line 3 is damaged: it is not a complete JSON object)");
  expect_contains(cut, "run the scene again");
  expect_contains(message("{\"frame\": 2, \"time\": 0, \"bodies\": []}"),
                  "it has 0 bodies, the scene 2 free ones");
  expect_contains(message("{\"frame\": -1, \"time\": 0, \"bodies\": []}"), "'frame'");
  const auto with = [&](const std::string& key, const std::string& value) {
    const std::size_t at = whole.find(key), end = whole.find(']', at);
    return whole.substr(0, at) + key + "\": " + value + whole.substr(end + 1);
  };
  expect_contains(message(with("position", "[0, 1]")), "'position' has 2 entries instead of 3");
  expect_contains(message(with("spin", "[0, null, 1]")),
                  "'spin' has an entry that is not a number");
  expect_contains(message(with("rotation", "[0, 1, 1, 0]")), "'rotation' is not a unit quaternion");
}

TEST_F(BodyFrames, MissingLineOrFileIsReported) {
  record(run(), 2);
  const Scene scene = scene_of_bodies();
  std::ofstream(file()) << "";
  {
    const RunFrames frames(run(), scene);
    expect_contains(error_message(ErrorKind::io, [&] { frames.read(frames.files()[1]); }),
                    "has no poses of the free bodies in frame 1: run");
  }
  std::filesystem::remove(file());
  expect_contains(error_message(ErrorKind::io, [&] { RunFrames(run(), scene); }),
                  "bodies.jsonl' is missing");
  const RunFrames without_bodies(run(), Scene{});
  EXPECT_TRUE(without_bodies.read(without_bodies.files()[0]).bodies.empty());
}

// Programs that import a run get the body's path from the recorded poses, the last one for the
// frames that a run cut short lacks.
TEST_F(BodyFrames, AreExportedAsPaths) {
  record(run(), 2);
  Scene scene = scene_of_bodies();
  scene.duration = 4.0 / 60;
  scene.fps = 60;
  const RunFrames frames(run(), scene);
  std::filesystem::create_directories(path("surface"));
  SurfaceRecord record(path("surface"), json::Value::object(), false);
  describe_scene(record, scene, frames.bodies(), path("surface"), false,
                 [](const std::string& warning) { ADD_FAILURE() << warning; });
  record.write();
  std::ifstream in(path("surface/surface.json"));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const json::Value written = json::parse(text, "surface.json");
  const json::Value& solids = *written.find("solids");
  ASSERT_EQ(solids.items.size(), 4u);
  EXPECT_EQ(solids.items[0].find("path"), nullptr);
  const json::Value& way = *solids.items[3].find("path");
  ASSERT_EQ(way.items.size(), 5u);
  for (int frame = 0; frame < 5; ++frame) {
    const BodyPose pose = random_bodies(std::min(frame, 2), 2).bodies[1];
    const std::vector<json::Value>& row = way.items[static_cast<std::size_t>(frame)].items;
    EXPECT_EQ(row[0].number, pose.position.x);
    EXPECT_EQ(row[3].number, static_cast<double>(pose.rotation.w));
  }
}

// --- probes and contacts ---------------------------------------------------------------------

TEST(BodyProbe, FollowsAPointOfTheBody) {
  Scene scene = scene_of_bodies();
  Probe of_free{"corner", ProbeType::body}, of_moving = of_free;
  of_free.body = 1;
  of_free.at = {0.1f, 0.2f, 0.3f};
  of_moving.body = 2;
  scene.probes = {of_free, of_moving};
  ParticleFrame frame;
  frame.time = 0.25;
  frame.bodies = {quarter_turn, {}};
  const Simulation sim(scene, std::make_unique<BodiesOnly>());
  const std::vector<ProbeValue> values = measure_probes(scene, sim, frame);
  const std::vector<double>&corner = values.at(0).value, &slider = values.at(1).value;
  ASSERT_EQ(corner.size(), 3u);
  EXPECT_NEAR(corner[0], 1 - 0.2, 1e-6);
  EXPECT_NEAR(corner[1], 2 + 0.1, 1e-6);
  EXPECT_NEAR(corner[2], 3 + 0.3, 1e-6);
  EXPECT_NEAR(slider.at(0), 0.25, 1e-9);
}

TEST(BodyProbe, IsReadWithTheCentreOfMassAsItsPoint) {
  const auto read = [](const std::string& probe) {
    return parse_scene(
               R"({"method": "sph", "spacing": 0.1, "bodies": [{"shape": {"sphere": {"center": [0, 0, 0], "radius": 1}}},
      {"name": "crate", "shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.2, 0.6]}}}],
      "probes": {"it": )" +
                   probe + "}}",
               "s.json")
        .probes.at(0);
  };
  const Probe centre = read(R"({"type": "body", "body": "crate"})");
  EXPECT_EQ(centre.body, 1);
  EXPECT_LT(length(centre.at - Vec3{0.2f, 0.1f, 0.3f}), 1e-4f);
  const Probe corner = read(R"({"type": "body", "body": "crate", "at": [0.4, 0, 0]})");
  EXPECT_EQ(corner.at, (Vec3{0.4f, 0, 0}));
  const auto message = [&](const std::string& probe) {
    return error_message(ErrorKind::usage, [&] { read(probe); });
  };
  expect_contains(message(R"({"type": "body", "body": "crat"})"), "'crate'");
  expect_contains(message(R"({"type": "body"})"), "'probes.it.body'");
  expect_contains(message(R"({"type": "body", "body": "crate",
                             "region": {"sphere": {"center": [0, 0, 0], "radius": 1}}})"),
                  "neither 'region' nor 'material'");
}

TEST(BodyProbe, ReportsMotionAndForcesOfAFreeBody) {
  const auto probe = [](const std::string& quantity) {
    return R"({"type": "body", "body": "crate", "quantity": ")" + quantity + "\"}";
  };
  const auto scene_with = [](const std::string& text, const std::string& free) {
    return parse_scene(R"({"method": "sph", "spacing": 0.1, "bodies": [{"name": "crate")" + free +
                           R"(, "shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.2, 0.6]}}}],
                           "probes": {"it": )" +
                           text + "}}",
                       "s.json");
  };
  ParticleFrame frame;
  frame.bodies = {{.position = {1, 2, 3},
                   .rotation = {},
                   .velocity = {4, 5, 6},
                   .spin = {7, 8, 9},
                   .force_particles = {10, 11, 12},
                   .torque_particles = {13, 14, 15},
                   .force_contacts = {100, 200, 300},
                   .torque_contacts = {400, 500, 600}}};
  const auto measured = [&](const std::string& quantity) {
    const Scene scene = scene_with(probe(quantity), R"(, "free": {"density": 500})");
    const Simulation sim(scene, std::make_unique<BodiesOnly>());
    return measure_probes(scene, sim, frame).at(0).value;
  };
  using Values = std::vector<double>;
  EXPECT_EQ(measured("velocity"), (Values{4, 5, 6}));
  EXPECT_EQ(measured("spin"), (Values{7, 8, 9}));
  EXPECT_EQ(measured("force"), (Values{110, 211, 312}));
  EXPECT_EQ(measured("torque"), (Values{413, 514, 615}));
  EXPECT_EQ(measured("force_particles"), (Values{10, 11, 12}));
  EXPECT_EQ(measured("torque_particles"), (Values{13, 14, 15}));
  EXPECT_EQ(measured("force_contacts"), (Values{100, 200, 300}));
  EXPECT_EQ(measured("torque_contacts"), (Values{400, 500, 600}));
  const auto message = [&](const std::string& text, const std::string& free) {
    return error_message(ErrorKind::usage, [&] { scene_with(text, free); });
  };
  expect_contains(message(probe("force"), ""), "free bodies only");
  expect_contains(message(R"({"type": "body", "body": "crate", "quantity": "spin",
                              "at": [0, 0, 0]})",
                          R"(, "free": {"density": 500})"),
                  "leave it out");
}

// A grain on a box that rotates and moves: the contact has the velocity of the box at that point.
TEST(FreeBodyContacts, UseThePoseOfTheFrame) {
  Scene scene;
  scene.spacing = 0.02;
  scene.materials = {Material{}};
  Body box{Shape::box({0, 0, 0}, {0.4f, 0.2f, 0.6f})};  // centre (0.2, 0.1, 0.3)
  box.free = FreeBody{};
  scene.bodies = {box};
  ParticleFrame frame = random_frame(1);
  frame.phase() = {0};
  frame.position() = {{5.25f, 1.21f, -0.35f}};
  // A quarter turn about y takes x to -z and z to x.
  const BodyPose pose{
      {5, 1, 0}, axis_angle({0, 1, 0}, std::numbers::pi_v<float> / 2), {0.5, -0.1, 0}, {0, 2, 0}};
  const ContactFinder finder(scene);
  EXPECT_TRUE(finder.find(frame).walls.empty());
  frame.bodies = {pose};
  const ContactFrame contacts = finder.find(frame);
  ASSERT_EQ(contacts.walls.size(), 1u);
  const WallTouch& touch = contacts.walls[0];
  EXPECT_EQ(touch.body, 0);
  EXPECT_LT(length(touch.point - Vec3{5.25f, 1.2f, -0.35f}), 1e-5f);
  EXPECT_LT(length(touch.normal - Vec3{0, 1, 0}), 1e-5f);
  const Vec3d centre{5.3, 1.1, -0.2}, arm = to_double(touch.point) - centre;
  EXPECT_LT(length(to_double(touch.velocity) - pose.velocity - cross(pose.spin, arm)), 1e-4);
}

}  // namespace
}  // namespace panta
