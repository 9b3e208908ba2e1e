// Broken scenes, meshes and models: each is refused with a message that gives the error and its
// position, and with the exit code of its kind.
#include <map>
#include <ostream>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/load/load.h"
#include "panta/scene/sample.h"

namespace panta {
namespace {

const std::string head = R"({"method": "sph", "spacing": 0.1, "materials": {"water": {}, "oil": {}},
)";
const std::string water =
    R"("fluids": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}])";
const std::string tap =
    R"("emitters": [{"name": "tap", "material": "oil", "at": [0, 2, 0], "disc": {"radius": 0.3}}])";

// A valid scene with additional root keys on line 2.
std::string with(const std::string& keys) { return head + keys + ", " + water + "}"; }
std::string with_body(const std::string& shape) {
  return with(R"("bodies": [{"shape": )" + shape + "}]");
}
std::string with_motion(const std::string& motion) {
  return with(R"("bodies": [{"shape": {"sphere": {"center": [5, 5, 5], "radius": 1}}, "motion": )" +
              motion + "}]");
}
std::string with_fluid(const std::string& shape) {
  return head + R"("fluids": [{"material": "water", "shape": )" + shape + "}]}";
}
std::string with_emitter(const std::string& keys) {
  return with(R"("emitters": [{"material": "oil", "at": [0, 2, 0], )" + keys + "}]");
}
std::string with_event(const std::string& event) {
  return with(tap + R"(, "events": [)" + event + "]");
}

struct Broken {
  const char* name;
  std::string scene;
  std::vector<std::string> message;               // parts of it
  std::map<std::string, std::string> files = {};  // beside the scene
  ErrorKind kind = ErrorKind::usage;
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenFiles : public FileTest, public testing::WithParamInterface<Broken> {};

TEST_P(BrokenFiles, AreExplained) {
  const Broken& broken = GetParam();
  make_folder(path("models"));
  write_text_file(path("scene.json"), broken.scene);
  for (const auto& [name, text] : broken.files) write_text_file(path(name), text);
  const std::string message = error_message(broken.kind, [&] {
    const Scene scene = load_scene(path("scene.json"));
    sample_fluids(scene);
  });
  for (const std::string& part : broken.message) expect_contains(message, part);
}

std::string name_of(const testing::TestParamInfo<Broken>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Basics, BrokenFiles,
    testing::Values(
        Broken{"wrong_type",
               with(R"("fps": "fast")"),
               {"scene.json:2:8: 'fps' must be a number, got the text 'fast'"}},
        Broken{"unknown_key",
               with(R"("emiters": [])"),
               {"scene.json:2:1: unknown key 'emiters' (did you mean 'emitters'?)"}},
        Broken{"negative_spacing",
               R"({"method": "sph", "spacing": -0.1, )" + water + "}",
               {"'spacing' must be > 0, got -0.1"}},
        Broken{"nothing", head + R"("bodies": []})", {"'fluids' is missing"}},
        Broken{"too_many",
               R"({"method": "sph", "spacing": 1e-4, "materials": {"water": {}}, )" + water + "}",
               {"'spacing' 0.0001 gives about 1e+12 particles, more than 2e+09"}},
        Broken{"too_many_emitted",
               with(R"("duration": 1e5, "emitters": [{"material": "oil", "at": [0, 2, 0],
                       "speed": 100, "disc": {"radius": 1}}])"),
               {"gives about", "particles, more than 2e+09"}},
        Broken{"empty_file", "", {"scene.json:1:1: expected a value"}},
        Broken{"not_an_object", "[1]", {"must be an object {...}"}},
        Broken{"unknown_material",
               with(R"("probes": {"n": {"type": "count", "material": "oli"}})"),
               {"'probes.n.material' cannot be 'oli' (did you mean 'oil'?)"}},
        Broken{"duplicate_name",
               with(tap + R"(, "fields": [{"name": "tap", "type": "drag", "rate": 1}])"),
               {"the name 'tap' is given twice, first at", "scene.json:2:"}},
        Broken{"name_with_a_dot",
               with(R"("fields": [{"name": "a.b", "type": "drag", "rate": 1}])"),
               {"'a.b' cannot be a name"}},
        Broken{"unknown_probe",
               with(R"("probes": {"n": {"type": "presure", "at": [0, 0, 0]}})"),
               {"'probes.n.type' cannot be 'presure' (did you mean 'pressure'?)"}},
        Broken{"probe_axis",
               with(R"("probes": {"n": {"type": "extent", "axis": "x"}})"),
               {"'probes.n.axis' cannot be 'x'"}},
        Broken{"flux_normal",
               with(R"("probes": {"n": {"type": "flux", "at": [0, 0, 0], "normal": [0, 0, 0]}})"),
               {"'probes.n.normal' must not be zero"}},
        Broken{"half_a_region",
               with(R"("fields": [{"type": "drag", "rate": 1, "radius": 2}])"),
               {"'fields.0.radius' needs 'center' as well"}},
        Broken{"overlap",
               head + R"("fluids": [
                 {"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}},
                 {"material": "oil", "shape": {"sphere": {"center": [1, 1, 1], "radius": 0.5}}}]})",
               {"fluids.0 ('water') and fluids.1 ('oil') overlap"}}),
    name_of);

