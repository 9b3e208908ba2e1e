// Requirements for every method on every device: reproducible results, exact counts, saving and
// restoring, changes of a running scene, limiting cases.
#include "conformance_fixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "file_test_fixture.h"
#include "panta/core/random.h"
#include "panta/sources/pattern.h"

namespace panta {
namespace {

constexpr double frame_time = 0.04;  // s

TEST_P(Conformance, ResultsAreReproducible) {
  const Scene scene = busy_scene(method());
  Frames first;
  for (const int threads : {1, 2, 3}) {  // on a GPU: three runs
    const auto sim = start(scene, threads);
    sim->advance_to(frame_time);
    sim->advance_to(3 * frame_time);
    const Frames frames = all_frames(*sim);
    EXPECT_TRUE(all_finite(frames[0]));
    if (threads == 1)
      first = frames;
    else
      expect_same_frames(frames, first);
  }
}

TEST_P(Conformance, ReadingChangesNothing) {
  const Scene scene = busy_scene(method());
  const auto watched = start(scene), alone = start(scene);
  for (int frame = 1; frame <= 3; ++frame) {
    watched->advance_to(frame * frame_time);
    alone->advance_to(frame * frame_time);
    all_frames(*watched);
    watched->mean_neighbors();
    State unused;
    watched->save(unused);
  }
  expect_same_frames(all_frames(*watched), all_frames(*alone));
}

TEST_P(Conformance, RestoredRunContinuesBitForBit) {
  if (!on_cpu()) GTEST_SKIP() << "of the CPU";
  const Scene scene = busy_scene(method());
  const auto whole = start(scene), resumed = start(scene, 2);
  whole->advance_to(2 * frame_time);
  State state;
  whole->save(state);
  resumed->restore(state);
  EXPECT_EQ(resumed->time(), whole->time());
  EXPECT_EQ(resumed->size(), whole->size());
  expect_same_frames(all_frames(*resumed), all_frames(*whole));
  for (Simulation* sim : {whole.get(), resumed.get()}) {
    sim->advance_to(3 * frame_time);
    sim->advance_to(4 * frame_time);
  }
  EXPECT_EQ(resumed->steps(), whole->steps());
  EXPECT_EQ(resumed->emitted(), whole->emitted());
  EXPECT_EQ(resumed->removed(), whole->removed());
  EXPECT_GT(whole->emitted(), 0u);
  EXPECT_GT(whole->removed(), 0u);
  expect_same_frames(all_frames(*resumed), all_frames(*whole));
}

TEST_P(Conformance, KeptStatesAreRestoredBitForBit) {
  const auto sim = start(busy_scene(method()));
  sim->advance_to(2 * frame_time);
  const auto kept = sim->keep();
  const auto frames_at_end = [&] {
    sim->advance_to(3 * frame_time);
    sim->advance_to(4 * frame_time);
    return all_frames(*sim);
  };
  const std::size_t size = sim->size();
  const Frames first = frames_at_end();
  const std::uint64_t steps = sim->steps(), emitted = sim->emitted(), removed = sim->removed();
  EXPECT_GT(removed, 0u);
  for (int run = 0; run < 2; ++run) {
    sim->restore(*kept);
    EXPECT_EQ(sim->time(), 2 * frame_time);
    EXPECT_EQ(sim->size(), size);
    expect_same_frames(frames_at_end(), first);
    EXPECT_EQ(sim->steps(), steps);
    EXPECT_EQ(sim->emitted(), emitted);
    EXPECT_EQ(sim->removed(), removed);
  }
}

// Into the simulation that saved it, which has moved on in the meantime.
TEST_P(Conformance, SavedStatesAreRestoredRepeatedly) {
  if (!on_cpu()) GTEST_SKIP() << "of the CPU";
  const auto sim = start(busy_scene(method()));
  sim->advance_to(2 * frame_time);
  State state;
  sim->save(state);
  const Frames at_save = all_frames(*sim);
  sim->advance_to(3 * frame_time);
  const Frames first = all_frames(*sim);
  const std::uint64_t steps = sim->steps();
  for (int run = 0; run < 2; ++run) {
    sim->restore(state);
    EXPECT_EQ(sim->time(), 2 * frame_time);
    expect_same_frames(all_frames(*sim), at_save);
    sim->advance_to(3 * frame_time);
    EXPECT_EQ(sim->steps(), steps);
    expect_same_frames(all_frames(*sim), first);
  }
}

TEST_P(Conformance, KeptStatesOfOtherSimulationsAreRefused) {
  const auto sim = start(busy_scene(method())), other = start(busy_scene(method()));
  const auto kept = other->keep();
  EXPECT_THROW(sim->restore(*kept), Error);
}

// Forces, fluids and objects added after the state was saved are removed by restoring it.
TEST_P(Conformance, RestoringRemovesLaterAdditions) {
  const auto sim = start(busy_scene(method()));
  sim->advance_to(frame_time);
  State saved;
  sim->save(saved);
  const auto kept = sim->keep();
  const ParticleFrame before = sim->snapshot();
  const auto expect_restored = [&] {
    const ParticleFrame after = sim->snapshot();
    ASSERT_EQ(after.size(), before.size());
    EXPECT_EQ(after.id(), before.id());
    EXPECT_EQ(after.position(), before.position());
    sim->advance_to(2 * frame_time);
    EXPECT_TRUE(all_finite(sim->snapshot()));
  };
  const auto disturb = [&] {
    sim->add({{.shape = Shape::box({0.2f, 0.4f, 0.2f}, {0.3f, 0.45f, 0.3f})}});
    sim->set_forces(std::vector<Vec3>(sim->size(), Vec3{0.01f, 0, 0}));
    sim->advance_to(2 * frame_time);
  };
  disturb();
  sim->restore(saved);
  expect_restored();
  sim->restore(*kept);
  disturb();
  sim->restore(*kept);
  expect_restored();
}

// Values of the saved columns by id, so that the order of particles does not matter.
std::map<std::string, std::map<std::uint32_t, std::string>> columns_by_id(const State& state) {
  std::map<std::string, std::map<std::uint32_t, std::string>> columns;
  for (const StateArray& array : state.arrays()) {
    const std::size_t at = array.name.find("column ");
    if (at == std::string::npos) continue;
    const auto ids = state.get<std::uint32_t>(array.name.substr(0, at) + "column id");
    EXPECT_EQ(array.count(), ids.size()) << array.name;
    const char* bytes = reinterpret_cast<const char*>(array.bytes.data());
    for (std::size_t i = 0; i < ids.size(); ++i)
      columns[array.name][ids[i]] = std::string(bytes + i * array.element_size, array.element_size);
  }
  return columns;
}

TEST_P(Conformance, EveryColumnSurvivesSortingAndSaving) {
  const Scene scene = busy_scene(method());
  const auto sim = start(scene);
  sim->advance_to(2 * frame_time);
  State before, sorted, restored;
  sim->save(before);
  sim->snapshot();  // sorts
  sim->save(sorted);
  const auto other = start(scene);
  other->restore(before);
  other->save(restored);
  const auto columns = columns_by_id(before);
  EXPECT_GE(columns.size(), 4u);
  EXPECT_EQ(columns_by_id(sorted), columns);
  EXPECT_EQ(columns_by_id(restored), columns);
  ASSERT_EQ(before.arrays().size(), restored.arrays().size());
  for (std::size_t k = 0; k < before.arrays().size(); ++k)
    EXPECT_EQ(restored.arrays()[k].name, before.arrays()[k].name);
}

// The mass of all particles, exactly: particles of a material all have the same mass.
double mass_of(const Simulation& sim, const ParticleFrame& frame) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t phase : frame.phase()) ++counts[phase];
  double mass = 0;
  for (const auto& [phase, count] : counts) mass += double(count) * sim.particle_mass(phase);
  return mass;
}

