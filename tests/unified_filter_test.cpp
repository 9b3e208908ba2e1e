// Contact filters: materials that ignore others, themselves or bodies; and walls with adhesion.
#include <gtest/gtest.h>

#include <cmath>

#include "panta/core/error.h"
#include "panta/load/load.h"
#include "unified_scenes.h"

namespace panta {
namespace {

class UnifiedFilterTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

constexpr float spacing = 0.02f;

Material of(const std::string& name, MaterialKind kind) {
  Material material;
  material.name = name;
  material.kind = kind;
  return material;
}

// Grains of two materials side by side above a shelf and the floor.
Scene two_sands() {
  Scene scene;
  scene.method = "unified";
  scene.spacing = spacing;
  scene.materials = {of("red", MaterialKind::granular), of("blue", MaterialKind::granular)};
  return scene;
}

Shape ball(float x) { return Shape::sphere({x, 0, 0}, 0.08f); }

// Two clouds that fly through or into each other without gravity.
Scene flying_clouds() {
  Scene scene = two_sands();
  scene.gravity = {};
  scene.fluids = {{0, ball(-0.1f), {1, 0, 0}}, {1, ball(0.1f), {-1, 0, 0}}};
  return scene;
}

float slowest_forward(Simulation& sim) {
  float slowest = 1e30f;
  const ParticleFrame frame = sim.snapshot();
  for (std::size_t i = 0; i < frame.size(); ++i)
    slowest =
        std::min(slowest, frame.phase()[i] == 0 ? frame.velocity()[i].x : -frame.velocity()[i].x);
  return slowest;
}

TEST_P(UnifiedFilterTest, MaterialsThatIgnoreEachOtherPass) {
  Scene scene = flying_clouds();
  const auto meeting = make_simulation(scene, options);
  meeting->advance_to(0.15);
  EXPECT_LT(slowest_forward(*meeting), 0.5f);
  scene.materials[1].ignores = {"red"};
  const auto passing = make_simulation(scene, options);
  passing->advance_to(0.15);
  EXPECT_NEAR(slowest_forward(*passing), 1, 1e-4);
}

TEST_P(UnifiedFilterTest, GrainsOfAMaterialWithoutSelfCollisionPass) {
  Scene scene = flying_clouds();
  scene.fluids[1].material = 0;
  scene.materials[0].self_collision = false;
  const auto sim = make_simulation(scene, options);
  sim->advance_to(0.15);
  for (const Vec3& v : sim->snapshot().velocity()) EXPECT_NEAR(std::abs(v.x), 1, 1e-4);
}

TEST_P(UnifiedFilterTest, SolidsWithoutSelfCollisionPassAndKeepTheirShape) {
  Scene scene = two_sands();
  scene.gravity = {};
  scene.materials = {of("wood", MaterialKind::solid)};
  scene.materials[0].self_collision = false;
  Solid left, right;
  left.shape = ball(-0.1f), left.velocity = {1, 0, 0};
  right.shape = ball(0.1f), right.velocity = {-1, 0, 0};
  scene.solids = {left, right};
  const auto sim = make_simulation(scene, options);
  const ParticleFrame before = sim->snapshot();
  sim->advance_to(0.15);
  const ParticleFrame after = sim->snapshot();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Vec3 expected = before.position()[i] + before.velocity()[i] * 0.15f;
    EXPECT_LT(length(after.position()[i] - expected), 1e-3f) << i;
  }
}

// The red grains fall through a shelf that holds the blue ones; the floor holds both.
TEST_P(UnifiedFilterTest, MaterialFallsThroughAnIgnoredBody) {
  Scene scene = two_sands();
  scene.materials[0].ignores = {"shelf"};
  Body shelf{Shape::box({-0.5f, 0.2f, -0.5f}, {0.5f, 0.24f, 0.5f})};
  shelf.name = "shelf";
  scene.bodies = {shelf};
  scene.fluids = {{0, Shape::box({-0.1f, 0.16f, 0}, {-0.04f, 0.32f, 0.06f})},
                  {1, Shape::box({0.04f, 0.26f, 0}, {0.1f, 0.32f, 0.06f})}};
  scene.has_domain = true;
  scene.domain.min = {-0.5, 0, -0.5};
  scene.domain.max = {0.5, 1, 0.5};
  scene.domain.walls = {true, true, true, true, true, true};
  const auto sim = make_simulation(scene, options);
  EXPECT_EQ(sim->size(), 3u * 3 * 8 + 27);  // red starts inside the shelf, too
  sim->advance_to(0.6);
  const ParticleFrame frame = sim->snapshot();
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (frame.phase()[i] == 0) {
      EXPECT_LT(frame.position()[i].y, 0.2f) << i;
      EXPECT_GT(frame.position()[i].y, 0.4f * spacing) << i;
    } else {
      EXPECT_GT(frame.position()[i].y, 0.24f + 0.4f * spacing) << i;
    }
  }
}

