// Splitting and merging between steps, for every method on every device: conservation, continuing
// and resuming the run.
#include <algorithm>
#include <set>

#include "conformance_fixture.h"
#include "file_test_fixture.h"

namespace panta {
namespace {

constexpr double frame_time = 0.04;  // s

class Resample : public Conformance {
 protected:
  bool has_masses() const { return find_method(method()).own_masses; }
};

// Sums over the state before the next step.
struct Totals {
  double mass = 0, flow = 0;  // sum of m, of m |v|
  Vec3d momentum, moment;     // sum of m v, of m x
  std::size_t count = 0;
};

Totals totals(Simulation& sim) {
  State state;
  sim.save(state);
  const auto x = state.get<Vec3>("column position"), v = state.get<Vec3>("column velocity");
  const auto phase = state.get<std::uint32_t>("column phase");
  const bool own = state.has("column mass");
  const auto masses = own ? state.get<float>("column mass") : std::vector<float>{};
  Totals sum;
  sum.count = x.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double mass = own ? double{masses[i]} : sim.particle_mass(phase[i]);
    sum.mass += mass;
    sum.flow += mass * double{length(v[i])};
    sum.momentum += to_double(v[i]) * mass;
    sum.moment += to_double(x[i]) * mass;
  }
  return sum;
}

void expect_conserved(const Totals& before, const Totals& after) {
  EXPECT_NEAR(after.mass, before.mass, 1e-6 * before.mass);
  EXPECT_LT(length(after.momentum - before.momentum), 1e-6 * before.flow);
  EXPECT_LT(length(after.moment - before.moment), 1e-6 * before.mass);
}

// Every tenth particle of the first material.
std::vector<std::uint32_t> some_ids(const ParticleFrame& frame) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < frame.size() && frame.phase()[i] == 0; i += 10)
    ids.push_back(frame.id()[i]);
  return ids;
}

// Particles with consecutive ids are neighbours in their initial lattice.
std::vector<MergeRequest> some_pairs(const std::vector<std::uint32_t>& ids) {
  std::vector<MergeRequest> pairs;
  for (const std::uint32_t id : ids) pairs.push_back({id + 2, id + 1});
  return pairs;
}

void expect_unique_ids(const ParticleFrame& frame) {
  EXPECT_EQ(std::set<std::uint32_t>(frame.id().begin(), frame.id().end()).size(), frame.size());
}

TEST_P(Resample, MethodsWithoutMassesRefuse) {
  if (has_masses()) GTEST_SKIP() << "has masses";
  const auto sim = start(block_scene(method()));
  expect_contains(error_message(ErrorKind::usage,
                                [&] {
                                  sim->split({0u}, {0.01f, 0, 0});
                                }),
                  "masses");
  expect_contains(error_message(ErrorKind::usage, [&] { sim->merge({{0, 1}}); }), "masses");
}

TEST_P(Resample, SplittingConservesMassAndMomentum) {
  if (!has_masses()) GTEST_SKIP() << "has no masses";
  const auto sim = start(block_scene(method()));
  sim->advance_to(frame_time);
  const auto ids = some_ids(sim->snapshot());
  const Totals before = totals(*sim);
  const ColumnView stale = sim->view("position");
  sim->split(ids, {0.01f, 0.005f, 0}, 3);
  EXPECT_TRUE(stale.stale());
  expect_conserved(before, totals(*sim));
  EXPECT_EQ(sim->size(), before.count + 2 * ids.size());
  EXPECT_EQ(sim->emitted(), 2 * ids.size());
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.size(), sim->size());
  expect_unique_ids(frame);
  const float whole = static_cast<float>(sim->particle_mass(0));
  const auto& mass = frame.scalars("mass");
  const std::set<std::uint32_t> split(ids.begin(), ids.end());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const bool child = frame.id()[i] >= before.count || split.contains(frame.id()[i]);
    EXPECT_FLOAT_EQ(mass[i], child ? whole / 3 : whole);
  }
  sim->advance_to(2 * frame_time);
  EXPECT_TRUE(all_finite(sim->snapshot()));
  EXPECT_EQ(sim->size(), frame.size());
  EXPECT_NEAR(totals(*sim).mass, before.mass, 1e-6 * before.mass);
}