TEST_P(Conformance, SourcesAndSinksAreCountedExactly) {
  const Scene scene = busy_scene(method());
  const Emitter& tap = scene.emitters[0];
  const auto sim = start(scene);
  const std::size_t initial = sim->size();
  ParticleFrame before = sim->snapshot();
  std::uint32_t next_id = static_cast<std::uint32_t>(initial);
  for (int frame = 1; frame <= 5; ++frame) {
    const std::uint64_t emitted = sim->emitted(), removed = sim->removed();
    sim->advance_to(frame * frame_time);
    const ParticleFrame now = sim->snapshot();
    const std::uint64_t come = sim->emitted() - emitted, gone = sim->removed() - removed;
    ASSERT_EQ(now.size(), before.size() + come - gone);
    ASSERT_EQ(now.size(), sim->size());
    const auto places = by_id(now);
    ASSERT_EQ(places.size(), now.size()) << "ids are unique";
    std::size_t missing = 0;
    for (const std::uint32_t id : before.id()) missing += places.contains(id) ? 0 : 1;
    EXPECT_LE(missing, gone);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now.id()[i] < next_id) continue;
      EXPECT_EQ(now.phase()[i], static_cast<std::uint32_t>(tap.material));
      const bool held = dot(now.position()[i] - tap.at, tap.direction) < 0;
      const Vec3 wrong = now.velocity()[i] - tap.direction * tap.speed;
      EXPECT_LT(held ? length(wrong) : 0, 1e-5f * tap.speed);  // some compute it from positions
    }
    next_id += static_cast<std::uint32_t>(come);
    EXPECT_LT(now.id().back(), next_id);
    before = now;
  }
  EXPECT_GT(sim->emitted(), 0u);
  EXPECT_GT(sim->removed(), 0u);
}

