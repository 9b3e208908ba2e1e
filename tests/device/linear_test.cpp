// Sums on the device, and the convergence records of solves.
#include <cmath>
#include <cstring>
#include <limits>

#include "panta/core/recording.h"
#include "panta/linear/convergence.h"
#include "panta/linear/dot.h"
#include "support.h"

namespace panta::test {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::vector<T> random_values(Index n, unsigned seed) {
  Random random(seed);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = random.uniform(-1, 1);
  return values;
}

template <class T>
struct ValueAt {
  const T* values;
  PANTA_HD double operator()(Index i) const { return values[i]; }
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

class SumSizes : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Sizes, SumSizes,
                         testing::Values(0, 1, 7, 8, 9, 1023, 1024, 1025, 5000, 300007));

TEST_P(SumSizes, DotProductsEqualTheHost) {
  const Index n = GetParam();
  const auto a = random_values<float>(n, 1);
  const auto b = random_values<double>(n, 2);
  long double expected = 0, squares = 0;
  double sizes = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    expected += double(a[i]) * b[i];
    squares += double(a[i]) * a[i];
    sizes += std::abs(double(a[i]) * b[i]);
  }
  const Buffer<D, float> first(a);
  const Buffer<D, double> second(b);
  DeviceSums<D> sums;
  DeviceValue<D, double> dot(not_a_number), norm(not_a_number);
  double once = 0;
  for (const D& exec : executors()) {
    sums.dot(exec, n, first.data(), second.data(), dot.data());
    sums.squared_norm(exec, n, first.data(), norm.data());
    exec.synchronize();
    EXPECT_NEAR(dot.get(), double(expected), 1e-14 * sizes);
    EXPECT_NEAR(norm.get(), double(squares), 1e-14 * double(squares));
    if (&exec == &executors()[0]) once = dot.get();
    EXPECT_TRUE(same_bits(dot.get(), once));
  }
}

TEST_P(SumSizes, SumsOfIntegersAreExact) {
  const Index n = GetParam();
  std::vector<float> values(static_cast<std::size_t>(n));
  double expected = 0;
  for (Index i = 0; i < n; ++i) {
    values[static_cast<std::size_t>(i)] = float(i % 1000 - 300);
    expected += i % 1000 - 300;
  }
  const Buffer<D, float> buffer(values);
  DeviceSums<D> sums;
  DeviceValue<D, double> out(not_a_number);
  sums.sum(executor(), n, ValueAt<float>{buffer.data()}, out.data());
  executor().synchronize();
  EXPECT_EQ(out.get(), expected);
}

TEST_P(SumSizes, LargestMagnitudeIsFoundAtAnyIndex) {
  const Index n = GetParam();
  DeviceSums<D> sums;
  DeviceValue<D, double> out(not_a_number);
  const auto largest = [&](const std::vector<double>& values) {
    const Buffer<D, double> buffer(values);
    sums.largest(executor(), n, ValueAt<double>{buffer.data()}, out.data());
    executor().synchronize();
    return out.get();
  };
  const auto values = random_values<double>(n, 3);
  for (const double place : {0.0, 0.4, 1.0}) {
    auto changed = values;
    if (n == 0) {
      EXPECT_EQ(largest(changed), 0);
      continue;
    }
    double& one = changed[static_cast<std::size_t>(place * (n - 1))];
    one = -7;
    EXPECT_EQ(largest(changed), 7);
    one = not_a_number;
    EXPECT_TRUE(std::isnan(largest(changed)));
  }
}

// Doubles every value and sums the powers of the old values.
struct DoubleAndSum {
  float* values;
  PANTA_HD void operator()(Index i, double (&v)[3]) const {
    v[0] = 1;
    v[1] = values[i];
    v[2] = double(values[i]) * values[i];
    values[i] *= 2;
  }
};
struct StoreThree {
  double* out;
  PANTA_HD void operator()(const double (&total)[3]) const {
    for (int k = 0; k < 3; ++k) out[k] = total[k];
  }
};

TEST(DeviceSums, OnePassGivesSeveralSumsAndVisitsEveryItemOnce) {
  const Index n = 50001;
  for (const D& exec : executors()) {
    Buffer<D, float> values(std::vector<float>(static_cast<std::size_t>(n), 3.0f));
    Buffer<D, double> out(3);
    DeviceSums<D> sums;
    sums.sums<3>(exec, n, DoubleAndSum{values.data()}, StoreThree{out.data()});
    exec.synchronize();
    EXPECT_EQ(out.download(), (std::vector<double>{double(n), 3.0 * n, 9.0 * n}));
    EXPECT_EQ(values.download(), std::vector<float>(static_cast<std::size_t>(n), 6.0f));
  }
}

