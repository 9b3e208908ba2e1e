// Input that the viscoelastic method refuses, and its messages.
#include <gtest/gtest.h>

#include "file_test_fixture.h"
#include "panta/engine/devices.h"
#include "panta/load/load.h"
#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

// A pool of jelly with a box in it.
std::string file(const std::string& jelly = "", const std::string& solver = "",
                 const std::string& body = "") {
  return R"({"method": "viscoelastic", "spacing": 0.05, "duration": 0.1, "fps": 60,
    "domain": {"min": [0, 0, 0], "max": [1, 1, 1], "walls": ["-x", "+x", "-y", "-z", "+z"]},
    "materials": {"jelly": {"viscoelastic": {"springs": 0.3)" +
         jelly + R"(}}}, "solver": {"support": 2.6)" + solver + R"(},
    "fluids": [{"material": "jelly", "shape": {"box": {"min": [0, 0, 0], "max": [1, 0.2, 1]}}}],
    "bodies": [{"name": "crate", "shape": {"box": {"min": [0.4, 0.4, 0.4], "max": [0.6, 0.6, 0.6]}})" +
         body + "}]}";
}

void start(const std::string& text, const std::string& device = "cpu") {
  make_simulation(parse_scene(text, "scene.json"), {device, 1, false});
}

void expect_refused(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = error_message(ErrorKind::usage, [&] { start(text); });
  for (const std::string& part : parts) expect_contains(message, part);
}

TEST(ViscoelasticBadInput, UnchangedScenesAreValid) {
  EXPECT_NO_THROW(start(file()));
  EXPECT_NO_THROW(start(file(R"(, "compression_yield": 0.2)", R"(, "stiffness": 0.004)",
                             R"(, "free": {"density": 500})")));
}

TEST(ViscoelasticBadInput, MaterialParametersMustNotBeNegative) {
  for (const std::string key : {"plasticity", "linear_viscosity", "quadratic_viscosity"})
    expect_refused(file(", \"" + key + "\": -1"),
                   {"scene.json:", "materials.jelly.viscoelastic." + key, "-1"});
  expect_refused(file(R"(, "yield": 1.5)"), {"viscoelastic.yield", "between 0 and 1", "1.5"});
  std::string springs = file();
  springs.replace(springs.find("0.3"), 3, "-2");
  expect_refused(springs, {"materials.jelly.viscoelastic.springs", "-2"});
}

TEST(ViscoelasticBadInput, UnknownKeysAreNamed) {
  expect_refused(file(R"(, "plasticty": 0.3)"), {"scene.json:", "plasticty", "plasticity"});
  expect_refused(file("", R"(, "stifness": 1)"), {"stifness", "stiffness"});
  expect_refused(file(R"(, "spring_length": "long")"), {"spring_length", "support", "distance"});
  expect_refused(file("", R"(, "relaxation": "parallel")"),
                 {"relaxation", "gather", "coloured", "sequential"});
}

TEST(ViscoelasticBadInput, StiffnessIsGivenOnce) {
  expect_refused(file("", R"(, "stiffness": 0.004, "sound_speed": 2)"),
                 {"sound_speed", "stiffness", "give one"});
  expect_refused(file("", R"(, "near_stiffness": 0.01)"), {"near_stiffness", "needs", "stiffness"});
}

TEST(ViscoelasticBadInput, SolverParametersHaveRanges) {
  expect_refused(file("", R"(, "spring_passes": 1.5)"), {"spring_passes", "whole number", "1.5"});
  expect_refused(file("", R"(, "spring_passes": 0)"), {"spring_passes", "between 1 and 16"});
  expect_refused(file("", R"(, "time_step": -0.001)"), {"time_step"});
  std::string support = file();
  support.replace(support.find("2.6"), 3, "0.9");
  expect_refused(support, {"support", "between 1.3 and 6", "0.9"});
}

TEST(ViscoelasticBadInput, FreeBodiesAreSolidAndFinite) {
  const std::string free = R"(, "free": {"density": 500})";
  expect_refused(file("", "", free + R"(, "motion": {"translate": ["t", 0, 0]})"),
                 {"bodies", "motion", "free"});
  expect_refused(file("", "", free + R"(, "hollow": true)"), {"hollow", "free"});
  expect_refused(file("", "", free + R"(, "trigger": true)"), {"trigger", "free"});
  expect_refused(file("", "", R"(, "free": {"density": 0})"), {"density", "> 0"});
  expect_refused(file("", "", R"(, "free": {})"), {"density"});
}

TEST(ViscoelasticBadInput, OnlyLiquids) {
  std::string text = file();
  text.replace(text.find(R"({"viscoelastic": {"springs)"), 1, R"({"kind": "granular", )");
  expect_refused(text, {"jelly", "granular"});
}

TEST(ViscoelasticBadInput, OrderedRelaxationIsForTheCpuOnly) {
  if (!cuda_available()) GTEST_SKIP() << "needs a GPU";
  for (const std::string form : {"coloured", "sequential"}) {
    const std::string message = error_message(
        ErrorKind::usage, [&] { start(file("", ", \"relaxation\": \"" + form + "\""), "cuda"); });
    expect_contains(message, "relaxation");
    expect_contains(message, "gather");
  }
}

// Rows for springs are allocated at the start.
TEST(ViscoelasticBadInput, SpringsMustExistAtTheStart) {
  Scene scene = parse_scene(file(), "scene.json");
  Scene loose = scene;
  loose.materials[0].methods["viscoelastic"]["springs"] = 0.0;
  const auto sim = make_simulation(loose, {"cpu", 1, false});
  expect_contains(error_message(ErrorKind::usage, [&] { sim->change(scene); }), "springs");
}

// Reported before the run, with a remedy.
TEST(ViscoelasticBadInput, AdviceForTooLargeParameters) {
  const auto told = [](const std::string& text, const std::string& part) {
    for (const std::string& line : advice(parse_scene(text, "scene.json")))
      if (line.find(part) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(told(file("", R"(, "stiffness": 4, "time_step": 0.00833)"),
                   "the liquid is softer; set solver.time_step"));
  EXPECT_FALSE(told(file("", R"(, "stiffness": 0.001)"), "softer"));
  EXPECT_TRUE(told(file(R"(, "linear_viscosity": 1e6)"), "viscosity is limited to"));
  std::string stiff = file();
  stiff.replace(stiff.find("0.3"), 3, "300");
  EXPECT_TRUE(told(stiff, "springs of 'jelly' are limited to"));
  EXPECT_FALSE(told(file(), "springs of 'jelly'"));
}

TEST(ViscoelasticBadInput, AdviceForSpeedsFarAboveSound) {
  Scene scene = parse_scene(file("", R"(, "time_step": 0.00833)"), "scene.json");
  ASSERT_FALSE(scene.fluids.empty());
  const auto told = [&](double speeds) {
    scene.fluids[0].velocity = {0, static_cast<float>(-speeds * make_setup(scene).sound_speed), 0};
    const std::vector<std::string> lines = advice(scene);
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("sound in it") != std::string::npos;
    });
  };
  EXPECT_FALSE(told(1.5));
  EXPECT_TRUE(told(2.5));
}

}  // namespace
}  // namespace panta::viscoelastic