// Particles that are in both frames have the same position and velocity.
void expect_untouched(const ParticleFrame& before, const ParticleFrame& after) {
  const auto places = by_id(after);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto at = places.find(before.id()[i]);
    if (at == places.end()) continue;
    EXPECT_EQ(after.position()[at->second], before.position()[i]) << before.id()[i];
    EXPECT_EQ(after.velocity()[at->second], before.velocity()[i]) << before.id()[i];
    EXPECT_EQ(after.phase()[at->second], before.phase()[i]);
  }
}

TEST_P(Conformance, ClearRemovesExactlyTheParticlesInside) {
  const auto sim = start(block_scene(method()));
  sim->advance_to(frame_time);
  const ParticleFrame before = sim->snapshot();
  const Shape region = Shape::sphere({0.15f, 0.2f, 0.25f}, 0.12f);
  sim->clear(region);
  const ParticleFrame after = sim->snapshot();
  std::size_t inside = 0;
  for (const Vec3& x : before.position()) inside += distance(region, x).value < 0 ? 1 : 0;
  EXPECT_GT(inside, 10u);
  EXPECT_EQ(after.size(), before.size() - inside);
  EXPECT_EQ(sim->removed(), inside);
  for (const Vec3& x : after.position()) EXPECT_GE(distance(region, x).value, 0);
  expect_untouched(before, after);
  EXPECT_EQ(mass_of(*sim, after), mass_of(*sim, before) - double(inside) * sim->particle_mass(0));
  sim->advance_to(2 * frame_time);
  EXPECT_EQ(sim->snapshot().size(), after.size());
}

TEST_P(Conformance, AddedParticlesAreCountedAndOthersUnchanged) {
  const auto sim = start(block_scene(method()));
  sim->advance_to(frame_time);
  const ParticleFrame before = sim->snapshot();
  Fluid drop;
  drop.shape = Shape::box({0.4f, 0.5f, 0.1f}, {0.5f, 0.7f, 0.3f});
  drop.velocity = {0, -1, 0};
  sim->add({drop});
  const ParticleFrame after = sim->snapshot();
  const std::size_t added = after.size() - before.size();
  EXPECT_EQ(added, 2u * 4u * 4u);
  EXPECT_EQ(sim->size(), after.size());
  EXPECT_EQ(mass_of(*sim, after), mass_of(*sim, before) + double(added) * sim->particle_mass(0));
  expect_untouched(before, after);
  for (std::size_t i = before.size(); i < after.size(); ++i) {
    EXPECT_EQ(after.id()[i], i);
    EXPECT_EQ(after.velocity()[i], drop.velocity);
    EXPECT_LT(distance(drop.shape, after.position()[i]).value, 0);
  }
  sim->advance_to(2 * frame_time);
  EXPECT_TRUE(all_finite(sim->snapshot()));
}

TEST_P(Conformance, GravityAndSolverParametersCanChange) {
  Scene scene = block_scene(method());
  scene.has_domain = false;
  scene.domain = {};
  const auto sim = start(scene);
  sim->advance_to(frame_time);
  const Vec3d fallen = middle(sim->snapshot(), 0);
  Scene changed = scene;
  changed.gravity = {30, 0, 0};
  sim->change(changed);
  sim->advance_to(2 * frame_time);
  EXPECT_GT(middle(sim->snapshot(), 0).x, fallen.x + 0.4 * 30 * frame_time * frame_time);
  EXPECT_NEAR(fallen.x, 0.15, 0.01);
  changed.solver["time_step"] = 5e-4;
  sim->change(changed);
  sim->advance_to(2.5 * frame_time);
  EXPECT_LE(sim->last_dt(), 5e-4 * (1 + 1e-6));
}

