// objects.jsonl: the particles' objects, written and read with frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/io/object_file.h"
#include "panta/io/output.h"
#include "panta/io/run_frames.h"
#include "panta/scene/scene.h"
#include "particle_frame_fixture.h"

namespace panta {
namespace {

Object water() { return {.kind = ObjectKind::fluid, .name = "fluids.0"}; }

Object crate(int copy, double height) {
  return {.kind = ObjectKind::solid,
          .name = "crate." + std::to_string(copy),
          .entry = 2,
          .copy = copy,
          .material = 1,
          .pose = BodyPose{{0.5, height, -1}, {0.6f, 0, 0.8f, 0}, {1, 2, 3}, {0, 0, -4}}};
}

Object cloth() {
  Object object{.kind = ObjectKind::solid, .name = "cloth"};
  object.edges = {{0, 1}, {1, 2}};
  object.triangles = {{0, 1, 2}};
  return object;
}

void expect_same(const std::vector<Object>& a, const std::vector<Object>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].kind, b[k].kind);
    EXPECT_EQ(a[k].name, b[k].name);
    EXPECT_EQ(a[k].entry, b[k].entry);
    EXPECT_EQ(a[k].copy, b[k].copy);
    EXPECT_EQ(a[k].material, b[k].material);
    EXPECT_EQ(a[k].edges, b[k].edges);
    EXPECT_EQ(a[k].triangles, b[k].triangles);
    ASSERT_EQ(a[k].pose.has_value(), b[k].pose.has_value()) << k;
    if (!a[k].pose) continue;
    EXPECT_LT(length(a[k].pose->position - b[k].pose->position), 1e-8);
    EXPECT_LT(length(a[k].pose->velocity - b[k].pose->velocity), 1e-8);
    EXPECT_LT(length(a[k].pose->spin - b[k].pose->spin), 1e-8);
    const Quat &p = a[k].pose->rotation, &q = b[k].pose->rotation;
    EXPECT_TRUE(p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z);
  }
}

