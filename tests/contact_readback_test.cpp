// Contacts as read by programs, and trigger bodies that only count particles.
#include <gtest/gtest.h>

#include <cmath>

#include "device_list.h"
#include "panta/frame/contact_finder.h"
#include "panta/load/expression.h"
#include "panta/run/probes.h"

namespace panta {
namespace {

class ContactReadbackTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

constexpr float spacing = 0.02f;

Scene room(MaterialKind kind) {
  Scene scene;
  scene.method = "unified";
  scene.spacing = spacing;
  Material material;
  material.name = "matter";
  material.kind = kind;
  scene.materials = {material};
  scene.has_domain = true;
  scene.domain.min = {-1, 0, -1};
  scene.domain.max = {1, 1, 1};
  scene.domain.walls[minus_y] = true;
  return scene;
}

// A box as large as one grain.
Shape cell(float x, float y) { return Shape::box({x, y, 0}, {x + spacing, y + spacing, spacing}); }

TEST_P(ContactReadbackTest, GrainsOnAFloorAndOnAMovingBody) {
  Scene scene = room(MaterialKind::granular);
  Body table{Shape::box({0.3f, -0.1f, -0.2f}, {0.7f, 0.1f, 0.2f})};
  table.surface.friction = 1;
  table.motion.program.displacement[0] = parse_expression("0.1*t", {}, {});
  scene.bodies = {table};
  scene.fluids = {{0, cell(-0.5f, 0)}, {0, cell(0.5f, 0.1f)}};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(0.5);
  const ContactFrame contacts = sim->contacts();
  EXPECT_EQ(contacts.time, 0.5);
  EXPECT_TRUE(contacts.pairs.empty());
  ASSERT_EQ(contacts.walls.size(), 2u);
  const ParticleFrame frame = sim->snapshot();
  const float tops[2] = {0, 0.1f};
  for (std::size_t k = 0; k < 2; ++k) {
    const WallTouch& c = contacts.walls[k];
    EXPECT_EQ(c.particle, k);
    EXPECT_EQ(c.body, k == 0 ? -1 - minus_y : 0);
    EXPECT_NEAR(c.normal.y, 1, 1e-5);
    EXPECT_NEAR(c.point.y, tops[k], 1e-5);
    EXPECT_NEAR(c.point.x, frame.position()[k].x, 1e-5);
    EXPECT_NEAR(c.depth, 0, 0.05 * spacing);
    EXPECT_NEAR(c.velocity.x, k == 0 ? 0 : 0.1, 1e-3);
  }
}

TEST_P(ContactReadbackTest, PairsOfGrainsAreFoundAcrossAPeriodicBorder) {
  Scene scene = room(MaterialKind::granular);
  scene.gravity = {};
  scene.domain.periodic[0] = true;
  scene.fluids = {{0, cell(-1, 0.5f)},
                  {0, cell(1 - spacing, 0.5f)},
                  {0, cell(0, 0.5f)},
                  {0, cell(spacing, 0.5f)},
                  {0, cell(0, 0.7f)}};
  const ContactFrame contacts = make_simulation(scene, options)->contacts();
  EXPECT_TRUE(contacts.walls.empty());
  ASSERT_EQ(contacts.pairs.size(), 2u);
  const PairTouch &seam = contacts.pairs[0], &plain = contacts.pairs[1];
  EXPECT_EQ(seam.first, 0u);
  EXPECT_EQ(seam.second, 1u);
  EXPECT_NEAR(seam.normal.x, 1, 1e-3);
  EXPECT_NEAR(std::abs(seam.point.x), 1, 1e-4);
  EXPECT_EQ(plain.first, 2u);
  EXPECT_EQ(plain.second, 3u);
  EXPECT_NEAR(plain.normal.x, -1, 1e-3);
  EXPECT_NEAR(plain.point.x, spacing, 1e-4);
  EXPECT_NEAR(plain.depth, 0, 1e-4);
}

// Contacts are between particles of two bodies, not within one body.
TEST_P(ContactReadbackTest, ContactsAreBetweenDifferentBodiesOnly) {
  Scene scene = room(MaterialKind::solid);
  scene.gravity = {};
  Solid lower, upper;
  lower.shape = Shape::box({0, 0.4f, 0}, {0.06f, 0.46f, 0.06f});
  upper.shape = Shape::box({0, 0.46f, 0}, {0.06f, 0.52f, 0.06f});
  scene.solids = {lower, upper};
  const auto sim = make_simulation(scene, options);
  const ContactFrame contacts = sim->contacts();
  EXPECT_EQ(contacts.pairs.size(), 9u);
  for (const PairTouch& pair : contacts.pairs) {
    EXPECT_LT(pair.first, 27u);
    EXPECT_GE(pair.second, 27u);
    EXPECT_NEAR(pair.normal.y, -1, 1e-3);
    EXPECT_NEAR(pair.point.y, 0.46, 1e-4);
  }
}

// A trigger moves past falling grains: it counts them without contact.
TEST_P(ContactReadbackTest, TriggerCountsParticlesWithoutContact) {
  Scene scene = room(MaterialKind::granular);
  scene.fluids = {{0, Shape::box({-0.1f, 0.5f, 0}, {0.1f, 0.7f, 0.04f})}};
  const auto free = make_simulation(scene, options);
  Body trigger{Shape::box({-1, 0.2f, -1}, {1, 0.3f, 1})};
  trigger.trigger = true;
  trigger.name = "gate";
  trigger.motion.program.displacement[1] = parse_expression("t", {}, {});
  scene.bodies = {trigger};
  const auto watched = make_simulation(scene, options);
  std::size_t most = 0;
  for (const double t : {0.1, 0.2, 0.25, 0.4}) {
    free->advance_to(t);
    watched->advance_to(t);
    const ParticleFrame frame = watched->snapshot();
    std::size_t expected = 0;
    for (const Vec3& x : frame.position())
      expected += x.y > 0.2f + static_cast<float>(t) && x.y < 0.3f + static_cast<float>(t);
    most = std::max(most, expected);
    const std::vector<ProbeValue> probes = measure_probes(scene, *watched, frame);
    ASSERT_EQ(probes.size(), 1u);
    EXPECT_EQ(probes[0].name, "gate");
    EXPECT_EQ(probes[0].value[0], double(expected));
    EXPECT_EQ(watched->contacts().inside.size(), expected);
  }
  EXPECT_GT(most, 10u);
  EXPECT_TRUE(same_bits(free->snapshot(), watched->snapshot()));
}

// After a change of the scene, contacts are with its new bodies.
TEST_P(ContactReadbackTest, ContactsUseTheChangedScene) {
  Scene scene = room(MaterialKind::solid);
  scene.gravity = {};
  Solid cube;
  cube.shape = Shape::box({0, 0.4f, 0}, {0.06f, 0.46f, 0.06f});
  scene.solids = {cube};
  const auto sim = make_simulation(scene, options);
  EXPECT_TRUE(sim->contacts().walls.empty());
  scene.bodies = {Body{Shape::box({-1, 0.3f, -1}, {1, 0.4f, 1})}};
  sim->change(scene);
  const ContactFrame contacts = sim->contacts();
  EXPECT_EQ(contacts.walls.size(), 9u);
  EXPECT_TRUE(contacts.pairs.empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, ContactReadbackTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
