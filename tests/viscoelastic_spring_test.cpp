// The storage of springs: every pair that came near enough has one, both ends store it equally, the
// counters are consistent, and it works with saving, sources and rows that become too short.
#include <gtest/gtest.h>

#include <map>

#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

constexpr double step = 1.0 / 120;

class ViscoelasticSprings : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) const {
    return make_simulation(scene, {GetParam(), threads, false});
  }
};

Scene tied_blob(int n, float jitter) {
  Scene scene = free_space();
  scene.solver["artificial_viscosity"] = 0.0;  // neighbours are where the search looked for them
  scene.fluids = {blob(scene, n, n, n, jitter)};
  ParameterSet& v = scene.materials[0].methods["viscoelastic"];
  v["springs"] = 0.1;
  v["spring_length"] = std::string("distance");
  return scene;
}

// The springs of a saved state, by the saved positions of their ends.
struct SavedSprings {
  std::map<std::pair<std::uint32_t, std::uint32_t>, float> length;
  std::vector<Vec3> place;  // when springs were last adjusted
  bool twice = false;       // a row names a particle twice

  explicit SavedSprings(Simulation& sim) {
    State state;
    sim.save(state);
    const auto counts = state.get<std::uint32_t>("spring counts");
    const auto others = state.get<std::uint32_t>("spring ends");
    const auto lengths = state.get<float>("spring lengths");
    for (const Vec4& x : state.get<Vec4>("spring places")) place.push_back(x.xyz());
    std::size_t k = 0;
    for (std::uint32_t i = 0; i < counts.size(); ++i)
      for (std::uint32_t c = 0; c < counts[i]; ++c, ++k)
        twice = !length.insert({{i, others[k]}, lengths[k]}).second || twice;
  }
  bool symmetric() const {
    return std::all_of(length.begin(), length.end(), [&](const auto& spring) {
      const auto back = length.find({spring.first.second, spring.first.first});
      return back != length.end() && back->second == spring.second;
    });
  }
  std::size_t count() const { return length.size() / 2; }
};

// Pairs nearer than a distance, each once.
template <class Visit>
void each_pair(const std::vector<Vec3>& places, double near, const Visit& visit) {
  for (std::uint32_t i = 0; i < places.size(); ++i)
    for (std::uint32_t j = i + 1; j < places.size(); ++j) {
      const double r = panta::length(to_double(places[i]) - to_double(places[j]));
      if (r < near) visit(i, j, r);
    }
}

void expect_sound(Simulation& sim, double h) {
  const SavedSprings saved(sim);
  EXPECT_FALSE(saved.twice);
  EXPECT_TRUE(saved.symmetric());
  EXPECT_EQ(counter(sim, "springs"), saved.count());
  EXPECT_EQ(counter(sim, "springs_added") - counter(sim, "springs_removed"), saved.count());
  int missing = 0;
  each_pair(saved.place, 0.99999 * h, [&](std::uint32_t i, std::uint32_t j, double) {
    missing += saved.length.count({i, j}) ? 0 : 1;
  });
  EXPECT_EQ(missing, 0);
}

TEST_P(ViscoelasticSprings, EveryNearPairHasOneOfItsLength) {
  const Scene scene = tied_blob(7, 0.2f);
  const double h = 2.6 * scene.spacing;
  const auto sim = start(scene);
  const ParticleFrame before = sim->snapshot();
  sim->advance_to(step);
  const SavedSprings saved(*sim);
  std::size_t pairs = 0;
  each_pair(before.position(), h, [&](std::uint32_t, std::uint32_t, double) { ++pairs; });
  EXPECT_EQ(saved.count(), pairs);
  EXPECT_EQ(counter(*sim, "springs_added"), pairs);
  EXPECT_EQ(counter(*sim, "springs_removed"), 0u);
  each_pair(saved.place, h, [&](std::uint32_t i, std::uint32_t j, double r) {
    ASSERT_NEAR(saved.length.at({i, j}), r, 1e-6);
  });
  expect_sound(*sim, h);
}