class ObjectFrames : public FileTest {
 protected:
  std::string file() const { return path("objects.jsonl"); }
  void write(const std::vector<std::vector<Object>>& frames) const {
    ObjectLines lines;
    std::ofstream out(file());
    for (std::size_t k = 0; k < frames.size(); ++k)
      for (const std::string& line : lines.next(static_cast<int>(k), frames[k]))
        out << line << "\n";
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

TEST_F(ObjectFrames, TablesAndTopologyAreWrittenWhenTheyChange) {
  write({{water()}, {water()}, {water(), cloth()}, {water(), cloth()}});
  EXPECT_EQ(
      lines(),
      (std::vector<std::string>{
          R"({"frame": 0, "objects": [{"kind": "fluid", "name": "fluids.0", "entry": 0, "copy": 0, "material": 0}]})",
          R"({"frame": 2, "objects": [{"kind": "fluid", "name": "fluids.0", "entry": 0, "copy": 0, "material": 0}, {"kind": "solid", "name": "cloth", "entry": 0, "copy": 0, "material": 0}]})",
          R"({"frame": 2, "object": 1, "edges": [0, 1, 1, 2], "triangles": [0, 1, 2]})"}));
  const ObjectFile read(file());
  expect_same(read.at(0), {water()});
  expect_same(read.at(1), {water()});
  expect_same(read.at(3), {water(), cloth()});
}

TEST_F(ObjectFrames, PosesAreAListOfNumbersPerFrame) {
  write({{water(), crate(0, 1)}, {water(), crate(0, 0.5)}});
  ASSERT_EQ(lines().size(), 3u);
  EXPECT_EQ(lines()[2],
            R"({"frame": 1, "poses": [null, [0.5, 0.5, -1, 0.600000024, 0, 0.800000012, 0, )"
            R"(1, 2, 3, 0, 0, -4]]})");
  const ObjectFile read(file());
  expect_same(read.at(0), {water(), crate(0, 1)});
  expect_same(read.at(1), {water(), crate(0, 0.5)});
}

TEST_F(ObjectFrames, PoseMayBeAbsentInLaterFrames) {
  Object lost = crate(0, 0);
  lost.pose.reset();
  write({{crate(0, 1), crate(1, 1)}, {lost, crate(1, 1)}, {lost}, {lost}});
  const ObjectFile read(file());
  EXPECT_FALSE(read.at(1)[0].pose);
  EXPECT_TRUE(read.at(1)[1].pose);
  expect_same(read.at(2), {lost});
  expect_same(read.at(3), {lost});
}

TEST_F(ObjectFrames, MissingOrDamagedLineIsReportedWithItsFrame) {
  write({{crate(0, 3)}, {crate(0, 2)}, {crate(0, 1)}});
  const std::string whole = lines()[2];
  const auto message = [&](const std::string& text) {
    replace_line(2, text);
    const ObjectFile read(file());
    expect_same(read.at(2), {crate(0, 1)});
    return error_message(ErrorKind::io, [&] { read.at(1); });
  };
  expect_contains(message(whole.substr(0, whole.size() / 2)), "line 3 is damaged");
  expect_contains(message(R"({"frame": 1, "poses": [[1, 2]]})"),
                  "frame 1: the line of poses is damaged: 'poses' has 2 entries instead of 13");
  expect_contains(message(R"({"frame": 1, "poses": []})"),
                  "has no complete list of poses of the 1 objects");
  expect_contains(message(R"({"frame": 7, "poses": []})"), "has no poses of the objects");
  expect_contains(message(R"({"frame": , "poses": []})"), "line 3 is damaged");
  replace_line(0, "{");
  expect_contains(error_message(ErrorKind::io, [&] { ObjectFile(file()).at(2); }),
                  "has no table of objects in frame 2 (line 1 is damaged");
}

TEST_F(ObjectFrames, AreWrittenAndReadWithTheFramesOfAFolder) {
  {
    ResultFolder folder(path("run"), "{}");
    for (int frame = 0; frame < 2; ++frame) {
      ParticleFrame particles = random_frame(2);
      particles.objects = {water(), crate(0, frame)};
      particles.words("object") = {0, 1};
      folder.write_objects(frame, particles);
      folder.write_frame(frame, particles);
    }
  }
  {
    const RunFrames frames(path("run"), Scene{});
    const ParticleFrame read = frames.read(frames.files()[1]);
    expect_same(read.objects, {water(), crate(0, 1)});
    EXPECT_EQ(read.words("object"), (std::vector<std::uint32_t>{0, 1}));
  }
  remove_file(path("run/objects.jsonl"));  // like folders of earlier versions
  const RunFrames frames(path("run"), Scene{});
  EXPECT_TRUE(frames.read(frames.files()[1]).objects.empty());
}

TEST_F(ObjectFrames, AResumedRunWritesTheSameLines) {
  const auto write_frames = [&](ResultFolder& folder, int first, int last) {
    ParticleFrame particles = random_frame(1);
    for (int frame = first; frame <= last; ++frame) {
      particles.objects = {crate(0, frame), cloth()};
      folder.write_objects(frame, particles);
    }
  };
  {
    ResultFolder folder(path("whole"), "{}");
    write_frames(folder, 0, 3);
  }
  {
    ResultFolder folder(path("run"), "{}");
    write_frames(folder, 0, 1);
    CheckpointInfo info;
    info.frame = 1;
    folder.write_checkpoint(info, {});
    write_frames(folder, 2, 2);
  }
  {
    ResultFolder folder(path("run"), "{}", read_checkpoint(checkpoint_path(path("run"))));
    write_frames(folder, 2, 3);
  }
  EXPECT_EQ(read_binary_file(path("run/objects.jsonl")),
            read_binary_file(path("whole/objects.jsonl")));
}

}  // namespace
}  // namespace panta
