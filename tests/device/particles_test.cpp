// Particles: declared columns, adding, removing and reordering, ids.
#include "panta/particles/particles.h"

#include <numeric>

#include "support.h"

namespace panta::test {
namespace {

using Ids = std::vector<std::uint32_t>;

// Particles with one extra column of each type, with values that depend on the id.
struct Sample {
  Particles<D> particles;
  int force = particles.declare({.name = "force", .type = ColumnType::vector});
  int heat = particles.declare({.name = "heat", .type = ColumnType::scalar});
  int mark = particles.declare({.name = "mark", .type = ColumnType::word});

  explicit Sample(std::size_t n) { add(n); }
  void add(std::size_t n);
  void expect_ids(const Ids& expected);
};

PANTA_HD Vec4 force_of(std::uint32_t id) {
  const float a = static_cast<float>(id);
  return {a, 2 * a, 3 * a, 4 * a};
}
PANTA_HD float heat_of(std::uint32_t id) { return 0.5f * static_cast<float>(id); }
PANTA_HD std::uint32_t mark_of(std::uint32_t id) { return id * 7 + 1; }
Vec3 position_of(std::uint32_t id) { return {static_cast<float>(id), 0.25f, -1}; }
Vec3 velocity_of(std::uint32_t id) { return {1, static_cast<float>(id), 0.5f}; }
std::uint32_t phase_of(std::uint32_t id) { return id % 3; }

struct SetColumns {
  const std::uint32_t* id;
  Field4View<D> force;
  float* heat;
  std::uint32_t* mark;
  PANTA_HD void operator()(Index i) const {
    force.set(i, force_of(id[i]));
    heat[i] = heat_of(id[i]);
    mark[i] = mark_of(id[i]);
  }
};

std::uint32_t next_id(Particles<D>& particles, std::uint32_t after) {
  for (const std::uint32_t id : particles.download_words(particles.id_handle()))
    after = std::max(after, id + 1);
  return after;
}

void Sample::add(std::size_t n) {
  const std::uint32_t first = next_id(particles, 0);
  std::vector<Vec3> x(n), v(n);
  Ids phases(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t id = first + static_cast<std::uint32_t>(k);
    x[k] = position_of(id), v[k] = velocity_of(id), phases[k] = phase_of(id);
  }
  particles.add(x, v, phases);
  launch(executor(), particles.size(),
         SetColumns{particles.id(), particles.vector(force), particles.scalars(heat),
                    particles.words(mark)});
  executor().synchronize();
}

void Sample::expect_ids(const Ids& expected) {
  ASSERT_EQ(particles.size(), static_cast<Index>(expected.size()));
  ASSERT_EQ(particles.download_words(particles.id_handle()), expected);
  const auto x = particles.download_vectors(particles.position_handle());
  const auto v = particles.download_vectors(particles.velocity_handle());
  const auto forces = particles.download_vectors(force);
  const auto phases = particles.download_words(particles.phase_handle());
  const auto heats = particles.download_words(heat), marks = particles.download_words(mark);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint32_t id = expected[i];
    ASSERT_EQ(x[i].xyz(), position_of(id)) << i;
    ASSERT_EQ(v[i].xyz(), velocity_of(id)) << i;
    ASSERT_EQ(forces[i].xyz(), force_of(id).xyz()) << i;
    ASSERT_EQ(forces[i].w, force_of(id).w) << i;
    ASSERT_EQ(phases[i], phase_of(id)) << i;
    ASSERT_EQ(from_ordered_bits(heats[i]), heat_of(id)) << i;
    ASSERT_EQ(marks[i], mark_of(id)) << i;
  }
}

Ids first_ids(std::uint32_t n) {
  Ids ids(n);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

std::string usage_error(Particles<D>& particles, const std::string& name, ColumnType type) {
  try {
    particles.declare({.name = name, .type = type});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Particles, DeclaringTwiceGivesTheSameHandle) {
  Particles<D> particles;
  const int heat = particles.declare({.name = "heat", .type = ColumnType::scalar});
  EXPECT_EQ(particles.declare({.name = "heat", .type = ColumnType::scalar}), heat);
  EXPECT_EQ(particles.find("heat"), heat);
  EXPECT_EQ(particles.find("position"), particles.position_handle());
  EXPECT_EQ(particles.find("colour"), -1);
}

TEST(Particles, DeclaringWithAnotherTypeIsAnError) {
  Particles<D> particles;
  particles.declare({.name = "heat", .type = ColumnType::scalar});
  EXPECT_NE(usage_error(particles, "heat", ColumnType::vector).find("'heat'"), std::string::npos);
  EXPECT_NE(usage_error(particles, "heat", ColumnType::word).find("'heat'"), std::string::npos);
}

TEST(Particles, MissingColumnsStartAtZero) {
  Sample sample(600);
  const int late = sample.particles.declare({.name = "late", .type = ColumnType::word});
  EXPECT_EQ(sample.particles.download_words(late), Ids(600, 0));
  Buffer<D, std::uint32_t> keep_none(600);
  sample.particles.remove(executor(), keep_none.data());
  sample.particles.add(std::vector<Vec3>(50), std::vector<Vec3>(50), Ids(50));
  EXPECT_EQ(sample.particles.download_words(sample.mark), Ids(50, 0));
  for (const Vec4& force : sample.particles.download_vectors(sample.force))
    EXPECT_EQ(force.xyz(), Vec3{});
}

TEST(Particles, AddingKeepsTheOthers) {
  Sample sample(0);
  sample.expect_ids({});
  sample.add(1);
  sample.add(0);
  sample.add(1999);
  sample.add(3000);
  sample.expect_ids(first_ids(5000));
}

struct RemovalCase {
  const char* name;
  std::size_t n;
  bool (*keep)(std::uint32_t id);
};

class ParticleRemoval : public testing::TestWithParam<RemovalCase> {};

TEST_P(ParticleRemoval, KeepsOrderAndEveryColumn) {
  for (const D& exec : executors()) {
    Sample sample(GetParam().n);
    Ids flags, expected;
    for (const std::uint32_t id : first_ids(static_cast<std::uint32_t>(GetParam().n))) {
      flags.push_back(GetParam().keep(id));
      if (flags.back()) expected.push_back(id);
    }
    Buffer<D, std::uint32_t> keep(flags);
    sample.particles.remove(exec, keep.data());
    exec.synchronize();
    sample.expect_ids(expected);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, ParticleRemoval,
    testing::Values(RemovalCase{"None", 2000, [](std::uint32_t) { return true; }},
                    RemovalCase{"All", 2000, [](std::uint32_t) { return false; }},
                    RemovalCase{"EveryThird", 2000, [](std::uint32_t id) { return id % 3 != 0; }},
                    RemovalCase{"AllButTheLast", 777, [](std::uint32_t id) { return id == 776; }},
                    RemovalCase{"OutOfNone", 0, [](std::uint32_t) { return true; }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Particles, IdsAreNeverReused) {
  Sample sample(100);
  Ids flags(100, 1);
  flags[99] = flags[40] = 0;
  Buffer<D, std::uint32_t> keep(flags);
  sample.particles.remove(executor(), keep.data());
  sample.particles.add(std::vector<Vec3>(2), std::vector<Vec3>(2), Ids(2));
  const Ids ids = sample.particles.download_words(sample.particles.id_handle());
  EXPECT_EQ(ids[98], 100u);
  EXPECT_EQ(ids[99], 101u);
}

TEST(Particles, ReorderingMovesEveryColumn) {
  for (const D& exec : executors()) {
    Sample sample(3000);
    Ids expected = first_ids(3000);
    Random random(9);
    for (int round = 0; round < 3; ++round) {
      Ids order = first_ids(3000);
      for (std::size_t k = order.size(); k > 1; --k)
        std::swap(order[k - 1], order[random.bits() % k]);
      Ids next;
      for (const std::uint32_t place : order) next.push_back(expected[place]);
      expected = next;
      Buffer<D, std::uint32_t> device_order(order);
      sample.particles.reorder(exec, device_order.data());
      exec.synchronize();
      sample.expect_ids(expected);
    }
  }
}

}  // namespace
}  // namespace panta::test
