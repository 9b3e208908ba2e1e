// Scene files: valid and invalid content with its messages, and changes from the command line.
#include <gtest/gtest.h>

#include <array>
#include <ostream>

#include "panta/core/error.h"
#include "panta/core/suggest.h"
#include "panta/load/load.h"

namespace panta {
namespace {

// A small valid scene; tests replace parts of it. Lines are counted in the messages.
const std::string basic_scene = R"({
  "method": "sph",
  "spacing": 0.1,
  "duration": 2,
  "gravity": [0, -9.81, 0],
  "domain": {"min": [0, 0, 0], "max": [2, 2, 1], "walls": "all"},
  "materials": {"water": {"density": 1000}},
  "fluids": [
    {"material": "water",
     "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}
  ],
  "bodies": [],
  "fields": [],
  "solver": {},
  "output": {"particles": "vtp"}
})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string scene_error(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "s.json", overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

struct Broken {
  const char* name;
  std::string from, to;  // in basic_scene
  std::string message;   // expected within the error
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenScene : public testing::TestWithParam<Broken> {};

TEST_P(BrokenScene, IsExplained) {
  const Broken& broken = GetParam();
  const std::string message = scene_error(replaced(basic_scene, broken.from, broken.to));
  EXPECT_NE(message.find(broken.message), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Keys, BrokenScene,
    testing::Values(
        Broken{"unknown_key", R"("bodies")", R"("bodys")",
               "s.json:12:3: unknown key 'bodys' (did you mean 'bodies'?)"},
        Broken{"misspelt_required", R"("spacing")", R"("spacin")",
               "s.json:1:1: 'spacing' is missing (is 'spacin' a misspelling of it?)"},
        Broken{"missing", R"("fluids")", R"("extra")", "s.json:1:1: 'fluids' is missing"},
        Broken{"missing_nested", R"("material": "water",)", "",
               "s.json:9:5: 'fluids.0.material' is missing"},
        Broken{"nested_key", R"("walls")", R"("wals")",
               "s.json:6:50: unknown key 'domain.wals' (did you mean 'walls'?)"},
        Broken{"duplicate", R"("bodies")", R"("fields")",
               "s.json:13:3: 'fields' is given twice, first on line 12"},
        Broken{"method", R"("sph")", R"("sphh")",
               "s.json:2:13: 'method' cannot be 'sphh' (did you mean 'sph'?)"},
        Broken{"material", R"("material": "water")", R"("material": "watr")",
               "s.json:9:18: 'fluids.0.material' cannot be 'watr' (did you mean 'water'?)"},
        Broken{"unsupported", R"("bodies": [])", R"("ropes": [{}])",
               "s.json:12:12: 'ropes' is not supported by this version"},
        Broken{"wrong_quality", R"("particles": "vtp")", R"("images": {"quality": "finall"})",
               "'output.images.quality' cannot be 'finall' (did you mean 'final'?)"},
        Broken{"parameter", R"("solver": {})", R"("solver": {"cfll": 0.4})",
               "s.json:14:14: unknown parameter 'solver.cfll' (did you mean 'cfl'?)"},
        Broken{"parameter_range", R"("solver": {})", R"("solver": {"cfl": 7})",
               "s.json:14:21: 'solver.cfl' must be between 0.001 and 1, got 7"},
        Broken{"parameter_type", R"("solver": {})", R"("solver": {"negative_pressure": 1})",
               "'solver.negative_pressure' must be true or false, got the number 1"},
        Broken{"parameter_choice", R"("solver": {})",
               R"("solver": {"surface_tension": "moris2000"})",
               "'solver.surface_tension' cannot be 'moris2000' (did you mean 'morris2000'?)"},
        Broken{"output", R"("vtp")", R"("vtk")",
               "s.json:15:27: 'output.particles' cannot be 'vtk' (did you mean 'vtp'?)"},
        Broken{"syntax", R"("duration": 2,)", R"("duration": 2)",
               "s.json:5:3: expected ',' or '}', got '\"'"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Values, BrokenScene,
    testing::Values(
        Broken{"spacing", "0.1", "-1", "s.json:3:14: 'spacing' must be > 0, got -1"},
        Broken{"text_for_number", "0.1", R"("0.1")",
               "s.json:3:14: 'spacing' must be a number, got the text '0.1'"},
        Broken{"duration", R"("duration": 2)", R"("duration": 0)",
               "s.json:4:15: 'duration' must be > 0, got 0"},
        Broken{"fps", R"("duration": 2)", R"("fps": -60)", "'fps' must be > 0, got -60"},
        Broken{"frames", R"("duration": 2)", R"("duration": 1e30)", "frames, too many"},
        Broken{"vector_length", "[0, -9.81, 0]", "[0, -9.81]",
               "s.json:5:14: 'gravity' must be a list of 3 numbers, got a list of 2"},
        Broken{"vector_entry", "[0, -9.81, 0]", "[0, -9.81, \"0\"]",
               "s.json:5:25: 'gravity.2' must be a number"},
        Broken{"float_overflow", "[0, -9.81, 0]", "[0, -1e200, 0]",
               "s.json:5:18: 'gravity.1' is too large: -1e+200"},
        Broken{"list_for_object", R"("solver": {})", R"("solver": [])",
               "s.json:14:13: 'solver' must be an object {...}, got a list of 0"},
        Broken{"object_for_list", R"("bodies": [])", R"("bodies": {})",
               "'bodies' must be a list [...], got an object"},
        Broken{"dimensions", R"("duration": 2)", R"("dimensions": 4)",
               "'dimensions' must be between 2 and 3, got 4"},
        Broken{"density", R"("density": 1000)", R"("density": 0)",
               "s.json:7:38: 'materials.water.density' must be > 0, got 0"},
        Broken{"no_fluids", R"({"material": "water",
     "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}})",
               "", "s.json:8:13: 'fluids' is empty: nothing to simulate"},
        Broken{"too_many", "0.1", "1e-5",
               "s.json:3:14: 'spacing' 1e-05 gives about 1e+15 particles, more than 2e+09"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Domain, BrokenScene,
    testing::Values(
        Broken{"inverted", R"("max": [2, 2, 1])", R"("max": [2, -2, 1])",
               "s.json:6:39: 'domain.max' must be above 'min' along y, got -2 and 0"},
        Broken{"walls_word", R"("walls": "all")", R"("walls": "al")",
               "'domain.walls' cannot be 'al' (did you mean 'all'?)"},
        Broken{"walls_type", R"("walls": "all")", R"("walls": true)",
               R"('domain.walls' must be "all", "none" or a list of sides)"},
        Broken{"walls_side", R"("walls": "all")", R"("walls": ["-y", "-w"])",
               "s.json:6:66: 'domain.walls' cannot be '-w' (did you mean '-x'?)"},
        Broken{"walls_twice", R"("walls": "all")", R"("walls": ["-y", "-y"])",
               "'domain.walls' names '-y' twice"},
        Broken{"periodic_wall", R"("walls": "all")", R"("walls": ["-x"], "periodic": ["x"])",
               "'domain.walls': '-x' cannot be a wall, its axis is periodic"},
        Broken{"surface_of_no_wall", R"("walls": "all")",
               R"("walls": ["-y"], "surfaces": {"+y": {"no_slip": true}})",
               "'domain.surfaces.+y': the side '+y' is not a wall"},
        Broken{"restitution", R"("walls": "all")", R"("surfaces": {"all": {"restitution": 2}})",
               "'domain.surfaces.all.restitution' must be between 0 and 1, got 2"},
        Broken{
            "period", R"("max": [2, 2, 1], "walls": "all")",
            R"("max": [0.97, 2, 1], "periodic": ["x"])",
            "the period 0.97 along x is not a multiple of 'spacing' 0.1: use 0.107778 or 0.097"}),
    [](const auto& info) { return std::string(info.param.name); });

const std::string box = R"({"box": {"min": [0, 0, 0], "max": [1, 1, 1]}})";

INSTANTIATE_TEST_SUITE_P(
    Shapes, BrokenScene,
    testing::Values(
        Broken{"flat_box", "[1, 1, 1]", "[1, 0, 1]",
               "s.json:10:23: 'fluids.0.shape.box' has no volume: min must be below max along y"},
        Broken{"outside", box, R"({"box": {"min": [3, 0, 0], "max": [4, 1, 1]}})",
               "s.json:10:15: 'fluids.0.shape' lies completely outside the domain"},
        Broken{"fluid_plane", box, R"({"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}})",
               "s.json:10:15: 'fluids.0.shape' cannot be a plane"},
        Broken{"unknown_shape", box, R"({"spere": {}})",
               "s.json:10:16: unknown key 'fluids.0.shape.spere' (did you mean 'sphere'?)"},
        Broken{"no_shape", box, "{}", "'fluids.0.shape' must have one of box, sphere"},
        Broken{"sphere_radius", box, R"({"sphere": {"center": [0, 0, 0], "radius": 0}})",
               "'fluids.0.shape.sphere.radius' must be > 0, got 0"},
        Broken{"cylinder_ends", box,
               R"({"cylinder": {"from": [0, 0, 0], "to": [0, 0, 0], "radius": 1}})",
               "'fluids.0.shape.cylinder' has no volume"},
        Broken{"plane_normal", R"("bodies": [])",
               R"("bodies": [{"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 0]}}}])",
               "s.json:12:65: 'bodies.0.shape.plane.normal' must not be zero"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Fields, BrokenScene,
    testing::Values(
        Broken{"type", R"("fields": [])", R"("fields": [{"type": "swrl"}])",
               "s.json:13:23: 'fields.0.type' cannot be 'swrl' (did you mean 'swirl'?)"},
        Broken{"other_types_key", R"("fields": [])",
               R"("fields": [{"type": "swirl", "radius": 1, "center": [0, 0, 0], "rate": 1,
                "strength": 1, "drag": 1}])",
               "s.json:14:32: unknown key 'fields.0.drag'"},
        Broken{
            "path_order", R"("fields": [])",
            R"("fields": [{"type": "hand", "radius": 1, "path": [{"time": 1, "position": [0, 0, 0]},
                {"time": 1, "position": [0, 0, 0]}]}])",
            "s.json:14:26: 'fields.0.path.1.time' must be later than the entry before, got 1"},
        Broken{"empty_path", R"("fields": [])",
               R"("fields": [{"type": "hand", "radius": 1, "path": []}])",
               "'fields.0.path' must have 1 to 16 entries, got 0"},
        Broken{"stop", R"("fields": [])",
               R"("fields": [{"type": "hand", "radius": 1, "start": 2, "stop": 1, "path": []}])",
               "'fields.0.stop' must be later than 'start', got 1 and 2"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Scene, ReadsEveryPart) {
  const Scene scene = parse_scene(R"({
    "method": "sph", "title": "T", "spacing": 0.05, "duration": 3, "fps": 24,
    "gravity": [1, 2, 3],
    "domain": {"min": [0, 0, 0], "max": [1, 1, 1], "walls": ["-y", "+y"], "periodic": ["x", "z"],
               "surfaces": {"+y": {"velocity": [1, 0, 0]}, "all": {"no_slip": true}}},
    "materials": {"oil": {"density": 900}, "water": {"viscosity": 0.002, "surface_tension": 0.07}},
    "fluids": [{"material": "water", "shape": {"sphere": {"center": [0.5, 0.5, 0.5], "radius": 0.2}},
                "velocity": [0, -1, 0]}],
    "bodies": [{"shape": {"cylinder": {"from": [0, 0, 0], "to": [0, 1, 0], "radius": 2}},
                "hollow": true, "friction": 0.3}],
    "fields": [{"type": "swirl", "center": [0, 0, 0], "axis": [0, 0, 2], "radius": 1, "rate": 3,
                "strength": 4, "stop": 2},
               {"type": "hand", "radius": 0.1, "drag": 5,
                "path": [{"time": 0, "position": [0, 0, 0]}, {"time": 1, "position": [1, 0, 0]}]}],
    "cloths": [], "ropes": [], "emitters": [], "events": [], "probes": {},
    "solver": {"cfl": 0.2, "surface_tension": "none"},
    "output": {"particles": "none", "surface": {}, "images": {}} })",
                                  "s.json");
  EXPECT_EQ(scene.title, "T");
  EXPECT_EQ(scene.fps, 24);
  EXPECT_EQ(scene.gravity.z, 3);
  EXPECT_EQ(scene.domain.walls, (std::array<bool, 6>{false, false, true, true, false, false}));
  EXPECT_EQ(scene.domain.periodic, (std::array<bool, 3>{true, false, true}));
  EXPECT_EQ(scene.domain.surfaces[plus_y].velocity.x, 1);
  EXPECT_TRUE(scene.domain.surfaces[plus_y].no_slip);
  EXPECT_TRUE(scene.domain.surfaces[minus_y].no_slip);
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[1].name, "water");
  EXPECT_EQ(scene.materials[1].surface_tension, 0.07);
  EXPECT_EQ(scene.fluids.at(0).material, 1);
  EXPECT_EQ(scene.fluids[0].velocity.y, -1);
  EXPECT_TRUE(scene.bodies.at(0).hollow);
  EXPECT_FLOAT_EQ(scene.bodies[0].surface.friction, 0.3f);
  EXPECT_EQ(scene.fields.at(0).axis.z, 1);
  EXPECT_EQ(scene.fields[0].stop, 2);
  EXPECT_EQ(scene.fields.at(1).type, FieldType::hand);
  EXPECT_EQ(scene.fields[1].keys, 2);
  EXPECT_EQ(std::get<double>(scene.solver.at("cfl")), 0.2);
  EXPECT_EQ(scene.solver.size(), 2u);
  EXPECT_EQ(scene.particle_format, "none");
}

