// Grid and neighbour lists against brute force, for every set and form; the same results on every
// executor.
#include "search_cases.h"

namespace panta::test {

void PrintTo(const SearchCase& c, std::ostream* out) { *out << c.name; }

namespace {

class Search : public testing::TestWithParam<SearchCase> {};

TEST_P(Search, ListsEqualBruteForceOnEveryExecutor) {
  const SearchCase& c = GetParam();
  const SearchResult first = Searcher(executors()[0]).run(c);
  EXPECT_EQ(first.hashed, c.hashed.value_or(first.hashed));
  EXPECT_EQ(first.invalid, 0u);
  expect_lists(c, first);
  for (const D& exec : executors()) {
    const SearchResult result = Searcher(exec).run(c);
    EXPECT_EQ(result.order, first.order);
    EXPECT_EQ(result.lists, first.lists);
  }
}

INSTANTIATE_TEST_SUITE_P(Open, Search, testing::ValuesIn(in_every_form(open_cases())), case_name);
INSTANTIATE_TEST_SUITE_P(Periodic, Search, testing::ValuesIn(in_every_form(periodic_cases())),
                         case_name);

class SearchForms : public testing::TestWithParam<SearchCase> {};

TEST_P(SearchForms, DenseAndHashedGridsGiveTheSameOrder) {
  SearchCase c = GetParam();
  const SearchResult dense = Searcher(executor()).run(c);
  c.grid.always_hashed = true;
  const SearchResult hashed = Searcher(executor()).run(c);
  EXPECT_TRUE(hashed.hashed);
  EXPECT_EQ(dense.order, hashed.order);
  EXPECT_EQ(dense.lists, hashed.lists);
}

INSTANTIATE_TEST_SUITE_P(Periodic, SearchForms, testing::ValuesIn(periodic_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(
    Open, SearchForms,
    testing::Values(SearchCase{"Uniform", random_points(2000, {-1, 0, -0.3f}, {1, 1, 1}),
                               options(0.1f)},
                    SearchCase{"Clustered", clustered_points(20, 80, 0.05f), options(0.06f)},
                    SearchCase{"Planar", flat(random_points(1000, {-1, -1, 0}, {1, 1, 0})),
                               options(0.07f, {}, 2)}),
    case_name);

TEST(SearchReuse, OneSearcherHandlesSetsOfAnySize) {
  Searcher searcher(executor());
  for (const bool hashed : {false, true})
    for (const std::size_t n : {500u, 3u, 1200u, 0u, 100u}) {
      SearchCase c = {"", random_points(n, {}, {0.6f, 0.6f, 0.6f}), options(0.1f)};
      c.grid.always_hashed = hashed;
      expect_lists(c, searcher.run(c));
    }
}

TEST(SearchReuse, RepeatedSearchesAllocateNothing) {
  for (const bool hashed : {false, true}) {
    SearchCase c = {"", random_points(3000, {}, {1, 1, 1}), options(0.1f)};
    c.grid.always_hashed = hashed;
    Searcher searcher(executor());
    Particles<D> particles = searcher.sort(c);
    const auto step = [&] {
      searcher.grid.sort(executor(), particles.position(), particles.size(), nullptr);
      particles.reorder(executor(), searcher.grid.order());
      searcher.build(particles, c.list_radius());
    };
    step();
    const auto before = allocation_count();
    step();
    EXPECT_EQ(allocation_count(), before);
  }
}

}  // namespace
}  // namespace panta::test
