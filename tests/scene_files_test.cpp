// Scenes made of several files: includes, variables, models and meshes, and the effective scene,
// which does not need them.
#include <filesystem>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/geometry/bounds.h"
#include "panta/load/load.h"

namespace panta {
namespace {

// A closed box from 0 to 1.
const std::string box_mesh = R"(v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 4 8 7 3
f 1 5 8 4
f 2 3 7 6
)";

class SceneFiles : public FileTest {
 protected:
  void write(const std::string& name, const std::string& text) {
    const std::string target = path(name);
    make_folder(target.substr(0, target.rfind('/')));
    write_text_file(target, text);
  }
};

const std::string basin = R"({
  "method": "sph", "spacing": 0.1, "fps": 25, "gravity": [0, -1, 0],
  "variables": {"width": 1},
  "domain": {"min": [0, 0, 0], "max": [3, 3, 3], "walls": ["-y"]},
  "materials": {"water": {"viscosity": 0.5}},
  "fluids": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": ["=width", 1, 1]}}}]
})";

TEST_F(SceneFiles, FileHasPriorityOverItsIncludes) {
  write("parts/basin.json", basin);
  write("scene.json", R"({"include": ["parts/basin.json"], "fps": 50, "gravity": [1, 2, 3],
    "domain": {"walls": "all"}, "materials": {"water": {"density": 900}, "oil": {}},
    "fluids": [{"material": "oil", "shape": {"sphere": {"center": [2, 2, 2], "radius": 0.5}}}]})");
  const Scene scene = load_scene(path("scene.json"));
  EXPECT_EQ(scene.fps, 50);
  EXPECT_EQ(scene.spacing, 0.1);
  EXPECT_EQ(scene.gravity.z, 3);
  EXPECT_EQ(scene.domain.max.x, 3);
  EXPECT_TRUE(scene.domain.walls[plus_y]);
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[0].viscosity, 0.5);
  EXPECT_EQ(scene.materials[0].density, 900);
  ASSERT_EQ(scene.fluids.size(), 2u);
  EXPECT_EQ(scene.fluids[0].material, 0);
  EXPECT_EQ(scene.fluids[1].material, 1);
}

TEST_F(SceneFiles, ErrorsNameTheIncludedFileAndItsLine) {
  write("parts/basin.json", basin);
  write("scene.json", "{\"include\": [\"parts/basin.json\"],\n \"variables\": {\"width\": -1}}");
  const std::string message =
      error_message(ErrorKind::usage, [&] { load_scene(path("scene.json")); });
  expect_contains(message, "parts/basin.json:6:");
  expect_contains(message, "has no volume");
}

TEST_F(SceneFiles, VariablesAreSetByTheIncludingFileAndTheCommandLine) {
  write("basin.json", basin);
  write("scene.json", R"({"include": ["basin.json"], "variables": {"width": 2},
                          "title": "= not a formula"})");
  const auto width = [&](const std::vector<std::string>& overrides) {
    return shape_bounds(load_scene(path("scene.json"), overrides).fluids[0].shape).max.x;
  };
  EXPECT_EQ(width({}), 2);
  EXPECT_EQ(width({"variables.width=2.5"}), 2.5);
  EXPECT_EQ(width({"fluids.0.shape.box.max.0==width/4"}), 0.5);
  EXPECT_EQ(load_scene(path("scene.json")).title, "= not a formula");
}

const std::string tube = R"({
  "variables": {"radius": 1, "wall": "=radius/10"},
  "shape": {"difference": [
    {"cylinder": {"from": [0, 0, 0], "to": [0, 1, 0], "radius": "=radius"}},
    {"cylinder": {"from": [0, -1, 0], "to": [0, 2, 0], "radius": "=radius-wall"}}]}
})";

TEST_F(SceneFiles, ModelsAreEvaluatedWithTheirParameters) {
  write("models/tube.json", tube);
  write("deep/er/scene.json", R"({"include": ["../../basin.json"], "bodies": [{"shape":
    {"model": "tube", "parameters": {"radius": "=2*width"}, "translate": [5, 0, 0]}}]})");
  write("basin.json", basin);
  json::Value effective;
  const Scene scene = load_scene(path("deep/er/scene.json"), {}, &effective);
  const Shape& shape = scene.bodies.at(0).shape;
  EXPECT_LT(distance(shape, {6.9f, 0.5f, 0}).value, 0);
  EXPECT_GT(distance(shape, {6.7f, 0.5f, 0}).value, 0);
  // The effective scene has the model in full.
  const Scene again = parse_scene(json::dump(effective), "/nowhere/effective.json");
  EXPECT_FLOAT_EQ(distance(again.bodies.at(0).shape, {6.9f, 0.5f, 0}).value,
                  distance(shape, {6.9f, 0.5f, 0}).value);
}

