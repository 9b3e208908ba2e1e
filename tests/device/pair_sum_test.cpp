// Sums over pairs: during the build of the lists, over the lists, and by brute force in double.
#include "panta/neighbors/pair_sum.h"

#include "search_cases.h"

namespace panta::test {
namespace {

// A smooth weight that is zero at the radius.
template <class F>
PANTA_HD F weight(F r2, float inverse_radius2) {
  const F s = maximum(1.0f - r2 * inverse_radius2, 0.0f);
  return s * s * s;
}

// The weights alone, summed while lists are built.
struct WeightSum {
  template <class F>
  struct Sum {
    F weight{};
  };
  float inverse_radius2;
  float* out;

  template <class F>
  PANTA_HD void add(Sum<F>& sum, F r2) const {
    sum.weight = sum.weight + weight(r2, inverse_radius2);
  }
  PANTA_HD void finish(Index i, const Sum<float>& sum) const { out[i] = sum.weight; }
};

// The weights and their moment.
struct MomentSum {
  struct Self {};
  template <class F>
  struct Sum {
    F weight{};
    Vec3T<F> moment{};
  };
  float inverse_radius2;
  Field4View<D> out;

  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>& d, F r2, const J&) const {
    const F w = weight(r2, inverse_radius2);
    sum.weight = sum.weight + w;
    sum.moment += d * w;
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    out.set(i, {sum.moment.x, sum.moment.y, sum.moment.z, sum.weight});
  }
};

// Weights times the values of the neighbour from every kind of array.
struct NeighborValueSum {
  struct Self {};
  template <class F>
  struct Sum {
    F record{}, field{}, table{};
  };
  float inverse_radius2;
  Field4View<D> values;
  const float* table;
  const std::uint32_t* slots;
  Field4View<D> out;

  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>&, F r2, const J& j) const {
    const F w = weight(r2, inverse_radius2);
    sum.record = sum.record + w * j.record.second.y;
    sum.field = sum.field + w * j.vec4(values).w;
    sum.table = sum.table + w * j.table(table, slots);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    out.set(i, {sum.record, sum.field, sum.table, 0});
  }
};

struct FillRecords {
  RecordsView<D> records;
  Field4View<D> positions, values;
  std::uint32_t* slots;
  const std::uint32_t* ids;
  PANTA_HD void operator()(Index i) const {
    const Vec3 x = positions.xyz(i);
    const float value = 1.0f + 0.001f * static_cast<float>(ids[i]);
    records.set(i, {{x.x, x.y, x.z, 0}, {0, value, 0, 0}});
    values.set(i, {0, 0, 0, 2 * value});
    slots[i] = ids[i] % 3;
  }
};

const std::vector<float> table_values = {1, 10, 100};

struct ExpectedSums {
  double weight = 0, record = 0, table = 0;
  Vec3d moment;
};

std::vector<ExpectedSums> sums_in_double(const SearchCase& c) {
  std::vector<ExpectedSums> sums(c.points.size());
  const double radius2 = double(c.grid.radius) * c.grid.radius;
  for (std::size_t i = 0; i < sums.size(); ++i)
    for (std::size_t j = 0; j < sums.size(); ++j)
      for_each_image(c.points[i], c.points[j], c.grid.period, [&](const Vec3& difference) {
        const Vec3d d = to_double(difference);
        const double s = 1 - dot(d, d) / radius2;
        if (s <= 0 || i == j) return;
        const double w = s * s * s;
        sums[i].weight += w;
        sums[i].moment += d * w;
        sums[i].record += w * (1 + 0.001 * double(j));
        sums[i].table += w * table_values[j % 3];
      });
  return sums;
}

void expect_near(double found, double expected, double scale) {
  EXPECT_NEAR(found, expected, 1e-5 * scale);
}