const std::string ball = R"({"sphere": {"center": [0, 0, 0], "radius": 1}})";

INSTANTIATE_TEST_SUITE_P(
    Shapes, BrokenFiles,
    testing::Values(
        Broken{"zero_radius",
               with_body(R"({"capsule": {"from": [0, 0, 0], "to": [0, 1, 0], "radius": 0}})"),
               {"'bodies.0.shape.capsule.radius' must be > 0, got 0"}},
        Broken{"zero_cone",
               with_body(R"({"cone": {"from": [0, 0, 0], "to": [0, 1, 0], "radius_from": 0,
                                      "radius_to": 0}})"),
               {"'bodies.0.shape.cone' has no volume: both radii are 0"}},
        Broken{"flat_ellipsoid",
               with_body(R"({"ellipsoid": {"center": [0, 0, 0], "radii": [1, 0, 1]}})"),
               {"'bodies.0.shape.ellipsoid.radii' must be > 0 along y, got 0"}},
        Broken{"flat_hull",
               with_body(R"({"hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}})"),
               {"scene.json:2:", "convex hull", "they enclose no volume"}},
        Broken{"hull_of_few",
               with_body(R"({"hull": {"points": [[0, 0, 0], [1, 0, 0]]}})"),
               {"at least four points, not 2"}},
        Broken{"hull_without_points",
               with_body(R"({"hull": {}})"),
               {"'bodies.0.shape.hull.points' is missing"}},
        Broken{"shrunk_to_nothing",
               with_body(R"({"offset": {"by": -2, "shape": )" + ball + "}}"),
               {"'bodies.0.shape' has no volume"}},
        Broken{"nothing_in_common",
               with_body(R"({"intersection": [)" + ball + R"(,
                          {"box": {"min": [2, 2, 2], "max": [3, 3, 3]}}]})"),
               {"'bodies.0.shape' has no volume"}},
        Broken{"empty_union",
               with_body(R"({"union": []})"),
               {"'bodies.0.shape.union' is empty: list at least one shape"}},
        Broken{"two_shapes",
               with_body(R"({"sphere": {"center": [0, 0, 0], "radius": 1},
                             "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}})"),
               {"'bodies.0.shape' must have one of box, sphere", "got sphere and plane"}},
        Broken{"part_of_a_part",
               with_body(R"({"difference": [)" + ball + R"(, {"spere": {}}]})"),
               {"unknown key 'bodies.0.shape.difference.1.spere' (did you mean 'sphere'?)"}},
        Broken{"rotate_axis",
               with_body(R"({"sphere": {"center": [0, 0, 0], "radius": 1},
                             "rotate": {"axis": [0, 0, 0], "degrees": 3}})"),
               {"'bodies.0.shape.rotate.axis' must not be zero"}},
        Broken{"fluid_plane",
               with_fluid(R"({"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}})"),
               {"'fluids.0.shape' cannot be a plane"}},
        Broken{"endless_fluid",
               with_fluid(R"({"complement": )" + ball + "}"),
               {"'fluids.0.shape' reaches to infinity: a fluid needs a finite shape"}},
        Broken{"ragged_heights",
               with_body(R"({"height_field": {"min": [0, 0, 0], "max": [1, 1, 1],
                             "heights": [[0, 0], [0, 0, 0]]}})"),
               {"'bodies.0.shape.height_field.heights.1' must be a list as long as the first row"}},
        Broken{"no_model",
               with_body(R"({"model": "glas"})"),
               {"scene.json:2:32: there is no model 'glas' (did you mean 'glass'?)"},
               {{"models/glass.json", "{}"}}},
        Broken{"model_without_shape",
               with_body(R"({"model": "glass"})"),
               {"models/glass.json:1:1: 'shape' is missing"},
               {{"models/glass.json", "{}"}}},
        Broken{"model_parameter",
               with_body(R"({"model": "glass", "parameters": {"heigth": 1}})"),
               {"unknown parameter 'heigth' (did you mean 'height'?)"},
               {{"models/glass.json", R"({"variables": {"height": 1}, "shape": {}})"}}},
        Broken{"model_key",
               with_body(R"({"model": "glass"})"),
               {"models/glass.json:1:2: unknown key 'shap' of a model (did you mean 'shape'?)"},
               {{"models/glass.json", R"({"shap": {}})"}}},
        Broken{"model_of_itself",
               with_body(R"({"model": "glass"})"),
               {"is nested too deeply: does a model contain itself?"},
               {{"models/glass.json", R"({"shape": {"model": "glass"}})"}}},
        Broken{"parameters_of_nothing",
               with_body(R"({"sphere": {"center": [0, 0, 0], "radius": 1}, "parameters": {}})"),
               {"'bodies.0.shape.parameters' are for a 'model', and there is none"}}),
    name_of);