TEST(Scene, WallsOnAllSidesLeaveOutPeriodicAxes) {
  const Scene scene =
      parse_scene(replaced(basic_scene, R"("walls": "all")", R"("periodic": ["z"])"), "s.json");
  EXPECT_EQ(scene.domain.walls, (std::array<bool, 6>{true, true, true, true, false, false}));
}

TEST(Scene, TwoDimensionsAcceptVectorsOfTwo) {
  const std::string flat = replaced(basic_scene, R"("duration": 2)", R"("dimensions": 2)");
  const Scene scene = parse_scene(replaced(flat, "[0, -9.81, 0]", "[0, -5]"), "s.json");
  EXPECT_EQ(scene.gravity.y, -5);
  EXPECT_FALSE(scene.domain.walls[minus_z]);
  EXPECT_LT(distance(scene.fluids[0].shape, {0.5f, 0.5f, 0}).value, 0);
  EXPECT_EQ(distance(scene.fluids[0].shape, {0.9f, 0.5f, 0}).normal.x, 1);
  EXPECT_NE(scene_error(replaced(flat, "[0, -9.81, 0]", "[0, 0, 1]")).find("out of the plane"),
            std::string::npos);
}

TEST(Scene, EffectiveSceneHasDefaultsAndRoundTrips) {
  json::Value effective;
  parse_scene(basic_scene, "s.json", {"spacing=0.2"}, &effective);
  EXPECT_EQ(effective.find("spacing")->number, 0.2);
  EXPECT_EQ(effective.find("fps")->number, 60);
  EXPECT_NE(effective.find("solver")->find("sph")->find("cfl"), nullptr);
  json::Value again;
  parse_scene(json::dump(effective), "effective.json", {}, &again);
  EXPECT_EQ(json::dump(again), json::dump(effective));
}

