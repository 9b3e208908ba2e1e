// Particles that split and merge: every column type and rule, conservation, room.
#include "panta/resample/resampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "support.h"

namespace panta::test {
namespace {

using Words = std::vector<std::uint32_t>;

// Particles with a column of each type and rule.
class Resampled {
 public:
  explicit Resampled(std::size_t n, const D& exec = executor()) : exec_(exec) {
    const auto x = random_points(n, {0, 0, 0}, {1, 1, 1}, 1);
    const auto v = random_points(n, {-1, -1, -1}, {1, 1, 1}, 2);
    Random random(3);
    Words phases(n);
    for (std::uint32_t& phase : phases) phase = static_cast<std::uint32_t>(random.bits() % 3);
    columns.add(x, v, phases);
    count = {.occupied = static_cast<std::uint32_t>(n), .next_id = static_cast<std::uint32_t>(n)};
    for (const int handle : {mass, radius, added, packed, symmetric, fresh}) {
      std::vector<float> values(n);
      for (float& value : values) value = random.uniform(0.5f, 2);
      for (int k = 0; k < component_count(columns.info(handle).type); ++k)
        columns.upload_scalars(handle, values, k);
    }
    columns.upload_vectors(heavier, with_w(random_points(n, {0, 0, 0}, {1, 1, 1}, 4)));
    for (const int handle : {counted, averaged}) {
      Words values(n);
      for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.bits() % 1000);
      columns.upload_words(handle, values);
    }
    set_slots(static_cast<Index>(n));
  }

  void set_slots(Index slots) {
    columns.set_slots(slots);
    count.slots = static_cast<std::uint32_t>(slots);
    population.set(count);
  }
  void split(const Words& children, const std::vector<Vec3>& offset) {
    const Buffer<D, std::uint32_t> numbers(children);
    const Buffer<D, Vec3> places(offset);
    resampler_.split(exec_, set(), numbers.data(), places.data());
    finish();
  }
  void merge(const Words& partner) {
    const Buffer<D, std::uint32_t> numbers(partner);
    resampler_.merge(exec_, set(), numbers.data());
    finish();
  }
  // Marks the particle in that slot as removed.
  void remove(std::size_t slot) {
    auto x = positions();
    x[slot].w = removed_mark;
    columns.upload_vectors(columns.position_handle(), x);
    ++count.gone;
    population.set(count);
  }

  std::vector<Vec4> positions() { return columns.download_vectors(columns.position_handle()); }
  std::vector<Vec4> velocities() { return columns.download_vectors(columns.velocity_handle()); }
  Words ids() { return columns.download_words(columns.id_handle()); }
  std::vector<float> floats(int handle) { return columns.download_scalars(handle); }
  bool present(std::size_t slot) { return slot < count.occupied && positions()[slot].w == 0; }

  Particles<D> columns;
  int mass = columns.declare({.name = "mass", .merge = Merge::sum});
  int radius = columns.declare({.name = "radius", .merge = Merge::volume});
  int added = columns.declare({.name = "heat", .merge = Merge::sum});
  int packed = columns.declare({.name = "packed", .packed_in = "velocity"});
  int symmetric = columns.declare({.name = "strain", .type = ColumnType::symmetric});
  int fresh = columns.declare({.name = "age", .initial = {-3}, .merge = Merge::none});
  int heavier = columns.declare(
      {.name = "start", .type = ColumnType::vector, .sorted = false, .merge = Merge::heavier});
  int counted = columns.declare({.name = "count", .type = ColumnType::word, .merge = Merge::sum});
  int averaged = columns.declare({.name = "level", .type = ColumnType::word});
  Population count;
  DeviceValue<D, Population> population;
  DeviceValue<D, StepState> state;
  Space space;

 private:
  ResampledSet<D> set() {
    return {.columns = columns,
            .population = population.data(),
            .mass = mass,
            .active = static_cast<Index>(count.occupied),
            .space = space,
            .gate = {state.data()},
            .slots = {state.data(), 0}};
  }
  void finish() {
    exec_.synchronize();
    count = population.get();
  }

