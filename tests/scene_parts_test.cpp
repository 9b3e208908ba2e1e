// Parts of a scene file as read: shapes and their combinations, motion, emitters, sinks, fields,
// events and probes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "panta/geometry/bounds.h"
#include "panta/load/load.h"

namespace panta {
namespace {

// A scene with additional root keys; a small box of water far from the origin makes it valid.
Scene scene_with(const std::string& keys, int dimensions = 3) {
  return parse_scene(R"({"method": "sph", "spacing": 0.1, "duration": 2, "dimensions": )" +
                         std::to_string(dimensions) +
                         R"(, "materials": {"water": {}, "oil": {}},
    "fluids": [{"material": "water", "shape": {"box": {"min": [90, 90, 0], "max": [91, 91, 1]}}}],
    )" + keys + "}",
                     "s.json");
}

Shape shape_of(const std::string& text, int dimensions = 3) {
  return scene_with(R"("bodies": [{"shape": )" + text + "}]", dimensions).bodies.at(0).shape;
}

float distance_to(const std::string& text, const Vec3& x) {
  return distance(shape_of(text), x).value;
}

TEST(SceneShapes, SolidsHaveTheirDistances) {
  EXPECT_FLOAT_EQ(
      distance_to(R"({"ellipsoid": {"center": [1, 0, 0], "radii": [1, 2, 3]}})", {2.5f, 0, 0}),
      0.5f);
  EXPECT_FLOAT_EQ(
      distance_to(R"({"capsule": {"from": [0, 0, 0], "to": [0, 2, 0], "radius": 0.5}})", {0, 3, 0}),
      0.5f);
  EXPECT_NEAR(distance_to(R"({"cone": {"from": [0, 0, 0], "to": [0, 1, 0], "radius_from": 1,
                              "radius_to": 0}})",
                          {1, 1, 0}),
              std::sqrt(0.5), 1e-5);
  EXPECT_FLOAT_EQ(
      distance_to(R"({"torus": {"center": [0, 0, 0], "ring_radius": 2, "tube_radius": 0.5}})",
                  {3, 0, 0}),
      0.5f);
}

TEST(SceneShapes, Combine) {
  const std::string left = R"({"sphere": {"center": [-0.5, 0, 0], "radius": 1}})";
  const std::string right = R"({"sphere": {"center": [0.5, 0, 0], "radius": 1}})";
  const std::string both = "[" + left + ", " + right + "]";
  EXPECT_FLOAT_EQ(distance_to(R"({"union": )" + both + "}", {2, 0, 0}), 0.5f);
  EXPECT_GT(distance_to(R"({"intersection": )" + both + "}", {1, 0, 0}), 0.4f);
  EXPECT_LT(distance_to(R"({"intersection": )" + both + "}", {0, 0, 0}), 0);
  EXPECT_GT(distance_to(R"({"difference": )" + both + "}", {0, 0, 0}), 0.4f);
  EXPECT_LT(distance_to(R"({"difference": )" + both + "}", {-1.2f, 0, 0}), 0);
  EXPECT_LT(distance_to(R"({"union": )" + both + R"(, "blend": 0.5})", {0, 0.9f, 0}),
            distance_to(R"({"union": )" + both + "}", {0, 0.9f, 0}));
  EXPECT_FLOAT_EQ(distance_to(R"({"offset": {"shape": )" + left + R"(, "by": 0.25}})", {2, 0, 0}),
                  1.25f);
  const std::string shell = R"({"shell": {"shape": )" + left + R"(, "thickness": 0.1}})";
  EXPECT_GT(distance_to(shell, {-0.5f, 0, 0}), 0);
  EXPECT_LT(distance_to(shell, {0.45f, 0, 0}), 0);
  EXPECT_LT(distance_to(R"({"complement": )" + left + "}", {3, 0, 0}), 0);
}

TEST(SceneShapes, TransformsAreAppliedInTheOrderScaleRotateTranslate) {
  const std::string box = R"("box": {"min": [1, -0.5, -0.5], "max": [3, 0.5, 0.5]})";
  const ShapeBounds bounds = shape_bounds(shape_of("{" + box + R"(, "translate": [10, 0, 0],
      "rotate": {"axis": [0, 0, 1], "degrees": 90}, "scale": 2})"));
  EXPECT_NEAR(bounds.min.x, 9, 1e-5);
  EXPECT_NEAR(bounds.max.x, 11, 1e-5);
  EXPECT_NEAR(bounds.min.y, 2, 1e-5);
  EXPECT_NEAR(bounds.max.y, 6, 1e-5);
  const ShapeBounds turned = shape_bounds(shape_of("{" + box + R"(,
      "rotate": [{"axis": [0, 0, 1], "degrees": 90}, {"axis": [1, 0, 0], "degrees": 90}]})"));
  EXPECT_NEAR(turned.min.z, 1, 1e-5);
  EXPECT_NEAR(turned.max.z, 3, 1e-5);
}

