// Neighbour searches of the tests, and brute force as the reference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panta/neighbors/lists.h"
#include "panta/particles/particles.h"
#include "support.h"

namespace panta::test {

using Ids = std::vector<std::uint32_t>;
using Lists = std::vector<Ids>;

// A set of points and the parameters of its search.
struct SearchCase {
  std::string name;
  std::vector<Vec3> points;
  GridOptions grid;
  float radius = 0;                 // of the lists; 0: the grid's
  std::optional<Bounds> box = {};   // the grid's; otherwise it is fitted to the points
  std::optional<bool> hashed = {};  // the expected form of the grid

  float list_radius() const { return radius > 0 ? radius : grid.radius; }
};

// The order of the particles, and their lists of ids by id, in storage order.
struct SearchResult {
  bool hashed = false;
  std::uint32_t invalid = 0;
  Ids order;
  Lists lists;
};

// Copies every list to the offsets in `starts`, for download.
struct CopyLists {
  ListsView<D> lists;
  const std::uint32_t* starts;
  std::uint32_t* out;
  PANTA_HD void operator()(Index i) const {
    for (Index k = 0; k < lists.count(i); ++k)
      out[starts[i] + static_cast<std::uint32_t>(k)] = entry(i, k);
  }
  PANTA_HD std::uint32_t entry(Index i, Index k) const {
    if constexpr (on_cpu) {
      return lists.row(i)[k];
    } else {
      return lists.four(i, k / 4)[k % 4];
    }
  }
};

inline Lists download_lists(const D& exec, NeighborLists<D>& lists) {
  const Ids counts = lists.download_counts();
  Ids starts = {0};
  for (const std::uint32_t count : counts) starts.push_back(starts.back() + count);
  Buffer<D, std::uint32_t> device_starts(starts), entries(starts.back());
  launch(exec, static_cast<Index>(counts.size()),
         CopyLists{lists.view(), device_starts.data(), entries.data()});
  exec.synchronize();
  const Ids all = entries.download();
  Lists out;
  for (std::size_t i = 0; i < counts.size(); ++i)
    out.emplace_back(all.begin() + starts[i], all.begin() + starts[i + 1]);
  return out;
}

// Grid and lists, reused for successive sets.
class Searcher {
 public:
  explicit Searcher(const D& exec) : exec(exec) {}

  // Particles at the points, in the order of the grid.
  Particles<D> sort(const SearchCase& c) {
    Particles<D> particles;
    const std::size_t n = c.points.size();
    particles.add(c.points, std::vector<Vec3>(n), Ids(n, 0));
    const Bounds box =
        c.box ? *c.box : find_bounds(exec, particles.position(), particles.size(), bounds_);
    grid.fit(make_grid_spec(box, particles.size(), c.grid));
    invalid.set(0);
    grid.sort(exec, particles.position(), particles.size(), invalid.data());
    particles.reorder(exec, grid.order());
    return particles;
  }

  template <class Body = NoSum>
  void build(Particles<D>& particles, float radius, const Body& body = {}) {
    lists.build_growing(exec, grid.view(), particles.position(), particles.position(),
                        particles.size(), true, radius, body);
  }

  SearchResult run(const SearchCase& c) {
    Particles<D> particles = sort(c);
    build(particles, c.list_radius());
    return {grid.spec().hashed, invalid.get(), particles.download_words(particles.id_handle()),
            lists_by_id(particles)};
  }

  Lists lists_by_id(Particles<D>& particles) {
    const Ids ids = particles.download_words(particles.id_handle());
    const Lists stored = download_lists(exec, lists);
    Lists out(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
      for (const std::uint32_t j : stored[i]) out[ids[i]].push_back(ids[j]);
    return out;
  }

  D exec;
  Grid<D> grid;
  NeighborLists<D> lists;
  DeviceValue<D, std::uint32_t> invalid;

 private:
  Buffer<D, Bounds> bounds_;
};

// Calls visit(d) for the difference x - y of every image of y, in the arithmetic of the search.
template <class Visit>
void for_each_image(const Vec3& x, const Vec3& y, const Vec3& period, const Visit& visit) {
  const auto images = [](float p) { return p > 0 ? 1 : 0; };
  for (int k = -images(period.z); k <= images(period.z); ++k)
    for (int j = -images(period.y); j <= images(period.y); ++j)
      for (int i = -images(period.x); i <= images(period.x); ++i) {
        const Vec3 shift = {static_cast<float>(i) * period.x, static_cast<float>(j) * period.y,
                            static_cast<float>(k) * period.z};
        visit((x - shift) - y);
      }
}

// For every query the points within the radius, ascending; `same_set`: without itself.
inline Lists brute_force(const std::vector<Vec3>& queries, const std::vector<Vec3>& points,
                         bool same_set, float radius, const Vec3& period) {
  Lists lists(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i)
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (same_set && i == j) continue;
      for_each_image(queries[i], points[j], period, [&](const Vec3& d) {
        if (squared_length(d) < radius * radius) lists[i].push_back(static_cast<std::uint32_t>(j));
      });
    }
  return lists;
}

// Rounding may decide a pair across a period either way: pairs this near the radius are skipped.
inline bool is_tie(const Vec3& x, const Vec3& y, const Vec3& period, float radius) {
  bool tie = false;
  for_each_image(x, y, period, [&](const Vec3& d) {
    tie = tie || std::abs(length(to_double(d)) / radius - 1) < 1e-6;
  });
  return tie;
}

// The lists, as sets, must equal brute force and contain each neighbour once.
inline void expect_lists(Lists found, const std::vector<Vec3>& queries,
                         const std::vector<Vec3>& points, bool same_set, float radius,
                         const Vec3& period) {
  Lists expected = brute_force(queries, points, same_set, radius, period);
  ASSERT_EQ(found.size(), expected.size());
  const bool periodic = period.x > 0 || period.y > 0 || period.z > 0;
  int wrong = 0;
  for (std::size_t i = 0; i < found.size() && wrong < 3; ++i) {
    std::sort(found[i].begin(), found[i].end());
    if (found[i] == expected[i]) continue;
    const auto tie = [&](std::uint32_t j) {
      return periodic && is_tie(queries[i], points[j], period, radius);
    };
    std::erase_if(found[i], tie);
    std::erase_if(expected[i], tie);
    EXPECT_EQ(found[i], expected[i]) << "particle " << i << " at " << queries[i].x << ", "
                                     << queries[i].y << ", " << queries[i].z;
    wrong += found[i] != expected[i];
  }
}

inline void expect_lists(const SearchCase& c, const SearchResult& result) {
  expect_lists(result.lists, c.points, c.points, true, c.list_radius(), c.grid.period);
}

}  // namespace panta::test
