// Keys of a scene for single methods: blocks with a method's name, in `solver` and in materials.
#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"
#include "panta/load/load.h"

namespace panta {
namespace {

// Scenes with one box of a material, with given keys in it and in `solver`.
std::string file(const std::string& solver, const std::string& material = "",
                 const std::string& more = "") {
  return R"({"method": "sph", "spacing": 0.1, "materials": {"jelly": {)" + material + R"(}},
"fluids": [{"material": "jelly", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}],
"solver": {)" +
         solver + "}" + more + "}";
}

Scene read(const std::string& text, const std::vector<std::string>& settings = {}) {
  return parse_scene(text, "s.json", settings);
}

double number(const ParameterSet& set, const std::string& key) {
  return std::get<double>(set.at(key));
}

void expect_refused(const std::string& text, const std::string& message,
                    const std::vector<std::string>& settings = {}) {
  expect_contains(error_message(ErrorKind::usage, [&] { read(text, settings); }), message);
}

const std::string two_blocks = R"("sph": {"cfl": 0.3}, "unified": {"substeps": 2})";

TEST(SolverBlocks, MethodUsesItsOwnBlock) {
  const Scene sph = read(file(two_blocks));
  EXPECT_EQ(sph.solver, (ParameterSet{{"cfl", 0.3}}));
  const Scene unified = read(file(two_blocks), {"method=unified"});
  EXPECT_EQ(unified.solver, (ParameterSet{{"substeps", 2.0}}));
  EXPECT_TRUE(read(file(two_blocks), {"method=viscoelastic"}).solver.empty());
}

TEST(SolverBlocks, KeysOutsideBelongToTheMethodInUse) {
  const Scene scene = read(file(R"("support": 2.5, "sph": {"cfl": 0.3})"));
  EXPECT_EQ(scene.solver, (ParameterSet{{"support", 2.5}, {"cfl", 0.3}}));
  const Scene unified = read(file(R"("support": 2.5)"), {"method=unified"});
  EXPECT_EQ(unified.solver, (ParameterSet{{"support", 2.5}}));
}

TEST(SolverBlocks, AllAreChecked) {
  expect_refused(file(R"("unified": {"substep": 2})"),
                 "s.json:3:24: unknown parameter 'solver.unified.substep' (did you mean "
                 "'substeps'?)");
  expect_refused(file(R"("unified": {"substeps": -1})"),
                 "'solver.unified.substeps' must be between 0 and 64, got -1");
  expect_refused(file(R"("sph": 3)"), "'solver.sph' must be an object {...}, got the number 3");
  expect_refused(file(R"("shp": {"cfl": 0.3})"),
                 "unknown parameter 'solver.shp' (did you mean 'sph'?)");
}

TEST(SolverBlocks, KeyOfAnotherMethodNeedsItsBlock) {
  expect_refused(file(R"("substeps": 2)"),
                 "s.json:3:12: 'solver.substeps' is not a parameter of the method 'sph': write "
                 "'solver.unified.substeps'");
  expect_refused(file(R"("max_speed": 2)"),
                 "write 'solver.unified.max_speed' or 'solver.viscoelastic.max_speed'");
  expect_refused(file(R"("cfl": 0.3)"), "write 'solver.sph.cfl'", {"method=unified"});
}

TEST(SolverBlocks, KeyGivenTwiceIsAnError) {
  expect_refused(file(R"("cfl": 0.3, "sph": {"cfl": 0.2})"),
                 "s.json:3:12: 'solver.cfl' is also given as 'solver.sph.cfl': remove one");
  EXPECT_NO_THROW(read(file(R"("support": 2, "unified": {"support": 1.5})")));
}

// For every form in the file.
TEST(SolverBlocks, SetChangesBothForms) {
  for (const std::string given : {R"("cfl": 0.3)", R"("sph": {"cfl": 0.3})", ""})
    for (const std::string path : {"solver.cfl=0.2", "solver.sph.cfl=0.2"})
      EXPECT_EQ(number(read(file(given), {path}).solver, "cfl"), 0.2) << given << " " << path;
  const std::vector<std::string> method_last = {"solver.substeps=3", "method=unified"};
  EXPECT_EQ(number(read(file(two_blocks), method_last).solver, "substeps"), 3);
}

TEST(SolverBlocks, EventsChangeBothForms) {
  for (const std::string given : {R"("cfl": 0.3)", R"("sph": {"cfl": 0.3})"})
    for (const std::string path : {"solver.cfl", "solver.sph.cfl"}) {
      const std::string events = R"(, "events": [{"at": 0.5, "set": {")" + path + R"(": 0.2}}])";
      const Scene scene = read(file(given, "", events));
      EXPECT_EQ(number(scene.solver, "cfl"), 0.3);
      EXPECT_EQ(number(scene.events.at(0).changed->solver, "cfl"), 0.2);
    }
}

TEST(SolverBlocks, TheEffectiveSceneRunsWithAnyMethod) {
  json::Value effective, again;
  parse_scene(file(R"("cfl": 0.3, "unified": {"substeps": 2})"), "s.json", {}, &effective);
  const json::Value& block = *effective.find("solver")->find("sph");
  EXPECT_EQ(block.find("cfl")->number, 0.3);
  EXPECT_EQ(block.members.size(), find_method("sph").parameters.size());
  EXPECT_EQ(effective.find("solver")->find("cfl"), nullptr);
  parse_scene(json::dump(effective), "effective.json", {}, &again);
  EXPECT_EQ(json::dump(again), json::dump(effective));
  EXPECT_EQ(number(read(json::dump(effective), {"method=unified"}).solver, "substeps"), 2);
}

class SolverFiles : public FileTest {};

TEST_F(SolverFiles, IncludingFileHasPriorityInEitherForm) {
  for (const std::string below : {R"("cfl": 0.3)", R"("sph": {"cfl": 0.3})"})
    for (const std::string above : {R"({"cfl": 0.2})", R"({"sph": {"cfl": 0.2}})"}) {
      write_text_file(path("base.json"), file(below));
      write_text_file(path("scene.json"), R"({"include": ["base.json"], "solver": )" + above + "}");
      EXPECT_EQ(number(load_scene(path("scene.json")).solver, "cfl"), 0.2) << below << above;
    }
}

const std::string springs = R"("viscoelastic": {"springs": 3, "spring_length": "once"})";

TEST(MaterialBlocks, AreKeptByMethod) {
  for (const std::string method : {"sph", "viscoelastic"}) {
    const Scene scene = read(file("", springs), {"method=" + method});
    const ParameterSet& given = scene.materials.at(0).methods.at("viscoelastic");
    EXPECT_EQ(given, (ParameterSet{{"springs", 3.0}, {"spring_length", std::string("once")}}));
  }
  EXPECT_TRUE(read(file("")).materials.at(0).methods.empty());
}

TEST(MaterialBlocks, AreCheckedWithEveryMethod) {
  for (const std::string method : {"sph", "unified", "viscoelastic"}) {
    const std::vector<std::string> settings = {"method=" + method};
    expect_refused(file("", R"("viscoelastic": {"springs": -1})"),
                   "'materials.jelly.viscoelastic.springs' must be >= 0, got -1", settings);
    expect_refused(file("", R"("viscoelastic": {"spring": 1})"), "did you mean 'springs'?",
                   settings);
  }
  expect_refused(file("", R"("sph": {})"), "unknown key 'materials.jelly.sph'");
}

TEST(MaterialBlocks, OfProgramsAreCheckedToo) {
  Scene scene = read(file(""));
  const auto refused = [&](const std::string& message) {
    expect_contains(error_message(ErrorKind::usage, [&] { check_contents(scene); }), message);
  };
  scene.materials[0].methods["viscoelastic"]["spring"] = 1.0;
  refused("material 'jelly', 'viscoelastic': unknown parameter 'spring' (did you mean 'springs'?)");
  scene.materials[0].methods = {{"viscolastic", {}}};
  refused("unknown method 'viscolastic' (did you mean 'viscoelastic'?)");
}

}  // namespace
}  // namespace panta