TEST(SceneShapes, HullsAndGroundBecomeSolids) {
  const Shape hull = shape_of(R"({"hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1],
                                                      [0.1, 0.1, 0.1]]}})");
  EXPECT_LT(distance(hull, {0.1f, 0.1f, 0.1f}).value, 0);
  EXPECT_NEAR(distance(hull, {0.5f, 0.5f, 0.5f}).value, 0.5 / std::sqrt(3), 0.02);
  const Shape ground = shape_of(R"({"height_field": {"min": [0, 0, 0], "max": [2, 0, 2],
                                   "heights": [[0, 0, 0], [0, 0, 0], [1, 1, 1]]}})");
  EXPECT_LT(distance(ground, {1, -0.05f, 0.5f}).value, 0);
  EXPECT_GT(distance(ground, {1, 0.2f, 0.5f}).value, 0);
  EXPECT_LT(distance(ground, {1, 0.4f, 1.6f}).value, 0);
}

TEST(SceneShapes, TwoDimensionsUseTheCrossSection) {
  const Shape turned = shape_of(R"({"box": {"min": [0, 0], "max": [2, 1]},
                                    "rotate": {"degrees": 90}, "translate": [0, 5]})",
                                2);
  EXPECT_LT(distance(turned, {-0.5f, 6, 0}).value, 0);
  EXPECT_EQ(distance(turned, {-0.5f, 6.5f, 0}).normal.z, 0);
  EXPECT_LT(
      distance(shape_of(R"({"ellipsoid": {"center": [0, 0], "radii": [2, 1]}})", 2), {1.8f, 0, 0})
          .value,
      0);
}

TEST(SceneMotion, FormulasMoveAndTurn) {
  const Scene scene = scene_with(R"json("variables": {"reach": 0.2}, "bodies": [{"name": "paddle",
      "shape": {"sphere": {"center": [0, 0, 0], "radius": 1}},
      "motion": {"translate": ["reach*sin(2*pi*t)", 0, "t"],
                 "rotate": {"axis": [0, 0, 2], "degrees": "90*t"}, "pivot": [1, 0, 0]}}])json");
  const Body& body = scene.bodies.at(0);
  EXPECT_EQ(body.name, "paddle");
  ASSERT_TRUE(body.motion.moves());
  EXPECT_TRUE(body.motion.program.displacement[1].empty());
  // At t = 1 a quarter turn about (1, 0, 0) and a step along z.
  const Placement place_1 = place(body.motion.program, nullptr, 1);
  const Vec3 origin = to_float(place_1.position);
  EXPECT_NEAR(origin.x, 1, 1e-5);
  EXPECT_NEAR(origin.y, -1, 1e-5);
  EXPECT_NEAR(origin.z, 1, 1e-5);
}

TEST(SceneMotion, KeysHavePositionsAndRotations) {
  const Scene scene = scene_with(R"("bodies": [{"shape": {"sphere": {"center": [0, 0, 0],
      "radius": 1}}, "motion": {"interpolation": "smooth", "keys": [{"time": 0},
      {"time": 1, "translate": [1, 0, 0], "rotate": {"axis": [0, 1, 0], "degrees": 90}}]}}])");
  const Motion& motion = scene.bodies.at(0).motion;
  ASSERT_EQ(motion.keys.size(), 2u);
  EXPECT_EQ(motion.whole_program().key_count, 2);
  EXPECT_TRUE(motion.program.smooth);
  EXPECT_EQ(motion.keys[1].position.x, 1);
  EXPECT_NEAR(motion.keys[1].rotation.y, std::sqrt(0.5), 1e-6);
}

TEST(SceneEmitters, HaveProfilesWithTheirArea) {
  const Scene scene = scene_with(R"("emitters": [
    {"name": "tap", "material": "oil", "at": [0, 1, 0], "direction": [0, -2, 0], "speed": 3,
     "disc": {"radius": 0.5}, "start": 0.5, "stop": 1.5, "pulse": {"period": 0.2, "on": 0.1},
     "volume": 0.25, "active": false},
    {"material": "water", "at": [0, 1, 0], "direction": [1, 0, 0], "square": {"size": [2, 0.5]}},
    {"material": "water", "at": [0, 1, 0],
     "shape": {"sphere": {"center": [0, 1.5, 0], "radius": 1}}}])");
  const Emitter& tap = scene.emitters.at(0);
  EXPECT_EQ(tap.name, "tap");
  EXPECT_EQ(tap.material, 1);
  EXPECT_EQ(tap.direction.y, -1);
  EXPECT_NEAR(tap.area, 0.25 * std::numbers::pi, 1e-6);
  EXPECT_EQ(tap.start, 0.5);
  EXPECT_EQ(tap.stop, 1.5);
  EXPECT_EQ(tap.pulse_period, 0.2);
  EXPECT_EQ(tap.pulse_on, 0.1);
  EXPECT_EQ(tap.most_volume, 0.25);
  EXPECT_FALSE(tap.active);
  EXPECT_LT(distance(tap.profile, {0.45f, 1, 0}).value, 0);
  EXPECT_GT(distance(tap.profile, {0.55f, 1, 0}).value, 0);
  // Along x, the width lies along z and the height is upright.
  const Emitter& square = scene.emitters.at(1);
  EXPECT_EQ(square.area, 1);
  EXPECT_LT(distance(square.profile, {0, 1.2f, 0.95f}).value, 0);
  EXPECT_GT(distance(square.profile, {0, 1.3f, 0}).value, 0);
  EXPECT_GT(distance(square.profile, {0, 1, 1.05f}).value, 0);
  EXPECT_EQ(scene.emitters.at(2).area, 0);
}