TEST_F(SceneFiles, TheBundledGlassIsOpenAtTheTop) {
  write("basin.json", basin);
  write("models/glass.json",
        read_binary_file(std::string(PANTA_SOURCE_DIR) + "/scenes/models/glass.json"));
  write("scene.json", R"({"include": ["basin.json"], "bodies": [{"shape": {"model": "glass",
    "parameters": {"height": 0.2, "radius": 0.05, "thickness": 0.004}}}]})");
  const Shape glass = load_scene(path("scene.json")).bodies.at(0).shape;
  EXPECT_NEAR(distance(glass, {0, 0.012f, 0}).value, 0, 1e-5);  // the bottom's upper side
  EXPECT_LT(distance(glass, {0, 0.006f, 0}).value, 0);
  for (const float y : {0.02f, 0.1f, 0.2f, 0.3f}) EXPECT_GT(distance(glass, {0, y, 0}).value, 0);
  EXPECT_LT(distance(glass, {0.048f, 0.199f, 0}).value, 0);
  EXPECT_NEAR(shape_bounds(glass).max.y, 0.2, 1e-5);
}

TEST_F(SceneFiles, EveryBundledModelIsASolid) {
  namespace fs = std::filesystem;
  make_folder(path("models"));
  for (const auto& entry :
       fs::directory_iterator(std::string(PANTA_SOURCE_DIR) + "/scenes/models")) {
    const std::string name = entry.path().stem().string();
    fs::copy_file(entry.path(), path("models/" + name + ".json"));
    write("scene.json", basin.substr(0, basin.rfind('}')) +
                            R"(, "bodies": [{"shape": {"model": ")" + name + R"("}}]})");
    const Shape shape = load_scene(path("scene.json")).bodies.at(0).shape;
    EXPECT_TRUE(shape_bounds(shape).finite()) << name;
  }
}

TEST_F(SceneFiles, MeshesAreFoundBesideTheFileThatNamesThem) {
  write("parts/box.obj", box_mesh);
  write("parts/basin.json",
        basin.substr(0, basin.rfind('}')) +
            R"(, "bodies": [{"shape": {"mesh": {"file": "box.obj", "scale": 0.5}}}]})");
  write("scene.json", R"({"include": ["parts/basin.json"]})");
  json::Value effective;
  const Scene scene = load_scene(path("scene.json"), {}, &effective);
  const Shape& box = scene.bodies.at(0).shape;
  EXPECT_NEAR(distance(box, {0.25f, 0.25f, 0.25f}).value, -0.25, 0.01);
  EXPECT_NEAR(distance(box, {0.25f, 0.25f, 0.6f}).value, 0.1, 0.01);
  EXPECT_NEAR(shape_bounds(box).max.x, 0.5, 1e-4);
  const json::Value& mesh = *effective.find("bodies")->items[0].find("shape")->find("mesh");
  EXPECT_EQ(mesh.find("file")->string, path("parts/box.obj"));
  EXPECT_NO_THROW(parse_scene(json::dump(effective), "/nowhere/effective.json"));
}

TEST_F(SceneFiles, MeshUsedTwiceIsReadOnce) {
  write("box.obj", box_mesh);
  write("scene.json", basin.substr(0, basin.rfind('}')) +
                          R"(, "bodies": [{"shape": {"mesh": {"file": "box.obj"}}},
                            {"shape": {"mesh": {"file": "box.obj"}, "translate": [1, 0, 0]}}]})");
  const Scene scene = load_scene(path("scene.json"));
  EXPECT_EQ(scene.bodies.at(0).shape.grids(), scene.bodies.at(1).shape.grids());
}

TEST_F(SceneFiles, OpenMeshIsAcceptedIfRequested) {
  write("cup.obj", box_mesh.substr(0, box_mesh.rfind("f 2")));
  write("scene.json",
        basin.substr(0, basin.rfind('}')) +
            R"(, "bodies": [{"shape": {"mesh": {"file": "cup.obj", "open": true}}}]})");
  const Shape cup = load_scene(path("scene.json")).bodies.at(0).shape;
  EXPECT_LT(distance(cup, {0.2f, 0.5f, 0.5f}).value, 0);
  EXPECT_GT(distance(cup, {-0.2f, 0.5f, 0.5f}).value, 0);
}

TEST_F(SceneFiles, EffectiveSceneOfAllPartsRoundTrips) {
  write("basin.json", basin);
  write("scene.json", R"({"include": ["basin.json"],
    "emitters": [{"name": "tap", "material": "water", "at": [2, 2, 2], "disc": {"radius": "=width/5"}}],
    "sinks": [{"shape": {"box": {"min": [0, 0, 0], "max": [3, 3, 3]}}, "outside": true}],
    "fields": [{"type": "drag", "rate": 1}],
    "events": [{"at": 0.5, "set": {"emitters.tap.speed": "=width*2"}}],
    "probes": {"n": {"type": "count"}},
    "bodies": [{"shape": {"sphere": {"center": [2, 0.5, 2], "radius": 0.2}},
                "motion": {"translate": ["0.1*t", 0, 0]}}]})");
  json::Value effective, again;
  const Scene scene = load_scene(path("scene.json"), {}, &effective);
  EXPECT_EQ(scene.events.at(0).changed->emitters[0].speed, 2);
  parse_scene(json::dump(effective), "effective.json", {}, &again);
  EXPECT_EQ(json::dump(again), json::dump(effective));
}

}  // namespace
}  // namespace panta