TEST(Overrides, AcceptAnyJsonValueAndPlainWords) {
  const Scene scene =
      parse_scene(basic_scene, "s.json",
                  {"spacing=0.05", "fluids.0.velocity=[1, 0, 0]", "title=Two words",
                   "solver.cfl=0.3", "domain.walls=[\"-y\"]", "output.particles=none",
                   "solver.negative_pressure=false", "spacing=0.5"});
  EXPECT_EQ(scene.spacing, 0.5);
  EXPECT_EQ(scene.fluids[0].velocity.x, 1);
  EXPECT_EQ(scene.title, "Two words");
  EXPECT_EQ(std::get<double>(scene.solver.at("cfl")), 0.3);
  EXPECT_FALSE(scene.domain.walls[plus_y]);
  EXPECT_EQ(scene.particle_format, "none");
  EXPECT_FALSE(std::get<bool>(scene.solver.at("negative_pressure")));
}

TEST(Overrides, ErrorsNameTheOption) {
  const std::pair<const char*, const char*> cases[] = {
      {"spacing=-1", "--set spacing=-1: 'spacing' must be > 0, got -1"},
      {"spacing", "--set spacing: expected path=value"},
      {"=1", "--set =1: expected path=value"},
      {"spacing=", "--set spacing=: no value after '='"},
      {"a..b=1", "expected path=value"},
      {"spacin=1", "--set spacin=1: unknown key 'spacin'"},
      {"solver.clf=0.3",
       "--set solver.clf=0.3: unknown parameter 'solver.clf' (did you mean 'cfl'?)"},
      {"fluids.3.velocity=[1,0,0]", "entry 3 does not exist: the list has 1"},
      {"fluids.x.velocity=1", "'x' must be the number of a list entry"},
      {"spacing.x=1", "'x' cannot be set inside the number 0.1"},
      {"gravity=[1,2", "'[1,2' is not a JSON value"},
      {"spacing=abc", "'spacing' must be a number, got the text 'abc'"},
  };
  for (const auto& [assignment, message] : cases) {
    const std::string error = scene_error(basic_scene, {assignment});
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

TEST(Scene, MissingFileIsAnInputError) {
  try {
    load_scene("/nonexistent/scene.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
}

TEST(Parameters, AreCheckedByName) {
  const std::vector<ParameterInfo> infos = {{"stiffness", 1.0, {"", 0}, {}, ""}};
  const auto error = [&](const ParameterSet& set) {
    try {
      check_parameters(infos, set);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(error({{"stiffness", 2.0}}), "");
  EXPECT_EQ(error({{"stifness", 2.0}}), "unknown parameter 'stifness' (did you mean 'stiffness'?)");
  EXPECT_EQ(error({{"stiffness", -1.0}}), "'stiffness' must be >= 0, got -1");
  EXPECT_EQ(error({{"stiffness", true}}), "'stiffness' must be a number, got true");
}

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(edit_distance("abc", "abc"), 0);
  EXPECT_EQ(edit_distance("abc", "acb"), 1);  // a swap is one edit
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(nearest_name("stifness", {"density", "stiffness"}), "stiffness");
  EXPECT_EQ(nearest_name("zzz", {"density", "stiffness"}), "");
  EXPECT_EQ(suggestion("zzz", {"a_name", "b_name"}), " (valid: a_name, b_name)");
  EXPECT_EQ(suggestion("zzz", {}), "");
}

}  // namespace
}  // namespace panta
