// Free solids and grains: their poses in a frame, that only liquids have surfaces, and that every
// renderer draws them there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "command_test_fixture.h"
#include "panta/io/body_file.h"
#include "panta/io/output.h"
#include "panta/io/particle_file.h"
#include "panta/load/load.h"
#include "panta/render/final/final_painter.h"
#include "panta/render/gl/gl_painter.h"
#include "panta/render/make_painter.h"
#include "panta/render/render_scene.h"
#include "panta/render/scene_geometry.h"
#include "panta/surface/run_surfaces.h"
#include "solid_scene_fixture.h"

namespace panta {
namespace {

TEST(FreeMatter, OnlyLiquidsHaveSurfaces) {
  Scene scene = scene_of_materials();
  scene.fluids = {block_of(water, {0, 0, 0}), block_of(sand, {1, 0, 0})};
  scene.solids = {block({2, 0, 0})};
  const ParticleFrame frame = initial_frame(scene);
  EXPECT_EQ(liquids_of(scene), (std::vector<std::uint32_t>{water}));
  const std::vector<LiquidSurface> all = RunSurfaces(scene, {}).make(frame);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].particles.position.size(), 64u);
  ASSERT_FALSE(all[0].mesh.empty());
  for (const Vec3& p : all[0].mesh.position) EXPECT_LT(p.x, 0.6f);

  scene.fluids.erase(scene.fluids.begin());
  RunSurfaces none(scene, {});
  EXPECT_TRUE(none.make(initial_frame(scene)).empty());
  EXPECT_EQ(none.left_out(), 0u);
}

TEST(FreeMatter, SceneGeometryHasBodiesAndGrains) {
  Scene scene = scene_of_materials();
  scene.fluids = {block_of(water, {0, 0, 0}), block_of(sand, {1, 0, 0})};
  scene.solids = {block({2, 0, 0}), block({3, 0, 0}), block({4, 0, 0})};
  scene.solids[1].yield = 0.01f;
  scene.solids[2].look = Look::hidden;
  ParticleFrame frame = initial_frame(scene);
  const RigidMotion motion = quarter_turn_and_move({0, 0, 0});
  move_solids(frame, motion);
  const SceneGeometry geometry = SceneGeometryMaker(scene, {{-5, -5, -5}, {5, 5, 5}}, 1).at(frame);

  ASSERT_EQ(geometry.solids.size(), 1u);
  const PictureMesh& solid = geometry.solids[0];
  Bounds seen;
  for (const Vec3& p : solid.mesh->position) seen.include(solid.rotation * p + solid.position);
  EXPECT_LT(length(seen.min - Vec3{-0.4f, 2, 0}), 1e-3f);  // (x, y) is at (-y, x)
  EXPECT_LT(length(seen.max - Vec3{0, 2.6f, 0.3f}), 1e-3f);

  ASSERT_EQ(geometry.balls.size(), 2u);
  const BallSet &grains = geometry.balls[0], &lumps = geometry.balls[1];
  EXPECT_EQ(grains.center.size(), 64u);
  EXPECT_FLOAT_EQ(grains.radius, 0.05f);
  EXPECT_NE(grains.color[0], grains.color[1]);
  EXPECT_EQ(lumps.center.size(), 72u);
  EXPECT_GT(lumps.radius, 0.0708f);  // half the diagonal of a face of the lattice: no holes
  EXPECT_EQ(lumps.color[0], lumps.color[1]);
}

TEST(FreeMatter, ParticlesWithARadiusAreDrawnWithIt) {
  Scene scene = scene_of_materials();
  scene.fluids = {block_of(sand, {0, 0, 0})};
  ParticleFrame frame = initial_frame(scene);
  frame.scalars("radius").assign(frame.size(), 0.05f);
  frame.scalars("radius")[1] = 0.02f;
  const BallSet grains =
      SceneGeometryMaker(scene, {{-5, -5, -5}, {5, 5, 5}}, 1).at(frame).balls.at(0);
  EXPECT_FLOAT_EQ(grains.radius * grains.size.at(0), 0.05f);
  EXPECT_FLOAT_EQ(grains.radius * grains.size.at(1), 0.02f);
}