  D exec_;
  Resampler<D> resampler_;
};

// Sums over all particles.
struct Totals {
  double mass = 0, heat = 0, volume = 0;
  Vec3d momentum, moment;  // m v, m x
  std::uint64_t count = 0;
};

Totals totals(Resampled& world) {
  Totals sum;
  const auto x = world.positions(), v = world.velocities();
  const auto mass = world.floats(world.mass), heat = world.floats(world.added);
  const auto radius = world.floats(world.radius);
  const auto counted = world.columns.download_words(world.counted);
  for (std::size_t i = 0; i < world.count.occupied; ++i) {
    if (x[i].w != 0) continue;
    sum.mass += mass[i];
    sum.heat += heat[i];
    sum.volume += std::pow(double{radius[i]}, world.space.dimensions);
    sum.momentum += to_double(v[i].xyz()) * mass[i];
    sum.moment += to_double(x[i].xyz()) * mass[i];
    sum.count += counted[i];
  }
  return sum;
}

void expect_conserved(const Totals& before, const Totals& after) {
  const double rounding = 1e-6 * before.mass;
  EXPECT_NEAR(after.mass, before.mass, rounding);
  EXPECT_NEAR(after.heat, before.heat, 1e-6 * before.heat);
  EXPECT_NEAR(after.volume, before.volume, 1e-6 * before.volume);
  EXPECT_LT(length(after.momentum - before.momentum), rounding);
  EXPECT_LT(length(after.moment - before.moment), rounding);
  EXPECT_EQ(after.count, before.count);
}

Words each_alone(std::size_t n) {
  Words partner(n);
  std::iota(partner.begin(), partner.end(), 0u);
  return partner;
}

// Slots 0 and n-1, 1 and n-2, ... where `pairs` is true.
Words partners(std::size_t n, bool (*pairs)(std::size_t)) {
  Words partner = each_alone(n);
  for (std::size_t i = 0; i < n / 2; ++i)
    if (pairs(i)) std::swap(partner[i], partner[n - 1 - i]);
  return partner;
}

TEST(Merge, EveryRuleOfEveryTypeOfColumn) {
  Resampled world(4);
  world.columns.upload_scalars(world.mass, {1, 2, 3, 1});
  world.columns.upload_scalars(world.radius, {1, 2, 3, 1});
  world.columns.upload_words(world.counted, {10, 20, 30, 40});
  world.columns.upload_words(world.averaged, {10, 20, 31, 40});
  const auto x = world.positions(), v = world.velocities();
  const auto start = world.columns.download_vectors(world.heavier);
  const auto heat = world.floats(world.added), packed = world.floats(world.packed);
  const auto strain = world.columns.download_scalars(world.symmetric, 5);
  world.merge({2, 1, 0, 3});
  EXPECT_FALSE(world.present(2));
  EXPECT_TRUE(world.present(0) && world.present(1) && world.present(3));
  EXPECT_EQ(world.count.gone, 1u);
  const auto mean = [](double a, double b) { return static_cast<float>((a + 3 * b) / 4); };
  EXPECT_EQ(world.floats(world.mass)[0], 4);
  EXPECT_FLOAT_EQ(world.floats(world.radius)[0], std::cbrt(28.0f));
  EXPECT_EQ(world.floats(world.added)[0], heat[0] + heat[2]);
  EXPECT_FLOAT_EQ(world.floats(world.packed)[0], mean(packed[0], packed[2]));
  EXPECT_FLOAT_EQ(world.columns.download_scalars(world.symmetric, 5)[0],
                  mean(strain[0], strain[2]));
  EXPECT_EQ(world.floats(world.fresh)[0], -3);
  EXPECT_EQ(world.columns.download_vectors(world.heavier)[0].xyz(), start[2].xyz());
  EXPECT_EQ(world.columns.download_words(world.counted)[0], 40u);
  EXPECT_EQ(world.columns.download_words(world.averaged)[0], 26u);  // (10 + 3 * 31) / 4 = 25.75
  EXPECT_EQ(world.ids(), (Words{2, 1, 2, 3}));
  EXPECT_FLOAT_EQ(world.positions()[0].x, mean(x[0].x, x[2].x));
  EXPECT_FLOAT_EQ(world.velocities()[0].z, mean(v[0].z, v[2].z));
}

TEST(Merge, EqualParticlesKeepTheSmallerId) {
  Resampled world(4);
  world.columns.upload_scalars(world.mass, {2, 2, 2, 2});
  world.columns.upload_words(world.columns.id_handle(), {3, 2, 1, 0});
  world.merge({1, 0, 3, 2});
  const Words ids = world.ids();
  EXPECT_EQ(ids[0], 2u);
  EXPECT_EQ(ids[2], 0u);
}

TEST(Merge, ConservesMassMomentumAndCentre) {
  Resampled world(2001);
  const Totals before = totals(world);
  world.merge(partners(2001, [](std::size_t i) { return i % 3 != 0; }));
  EXPECT_EQ(world.count.gone, 666u);
  expect_conserved(before, totals(world));
  EXPECT_EQ(world.count.occupied, 2001u);
}

TEST(Merge, OnlyMutualPartnersMerge) {
  Resampled world(6);
  world.remove(3);
  const Totals before = totals(world);
  // 1 names 0, which names 2; 3 is removed; 9 is not a slot.
  world.merge({2, 0, 5, 4, 3, 9});
  EXPECT_EQ(world.count.gone, 1u);
  expect_conserved(before, totals(world));
}

TEST(Merge, UsesTheNearestImageAcrossAPeriodicBorder) {
  Resampled world(2);
  world.space = {{1, 0, 0}, {0, 0, 0}, 3};
  world.columns.upload_vectors(world.columns.position_handle(),
                               {{0.05f, 0, 0, 0}, {0.85f, 0, 0, 0}});
  world.columns.upload_scalars(world.mass, {1, 1});
  world.merge({1, 0});
  EXPECT_NEAR(world.positions()[0].x, 0.95f, 1e-6f);
}

TEST(Merge, ClosedStepChangesNothing) {
  Resampled world(2);
  StepState closed;
  closed.closed = StepState::at_end;
  world.state.set(closed);
  world.merge({1, 0});
  world.split({2, 2}, std::vector<Vec3>(2, {0.1f, 0, 0}));
  EXPECT_EQ(world.count.living(), 2u);
}

TEST(Split, EveryRuleOfEveryTypeOfColumn) {
  Resampled world(3);
  world.set_slots(8);
  world.columns.upload_words(world.counted, {7, 8, 9});
  const auto x = world.positions(), v = world.velocities();
  const auto start = world.columns.download_vectors(world.heavier);
  const auto mass = world.floats(world.mass), radius = world.floats(world.radius);
  const auto strain = world.columns.download_scalars(world.symmetric, 3);
  const auto age = world.floats(world.fresh);
  const auto phase = world.columns.download_words(world.columns.phase_handle());
  const Words level = world.columns.download_words(world.averaged);
  world.split({1, 3, 0}, std::vector<Vec3>(3, {0, 0.5f, 0}));
  EXPECT_EQ(world.count.occupied, 5u);
  EXPECT_EQ(world.count.next_id, 5u);
  EXPECT_EQ(world.count.emitted, 2u);
  Words ids = world.ids(), counts = world.columns.download_words(world.counted);
  ids.resize(5), counts.resize(5);
  EXPECT_EQ(ids, (Words{0, 1, 2, 3, 4}));
  EXPECT_EQ(counts, (Words{7, 3, 9, 3, 2}));
  const std::size_t children[] = {1, 3, 4};
  for (int k = 0; k < 3; ++k) {
    const std::size_t i = children[k];
    const Vec4 place = world.positions()[i];
    EXPECT_EQ(place.xyz(), (Vec3{x[1].x, x[1].y + 0.5f * static_cast<float>(k - 1), x[1].z}));
    EXPECT_EQ(place.w, 0);
    EXPECT_EQ(world.velocities()[i].xyz(), v[1].xyz());
    EXPECT_EQ(world.velocities()[i].w, v[1].w);
    EXPECT_EQ(world.floats(world.mass)[i], mass[1] / 3);
    EXPECT_FLOAT_EQ(world.floats(world.radius)[i], radius[1] / std::cbrt(3.0f));
    EXPECT_EQ(world.columns.download_scalars(world.symmetric, 3)[i], strain[1]);
    EXPECT_EQ(world.floats(world.fresh)[i], age[1]);
    EXPECT_EQ(world.columns.download_vectors(world.heavier)[i].xyz(), start[1].xyz());
    EXPECT_EQ(world.columns.download_words(world.averaged)[i], level[1]);
    EXPECT_EQ(world.columns.download_words(world.columns.phase_handle())[i], phase[1]);
  }
}

Words some_children(std::size_t n) {
  Words children(n);
  for (std::size_t i = 0; i < n; ++i) children[i] = static_cast<std::uint32_t>(i % 5);
  return children;
}

TEST(Split, ConservesMassMomentumAndCentre) {
  for (const int dimensions : {2, 3}) {
    Resampled world(2000);
    world.space.dimensions = dimensions;
    world.set_slots(4400);
    world.remove(7);
    const Totals before = totals(world);
    world.split(some_children(2000),
                random_points(2000, {-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}));
    EXPECT_EQ(world.count.occupied, 2000u + 400u * (1 + 2 + 3) - 1);
    expect_conserved(before, totals(world));
    Words ids = world.ids();
    ids.resize(world.count.occupied);
    EXPECT_EQ(std::set<std::uint32_t>(ids.begin(), ids.end()).size(), ids.size());
    EXPECT_EQ(*std::max_element(ids.begin(), ids.end()), world.count.next_id - 1);
  }
}

TEST(Split, RequestsRoomAndChangesNothingWithoutIt) {
  Resampled world(10);
  world.set_slots(14);
  const auto x = world.positions();
  const Words children = {3, 1, 1, 1, 1, 1, 1, 1, 1, 4};
  const std::vector<Vec3> offset(10, {0.1f, 0, 0});
  world.split(children, offset);
  EXPECT_EQ(world.count.occupied, 10u);
  EXPECT_EQ(world.count.next_id, 10u);
  EXPECT_EQ(world.positions()[0].xyz(), x[0].xyz());
  StepState state = world.state.get();
  EXPECT_EQ(state.needed[0], 15u);
  EXPECT_TRUE(state.closed & StepState::lacks_room(0));
  state.closed = state.needed[0] = 0;
  world.state.set(state);
  world.set_slots(15);
  world.split(children, offset);
  EXPECT_EQ(world.count.occupied, 15u);
  EXPECT_EQ(world.state.get().closed, 0u);
}

TEST(Split, MergedChildrenEqualTheirParent) {
  Resampled world(600);
  world.set_slots(1200);
  const auto x = world.positions(), v = world.velocities();
  const auto mass = world.floats(world.mass), radius = world.floats(world.radius);
  world.split(Words(600, 2), std::vector<Vec3>(600, {0.01f, 0.02f, 0}));
  Words partner(1200);
  for (std::uint32_t i = 0; i < 600; ++i) partner[i] = i + 600, partner[i + 600] = i;
  world.merge(partner);
  EXPECT_EQ(world.count.gone, 600u);
  const auto x_after = world.positions(), v_after = world.velocities();
  const auto mass_after = world.floats(world.mass), radius_after = world.floats(world.radius);
  const Words ids = world.ids();
  for (std::size_t i = 0; i < 600; ++i) {
    EXPECT_LT(length(x_after[i].xyz() - x[i].xyz()), 1e-6f);
    EXPECT_EQ(v_after[i].xyz(), v[i].xyz());
    EXPECT_EQ(mass_after[i], mass[i]);
    EXPECT_NEAR(radius_after[i], radius[i], 1e-6f);
    EXPECT_EQ(ids[i], i);
  }
}

TEST(Split, SameBitsForAnyNumberOfThreads) {
  constexpr std::size_t n = 3000;
  std::vector<std::string> results;
  for (const D& exec : executors()) {
    Resampled world(n, exec);
    world.set_slots(8000);
    world.split(some_children(n), random_points(n, {-1, -1, -1}, {1, 1, 1}));
    const std::size_t occupied = world.count.occupied;
    world.merge(partners(occupied, [](std::size_t i) { return i % 7 != 0; }));
    std::string bytes;
    std::vector<std::size_t> kept(occupied);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    State state;
    world.columns.save(state, kept);
    for (const StateArray& array : state.arrays())
      bytes.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    results.push_back(bytes);
  }
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

}  // namespace
}  // namespace panta::test