// A pair that moves only by its initial velocity: equations 7 and 8, step by step; the spring is
// removed when it has become longer than the support.
TEST_P(ViscoelasticSprings, RestLengthsFollowThePaperUntilTheyExceedTheSupport) {
  Scene scene = free_space();
  const double h = 2.6 * scene.spacing, alpha = 4, gamma = 0.05;
  const double shrink_alpha = 9, shrink_gamma = 0.15, start_r = 0.02, speed = 0.12;
  scene.solver = {{"units", std::string("si")}, {"stiffness", 1e-9}, {"time_step", step}};
  scene.materials[0].methods["viscoelastic"] = {{"springs", 1e-6},
                                                {"plasticity", alpha},
                                                {"yield", gamma},
                                                {"compression_plasticity", shrink_alpha},
                                                {"compression_yield", shrink_gamma}};
  const float x = float(0.5 * start_r), v = float(0.5 * speed);
  scene.fluids = {particle_at({-x, 0, 0}, {-v, 0, 0}), particle_at({x, 0, 0}, {v, 0, 0})};
  const auto sim = start(scene);
  double rest = h;
  bool shrank = false, grew = false;
  for (int k = 1; k <= 100; ++k) {
    sim->advance_to(k * step);
    const double r = start_r + speed * k * step, before = rest;
    if (r > rest + gamma * rest) rest += step * alpha * (r - rest - gamma * rest);
    if (r < before - shrink_gamma * before)
      rest -= step * shrink_alpha * (before - shrink_gamma * before - r);
    shrank = shrank || rest < before;
    grew = grew || rest > before;
    const SavedSprings saved(*sim);
    if (rest > h) {
      EXPECT_EQ(saved.count(), 0u) << k;
      EXPECT_EQ(counter(*sim, "springs_removed"), 1u);
      break;
    }
    ASSERT_EQ(saved.count(), 1u) << k;
    ASSERT_NEAR(saved.length.at({0, 1}), rest, 1e-6) << k;
  }
  EXPECT_TRUE(shrank && grew);
  EXPECT_GT(rest, h);
}

// Torn apart and brought together again.
TEST_P(ViscoelasticSprings, CountersMatchCreatedAndRemovedSprings) {
  Scene scene = tied_blob(7, 0.2f);
  scene.materials[0].methods["viscoelastic"]["plasticity"] = 0.5;
  scene.materials[0].methods["viscoelastic"]["spring_length"] = std::string("support");
  scene.fluids[0].velocity_at = [](const Vec3& x) { return Vec3{x.x > 0 ? 0.6f : -0.6f, 0, 0}; };
  scene.fluids.push_back(blob(scene, 5, 5, 5, 0.2f));
  scene.fluids[1].shape = scene.fluids[1].shape.moved({0.3f, 0, 0});
  scene.fluids[1].velocity = {-1, 0, 0};
  const auto sim = start(scene);
  for (int k = 1; k <= 8; ++k) {
    sim->advance_to(0.05 * k);
    SCOPED_TRACE(k);
    expect_sound(*sim, 2.6 * scene.spacing);
  }
  EXPECT_GT(counter(*sim, "springs_removed"), 200u);
  EXPECT_GT(counter(*sim, "springs_added"), counter(*sim, "springs_removed"));
}

// A tap above a drain, in a box where springs are created and removed all the time.
Scene tap_and_drain() {
  Scene scene = closed_box({0.2, 0.4, 0.2});
  scene.materials[0].methods["viscoelastic"]["springs"] = 0.1;
  scene.materials[0].methods["viscoelastic"]["plasticity"] = 0.3;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.08f, 0.2f})}};
  Emitter tap;
  tap.name = "tap";
  tap.at = {0.1f, 0.3f, 0.1f};
  tap.profile = Shape::sphere(tap.at, 0.04f);
  tap.speed = 1;
  scene.emitters = {tap};
  scene.sinks = {{"drain", Shape::box({0, -1, 0}, {0.06f, 0.03f, 1})}};
  return scene;
}