TEST(FreeMatter, ParticlesWithAMassAreDrawnByTheirVolume) {
  Scene scene = scene_of_materials();
  scene.fluids = {block_of(sand, {0, 0, 0})};
  ParticleFrame frame = initial_frame(scene);
  const auto mass = static_cast<float>(particle_mass(scene, sand));
  frame.scalars("mass").assign(frame.size(), mass);
  frame.scalars("mass")[1] = mass / 8;
  const BallSet grains =
      SceneGeometryMaker(scene, {{-5, -5, -5}, {5, 5, 5}}, 1).at(frame).balls.at(0);
  EXPECT_FLOAT_EQ(grains.size.at(0), 1);
  EXPECT_FLOAT_EQ(grains.size.at(1), 0.5f);
}

TEST(FreeMatter, SolidColourOverridesTheMaterial) {
  Scene scene = scene_of_materials();
  scene.solids = {block({0, 0, 0}), block({2, 0, 0})};
  const auto color_of = [&](std::size_t k) {
    return FreeMatter(scene).solids(initial_frame(scene)).at(k).color;
  };
  EXPECT_NE(color_of(0), color_of(1));
  scene.materials[wood].color = Vec3{0, 1, 0};
  EXPECT_EQ(color_of(1), (Vec3{0, 1, 0}));
  scene.solids[1].color = Vec3{1, 0, 0};
  EXPECT_EQ(color_of(1), (Vec3{1, 0, 0}));
  EXPECT_EQ(color_of(0), (Vec3{0, 1, 0}));
}

using PosesCommand = CommandTest;

// The table's centres are the means of the bodies' particles, and its quaternions rotate the
// initial centres to them.
TEST_F(PosesCommand, WritesPosesOfBodies) {
  const std::string text = R"({
    "method": "unified", "spacing": 0.1,
    "materials": {"wood": {"kind": "solid"}},
    "solids": [{"name": "plank", "material": "wood",
                "shape": {"box": {"min": [0, 0, 0], "max": [0.6, 0.4, 0.3]}}}]
  })";
  fs::create_directories(folder_ / "run" / "particles");
  std::ofstream(folder_ / "run" / "scene.json") << text;
  ParticleFrame frame = initial_frame(parse_scene(text, "s.json"));
  for (Vec3& p : frame.position()) p = {-p.y + 1, p.x + 2, p.z + 3};  // a quarter turn about z
  frame.time = 0.5;
  write_particles((folder_ / "run" / "particles" / "frame_000000.vtp").string(), "vtp", frame);
  Vec3d mean;
  for (const Vec3& p : frame.position())
    mean += to_double(p) * (1 / static_cast<double>(frame.size()));

  expect_output("poses run", "poses of 1 bodies in 1 frames: run/poses.csv");
  std::istringstream table(read("run/poses.csv"));
  std::string header, line;
  std::getline(table, header);
  std::getline(table, line);
  EXPECT_EQ(header, "frame,time,body,solid,x,y,z,qw,qx,qy,qz,cx,cy,cz");
  double time = 0, x = 0, y = 0, z = 0, qw = 0, qx = 0, qy = 0, qz = 0, cx = 0, cy = 0, cz = 0;
  ASSERT_EQ(std::sscanf(line.c_str(), "0,%lf,0,plank,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf",
                        &time, &x, &y, &z, &qw, &qx, &qy, &qz, &cx, &cy, &cz),
            11)
      << line;
  EXPECT_EQ(time, 0.5);
  EXPECT_LT(length(Vec3d{x, y, z} - Vec3d{1, 2, 3}), 1e-5);
  EXPECT_LT(length(Vec3d{cx, cy, cz} - mean), 1e-5);
  EXPECT_NEAR(qw, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(qz, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(std::hypot(qx, qy), 0, 1e-6);

  expect_output("poses run --out p.json", "p.json");
  EXPECT_EQ(json::parse(read("p.json"), "p.json").items.size(), 1u);
  expect_error("poses .", 4, "is not a result folder");
}

TEST_F(PosesCommand, UsesThePosesOfTheFolder) {
  const std::string text = R"({
    "method": "unified", "spacing": 0.1,
    "materials": {"wood": {"kind": "solid"}},
    "solids": [{"name": "plank", "material": "wood",
                "shape": {"box": {"min": [0, 0, 0], "max": [0.6, 0.4, 0.3]}}}]
  })";
  ParticleFrame frame = initial_frame(parse_scene(text, "s.json"));
  ResultFolder folder((folder_ / "run").string(), text);
  frame.objects.at(0).pose = BodyPose{{7, 8, 9}, {1, 0, 0, 0}};
  folder.write_objects(0, frame);
  folder.write_frame(0, frame);
  expect_output("poses run", "poses of 1 bodies in 1 frames: run/poses.csv");
  EXPECT_NE(read("run/poses.csv").find("\n0,0,0,plank,7,8,9,1,0,0,0,7.3"), std::string::npos)
      << read("run/poses.csv");
}

