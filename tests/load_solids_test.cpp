// Free solids of scene files: every key, invalid ones, and solids made of meshes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/engine/simulation.h"
#include "solid_samples.h"

namespace panta {
namespace {

const std::string head = R"({"method": "unified", "spacing": 0.1,
"materials": {"water": {}, "sand": {"kind": "granular"}, "wood": {"kind": "solid", "density": 600}},
)";
const std::string box = R"("shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}})";

std::string with_solid(const std::string& keys) {
  return head + R"("solids": [{"material": "wood", )" + box + (keys.empty() ? "" : ", ") + keys +
         "}]}";
}

TEST(LoadSolids, ReadsEveryKey) {
  const Scene scene = parse_scene(
      with_solid(R"("name": "crate", "velocity": [1, 2, 3], "spin": [0, 0, 4], "filling": "shell",
        "stiffness": 0.5, "yield": 0.01, "creep": 0.2, "copies": [2, "=1+2", 1],
        "pitch": [3, 4, 5], "random_turns": true, "look": "hidden", "color": [1, 0.5, 0])"),
      "scene.json");
  ASSERT_EQ(scene.solids.size(), 1u);
  const Solid& solid = scene.solids[0];
  EXPECT_EQ(solid.name, "crate");
  EXPECT_EQ(scene.materials[static_cast<std::size_t>(solid.material)].kind, MaterialKind::solid);
  EXPECT_EQ(solid.velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(solid.spin, (Vec3{0, 0, 4}));
  EXPECT_EQ(solid.filling, Filling::shell);
  EXPECT_EQ(solid.stiffness, 0.5f);
  EXPECT_EQ(solid.yield, 0.01f);
  EXPECT_EQ(solid.creep, 0.2f);
  EXPECT_EQ(solid.copies, (std::array<int, 3>{2, 3, 1}));
  EXPECT_EQ(solid.pitch, (Vec3{3, 4, 5}));
  EXPECT_TRUE(solid.random_turns);
  EXPECT_EQ(solid.look, Look::hidden);
  EXPECT_EQ(*solid.color, (Vec3{1, 0.5f, 0}));
  EXPECT_EQ(sample_solids(scene).bodies.size(), 6u);
}

TEST(LoadSolids, WritesDefaultsThatReadTheSame) {
  json::Value effective;
  parse_scene(with_solid(""), "scene.json", {}, &effective);
  const Scene again = parse_scene(json::dump(effective), "scene.json");
  ASSERT_EQ(again.solids.size(), 1u);
  EXPECT_EQ(again.solids[0].stiffness, 1);
  EXPECT_EQ(again.solids[0].copies, (std::array<int, 3>{1, 1, 1}));
  const Scene set =
      parse_scene(with_solid(R"("name": "crate")"), "scene.json", {"solids.crate.spin=[1, 2, 3]"});
  EXPECT_EQ(set.solids[0].spin, (Vec3{1, 2, 3}));
}

TEST(LoadSolids, RigidSolidsHaveStiffnessOneAndDoNotYield) {
  const Scene scene = parse_scene(with_solid(R"("rigid": true)"), "scene.json");
  EXPECT_EQ(scene.solids[0].stiffness, 1);
  EXPECT_EQ(scene.solids[0].yield, 0);
  parse_scene(with_solid(R"("rigid": true, "stiffness": 1)"), "scene.json");
  parse_scene(with_solid(R"("rigid": false, "stiffness": 0.5)"), "scene.json");
}

TEST(LoadSolids, ErrorsAreSpecific) {
  struct Broken {
    std::string scene, message;
  };
  const std::string fluid = R"("fluids": [{"material": "wood", )" + box + "}]}";
  const std::vector<Broken> all = {
      {head + fluid, "'fluids.0.material' 'wood' is of kind solid: only 'solids'"},
      {head + R"("emitters": [{"material": "wood", "at": [0, 0, 0], "disc": {"radius": 1}}]})",
       "'emitters.0.material' 'wood' is of kind solid"},
      {head + R"("solids": [{"material": "sand", )" + box + "}]}",
       "'solids.0.material' 'sand' must be of kind solid: set \"kind\": \"solid\" in "
       "'materials.sand'"},
      {head + R"("solids": [{"material": "water", )" + box + "}]}",
       "'water' must be of kind solid"},
      {head + R"("solids": [{"material": "wood"}]})", "'solids.0.shape' is missing"},
      {head + R"("solids": [{"material": "wood", "shape": {"plane": {"point": [0, 0, 0],
                 "normal": [0, 1, 0]}}}]})",
       "'solids.0.shape' reaches to infinity"},
      {with_solid(R"("stiffness": 2)"), "'solids.0.stiffness' must be"},
      {with_solid(R"("rigid": true, "stiffness": 0.5)"),
       "'solids.0.rigid' contradicts 'stiffness' 0.5"},
      {with_solid(R"("rigid": true, "yield": 0.01)"), "a rigid solid has stiffness 1"},
      {with_solid(R"("creep": -1)"), "'solids.0.creep' must be"},
      {with_solid(R"("yield": -1)"), "'solids.0.yield' must be >= 0"},
      {with_solid(R"("filling": "sell")"), "did you mean 'shell'?"},
      {with_solid(R"("copies": [2, 1])"), "'solids.0.copies' must be a list of 3 whole numbers"},
      {with_solid(R"("copies": 5)"), "'solids.0.copies' must be a list of 3 whole numbers"},
      {with_solid(R"("copies": [1.5, 1, 1], "pitch": [1, 1, 1])"),
       "'solids.0.copies.0' must be a whole number from 1 to 1e+06, got 1.5"},
      {with_solid(R"("copies": [1, 0, 1])"), "'solids.0.copies.1' must be a whole number"},
      {with_solid(R"("copies": [1, 2, 1], "pitch": [1, 0, 1])"),
       "'solids.0.pitch' must not be 0 along y, where there are 2 copies"},
      {with_solid(R"("copies": [1e6, 1e6, 1], "pitch": [1, 1, 1])"), "particles, more than 2e+09"},
      {with_solid(R"("spn": 1)"), "unknown key 'solids.0.spn' (did you mean 'spin'?)"},
      {with_solid(R"("name": "a.b")"), "'a.b' cannot be a name"},
      {R"({"method": "unified", "dimensions": 2, "spacing": 0.1, "materials": {"wood":
          {"kind": "solid"}}, "solids": [{"material": "wood", "spin": [1, 0, 0], )" +
           box + "}]}",
       "'solids.0.spin' must be about z"},
      {R"({"method": "sph", "spacing": 0.1, "materials": {"wood": {"kind": "solid"}},
          "solids": [{"material": "wood", )" +
           box + "}]}",
       "scene.json:1:12: the method 'sph' has no solids, and material 'wood' is solid: use "
       "'unified'"},
      {R"({"method": "sph", "spacing": 0.1, "materials": {"sand": {"kind": "granular"}},
          "fluids": [{"material": "sand", )" +
           box + "}]}",
       "the method 'sph' has no grains, and material 'sand' is granular: use 'unified'"}};
  for (const Broken& broken : all)
    expect_contains(
        error_message(ErrorKind::usage, [&] { parse_scene(broken.scene, "scene.json"); }),
        broken.message);
}

