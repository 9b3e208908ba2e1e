// Cooperation of the threads of a team, on this device.
#include "panta/core/team.h"

#include <algorithm>
#include <numeric>

#include "support.h"

namespace panta::test {
namespace {

// Team g has the values [first[g], first[g + 1]).
struct SumTeams {
  const float* values;
  const Index* first;
  double* sums;     // by value: the sum of its team
  double* squares;  // the same for the squares

  template <class Team>
  PANTA_HD void operator()(Index g, const Team& team) const {
    double s[2] = {};
    const Index begin = first[g];
    team.each(first[g + 1] - begin, [&](Index k) {
      const double value = values[begin + k];
      s[0] += value;
      s[1] += value * value;
    });
    team.add_up(s);
    team.each(first[g + 1] - begin, [&](Index k) {
      sums[begin + k] = s[0];
      squares[begin + k] = s[1];
    });
  }
};

struct Totals {
  std::vector<double> sums, squares;
  bool operator==(const Totals&) const = default;
};

Totals totals(const D& exec, const std::vector<float>& values, const std::vector<Index>& first) {
  Buffer<D, float> in(values);
  Buffer<D, Index> starts(first);
  Buffer<D, double> sums(values.size()), squares(values.size());
  Index largest = 0;
  for (std::size_t g = 0; g + 1 < first.size(); ++g)
    largest = std::max(largest, first[g + 1] - first[g]);
  launch_teams(exec, static_cast<Index>(first.size()) - 1, largest,
               SumTeams{in.data(), starts.data(), sums.data(), squares.data()});
  exec.synchronize();
  return {sums.download(), squares.download()};
}

std::vector<Index> starts_of(const std::vector<Index>& sizes) {
  std::vector<Index> first{0};
  for (const Index n : sizes) first.push_back(first.back() + n);
  return first;
}

// Sums of integers are exact in any order.
TEST(Team, EveryMemberHasTheSumOfAll) {
  for (const Index n : {1, 2, 31, 32, 33, 44, 511, 513, 1000}) {
    std::vector<float> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0f);
    const double m = static_cast<double>(n);
    for (const D& exec : executors()) {
      const Totals found = totals(exec, values, starts_of({n}));
      EXPECT_EQ(found.sums, std::vector<double>(values.size(), m * (m + 1) / 2)) << n;
      EXPECT_EQ(found.squares, std::vector<double>(values.size(), m * (m + 1) * (2 * m + 1) / 6))
          << n;
    }
  }
}

// Rotates a ring of numbers by one place repeatedly: each thread takes its neighbour's number after
// a barrier.
struct TurnRing {
  Index members, turns;
  double *ring, *said, *largest;

  template <class Team>
  PANTA_HD void operator()(Index, const Team& team) const {
    double most = 0;
    for (Index turn = 0; turn < turns; ++turn) {
      team.each(members, [&](Index k) { said[k] = ring[k]; });
      team.wait();
      team.each(members, [&](Index k) { ring[k] = said[(k + 1) % members]; });
      team.wait();
    }
    team.each(members, [&](Index k) { most = ring[k] > most ? ring[k] : most; });
    most = team.largest(most);
    team.each(members, [&](Index k) { largest[k] = most; });
  }
};

TEST(Team, WaitAndLargestWork) {
  for (const Index n : {1, 2, 31, 33, 300, 1000}) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    const Index turns = n / 3 + 1;
    for (const D& exec : executors()) {
      Buffer<D, double> ring(values), said(values.size()), largest(values.size());
      launch_teams(exec, 1, n, TurnRing{n, turns, ring.data(), said.data(), largest.data()});
      exec.synchronize();
      std::vector<double> expected = values;
      std::rotate(expected.begin(), expected.begin() + turns % n, expected.end());
      EXPECT_EQ(ring.download(), expected) << n;
      EXPECT_EQ(largest.download(), std::vector<double>(values.size(), double(n))) << n;
    }
  }
}

// A team's k-th sum is k times its number of members.
template <int N>
struct CountTimes {
  Index members;
  double* sums;

  template <class Team>
  PANTA_HD void operator()(Index, const Team& team) const {
    double s[N] = {};
    team.each(members, [&](Index) {
      for (int k = 0; k < N; ++k) s[k] += k;
    });
    team.add_up(s);
    team.each(1, [&](Index) {
      for (int k = 0; k < N; ++k) sums[k] = s[k];
    });
  }
};

template <int N>
void expect_counts(Index members) {
  std::vector<double> expected;
  for (int k = 0; k < N; ++k) expected.push_back(double(k) * members);
  for (const D& exec : executors()) {
    Buffer<D, double> sums(std::size_t{N});
    launch_teams(exec, 1, members, CountTimes<N>{members, sums.data()});
    exec.synchronize();
    EXPECT_EQ(sums.download(), expected) << N << " sums of " << members;
  }
}

TEST(Team, SumsAnyNumberOfValues) {
  for (const Index members : {1, 31, 44, 300}) {
    expect_counts<1>(members);
    expect_counts<3>(members);
    expect_counts<8>(members);
    expect_counts<17>(members);
    expect_counts<29>(members);
    expect_counts<32>(members);
  }
}

TEST(Team, TeamsOfDifferentSizesAreIndependent) {
  std::vector<Index> sizes;
  for (Index g = 0; g < 200; ++g) sizes.push_back(g % 7 == 0 ? 0 : (g * 37) % 90 + 1);
  sizes[100] = 1000;
  const std::vector<Index> first = starts_of(sizes);
  std::vector<float> values(static_cast<std::size_t>(first.back()));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k % 101) - 50;
  for (const D& exec : executors()) {
    const Totals found = totals(exec, values, first);
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      double expected = 0;
      for (Index k = first[g]; k < first[g + 1]; ++k) expected += values[std::size_t(k)];
      for (Index k = first[g]; k < first[g + 1]; ++k)
        ASSERT_EQ(found.sums[std::size_t(k)], expected) << "team " << g;
    }
  }
}

TEST(Team, RoundingIsReproducible) {
  Random random(3);
  const std::vector<Index> first = starts_of({1, 31, 44, 1000});
  std::vector<float> values(static_cast<std::size_t>(first.back()));
  for (float& value : values) value = random.uniform(-1, 1);
  const Totals once = totals(executor(), values, first);
  double expected = 0;
  for (Index k = first[3]; k < first[4]; ++k) expected += values[std::size_t(k)];
  EXPECT_NEAR(once.sums.back(), expected, 1e-12);
  for (const D& exec : executors())
    for (int again = 0; again < 5; ++again) EXPECT_TRUE(totals(exec, values, first) == once);
}

TEST(Team, ZeroTeamsDoNothing) {
  for (const D& exec : executors()) {
    launch_teams(exec, 0, 0, SumTeams{});
    exec.synchronize();
  }
}

}  // namespace
}  // namespace panta::test