// Free bodies follow the solids; the folder contains their poses, and their centres are those
// of their shapes.
TEST_F(PosesCommand, ListFreeBodiesToo) {
  fs::create_directories(folder_ / "run" / "particles");
  std::ofstream(folder_ / "run" / "scene.json") << R"({
    "method": "viscoelastic", "spacing": 0.1, "bodies": [
      {"shape": {"sphere": {"center": [5, 0, 0], "radius": 0.5}}},
      {"name": "a crate", "free": {"density": 500},
       "shape": {"box": {"min": [0, 0, 0], "max": [0.6, 0.4, 0.3]}}}]
  })";
  const std::vector<std::string> names = {"a crate"};
  const std::vector<BodyPose> poses = {{{1, 2, 3}, {0, 0, 0, 1}, {}, {}}};
  std::ofstream(folder_ / "run" / "bodies.jsonl") << body_line(0, 0.5, names, poses).text();
  ParticleFrame frame;
  frame.time = 0.5;
  write_particles((folder_ / "run" / "particles" / "frame_000000.vtp").string(), "vtp", frame);
  expect_output("poses run", "poses of 1 bodies in 1 frames: run/poses.csv");
  const std::string table = read("run/poses.csv");
  double cx = 0, cy = 0, cz = 0;
  const std::string line = table.substr(table.find('\n') + 1);
  ASSERT_EQ(std::sscanf(line.c_str(), "0,0.5,0,a crate,1,2,3,0,0,0,1,%lf,%lf,%lf", &cx, &cy, &cz),
            3)
      << table;
  EXPECT_LT(length(Vec3d{cx, cy, cz} - Vec3d{0.7, 1.8, 3.15}), 1e-4);
  std::ofstream(folder_ / "run" / "bodies.jsonl") << "{\"frame\": 0, \"ti";
  expect_error("poses run", 4, "bodies.jsonl' has no poses of the free bodies in frame 0");
}

class Painters : public testing::TestWithParam<Quality> {
 protected:
  void SetUp() override {
    if (GetParam() == Quality::preview && !opengl_available()) GTEST_SKIP() << "no OpenGL";
    if (GetParam() == Quality::final && final_painter_engine().empty()) GTEST_SKIP() << "no Embree";
  }

  static constexpr int size = 96;

  Image paint(const Scene& scene, const ParticleFrame& frame) const {
    RunExtent extent("speed");
    extent.include(frame);
    PictureOptions options;
    options.quality = GetParam();
    options.width = options.height = size;
    options.samples = 8;
    options.threads = 2;
    std::string notice;
    return make_painter(scene, extent, options, notice)->paint(frame);
  }