TEST(LoadSolids, LiquidMethodRefusesThem) {
  Scene scene = parse_scene(with_solid(""), "scene.json");
  scene.method = "sph";
  scene.materials = {scene.materials[2]};
  expect_contains(error_message(ErrorKind::usage, [&] { make_simulation(scene, {}); }),
                  "material 'wood' is solid: use 'unified'");
  scene.materials = {{}};
  expect_contains(error_message(ErrorKind::usage, [&] { make_simulation(scene, {}); }),
                  "the scene has 'solids': use 'unified'");
}

class MeshSolids : public FileTest {
 protected:
  // A cube of side 1 as OBJ without some of its twelve triangles.
  std::string scene_of_cube_without(std::size_t left_out) {
    std::string obj;
    for (int k = 0; k < 8; ++k) obj += fmt::format("v {} {} {}\n", k & 1, k >> 1 & 1, k >> 2 & 1);
    const std::vector<std::string> faces = {"1 3 2", "2 3 4", "5 6 7", "6 8 7", "1 2 5", "2 6 5",
                                            "3 7 4", "4 7 8", "1 5 3", "3 5 7", "2 4 6", "4 8 6"};
    for (std::size_t k = left_out; k < faces.size(); ++k) obj += "f " + faces[k] + "\n";
    write_text_file(path("cube.obj"), obj);
    const std::string open = left_out > 0 ? R"(, "open": true)" : "";
    write_text_file(path("scene.json"),
                    head + R"("solids": [{"material": "wood", "shape": {"mesh": {"file":
                        "cube.obj")" +
                        open + "}}}]}");
    return path("scene.json");
  }
};

TEST_F(MeshSolids, ClosedMeshIsFilled) {
  const SolidParticles solids = sample_solids(load_scene(scene_of_cube_without(0)));
  EXPECT_EQ(solids.particles.size(), 1000u);
  const auto truth = [](const Vec3& x) {
    return -std::min({x.x, x.y, x.z, 1 - x.x, 1 - x.y, 1 - x.z});
  };
  expect_depths(solids, truth, 0.02f);
}

TEST_F(MeshSolids, MeshWithHolesIsFilledByWindingNumber) {
  std::size_t before = 1000;
  for (const std::size_t left_out : {1u, 6u}) {
    const SolidParticles solids = sample_solids(load_scene(scene_of_cube_without(left_out)));
    EXPECT_LE(solids.particles.size(), before);
    before = solids.particles.size();
    expect_unit_normals(solids);
    for (std::size_t i = 0; i < solids.surface.size(); ++i) {
      const Vec3 x = solids.particles.position[i];
      for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(x[axis] > 0 && x[axis] < 1);
      EXPECT_GE(solids.surface[i].w, -0.52f);
      EXPECT_LE(solids.surface[i].w, 1e-3f);
    }
    EXPECT_GE(before, left_out == 1 ? 900u : 1u);
  }
}

TEST_F(MeshSolids, MeshWithoutVolumeIsRefused) {
  const std::string file = scene_of_cube_without(10);
  expect_contains(error_message(ErrorKind::usage, [&] { load_scene(file); }),
                  "'solids.0.shape' has no volume");
}

}  // namespace
}  // namespace panta
