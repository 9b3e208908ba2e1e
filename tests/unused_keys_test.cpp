// Keys of materials and surfaces that only other methods use are reported.
#include "command_test_fixture.h"
#include "panta/engine/methods.h"
#include "panta/load/load.h"

namespace panta {
namespace {

std::string scene_of(const std::string& method, const std::string& water,
                     const std::string& floor) {
  return R"({"method": ")" + method + R"(", "spacing": 0.1, "materials": {"water": {)" + water +
         R"(}},
  "fluids": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}],
  "domain": {"min": [0, 0, 0], "max": [2, 2, 2], "walls": ["-y", "+y"], "surfaces": {)" +
         floor + "}}}";
}

std::vector<std::string> unused_in(const std::string& scene) {
  std::vector<std::string> unused;
  parse_scene(scene, "scene.json", {}, nullptr, &unused);
  return unused;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(UnusedKeys, AreReportedOnceWithARemedy) {
  const auto unused =
      unused_in(scene_of("sph", R"("weight": 0.5, "surface_tension": 0.07)",
                         R"("-y": {"stickiness": 5, "no_slip": true}, "+y": {"stickiness": 6})"));
  ASSERT_EQ(unused.size(), 2u);
  EXPECT_TRUE(contains(unused[0],
                       "'domain.surfaces.-y.stickiness' (and 1 more) has no "
                       "effect in the method 'sph'"))
      << unused[0];
  EXPECT_TRUE(contains(unused[0], "scene.json:3:")) << unused[0];
  EXPECT_TRUE(contains(unused[0], "remove it, or use the method 'viscoelastic'")) << unused[0];
  EXPECT_TRUE(contains(unused[1], "scene.json:1:")) << unused[1];
  EXPECT_TRUE(contains(unused[1], "'materials.water.weight'")) << unused[1];
}

TEST(UnusedKeys, BlocksOfOtherMethodsAreReported) {
  const std::string block = R"("viscoelastic": {"springs": 1})";
  EXPECT_EQ(unused_in(scene_of("sph", block, "")).size(), 1u);
  EXPECT_TRUE(unused_in(scene_of("viscoelastic", block, "")).empty());
}

TEST(UnusedKeys, KeysOfTheMethodAreNotReported) {
  EXPECT_TRUE(
      unused_in(scene_of("unified", R"("weight": 0.5, "surface_tension": 0.07, "density": 900)",
                         R"("-y": {"adhesion": 2})"))
          .empty());
}

// An effective scene has every key.
TEST(UnusedKeys, DefaultsAreNotReported) {
  for (const MethodInfo& method : methods()) {
    json::Value effective;
    parse_scene(scene_of(method.name, R"("weight": 1)", R"("-y": {"stickiness": 0})"), "scene.json",
                {}, &effective);
    EXPECT_TRUE(unused_in(json::dump(effective)).empty()) << method.name;
  }
}

class UnusedKeysOfCommand : public CommandTest {};

TEST_F(UnusedKeysOfCommand, AreWarningsOrWithStrictErrors) {
  const std::string set = " --set materials.water.weight=2 ";
  const std::string message = "'materials.water.weight' has no effect in the method 'sph'";
  expect_output("check tiny.json" + set, message);
  expect_output("run tiny.json --device cpu --threads 1 --out o" + set, "warning: ");
  expect_error("check --strict tiny.json" + set, 2, message);
  expect_error("run --strict tiny.json --out p" + set, 2, message);
  EXPECT_FALSE(fs::exists(folder_ / "p"));
  EXPECT_EQ(panta("check --strict tiny.json").code, 0);
}

}  // namespace
}  // namespace panta