  // A camera that sees x and y from -2 to 2.
  static void look_along_z(Scene& scene) {
    scene.camera.eye = Vec3{0, 0, 10};
    scene.camera.target = Vec3{0, 0, 0};
    scene.camera.fov = 2 * std::atan(0.2f) * 180 / std::numbers::pi_v<float>;
    scene.gravity = {0, 0, 0};
  }
  static Rgb at(Image& image, float x, float y) {
    const auto pixel = [](float v) { return static_cast<int>((v + 2) / 4 * size); };
    const std::uint8_t* p = image.at(pixel(x), pixel(-y));
    return {p[0], p[1], p[2]};
  }
  static bool is_red(const Rgb& c) { return c[0] > 2 * c[1] && c[0] > 2 * c[2]; }
};

TEST_P(Painters, ShowASolidAtItsPose) {
  Scene scene = scene_of_materials();
  look_along_z(scene);
  scene.solids = {block({-1.5f, 0, 0})};
  scene.solids[0].color = Vec3{0.9f, 0.05f, 0.05f};
  ParticleFrame frame = initial_frame(scene);
  Image before = paint(scene, frame);
  EXPECT_TRUE(is_red(at(before, -1.2f, 0.2f)));
  move_solids(frame, quarter_turn_and_move({1, 0, 0}));  // now x 0.6 to 1, y -1.5 to -0.9
  Image after_motion = paint(scene, frame);
  EXPECT_FALSE(is_red(at(after_motion, -1.2f, 0.2f)));
  EXPECT_TRUE(is_red(at(after_motion, 0.8f, -1.45f)));
  EXPECT_TRUE(is_red(at(after_motion, 0.8f, -0.95f)));
  EXPECT_FALSE(is_red(at(after_motion, 1.1f, -1.2f)));
}

TEST_P(Painters, ShowAFreeBodyAtItsPose) {
  Scene scene = scene_of_materials();
  look_along_z(scene);
  Body plank{Shape::box({-1.5f, 0, 0}, {-0.9f, 0.4f, 0.3f})};
  plank.color = Vec3{0.9f, 0.05f, 0.05f};
  plank.free = FreeBody{};
  scene.bodies = {plank};
  ParticleFrame frame = initial_frame(scene);
  Image before = paint(scene, frame);
  EXPECT_TRUE(is_red(at(before, -1.2f, 0.2f)));
  const Quat quarter_turn = axis_angle({0, 0, 1}, std::numbers::pi_v<float> / 2);
  frame.bodies = {{{1, 0, 0}, quarter_turn, {}, {}}};  // now x 0.6 to 1, y -1.5 to -0.9
  Image after_motion = paint(scene, frame);
  EXPECT_FALSE(is_red(at(after_motion, -1.2f, 0.2f)));
  EXPECT_TRUE(is_red(at(after_motion, 0.8f, -1.45f)));
  EXPECT_TRUE(is_red(at(after_motion, 0.8f, -0.95f)));
  EXPECT_FALSE(is_red(at(after_motion, 1.1f, -1.2f)));
}

TEST_P(Painters, ShowGrainsInTheColourOfTheirMaterial) {
  Scene scene = scene_of_materials();
  look_along_z(scene);
  scene.fluids = {{sand, Shape::box({-1, -1, -0.2f}, {1, 1, 0.2f})}};
  Image image = paint(scene, initial_frame(scene));
  double red = 0, green = 0, blue = 0;
  for (float x = -0.9f; x < 0.9f; x += 0.05f)
    for (float y = -0.9f; y < 0.9f; y += 0.05f) {
      const Rgb c = at(image, x, y);
      red += c[0], green += c[1], blue += c[2];
    }
  EXPECT_GT(red, 1.05 * green);
  EXPECT_GT(green, 1.15 * blue);
}

INSTANTIATE_TEST_SUITE_P(All, Painters,
                         testing::Values(Quality::draft, Quality::preview, Quality::final),
                         [](const auto& chosen) {
                           return quality_names[static_cast<std::size_t>(chosen.param)];
                         });

}  // namespace
}  // namespace panta