TEST(DeviceSums, AllocateNothingAfterReserve) {
  const Index n = 20000;
  const Buffer<D, float> values(random_values<float>(n, 4));
  Buffer<D, double> out(3);
  Buffer<D, float> changed(random_values<float>(n, 5));
  DeviceSums<D> sums;
  sums.reserve(n);
  const std::uint64_t before = allocation_count();
  for (const Index count : {n, n / 3, n}) {
    sums.squared_norm(executor(), count, values.data(), out.data());
    sums.sums<3>(executor(), count, DoubleAndSum{changed.data()}, StoreThree{out.data()});
  }
  executor().synchronize();
  EXPECT_EQ(allocation_count(), before);
}

// Halves an array until its norm is below 1; only the device knows the norm.
struct HalveAll {
  float* values;
  PANTA_HD void operator()(Index i) const { values[i] *= 0.5f; }
};
struct WhileLarge {
  const double* squared_norm;
  LoopState* loop;
  PANTA_HD void operator()(Index) const { loop->running = *squared_norm >= 1; }
};

TEST(DeviceSums, EndARecordedLoop) {
  if (!loops_can_be_recorded<D>()) GTEST_SKIP() << "CUDA 12.4 or newer is needed";
  const Index n = 4096;
  DeviceSums<D> sums;
  sums.reserve(n);
  DeviceValue<D, double> norm;
  DeviceValue<D, LoopState> loop;
  Buffer<D, float> values(static_cast<std::size_t>(n));
  Recording<D> recording;
  const auto measure = [&](const D& exec) {
    sums.squared_norm(exec, n, values.data(), norm.data());
    launch(exec, 1, WhileLarge{norm.data(), loop.data()});
  };
  for (const int halvings : {3, 0, 11, 1}) {
    // |values| = 64 * size
    const float size = std::ldexp(0.75f, halvings - 6);
    values.upload(std::vector<float>(static_cast<std::size_t>(n), size));
    recording.run(
        executor(), 1,
        [&] {
          measure(executor());
          repeat_while(executor(), loop.data(), 100, [&](const D& inner) {
            launch(inner, n, HalveAll{values.data()});
            measure(inner);
          });
        },
        [] {});
    executor().synchronize();
    EXPECT_EQ(loop.get().iterations, std::uint32_t(halvings));
    EXPECT_EQ(norm.get(), 0.75 * 0.75);
  }
}

// A solve with given residuals.
struct CheckResidualOf {
  Convergence* convergence;
  double residual, reference;
  SolveLimits limits;
  PANTA_HD void operator()(Index) const { convergence->check(residual, reference, limits); }
};

void solve_with(DeviceValue<D, Convergence>& convergence, double residual, double reference,
                double smallest = 0) {
  Convergence* c = convergence.data();
  const SolveLimits limits{1e-3, smallest, 5};
  launch(executor(), 1, BeginSolve<>{c, {}});
  repeat_while(executor(), &c->loop, limits.iterations, [&](const D& inner) {
    launch(inner, 1, CheckResidualOf{c, residual, reference, limits});
  });
  launch(executor(), 1, EndSolve{c});
  executor().synchronize();
}

TEST(Convergence, SmallResidualsEndASolveAndLargeOnesTakeAllIterations) {
  DeviceValue<D, Convergence> convergence;
  solve_with(convergence, 1e-3, 2);
  EXPECT_EQ(convergence.get().converged, 1u);
  EXPECT_EQ(convergence.get().residual, 0.5e-3);
  EXPECT_EQ(convergence.get().loop.iterations, 1u);
  solve_with(convergence, 1e-2, 2);
  EXPECT_EQ(convergence.get().converged, 0u);
  EXPECT_EQ(convergence.get().loop.iterations, 5u);
  EXPECT_EQ(convergence.get().loop.running, 0u);
  solve_with(convergence, 1e-2, 2, 1e-2);
  EXPECT_EQ(convergence.get().converged, 1u);
}

TEST(Convergence, ReportsAccumulateSolves) {
  DeviceValue<D, Convergence> convergence;
  solve_with(convergence, 1e-3, 2);
  solve_with(convergence, 1e-2, 2);
  ConvergenceReport all = take_report(convergence);
  EXPECT_EQ(all.solves, 2u);
  EXPECT_EQ(all.iterations, 6u);
  EXPECT_EQ(all.failures, 1u);
  EXPECT_EQ(all.worst_residual, 5e-3);

  EXPECT_EQ(take_report(convergence).solves, 0u);
  solve_with(convergence, not_a_number, 2);
  const ConvergenceReport next = take_report(convergence);
  EXPECT_EQ(next.iterations, 1u);
  EXPECT_EQ(next.failures, 1u);
  EXPECT_TRUE(std::isnan(next.worst_residual));

  solve_with(convergence, 1e-3, 2);
  all += next;
  all += take_report(convergence);
  EXPECT_EQ(all.solves, 4u);
  EXPECT_EQ(all.iterations, 8u);
  EXPECT_EQ(all.failures, 2u);
  EXPECT_TRUE(std::isnan(all.worst_residual));
}

}  // namespace
}  // namespace panta::test