TEST(SceneEmitters, LieInThePlaneOfTwoDimensions) {
  const Scene scene = scene_with(R"("emitters": [
    {"material": "oil", "at": [0, 1], "direction": [0, -1], "square": {"size": [0.4]}},
    {"material": "oil", "at": [0, 1], "direction": [1, 0], "disc": {"radius": 0.1}}])",
                                 2);
  EXPECT_NEAR(scene.emitters.at(0).area, 0.4, 1e-6);
  EXPECT_LT(distance(scene.emitters[0].profile, {0.19f, 1, 0}).value, 0);
  EXPECT_GT(distance(scene.emitters[0].profile, {0.21f, 1, 0}).value, 0);
  EXPECT_NEAR(scene.emitters.at(1).area, 0.2, 1e-6);
  EXPECT_LT(distance(scene.emitters[1].profile, {0, 1.09f, 0}).value, 0);
}

TEST(SceneEmitters, AreEnoughWithoutFluids) {
  const Scene scene = parse_scene(R"({"method": "sph", "spacing": 0.1, "materials": {"water": {}},
    "emitters": [{"material": "water", "at": [0, 0, 0], "disc": {"radius": 0.1}}]})",
                                  "s.json");
  EXPECT_TRUE(scene.fluids.empty());
}

TEST(SceneSinks, AreRead) {
  const Scene scene = scene_with(R"("sinks": [{"name": "drain", "outside": true, "active": false,
    "shape": {"sphere": {"center": [0, 0, 0], "radius": 1}}}])");
  EXPECT_EQ(scene.sinks.at(0).name, "drain");
  EXPECT_TRUE(scene.sinks[0].outside);
  EXPECT_FALSE(scene.sinks[0].active);
}

TEST(SceneFields, EveryTypeIsRead) {
  const Scene scene = scene_with(R"("fields": [
    {"type": "uniform", "acceleration": [1, 0, 0]},
    {"type": "drag", "rate": 2, "center": [1, 1, 1], "radius": 3, "name": "mud", "active": false},
    {"type": "wind", "velocity": [0, 0, 5], "rate": 1, "turbulence": 2, "scale": 0.3},
    {"type": "point", "at": [1, 2, 3], "radius": 1, "strength": -4}])");
  EXPECT_EQ(scene.fields.at(0).type, FieldType::uniform);
  EXPECT_EQ(scene.fields[0].vector.x, 1);
  EXPECT_EQ(scene.fields[0].radius, ForceField::everywhere);
  EXPECT_FALSE(scene.fields.at(1).active);
  EXPECT_EQ(scene.fields[1].radius, 3);
  EXPECT_EQ(scene.fields.at(2).turbulence, 2);
  EXPECT_EQ(scene.fields.at(3).type, FieldType::hand);
  EXPECT_EQ(scene.fields[3].keys, 1);
  EXPECT_EQ(scene.fields[3].path[0].position.y, 2);
}

