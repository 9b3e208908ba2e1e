// Free bodies of scene files: every key, and invalid ones.
#include <gtest/gtest.h>

#include "panta/core/error.h"
#include "panta/load/load.h"

namespace panta {
namespace {

const std::string box = R"("shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}})";

Scene scene_with(const std::string& body, const std::string& method = "viscoelastic") {
  return parse_scene(R"({"method": ")" + method + R"(", "spacing": 0.1, "materials": {"water": {}},
    "bodies": [{)" + body +
                         "}]}",
                     "scene.json");
}

std::string problem(const std::string& body) {
  try {
    scene_with(body);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "none";
}

TEST(LoadFreeBodies, ReadsEveryKey) {
  const Scene scene =
      scene_with(box + R"(, "free": {"density": 700, "velocity": [1, 2, 3], "spin": [0, 0, 4]})");
  ASSERT_TRUE(scene.bodies[0].free.has_value());
  EXPECT_EQ(scene.bodies[0].free->density, 700);
  EXPECT_EQ(scene.bodies[0].free->velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.bodies[0].free->spin, (Vec3{0, 0, 4}));
  EXPECT_FALSE(scene_with(box).bodies[0].free.has_value());
}

TEST(LoadFreeBodies, RefusesBodiesThatCannotBeFree) {
  const std::string free = R"(, "free": {"density": 700})";
  const auto names = [](const std::string& message, const std::string& key) {
    return message.find(key) != std::string::npos;
  };
  EXPECT_TRUE(names(problem(box + R"(, "free": {})"), "density"));
  EXPECT_TRUE(names(problem(box + R"(, "free": {"density": 0})"), "density"));
  EXPECT_TRUE(names(problem(box + free + R"(, "hollow": true)"), "hollow"));
  EXPECT_TRUE(names(problem(box + free + R"(, "trigger": true, "name": "a")"), "trigger"));
  EXPECT_TRUE(names(problem(box + free + R"(, "motion": {"translate": ["t", 0, 0]})"), "motion"));
  EXPECT_TRUE(names(
      problem(R"("shape": {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}})" + free), "shape"));
}

TEST(LoadFreeBodies, EveryMethodReadsThem) {
  for (const char* method : {"sph", "unified", "viscoelastic"})
    EXPECT_NO_THROW(scene_with(box + R"(, "free": {"density": 700})", method)) << method;
}

TEST(LoadFreeBodies, EitherDensityOrMassIsGiven) {
  const Scene scene = scene_with(box + R"(, "free": {"mass": 3, "inertia": [1, 2, 3]})", "sph");
  EXPECT_EQ(scene.bodies.at(0).free->mass, 3.0);
  EXPECT_EQ(scene.bodies.at(0).free->inertia->y, 2.0);
  for (const char* free : {R"({})", R"({"mass": 3, "density": 700})", R"({"mass": 0})",
                           R"({"mass": 3, "inertia": [1, -2, 3]})"})
    EXPECT_THROW(scene_with(box + R"(, "free": )" + free, "sph"), Error) << free;
}

}  // namespace
}  // namespace panta
