// Input that the unified method refuses, and the errors of scenes that fail during the run.
#include <functional>
#include <limits>

#include "command_test_fixture.h"
#include "panta/core/error.h"
#include "panta/engine/memory_check.h"
#include "panta/load/load.h"
#include "unified_scenes.h"

namespace panta {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// The kind and the text of the error that an action throws.
struct Thrown {
  ErrorKind kind = ErrorKind::usage;
  std::string text = "no error";
};
Thrown thrown(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

void expect_thrown(const Thrown& error, ErrorKind kind, const std::vector<std::string>& parts) {
  EXPECT_EQ(error.kind, kind) << error.text;
  for (const std::string& part : parts)
    EXPECT_NE(error.text.find(part), std::string::npos)
        << "'" << part << "' not in: " << error.text;
}

// A pile of sand, a block and some water.
std::string file(const std::string& material, const std::string& solver = "",
                 const std::string& solid = "") {
  return R"({"method": "unified", "spacing": 0.05, "duration": 0.1, "fps": 60,
    "domain": {"min": [0, 0, 0], "max": [1, 1, 1], "walls": ["-x", "+x", "-y", "-z", "+z"]},
    "materials": {"sand": {"kind": "granular" )" +
         material + R"(}, "wood": {"kind": "solid", "density": 600}},
    "solver": {)" +
         solver + R"(},
    "fluids": [{"material": "sand", "shape": {"box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}}],
    "solids": [{"material": "wood")" +
         solid + R"(, "shape": {"box": {"min": [0.4, 0, 0.4], "max": [0.6, 0.2, 0.6]}}}]})";
}

Thrown refused(const std::string& scene) {
  return thrown([&] { make_simulation(parse_scene(scene, "scene.json"), {"cpu", 1, false}); });
}

TEST(UnifiedBadInput, UnchangedScenesAreValid) { EXPECT_EQ(refused(file("")).text, "no error"); }

TEST(UnifiedBadInput, MassesMustBePositive) {
  for (const std::string density : {"0", "-1000"})
    expect_thrown(refused(file(R"(, "density": )" + density)), ErrorKind::usage,
                  {"scene.json:", "'materials.sand.density' must be > 0, got " + density});
}

TEST(UnifiedBadInput, ErrorsNameTheRangeOfNumbers) {
  const auto solver = [](const std::string& key) { return refused(file("", key)); };
  expect_thrown(solver(R"("iterations": 0)"), ErrorKind::usage,
                {"scene.json:", "solver.iterations' must be between 1 and 200, got 0"});
  expect_thrown(solver(R"("substeps": -1)"), ErrorKind::usage,
                {"solver.substeps' must be between"});
  expect_thrown(solver(R"("substeps": 2.5)"), ErrorKind::usage,
                {"solver.substeps must be a whole number, got 2.5"});
  expect_thrown(solver(R"("iterations": 1.5)"), ErrorKind::usage,
                {"solver.iterations must be a whole number, got 1.5"});
  expect_thrown(solver(R"("stabilization": 0.5)"), ErrorKind::usage,
                {"solver.stabilization must be a whole number, got 0.5"});
  for (const std::string support : {"0.5", "1", "50"})
    expect_thrown(solver(R"("support": )" + support), ErrorKind::usage,
                  {"solver.support' must be between 1.3 and 4, got " + support});
  expect_thrown(solver(R"("time_step": -0.01)"), ErrorKind::usage, {"solver.time_step' must be"});
  expect_thrown(solver(R"("friction": -0.1)"), ErrorKind::usage, {"solver.friction' must be"});
  expect_thrown(solver(R"("restitution": 1.1)"), ErrorKind::usage,
                {"solver.restitution' must be between 0 and 1, got 1.1"});
  expect_thrown(solver(R"("averaging": "globl")"), ErrorKind::usage, {"did you mean 'global'?"});
  expect_thrown(solver(R"("iteration": 4)"), ErrorKind::usage, {"did you mean 'iterations'?"});
}

TEST(UnifiedBadInput, ErrorsNameInvalidSolids) {
  const auto solid = [](const std::string& key) { return refused(file("", "", ", " + key)); };
  for (const std::string stiffness : {"-0.1", "1.5"})
    expect_thrown(solid(R"("stiffness": )" + stiffness), ErrorKind::usage,
                  {"scene.json:", "'solids.0.stiffness' must be"});
  expect_thrown(solid(R"("creep": 2)"), ErrorKind::usage, {"'solids.0.creep' must be"});
  expect_thrown(solid(R"("yield": -1)"), ErrorKind::usage, {"'solids.0.yield' must be"});
  expect_thrown(solid(R"("copies": [0, 1, 1])"), ErrorKind::usage, {"'solids.0.copies"});
}

// Scenes made by a program are not checked by the loader.
TEST(UnifiedBadInput, ProgramsMustPassValidMasses) {
  for (const double density : {0.0, -1000.0, double(nan), double(infinity)}) {
    Scene scene = empty_space(MaterialKind::granular);
    scene.materials[0].density = density;
    scene.fluids = {grain_at({0, 0, 0}), grain_at({0.04f, 0, 0})};
    expect_thrown(thrown([&] {
                    make_simulation(scene, {"cpu", 1, false});
                  }),
                  ErrorKind::usage, {"density", "sand"});
  }
}

class UnifiedBadRunTest : public ::testing::TestWithParam<std::string> {
 protected:
  // The error of a scene that runs for a tenth of a second.
  Thrown run(const Scene& scene) const {
    return thrown([&] {
      const auto sim = make_simulation(scene, {GetParam(), 1, false});
      sim->advance_to(0.1);
      sim->snapshot();
    });
  }
};

Scene of_kind(MaterialKind kind) {
  Scene scene = empty_space(kind);
  if (kind == MaterialKind::solid) {
    scene.solids = {block_at(scene, {0, 0, 0}, 3, 3, 3)};
  } else {
    scene.fluids = {{0, Shape::box({0, 0, 0}, {0.15f, 0.15f, 0.15f})}};
  }
  return scene;
}

TEST_P(UnifiedBadRunTest, NanForcesEndTheRun) {
  for (const auto kind : {MaterialKind::liquid, MaterialKind::granular, MaterialKind::solid})
    for (const float push : {nan, infinity, 1e30f}) {
      Scene scene = of_kind(kind);
      ForceField field;
      field.type = FieldType::uniform;
      field.radius = ForceField::everywhere;
      field.vector = {0, push, 0};
      scene.fields = {field};
      expect_thrown(run(scene), ErrorKind::simulation, {"exploded at", "particle ", "at ("});
    }
}

TEST_P(UnifiedBadRunTest, NanVelocitiesEndTheRun) {
  for (const auto kind : {MaterialKind::liquid, MaterialKind::granular, MaterialKind::solid})
    for (const float speed : {nan, infinity, 1e25f}) {
      Scene scene = of_kind(kind);
      if (kind == MaterialKind::solid) {
        scene.solids[0].velocity = {speed, 0, 0};
      } else {
        scene.fluids[0].velocity = {speed, 0, 0};
      }
      expect_thrown(run(scene), ErrorKind::simulation, {"exploded at", "particle ", "at ("});
    }
}

// The error names the one bad particle among good ones.
TEST_P(UnifiedBadRunTest, TheErrorNamesTheParticle) {
  Scene scene = of_kind(MaterialKind::granular);
  scene.fluids[0].velocity_at = [](const Vec3& x) {
    return x.x > 0.1f && x.y > 0.1f && x.z > 0.1f ? Vec3{nan, 0, 0} : Vec3{};
  };
  expect_thrown(run(scene), ErrorKind::simulation, {"particle 26 "});
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedBadRunTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

class UnifiedCommand : public CommandTest {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string run(const std::string& scene) const {
    write("scene.json", scene);
    return "run scene.json --device cpu --threads 1 --out o ";
  }
};

TEST_F(UnifiedCommand, BadParametersGiveTheUsageExitCode) {
  ASSERT_EQ(panta(run(file(""))).code, 0);
  fs::remove_all(folder_ / "o");
  expect_error(run(file("")) + "--set solver.iterations=0", 2, "must be between 1 and 200, got 0");
  expect_error(run(file("")) + "--set solver.substeps=2.5", 2, "must be a whole number, got 2.5");
  expect_error(run(file("")) + "--set materials.sand.density=0", 2, "must be > 0, got 0");
  EXPECT_FALSE(fs::exists(folder_ / "o"));
}

TEST_F(UnifiedCommand, SolidInAWallIsRefused) {
  const std::string sunk = R"(, "name": "sunk", "copies": [2, 1, 1], "pitch": [0.5, 0, 0])";
  expect_error(run(file("", "", sunk)), 2, "solids.0 ('sunk')");
  Scene scene = above_floor(MaterialKind::solid, 0);
  Body post;
  post.shape = Shape::box({0.1f, -1, -1}, {0.3f, 1, 1});
  scene.bodies = {post};
  scene.solids = {block_at(scene, {0, 0.1f, 0}, 4, 4, 4)};
  expect_thrown(thrown([&] {
                  make_simulation(scene, {"cpu", 1, false});
                }),
                ErrorKind::usage, {"solids.0"});
}

TEST_F(UnifiedCommand, MeshWithHolesIsRefused) {
  write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
  expect_error(
      run(R"({"method": "unified", "spacing": 0.1, "materials": {"wood": {"kind": "solid"}},
    "solids": [{"material": "wood", "shape": {"mesh": {"file": "open.obj"}}}]})"),
      2, "is not a closed mesh");
}

TEST_F(UnifiedCommand, TooManyParticlesAreDetectedBeforeTheRun) {
  const std::string spacing = "spacing=0.00025";  // 1e9 particles
  const std::string command = run(file("")) + "--set " + spacing;
  const Scene scene = load_scene((folder_ / "scene.json").string(), {spacing});
  const MemoryNeed need = estimate_memory(scene, {.device = "cpu"});
  if (need.fits()) GTEST_SKIP() << "a machine with that much memory";
  expect_error(command, 5, "the scene needs about " + memory_text(need.bytes));
  EXPECT_FALSE(fs::exists(folder_ / "o"));
}

// Pairs that are chosen by their distance may need more memory than the particles.
TEST(UnifiedBadInput, PairsOfConstraintsCountAsMemory) {
  const auto bytes = [&](const std::vector<std::string>& overrides) {
    return estimate_memory(parse_scene(file(""), "scene.json", overrides), {.device = "cpu"}).bytes;
  };
  const auto tied = [](const std::string& more) {
    return R"(constraints=[{"type": "distance", "nearest": 1)" + more + "}]";
  };
  const double without = bytes({}), all = bytes({tied("")});
  EXPECT_GT(all, 2 * without);
  const std::string small = R"(, "within": {"sphere": {"center": [0, 0, 0], "radius": 1e-3}})";
  EXPECT_LT(bytes({tied(small)}) - without, 0.1 * (all - without));
}

TEST_F(UnifiedCommand, ExplosionHasItsOwnExitCode) {
  expect_error(
      run(file("")) + R"(--set 'fields=[{"type": "uniform", "acceleration": [0, 1e30, 0]}]')", 3,
      "exploded at");
}

}  // namespace
}  // namespace panta