std::string with_mesh(const std::string& file) {
  return with_body(R"({"mesh": {"file": ")" + file + R"("}})");
}

INSTANTIATE_TEST_SUITE_P(
    Meshes, BrokenFiles,
    testing::Values(
        Broken{"missing", with_mesh("no.obj"), {"scene.json:2:40", "/no.obj"}, {}, ErrorKind::io},
        Broken{"open",
               with_mesh("open.obj"),
               {"'bodies.0.shape.mesh.file' is not a closed mesh", "open.obj' is open: 3 edges",
                "close it, or set \"open\": true to accept winding-number inside/outside"},
               {{"open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"}}},
        Broken{"empty", with_mesh("empty.obj"), {"empty.obj"}, {{"empty.obj", ""}}, ErrorKind::io},
        Broken{"nan",
               with_mesh("nan.obj"),
               {"nan.obj:2"},
               {{"nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n"}},
               ErrorKind::io},
        Broken{"format",
               with_mesh("a.blend"),
               {"meshes end in .obj, .ply or .stl"},
               {{"a.blend", "x"}},
               ErrorKind::io},
        Broken{"index",
               with_mesh("index.obj"),
               {"index.obj:4"},
               {{"index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"}},
               ErrorKind::io},
        Broken{"image",
               with_body(R"({"height_field": {"min": [0, 0, 0], "max": [1, 1, 1],
                                      "image": "a.png"}})"),
               {"a.png"},
               {{"a.png", "no picture"}},
               ErrorKind::io}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    FilesAndFormulas, BrokenFiles,
    testing::Values(
        Broken{"include_cycle",
               R"({"include": ["a.json"]})",
               {"a.json:1:14: files include each other", "scene.json -> ", "a.json -> "},
               {{"a.json", R"({"include": ["scene.json"]})"}}},
        Broken{"include_missing",
               R"({"include": ["no.json"]})",
               {"scene.json:1:14", "no.json"},
               {},
               ErrorKind::io},
        Broken{
            "include_type", R"({"include": "a.json"})", {"'include' must be a list of file names"}},
        Broken{"included_syntax",
               R"({"include": ["a.json"]})",
               {"a.json:2:1: expected"},
               {{"a.json", "{\"fps\":\n}"}}},
        Broken{"bad_formula",
               with(R"("fps": "=2*(3+")"),
               {"scene.json:2:15: in the formula '2*(3+': it ends where"}},
        Broken{"unknown_variable",
               with(R"("variables": {"width": 1}, "fps": "=widht*2")"),
               {"unknown variable 'widht' (did you mean 'width'?)"}},
        Broken{"division",
               with(R"("variables": {"width": 0}, "fps": "=1/width")"),
               {"division by zero"}},
        Broken{"time_in_a_number", with(R"("fps": "=t")"), {"for the formulas of a motion"}},
        Broken{"variable_name",
               with(R"("variables": {"sin": 1})"),
               {"'sin' cannot be the name of a variable"}},
        Broken{"variable_type",
               with(R"("variables": {"a": [1]})"),
               {"'variables.a' must be a number or a text \"=formula\""}},
        Broken{"variable_order",
               with(R"("variables": {"a": "=b", "b": 1})"),
               {"unknown variable 'b'"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Motion, BrokenFiles,
    testing::Values(
        Broken{"formula", with_motion(R"({"translate": ["sin(t", 0, 0]})"), {"')' is missing"}},
        Broken{"vector",
               with_motion(R"({"translate": [0, 0]})"),
               {"'bodies.0.motion.translate' must be a list of 3 numbers or formulas of t"}},
        Broken{"type",
               with_motion(R"({"translate": [true, 0, 0]})"),
               {"'bodies.0.motion.translate.0' must be a number or a formula of t"}},
        Broken{"order",
               with_motion(R"({"keys": [{"time": 1}, {"time": 0.5}]})"),
               {"'bodies.0.motion.keys.1.time' must be later than the entry before, got 0.5"}},
        Broken{"turn",
               with_motion(R"({"keys": [{"time": 0},
                               {"time": 1, "rotate": {"axis": [0, 1, 0], "degrees": 360}}]})"),
               {"'bodies.0.motion.keys.1.rotate' turns by 360 degrees", "use a formula"}},
        Broken{"interpolation",
               with_motion(R"({"interpolation": "smoth"})"),
               {"cannot be 'smoth' (did you mean 'smooth'?)"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    EmittersAndEvents, BrokenFiles,
    testing::Values(
        Broken{"zero_area",
               with_emitter(R"("square": {"size": [0.2, 0]})"),
               {"'emitters.0.square.size' must be > 0, got 0.2 and 0"}},
        Broken{"no_cut",
               with_emitter(R"("shape": {"sphere": {"center": [0, 5, 0], "radius": 1}})"),
               {"'emitters.0.shape' gives a profile without area"}},
        Broken{"no_profile",
               with_emitter(R"("speed": 1)"),
               {"'emitters.0' must have one of disc, square, shape, got none"}},
        Broken{"direction",
               with_emitter(R"("disc": {"radius": 1}, "direction": [0, 0, 0])"),
               {"'emitters.0.direction' must not be zero"}},
        Broken{"pulse",
               with_emitter(R"("disc": {"radius": 1}, "pulse": {"period": 0.1, "on": 0.2})"),
               {"'emitters.0.pulse.on' must not be longer than 'period', got 0.2 and 0.1"}},
        Broken{"stop",
               with_emitter(R"("disc": {"radius": 1}, "start": 2, "stop": 1)"),
               {"'emitters.0.stop' must be later than 'start', got 1 and 2"}},
        Broken{"sink", with(R"("sinks": [{"outside": true}])"), {"'sinks.0.shape' is missing"}},
        Broken{"event_spacing",
               with_event(R"({"at": 1, "set": {"spacing": 0.2}})"),
               {"scene.json:2:", "'spacing' cannot change during a run; these can: gravity"}},
        Broken{"event_fluids",
               with_event(R"({"at": 1, "set": {"fluids.0.velocity": [0, 0, 0]}})"),
               {"'fluids.0.velocity' has no effect after the start: use \"add\""}},
        Broken{"event_domain",
               with_event(R"({"at": 1, "set": {"domain": {"min": [0, 0, 0], "max": [9, 9, 9]}}})"),
               {"the extent and the periods of the domain cannot change"}},
        Broken{"event_emitters",
               with_event(R"({"at": 1, "set": {"emitters": []}})"),
               {"the number of emitters cannot change"}},
        Broken{"event_value",
               with_event(R"({"at": 1, "set": {"emitters.tap.speed": -1}})"),
               {"scene.json:2:", "'emitters.0.speed' must be >= 0, got -1"}},
        Broken{"event_key",
               with_event(R"({"at": 1, "set": {"emitters.tap.sped": 1}})"),
               {"unknown key 'emitters.0.sped' (did you mean 'speed'?)"}},
        Broken{"event_name",
               with_event(R"({"at": 1, "set": {"emitters.tapp.speed": 1}})"),
               {"'tapp' must be the number of a list entry", "did you mean 'tap'?"}},
        Broken{"event_target",
               with_event(R"({"at": 1, "start": "tup"})"),
               {"there is no emitter, sink or field 'tup' (did you mean 'tap'?)"}},
        Broken{"event_twice",
               with_event(R"({"at": 1, "start": "tap", "stop": "tap"})"),
               {"'events.0' must have one of set, start, stop, add, remove, add_constraints, "
                "remove_constraints, got start and stop"}},
        Broken{"event_time",
               with_event(R"({"at": -1, "start": "tap"})"),
               {"'events.0.at' must be >= 0, got -1"}},
        Broken{"event_fluid",
               with_event(R"({"at": 1, "add": {"material": "milk"}})"),
               {"'events.0.add.material' cannot be 'milk'"}}),
    name_of);

TEST_F(FileTest, AnUnreadableSceneIsAnInputError) {
  const std::string message = error_message(ErrorKind::io, [&] { load_scene(dir_); });
  expect_contains(message, dir_);
}

}  // namespace
}  // namespace panta