TEST_P(Resample, MergingConservesMassAndMomentum) {
  if (!has_masses()) GTEST_SKIP() << "has no masses";
  const auto sim = start(block_scene(method()));
  sim->advance_to(frame_time);
  const auto ids = some_ids(sim->snapshot());
  const Totals before = totals(*sim);
  sim->merge(some_pairs(ids));
  expect_conserved(before, totals(*sim));
  EXPECT_EQ(sim->size(), before.count - ids.size());
  EXPECT_EQ(sim->removed(), ids.size());
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.size(), sim->size());
  const auto places = by_id(frame);
  const float whole = static_cast<float>(sim->particle_mass(0));
  for (const std::uint32_t id : ids) {
    ASSERT_TRUE(places.contains(id + 1));
    EXPECT_FALSE(places.contains(id + 2));
    EXPECT_EQ(frame.scalars("mass")[places.at(id + 1)], 2 * whole);
  }
  sim->advance_to(2 * frame_time);
  EXPECT_TRUE(all_finite(sim->snapshot()));
  EXPECT_EQ(sim->size(), frame.size());
  EXPECT_NEAR(totals(*sim).mass, before.mass, 1e-6 * before.mass);
}

TEST_P(Resample, RunsAreReproducibleAndResumeBitForBit) {
  if (!has_masses()) GTEST_SKIP() << "has no masses";
  if (!on_cpu()) GTEST_SKIP() << "of the CPU";
  const Scene scene = busy_scene(method());
  const auto whole = start(scene), other = start(scene, 3), resumed = start(scene, 2);
  for (Simulation* sim : {whole.get(), other.get()}) {
    sim->advance_to(frame_time);
    const auto ids = some_ids(sim->snapshot());
    sim->split(ids, {0, 0.01f, 0});
    sim->merge(some_pairs(ids));
    sim->advance_to(2 * frame_time);
  }
  State state;
  whole->save(state);
  resumed->restore(state);
  EXPECT_EQ(resumed->size(), whole->size());
  for (Simulation* sim : {whole.get(), other.get(), resumed.get()}) sim->advance_to(4 * frame_time);
  EXPECT_EQ(resumed->emitted(), whole->emitted());
  EXPECT_EQ(resumed->removed(), whole->removed());
  expect_unique_ids(whole->snapshot());
  expect_same_frames(all_frames(*resumed), all_frames(*whole));
  expect_same_frames(all_frames(*other), all_frames(*whole));
}

TEST_P(Resample, BadRequestsAreRefusedAndChangeNothing) {
  if (!has_masses()) GTEST_SKIP() << "has no masses";
  const Scene scene = busy_scene(method());
  const auto sim = start(scene), undisturbed = start(scene);
  const auto held = static_cast<std::uint32_t>(sim->size());  // the first from the emitter
  Fluid drop;
  drop.shape = Shape::box({0.1f, 0.6f, 0.1f}, {0.2f, 0.7f, 0.2f});
  for (Simulation* s : {sim.get(), undisturbed.get()}) {
    s->advance_to(0.25 * frame_time);
    s->add({drop});
  }
  const ParticleFrame frame = sim->snapshot();
  const std::uint32_t added = frame.id().back();  // of another object
  const auto oil = std::find(frame.phase().begin(), frame.phase().end(), 1u);
  const std::uint32_t other = frame.id()[static_cast<std::size_t>(oil - frame.phase().begin())];
  const Vec3 aside{0.01f, 0, 0};
  const auto refused = [&](const std::function<void()>& action, const std::string& reason) {
    expect_contains(error_message(ErrorKind::usage, action), reason);
  };
  refused([&] { sim->split({added + 1}, aside); }, "there is no particle with this id");
  refused([&] { sim->split({1, 1}, aside); }, "it is named twice");
  refused([&] { sim->split({held}, aside); }, "its emitter still moves it");
  refused([&] { sim->split({1u}, aside, 1); }, "2 to 64 children");
  refused([&] { sim->split({1u}, Vec3{}); }, "must be finite and not zero");
  refused([&] { sim->merge({{1, added + 1}}); }, "there is no particle with this id");
  refused([&] { sim->merge({{1, 1}}); }, "it is named twice");
  refused([&] { sim->merge({{1, 2}, {3, 2}}); }, "it is named twice");
  refused([&] { sim->merge({{1, other}}); }, "is of another material");
  refused([&] { sim->merge({{1, added}}); }, "belongs to another object");
  for (Simulation* s : {sim.get(), undisturbed.get()}) s->advance_to(2 * frame_time);
  expect_same_frames(all_frames(*sim), all_frames(*undisturbed));
}

INSTANTIATE_TEST_SUITE_P(Methods, Resample, ::testing::ValuesIn(conformance_cases()),
                         [](const auto& info) {
                           return info.param.method + "_" + info.param.device;
                         });

}  // namespace
}  // namespace panta