class PairSums : public testing::TestWithParam<SearchCase> {
 protected:
  // Sorts, builds lists with a sum during the build, and fills the records; then the sums over the
  // lists.
  void run(const D& exec) {
    const SearchCase& c = GetParam();
    Searcher searcher(exec);
    Particles<D> particles = searcher.sort(c);
    const std::size_t n = c.points.size();
    Field4<D> over_lists, neighbor_sums, values;
    for (Field4<D>* field : {&over_lists, &neighbor_sums, &values}) field->resize(n);
    Buffer<D, float> during_build(n);
    Buffer<D, Record8> records(n);
    Buffer<D, std::uint32_t> slots(n);
    Buffer<D, float> table(table_values);
    const RecordsView<D> record_view = {records.data()};
    const float inverse_radius2 = 1 / (c.grid.radius * c.grid.radius);

    searcher.build(particles, c.grid.radius, WeightSum{inverse_radius2, during_build.data()});
    launch(exec, particles.size(),
           FillRecords{record_view, particles.position(), values.view(), slots.data(),
                       particles.id()});
    sum_over_lists(exec, record_view, searcher.lists.view(), c.grid.period,
                   MomentSum{inverse_radius2, over_lists.view()});
    sum_over_lists(exec, record_view, searcher.lists.view(), c.grid.period,
                   NeighborValueSum{inverse_radius2, values.view(), table.data(), slots.data(),
                                    neighbor_sums.view()});
    exec.synchronize();
    ids_ = particles.download_words(particles.id_handle());
    during_build_ = during_build.download();
    over_lists_ = over_lists.download();
    neighbor_sums_ = neighbor_sums.download();
  }

  Ids ids_;
  std::vector<float> during_build_;
  std::vector<Vec4> over_lists_, neighbor_sums_;
};

TEST_P(PairSums, AgreeWithBruteForceInDouble) {
  run(executor());
  const std::vector<ExpectedSums> expected = sums_in_double(GetParam());
  const double radius = GetParam().grid.radius;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const ExpectedSums& e = expected[ids_[k]];
    const double scale = e.weight + 1e-3;
    expect_near(during_build_[k], e.weight, scale);
    expect_near(over_lists_[k].w, e.weight, scale);
    for (int axis = 0; axis < 3; ++axis)
      expect_near(over_lists_[k].xyz()[axis], e.moment[axis], scale * radius);
    expect_near(neighbor_sums_[k].x, e.record, e.record + 1e-3);
    expect_near(neighbor_sums_[k].y, 2 * e.record, 2 * e.record + 1e-3);
    expect_near(neighbor_sums_[k].z, e.table, e.table + 1e-3);
  }
}

TEST_P(PairSums, AreBitwiseTheSameForEveryExecutor) {
  const auto bits = [](const auto& values) {
    std::vector<std::uint32_t> words(values.size() * sizeof(values[0]) / 4);
    if (!values.empty()) std::memcpy(words.data(), values.data(), 4 * words.size());
    return words;
  };
  run(executors()[0]);
  const auto build = bits(during_build_), lists = bits(over_lists_), values = bits(neighbor_sums_);
  for (const D& exec : executors()) {
    run(exec);
    EXPECT_EQ(bits(during_build_), build);
    EXPECT_EQ(bits(over_lists_), lists);
    EXPECT_EQ(bits(neighbor_sums_), values);
  }
}

std::vector<SearchCase> cases() {
  const auto uniform = random_points(1200, {}, {1, 1, 1});
  return in_every_form({{"Uniform", uniform, options(0.15f)},
                        {"Clustered", clustered_points(8, 100, 0.05f), options(0.06f)},
                        {"Lattice", lattice(10, 10, 10, 0.1f), options(0.2f)},
                        {"Planar", flat(uniform), options(0.1f, {}, 2)},
                        {"Sparse", sparse_points(), options(0.1f)},
                        {"PeriodicX", uniform, options(0.15f, {1, 0, 0})},
                        {"PeriodicEverywhere", uniform, options(0.15f, {1, 1, 1})},
                        {"PeriodOfTwoRadii", random_points(200, {}, {0.5f, 0.5f, 0.5f}),
                         options(0.25f, {0.5f, 0.5f, 0.5f})}});
}

INSTANTIATE_TEST_SUITE_P(Sets, PairSums, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace panta::test