// The weight is less than the adhesion, also for a particle that touches more than half of it.
TEST_P(UnifiedFilterTest, CeilingHoldsGrainsAndSolidsByAdhesion) {
  for (const double share : {0.9, 2.5}) {
    Scene scene = two_sands();
    scene.materials.push_back(of("wood", MaterialKind::solid));
    scene.fluids = {{0, Shape::box({-0.1f, 0.98f, 0}, {-0.08f, 1, spacing})}};
    Solid plate;
    plate.material = 2;
    plate.shape = Shape::box({0.04f, 0.98f, 0}, {0.1f, 1, 0.06f});
    scene.solids = {plate};
    scene.has_domain = true;
    scene.domain.min = {-1, -1, -1};
    scene.domain.max = {1, 1, 1};
    scene.domain.walls[plus_y] = true;
    scene.domain.surfaces[plus_y].adhesion = static_cast<float>(share * 9.81);
    const auto sim = make_simulation(scene, options);
    ASSERT_EQ(sim->size(), 10u);
    sim->advance_to(0.3);
    for (const Vec3& x : sim->snapshot().position()) {
      if (share > 2) {
        EXPECT_NEAR(x.y, 0.99, 0.1 * spacing) << share;
      } else {
        EXPECT_LT(x.y, 0.98) << share;
      }
    }
  }
}

// Grains with an initial overlap are not separated; other grains of their material still hit them.
TEST_P(UnifiedFilterTest, GrainsNearEachOtherAtTheStartDoNotTouch) {
  Scene scene = two_sands();
  scene.gravity = {};
  scene.materials[0].rest_distance = 1.1 * spacing;
  const auto sheet = [](float y, float velocity) {
    const Vec3 low{0, y, 0}, high{4 * spacing, y + spacing, 4 * spacing};
    Fluid fluid{0, Shape::box(low, high), {0, velocity, 0}};
    fluid.jitter = 0.45f;
    return fluid;
  };
  scene.fluids = {sheet(0, 0.5f), sheet(0.1f, -0.5f)};
  const auto sim = make_simulation(scene, options);
  ASSERT_EQ(sim->size(), 32u);
  const ParticleFrame before = sim->snapshot();
  sim->advance_to(0.05);
  const ParticleFrame free = sim->snapshot();
  for (std::size_t i = 0; i < free.size(); ++i)
    EXPECT_LT(length(free.position()[i] - before.position()[i] - before.velocity()[i] * 0.05f),
              1e-5f);
  EXPECT_TRUE(sim->contacts().pairs.empty());
  State state;
  sim->save(state);
  const auto resumed = make_simulation(scene, options);
  resumed->restore(state);
  resumed->advance_to(0.4);
  double speed = 0;
  for (const Vec3& v : resumed->snapshot().velocity()) speed += std::abs(v.y) / 32;
  EXPECT_LT(speed, 0.25);
}

// Contacts use the column of starts, which particles added later have too.
TEST_P(UnifiedFilterTest, AddedGrainsNearEachOtherAreNotInContact) {
  Scene scene = two_sands();
  scene.gravity = {};
  scene.materials[0].rest_distance = 1.1 * spacing;
  const auto sheet = [](float y) {
    return Fluid{0, Shape::box({0, y, 0}, {4 * spacing, y + spacing, 4 * spacing})};
  };
  scene.fluids = {sheet(0)};
  const auto sim = make_simulation(scene, options);
  sim->add({sheet(0.1f)});
  ASSERT_EQ(sim->size(), 32u);
  EXPECT_TRUE(sim->contacts().pairs.empty());
  scene.materials[0].rest_distance = 0.5 * spacing;
  sim->change(scene);
  EXPECT_EQ(sim->contacts().pairs.size(), 2u * 24);
}

TEST(UnifiedFilter, RestDistancesAreForGrainsOfTheStart) {
  const auto refused = [](const Scene& scene) {
    EXPECT_THROW(make_simulation(scene, {"cpu", 1, false}), Error);
  };
  Scene scene = two_sands();
  scene.materials[0].rest_distance = 0.03;
  scene.materials[0].kind = MaterialKind::solid;
  refused(scene);
  scene.materials[0].kind = MaterialKind::granular;
  scene.emitters = {Emitter{}};
  refused(scene);
}

TEST(UnifiedFilter, UnknownNamesAndLiquidsAreRefused) {
  const auto message = [](const Scene& scene) -> std::string {
    try {
      make_simulation(scene, {"cpu", 1, false});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Scene scene = flying_clouds();
  scene.materials[0].ignores = {"bleu"};
  EXPECT_NE(message(scene).find("did you mean 'blue'"), std::string::npos) << message(scene);
  scene.materials[0].ignores = {"blue"};
  scene.materials[1].kind = MaterialKind::liquid;
  EXPECT_NE(message(scene).find("liquids cannot pass through"), std::string::npos)
      << message(scene);
}

TEST(UnifiedFilter, RulesAreReadFromScenes) {
  const std::string text = R"({
    "method": "unified", "spacing": 0.02,
    "materials": {"sand": {"kind": "granular", "ignores": ["grate"], "self_collision": false,
                           "rest_distance": 0.03}},
    "bodies": [{"name": "grate", "shape": {"box": {"min": [0, 0, 0], "max": [1, 0.1, 1]}}}],
    "fluids": [{"material": "sand", "shape": {"box": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.1]}}}]
  })";
  const Scene scene = parse_scene(text, "rules.json");
  EXPECT_EQ(scene.materials[0].ignores, std::vector<std::string>{"grate"});
  EXPECT_FALSE(scene.materials[0].self_collision);
  EXPECT_EQ(scene.materials[0].rest_distance, 0.03);
  std::string wrong = text;
  wrong.replace(wrong.find("[\"grate\"]"), 9, "[\"grade\"]");
  try {
    parse_scene(wrong, "rules.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("rules.json:3:"), std::string::npos) << what;
    EXPECT_NE(what.find("grate"), std::string::npos) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedFilterTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