TEST_P(ViscoelasticSprings, AreRemovedWithTheirParticles) {
  const Scene scene = tap_and_drain();
  const auto sim = start(scene);
  for (int k = 1; k <= 8; ++k) {
    sim->advance_to(0.05 * k);
    SCOPED_TRACE(k);
    const SavedSprings saved(*sim);
    EXPECT_EQ(saved.place.size(), sim->size());
    EXPECT_FALSE(saved.twice);
    EXPECT_TRUE(saved.symmetric());
  }
  EXPECT_GT(sim->emitted(), 50u);
  EXPECT_GT(sim->removed(), 50u);
  // Particles that the drain removed in the last step lose their springs in the next one.
  Scene calm = scene;
  calm.sinks[0].active = false;
  sim->change(calm);
  sim->advance_to(0.45);
  EXPECT_EQ(counter(*sim, "springs"), SavedSprings(*sim).count());
}

TEST_P(ViscoelasticSprings, RestoredRunsEqualUninterruptedRuns) {
  const Scene scene = tap_and_drain();
  const auto whole = start(scene, 1), again = start(scene, 2);
  whole->advance_to(0.15);
  State state;
  whole->save(state);
  again->restore(state);
  whole->advance_to(0.25);
  again->advance_to(0.25);
  EXPECT_EQ(again->steps(), whole->steps());
  EXPECT_EQ(again->size(), whole->size());
  if (GetParam() == "cpu") {
    EXPECT_TRUE(same_bits(again->snapshot(), whole->snapshot()));
    EXPECT_EQ(counter(*again, "springs"), counter(*whole, "springs"));
    EXPECT_EQ(counter(*again, "springs_added"), counter(*whole, "springs_added"));
  }
}

// Compressed to many more neighbours than the initial length of a row.
TEST_P(ViscoelasticSprings, RowsGrow) {
  Scene scene = tied_blob(8, 0.1f);
  scene.solver["support"] = 4.0;
  scene.fluids[0].velocity_at = [](const Vec3& x) { return x * -12.0f; };
  const auto sim = start(scene);
  std::size_t longest = 0;
  for (int k = 1; k <= 6; ++k) {
    sim->advance_to(k * step);
    std::map<std::uint32_t, std::size_t> row;
    for (const auto& spring : SavedSprings(*sim).length)
      longest = std::max(longest, ++row[spring.first.first]);
  }
  EXPECT_GT(double(longest), 1.3 * expected_neighbors(4, 3));
  expect_sound(*sim, 4 * scene.spacing);
}

// Springs that an event gives to a liquid at rest, and removes.
TEST_P(ViscoelasticSprings, EventsAddAndRemoveThem) {
  Scene scene = tied_blob(6, 0);
  Scene tied = scene;
  scene.materials[0].methods["viscoelastic"]["springs"] = 0.0;
  const Scene loose = scene;
  Event give, take;
  give.time = 0.1;
  give.changed = std::make_shared<const Scene>(tied);
  take.time = 0.2;
  take.changed = std::make_shared<const Scene>(loose);
  scene.events = {give, take};
  Timeline line(scene);
  const auto sim = start(scene);
  line.advance(*sim, 0.1);
  EXPECT_EQ(counter(*sim, "springs"), 0u);
  line.advance(*sim, 0.15);
  const std::uint64_t given = counter(*sim, "springs");
  EXPECT_GT(given, 216u * 10);
  expect_sound(*sim, 2.6 * scene.spacing);
  line.advance(*sim, 0.25);
  EXPECT_EQ(counter(*sim, "springs"), 0u);
  EXPECT_EQ(SavedSprings(*sim).count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticSprings, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
