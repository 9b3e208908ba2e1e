// Launches, maxima, reductions, scans and atomics.
#include "panta/core/launch.h"

#include <cmath>
#include <limits>

#include "panta/core/reduce.h"
#include "panta/core/scan.h"
#include "support.h"

namespace panta::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

struct CountVisit {
  std::uint32_t* visits;
  PANTA_HD void operator()(Index i) const { visits[i] += 1; }
};

TEST(Launch, VisitsEveryIndexOnce) {
  for (const D& exec : executors())
    for (const Index n : {0, 1, 2, serial_below - 1, serial_below, 100001}) {
      Buffer<D, std::uint32_t> visits(static_cast<std::size_t>(n));
      launch(exec, n, CountVisit{visits.data()});
      launch_uneven(exec, n, 7, CountVisit{visits.data()});
      exec.synchronize();
      EXPECT_EQ(visits.download(), std::vector<std::uint32_t>(static_cast<std::size_t>(n), 2));
    }
}

struct MagnitudesOf {
  const float* values;
  PANTA_HD void operator()(Index i, float* out) const {
    out[0] = values[i];
    out[1] = 0.5f * values[i];
  }
};

struct MaximumCase {
  const char* name;
  Index n;
  float at_place, value, before, expected;
};

class LaunchMaxima : public testing::TestWithParam<MaximumCase> {};

// All values are 1 except one.
TEST_P(LaunchMaxima, FindsTheLargestMagnitude) {
  const MaximumCase c = GetParam();
  std::vector<float> values(static_cast<std::size_t>(c.n), 1.0f);
  if (c.n > 0) values[static_cast<std::size_t>(c.at_place * static_cast<float>(c.n - 1))] = c.value;
  Buffer<D, float> buffer(values);
  for (const D& exec : executors()) {
    Buffer<D, std::uint32_t> out(std::vector<std::uint32_t>(2, ordered_bits(c.before)));
    launch_maxima<2>(exec, c.n, MagnitudesOf{buffer.data()}, out.data());
    exec.synchronize();
    const auto bits = out.download();
    const float top = from_ordered_bits(bits[0]), half = from_ordered_bits(bits[1]);
    if (std::isnan(c.expected)) {
      EXPECT_TRUE(std::isnan(top) && std::isnan(half));
    } else {
      EXPECT_EQ(top, c.expected);
      EXPECT_EQ(half, std::max(c.before, c.n > 0 ? 0.5f * c.expected : 0));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, LaunchMaxima,
    testing::Values(MaximumCase{"NothingToLookAt", 0, 0, 0, 0.25f, 0.25f},
                    MaximumCase{"OneValue", 1, 0, 3, 0, 3}, MaximumCase{"Few", 100, 0.3f, 7, 0, 7},
                    MaximumCase{"NegativeCountsByItsSize", 10000, 0.7f, -9, 0, 9},
                    MaximumCase{"LastOfMany", 10000, 1, 5, 0, 5},
                    MaximumCase{"InfinityWins", 5000, 0.4f, -infinity, 0, infinity},
                    MaximumCase{"NotANumberWins", 5000, 0.1f, not_a_number, 0, not_a_number},
                    MaximumCase{"NegativeNotANumberWins", 33, 1, -not_a_number, 0, not_a_number}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LaunchMaxima, KeepsALargerEarlierValue) {
  Buffer<D, float> values(std::vector<float>(1000, 2.0f));
  Buffer<D, std::uint32_t> out(std::vector<std::uint32_t>(2, ordered_bits(8)));
  launch_maxima<2>(executor(), 1000, MagnitudesOf{values.data()}, out.data());
  executor().synchronize();
  EXPECT_EQ(from_ordered_bits(out.download()[0]), 8);
}

TEST(OrderedBits, OrderAsTheMagnitudesDo) {
  const float rising[] = {0, 1e-45f, 1e-30f, 1, 1.0000001f, 3e38f, infinity, not_a_number};
  for (std::size_t k = 1; k < std::size(rising); ++k)
    EXPECT_LT(ordered_bits(rising[k - 1]), ordered_bits(rising[k]));
  EXPECT_EQ(ordered_bits(-2.5f), ordered_bits(2.5f));
  EXPECT_EQ(from_ordered_bits(ordered_bits(-2.5f)), 2.5f);
}

struct OneOver {
  PANTA_HD double operator()(Index i) const { return 1.0 / (1.0 + i); }
};

TEST(Reduce, IsBitwiseTheSameForEveryExecutor) {
  for (const Index n : {0, 1, 255, 256, 257, 100003}) {
    double expected = 0;
    for (Index i = 0; i < n; ++i) expected += 1.0 / (1.0 + i);
    Buffer<D, double> scratch;
    const double first = reduce(executors()[0], n, 0.0, OneOver{}, scratch);
    EXPECT_NEAR(first, expected, 1e-13 * expected);
    for (const D& exec : executors()) EXPECT_EQ(reduce(exec, n, 0.0, OneOver{}, scratch), first);
  }
}

TEST(ExclusiveScan, MatchesAPlainLoop) {
  Random random(3);
  ScanScratch<D> scratch;
  for (const std::size_t n : {0u, 1u, 2u, 5u, 1000u, 100000u}) {
    std::vector<std::uint32_t> values(n), expected(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<std::uint32_t>(random.bits() % 7);
      expected[i + 1] = expected[i] + values[i];
    }
    Buffer<D, std::uint32_t> in(values), out(n + 1);
    for (const D& exec : executors()) {
      exclusive_scan(exec, in.data(), out.data(), static_cast<Index>(n), scratch);
      exec.synchronize();
      EXPECT_EQ(out.download(), expected) << n;
    }
  }
}

constexpr std::uint64_t no_owner = ~std::uint64_t{0};
constexpr Index slots = 64;

struct ClaimSlot {
  std::uint64_t* owner;
  std::uint32_t* won;
  PANTA_HD void operator()(Index i) const {
    const std::uint64_t mine = static_cast<std::uint64_t>(i);
    won[i] = atomic_claim(&owner[i % slots], no_owner, mine) == no_owner;
  }
};

TEST(Atomics, EverySlotIsClaimedByExactlyOne) {
  const Index n = 100000;
  for (const D& exec : executors()) {
    Buffer<D, std::uint64_t> owner(std::vector<std::uint64_t>(slots, no_owner));
    Buffer<D, std::uint32_t> won(static_cast<std::size_t>(n));
    launch(exec, n, ClaimSlot{owner.data(), won.data()});
    exec.synchronize();
    const auto winners = won.download();
    const auto owners = owner.download();
    Index winner_count = 0;
    for (Index i = 0; i < n; ++i)
      if (winners[static_cast<std::size_t>(i)]) {
        ++winner_count;
        EXPECT_EQ(owners[static_cast<std::size_t>(i % slots)], static_cast<std::uint64_t>(i));
      }
    EXPECT_EQ(winner_count, slots);
  }
}

struct RaiseTo {
  std::uint32_t* top;
  PANTA_HD void operator()(Index i) const {
    atomic_maximum(top, static_cast<std::uint32_t>(i) * 2654435761u % 1000003u);
  }
};

TEST(Atomics, MaximumIsExact) {
  const Index n = 50000;
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(n); ++i)
    expected = std::max(expected, i * 2654435761u % 1000003u);
  for (const D& exec : executors()) {
    DeviceValue<D, std::uint32_t> top;
    launch(exec, n, RaiseTo{top.data()});
    exec.synchronize();
    EXPECT_EQ(top.get(), expected);
  }
}

}  // namespace
}  // namespace panta::test