TEST(SceneEvents, ChangeTheSceneCumulativelyInTheOrderOfTime) {
  const Scene scene = scene_with(R"(
    "emitters": [{"name": "tap", "material": "oil", "at": [0, 1, 0], "disc": {"radius": 0.5}}],
    "fields": [{"name": "wind", "type": "wind", "velocity": [1, 0, 0], "rate": 1}],
    "events": [
      {"at": 1.5, "set": {"solver.artificial_viscosity": 0.2, "gravity": [0, 0, -1]}},
      {"at": 0.5, "set": {"emitters.tap.speed": 3}},
      {"at": 1, "stop": "tap"},
      {"at": 1, "stop": "wind"},
      {"at": 1.7, "start": "tap"},
      {"at": 1.8, "add": {"material": "oil",
                          "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}},
      {"at": 1.9, "remove": {"sphere": {"center": [0, 0, 0], "radius": 1}}}])");
  ASSERT_EQ(scene.events.size(), 7u);
  EXPECT_EQ(scene.emitters[0].speed, 1);
  const auto changed = [&](std::size_t k) -> const Scene& { return *scene.events[k].changed; };
  EXPECT_EQ(scene.events[0].time, 0.5);
  EXPECT_EQ(changed(0).emitters[0].speed, 3);
  EXPECT_TRUE(changed(0).emitters[0].active);
  EXPECT_FALSE(changed(1).emitters[0].active);
  EXPECT_TRUE(changed(1).fields[0].active);
  EXPECT_FALSE(changed(2).fields[0].active);
  EXPECT_EQ(changed(3).gravity.z, -1);
  EXPECT_EQ(std::get<double>(changed(3).solver.at("artificial_viscosity")), 0.2);
  EXPECT_FALSE(changed(3).emitters[0].active);
  EXPECT_TRUE(changed(4).emitters[0].active);
  EXPECT_EQ(changed(4).emitters[0].speed, 3);
  EXPECT_TRUE(changed(4).events.empty());
  EXPECT_EQ(scene.events[5].changed, nullptr);
  EXPECT_EQ(scene.events[5].added.at(0).material, 1);
  EXPECT_EQ(scene.events[6].cleared.size(), 1u);
}

TEST(SceneEvents, AfterTheEndGiveWarnings) {
  const std::string events = R"("events": [{"at": 5, "set": {"gravity": [0, 0, 0]}}])";
  const std::vector<std::string> warnings = scene_warnings(scene_with(events));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("event 0 at 5 s comes after the end at 2 s"), std::string::npos);
}

TEST(SceneProbes, EveryTypeIsRead) {
  const Scene scene = scene_with(R"("probes": {
    "front": {"type": "extent", "axis": "-y"},
    "level": {"type": "height", "at": [1, 0, 0], "radius": 0.2},
    "p": {"type": "pressure", "at": [1, 2, 3], "material": "oil"},
    "v": {"type": "velocity", "at": [1, 2, 3]},
    "q": {"type": "flux", "at": [1, 0, 0], "normal": [0, 0, 5]},
    "c": {"type": "center_of_mass"},
    "n": {"type": "count", "region": {"sphere": {"center": [0, 0, 0], "radius": 1}}},
    "m": {"type": "volume"}})");
  ASSERT_EQ(scene.probes.size(), 8u);
  EXPECT_EQ(scene.probes[0].name, "front");
  EXPECT_EQ(scene.probes[0].axis, 1);
  EXPECT_FALSE(scene.probes[0].upper);
  EXPECT_EQ(scene.probes[1].type, ProbeType::height);
  EXPECT_FLOAT_EQ(scene.probes[1].radius, 0.2f);
  EXPECT_EQ(scene.probes[2].material, 1);
  EXPECT_EQ(scene.probes[2].radius, 0);
  EXPECT_EQ(scene.probes[4].normal.z, 1);
  EXPECT_EQ(scene.probes[5].type, ProbeType::center_of_mass);
  EXPECT_FALSE(scene.probes[6].region.empty());
  EXPECT_EQ(scene.probes[6].material, -1);
  EXPECT_EQ(scene.probes[7].type, ProbeType::volume);
}

// Grains that start as a lattice are stable like a brick, and slide on floors without friction.
TEST(SceneDefaults, FluidsStartWithJitterAndGrainsHaveFrictionOnFloors) {
  const auto sand = [](const std::string& more) {
    return parse_scene(
        R"({"method": "unified", "spacing": 0.1, "domain": {"min": [0, 0, 0], "max": [1, 1, 1]},
      "materials": {"sand": {"kind": "granular"}},
      "fluids": [{"material": "sand", )" +
            more + R"("shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}]})",
        "s.json");
  };
  EXPECT_FLOAT_EQ(sand("").fluids[0].jitter, 0.1f);
  EXPECT_EQ(sand(R"("jitter": 0, )").fluids[0].jitter, 0);
  const Surface floor = sand("").domain.surfaces[minus_y];
  EXPECT_FLOAT_EQ(floor.friction_on_solid(), 0.5f);
  EXPECT_EQ(floor.friction_on_liquid(), 0);
  const Scene water = scene_with(R"("domain": {"min": [0, 0, 0], "max": [99, 99, 9],
                                  "surfaces": {"-y": {"friction": 0.2}}})");
  EXPECT_FLOAT_EQ(water.fluids[0].jitter, 0.1f);
  EXPECT_FLOAT_EQ(water.domain.surfaces[minus_y].friction_on_liquid(), 0.2f);
  EXPECT_FLOAT_EQ(water.domain.surfaces[minus_y].friction_on_solid(), 0.2f);
}

}  // namespace
}  // namespace panta
