// Neighbour lists beyond a single set and build: queries of another set, growth, the search margin.
#include "panta/neighbors/lists.h"

#include "search_cases.h"

namespace panta::test {
namespace {

struct QueryCase {
  const char* name;
  std::size_t points, queries;
  Vec3 period;
  bool hashed;
};

class QueriesOfAnotherSet : public testing::TestWithParam<QueryCase> {};

TEST_P(QueriesOfAnotherSet, FindEveryPointInReach) {
  const QueryCase& q = GetParam();
  SearchCase c = {"", random_points(q.points, {}, {1, 1, 1}), options(0.15f, q.period)};
  c.grid.always_hashed = q.hashed;
  // Queries extend beyond the points, except along a period.
  const auto margin = [](float period) { return period > 0 ? 0.0f : 0.4f; };
  const Vec3 beyond = {margin(q.period.x), margin(q.period.y), margin(q.period.z)};
  const auto queries = random_points(q.queries, -beyond, Vec3{1, 1, 1} + beyond, 8);
  Field4<D> query_field = field_of(queries);
  for (const D& exec : executors()) {
    Searcher searcher(exec);
    Particles<D> particles = searcher.sort(c);
    searcher.lists.build_growing(exec, searcher.grid.view(), particles.position(),
                                 query_field.view(), static_cast<Index>(queries.size()), false,
                                 c.grid.radius, NoSum{});
    const Ids ids = particles.download_words(particles.id_handle());
    Lists lists = download_lists(exec, searcher.lists);
    for (Ids& list : lists)
      for (std::uint32_t& j : list) j = ids[j];
    expect_lists(lists, queries, c.points, false, c.grid.radius, c.grid.period);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, QueriesOfAnotherSet,
                         testing::Values(QueryCase{"Dense", 1500, 700, {}, false},
                                         QueryCase{"Hashed", 1500, 700, {}, true},
                                         QueryCase{"PeriodicX", 900, 1100, {1, 0, 0}, false},
                                         QueryCase{"NoPoints", 0, 50, {}, false},
                                         QueryCase{"NoPointsHashed", 0, 50, {}, true},
                                         QueryCase{"NoQueries", 50, 0, {}, false}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ListCapacity, GrowsFromOneEntry) {
  const SearchCase c = {"", clustered_points(10, 150, 0.05f), options(0.08f)};
  for (const D& exec : executors()) {
    Searcher searcher(exec);
    searcher.lists.reserve(static_cast<Index>(c.points.size()), 1);
    const Index before = searcher.lists.capacity();
    expect_lists(c, searcher.run(c));
    EXPECT_GT(searcher.lists.capacity(), before);
  }
}

TEST(ListCapacity, MissingCapacityIsReported) {
  const SearchCase c = {"", random_points(1500, {}, {1, 1, 1}), options(0.15f)};
  Searcher searcher(executor());
  Particles<D> particles = searcher.sort(c);
  const auto build = [&] {
    searcher.lists.reset_longest();
    searcher.lists.build(executor(), searcher.grid.view(), particles.position(),
                         particles.position(), particles.size(), true, c.grid.radius, NoSum{});
    executor().synchronize();
  };
  searcher.lists.reserve(particles.size(), 2);
  build();
  const Index needed = searcher.lists.longest();
  EXPECT_GT(needed, 2);
  EXPECT_TRUE(searcher.lists.reserve(particles.size(), needed));
  EXPECT_FALSE(searcher.lists.reserve(particles.size(), needed));
  build();
  EXPECT_LE(searcher.lists.longest(), needed);
  expect_lists(c, {false, 0, {}, searcher.lists_by_id(particles)});
}

// Moves every particle by its own vector.
struct MoveBy {
  Field4View<D> positions, moves;
  const std::uint32_t* ids;
  PANTA_HD void operator()(Index i) const {
    positions.set_xyz(i, positions.xyz(i) + moves.xyz(static_cast<Index>(ids[i])));
  }
};

class SearchMargin : public testing::TestWithParam<unsigned> {};

TEST_P(SearchMargin, ListsAreValidUntilAParticleHasMovedHalfTheMargin) {
  const float support = 0.1f, margin = 0.03f;
  SearchCase c = {"", random_points(1500, {}, {1, 1, 1}, GetParam()), options(support + margin)};
  Searcher searcher(executor());
  Particles<D> particles = searcher.sort(c);
  searcher.build(particles, c.grid.radius);
  searcher.lists.remember(executor(), particles.position(), particles.size());
  EXPECT_EQ(searcher.lists.farthest_move(executor(), particles.position(), particles.size()), 0);

  auto moves = random_points(c.points.size(), {-1, -1, -1}, {1, 1, 1}, GetParam() + 100);
  for (Vec3& move : moves) move = normalized(move) * (0.4999f * margin);
  Field4<D> move_field = field_of(moves);
  launch(executor(), particles.size(),
         MoveBy{particles.position(), move_field.view(), particles.id()});
  executor().synchronize();
  std::vector<Vec3> moved = c.points;
  float farthest = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i] += moves[i];
    farthest = std::max(farthest, length(moved[i] - c.points[i]));
  }
  for (const D& exec : executors()) {
    const float found = searcher.lists.farthest_move(exec, particles.position(), particles.size());
    if (on_cpu) {
      EXPECT_EQ(found, farthest);
    } else {
      EXPECT_FLOAT_EQ(found, farthest);  // the GPU fuses products into sums
    }
  }
  Lists lists = searcher.lists_by_id(particles);
  const Lists near = brute_force(moved, moved, true, support, {});
  for (std::size_t i = 0; i < near.size(); ++i) {
    std::sort(lists[i].begin(), lists[i].end());
    EXPECT_TRUE(std::includes(lists[i].begin(), lists[i].end(), near[i].begin(), near[i].end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SearchMargin, testing::Values(1u, 2u, 3u));

TEST(SearchMargin, NanDisplacementIsDetected) {
  Field4<D> before = field_of(random_points(1000, {}, {1, 1, 1}));
  auto points = random_points(1000, {}, {1, 1, 1});
  points[700].y = std::numeric_limits<float>::quiet_NaN();
  Field4<D> after = field_of(points);
  NeighborLists<D> lists;
  lists.remember(executor(), before.view(), 1000);
  EXPECT_TRUE(std::isnan(lists.farthest_move(executor(), after.view(), 1000)));
}

}  // namespace
}  // namespace panta::test