TEST_P(Conformance, ForbiddenChangesAreRefusedAndChangeNothing) {
  const Scene scene = busy_scene(method());
  const auto sim = start(scene), undisturbed = start(scene);
  sim->advance_to(frame_time);
  undisturbed->advance_to(frame_time);
  const std::vector<std::function<void(Scene&)>> changes = {
      [](Scene& s) { s.spacing *= 2; },
      [](Scene& s) { s.dimensions = 2; },
      [](Scene& s) { s.method = s.method == "sph" ? "unified" : "sph"; },
      [](Scene& s) { s.materials.push_back(s.materials[0]); },
      [](Scene& s) { s.emitters.push_back(s.emitters[0]); },
      [](Scene& s) { s.domain.periodic[2] = true; },
      [](Scene& s) { s.materials[0].density = -1; },
      [](Scene& s) { s.solver["no such parameter"] = 1.0; }};
  for (std::size_t k = 0; k < changes.size(); ++k) {
    SCOPED_TRACE(k);
    Scene changed = scene;
    changes[k](changed);
    EXPECT_NE(error_message(ErrorKind::usage, [&] { sim->change(changed); }), "");
  }
  sim->advance_to(2 * frame_time);
  undisturbed->advance_to(2 * frame_time);
  expect_same_frames(all_frames(*sim), all_frames(*undisturbed));
}

// Individual masses, between 0.5 and 1.5 times those of the materials. Solids keep theirs.
std::vector<float> uneven_masses(Simulation& sim) {
  const ParticleFrame frame = sim.snapshot();
  const std::vector<std::uint32_t>& object = frame.words("object");
  std::vector<float> masses;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const bool solid = frame.objects[object[i]].kind == ObjectKind::solid;
    const double share = solid ? 1.0 : 0.5 + double(random_uniform(7, i, 0));
    masses.push_back(static_cast<float>(share * sim.particle_mass(frame.phase()[i])));
  }
  return masses;
}

TEST_P(Conformance, PerParticleMasses) {
  const Scene scene = busy_scene(method());
  const auto first = start(scene);
  const std::vector<float> masses = uneven_masses(*first);
  if (!find_method(method()).own_masses) {
    const auto write = [&] { first->write("mass", masses); };
    EXPECT_NE(error_message(ErrorKind::usage, write).find(method()), std::string::npos);
    return;
  }
  first->write("mass", masses);
  first->advance_to(2 * frame_time);
  State state;
  first->save(state);
  first->add({{.shape = Shape::box({0.1f, 0.6f, 0.1f}, {0.2f, 0.7f, 0.2f})}});
  first->advance_to(3 * frame_time);
  const ParticleFrame frame = first->snapshot();
  ASSERT_EQ(frame.scalars("mass").size(), frame.size());
  EXPECT_TRUE(all_finite(frame));
  EXPECT_GT(frame.id().back(), masses.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const std::uint32_t id = frame.id()[i];
    const float of_material = static_cast<float>(first->particle_mass(frame.phase()[i]));
    EXPECT_EQ(frame.scalars("mass")[i], id < masses.size() ? masses[id] : of_material) << id;
  }
  if (!on_cpu()) return;
  for (const int threads : {2, 3}) {
    const auto resumed = start(scene, threads), again = start(scene, threads);
    resumed->restore(state);
    again->write("mass", masses);
    again->advance_to(2 * frame_time);
    for (Simulation* sim : {resumed.get(), again.get()}) {
      sim->add({{.shape = Shape::box({0.1f, 0.6f, 0.1f}, {0.2f, 0.7f, 0.2f})}});
      sim->advance_to(3 * frame_time);
      expect_same_frames(all_frames(*sim), all_frames(*first));
    }
  }
}

std::string case_name(const ::testing::TestParamInfo<ConformanceCase>& info) {
  return info.param.method + "_" + info.param.device;
}

INSTANTIATE_TEST_SUITE_P(Methods, Conformance, ::testing::ValuesIn(conformance_cases()), case_name);

}  // namespace
}  // namespace panta
