// Positions that are NaN or infinite: they are reported and do not affect other particles.
#include "search_cases.h"

namespace panta::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

const std::vector<Vec3> broken_positions = {
    {not_a_number, 0.5f, 0.5f},
    {0.5f, not_a_number, 0.5f},
    {0.5f, 0.5f, not_a_number},
    {infinity, 0.5f, 0.5f},
    {0.5f, -infinity, 0.5f},
    {0.5f, 0.5f, infinity},
    {-infinity, infinity, not_a_number},
};

class InvalidPositions : public testing::TestWithParam<SearchCase> {};

TEST_P(InvalidPositions, OneIsReportedByItsIndex) {
  const std::size_t last = GetParam().points.size() - 1;
  for (const std::size_t place : {std::size_t{0}, std::size_t{321}, last})
    for (const Vec3& position : broken_positions) {
      SearchCase c = GetParam();
      c.points[place] = position;
      const SearchResult result = Searcher(executor()).run(c);
      EXPECT_EQ(result.invalid, place + 1);
      EXPECT_TRUE(result.lists[place].empty());
    }
}

TEST_P(InvalidPositions, ManyKeepTheListsOfValidParticles) {
  SearchCase c = GetParam();
  for (std::size_t k = 0; k < broken_positions.size(); ++k) c.points[k * 100] = broken_positions[k];
  for (const D& exec : executors()) {
    const SearchResult result = Searcher(exec).run(c);
    EXPECT_EQ(result.invalid, 1 + 100 * (broken_positions.size() - 1));
    expect_lists(c, result);
  }
}

TEST_P(InvalidPositions, AllParticlesInvalid) {
  for (const Vec3& position : broken_positions) {
    SearchCase c = GetParam();
    c.points.assign(c.points.size(), position);
    const SearchResult result = Searcher(executor()).run(c);
    EXPECT_EQ(result.invalid, c.points.size());
    for (const Ids& list : result.lists) EXPECT_TRUE(list.empty());
  }
}

std::vector<SearchCase> cases() {
  const auto points = random_points(1000, {}, {1, 1, 1});
  return in_every_form({{"Open", points, options(0.12f)},
                        {"Periodic", points, options(0.12f, {1, 1, 1})},
                        {"Planar", flat(points), options(0.12f, {}, 2)}});
}

INSTANTIATE_TEST_SUITE_P(Forms, InvalidPositions, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace panta::test
