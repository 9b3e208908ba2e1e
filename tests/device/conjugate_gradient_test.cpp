// The conjugate gradient method on Poisson problems: closed forms, residuals in double on the host,
// failures, recordings.
#include "panta/linear/conjugate_gradient.h"

#include <cmath>
#include <numbers>
#include <optional>

#include "panta/core/recording.h"
#include "support.h"

namespace panta::test {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// (2 d + c_i) x_i minus the neighbours of i on a lattice of side^d points, times `scale`. Beyond
// the border x is 0; on an insulated border points have fewer neighbours instead.
struct Lattice {
  int side = 1, dimensions = 1;
  float scale = 1;
  bool insulated = false;

  PANTA_HD Index points() const {
    Index n = 1;
    for (int d = 0; d < dimensions; ++d) n *= side;
    return n;
  }
  template <class T>
  PANTA_HD T row(Index i, const T* x, const float* extra) const {
    T sum = 0;
    T links = extra ? T(extra[i]) : T(0);
    for (Index d = 0, stride = 1; d < dimensions; ++d, stride *= side) {
      const int at = (i / stride) % side;
      links += insulated ? T(at > 0) + T(at < side - 1) : T(2);
      if (at > 0) sum += x[i - stride];
      if (at < side - 1) sum += x[i + stride];
    }
    return T(scale) * (links * x[i] - sum);
  }
};

struct LatticeRow {
  Lattice lattice;
  const float *extra, *in;
  float* out;
  PANTA_HD void operator()(Index i) const { out[i] = lattice.row(i, in, extra); }
};

struct LatticeOperator {
  Lattice lattice;
  const float* extra = nullptr;
  void operator()(const D& exec, const float* in, float* out) const {
    launch(exec, lattice.points(), LatticeRow{lattice, extra, in, out});
  }
};

struct GateAt {
  const std::uint32_t* shut;
  PANTA_HD bool closed() const { return *shut != 0; }
};

std::vector<float> random_values(Index n, unsigned seed) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values) value = random.uniform(-1, 1);
  return values;
}

class Poisson {
 public:
  explicit Poisson(const Lattice& of) : lattice(of), n(of.points()) {
    weights.assign(static_cast<std::size_t>(n), 1 / (2 * lattice.scale * float(of.dimensions)));
    x.upload(std::vector<float>(static_cast<std::size_t>(n)));
    solver.reserve(n);
  }

  void set(const std::vector<float>& right_side) {
    given = right_side;
    b.upload(given);
    inverse_diagonal.upload(weights);
    if (!added.empty()) extra.upload(added);
  }
  void enqueue(const D& exec) {
    solver.solve(
        exec,
        LinearProblem<LatticeOperator, GateAt>{n,
                                               {lattice, added.empty() ? nullptr : extra.data()},
                                               inverse_diagonal.data(),
                                               b.data(),
                                               x.data(),
                                               constant_null_space,
                                               {shut.data()}},
        limits, convergence.data());
  }
  Convergence solve(const std::vector<float>& right_side, const D& exec = executor()) {
    set(right_side);
    enqueue(exec);
    exec.synchronize();
    return convergence.get();
  }

  // |b - A x| / |b - mean|, in double, over the unknowns.
  double residual(double mean = 0) const {
    const auto found = x.download();
    const std::vector<double> values(found.begin(), found.end());
    double rr = 0, bb = 0;
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (weights[k] == 0) continue;
      const double side = given[k] - mean;
      const double r = side - lattice.row(i, values.data(), added.empty() ? nullptr : added.data());
      rr += r * r;
      bb += side * side;
    }
    return std::sqrt(rr / bb);
  }

  Lattice lattice;
  Index n;
  std::vector<float> weights, added, given;
  bool constant_null_space = false;
  SolveLimits limits{1e-5, 0, 1000};
  Buffer<D, float> x, b, inverse_diagonal, extra;
  ConjugateGradient<D> solver;
  DeviceValue<D, Convergence> convergence;
  DeviceValue<D, std::uint32_t> shut{0};
};

// -u'' = 1 on (0, 1), u = 0 at both ends: u = x (1 - x) / 2, which central differences solve
// exactly.
TEST(ConjugateGradient, SolvesThePoissonProblemOfALine) {
  const int n = 31;
  const float h = 1.0f / (n + 1);
  Poisson problem({n, 1, 1 / (h * h)});
  const Convergence end = problem.solve(std::vector<float>(n, 1.0f));
  EXPECT_EQ(end.converged, 1u);
  EXPECT_LE(end.loop.iterations, 20u);  // b has 16 modes; rounding adds a few
  EXPECT_LT(problem.residual(), 1e-4);
  const auto x = problem.x.download();
  for (int i = 0; i < n; ++i) {
    const double at = double(h) * (i + 1);
    EXPECT_NEAR(x[std::size_t(i)], at * (1 - at) / 2, 1e-5);
  }
}

// Modes of a cube: A s = scale (4 sin^2(p h / 2) + …) s with s = sin(p x) sin(q y) sin(r z).
TEST(ConjugateGradient, SolvesThePoissonProblemOfACube) {
  const int side = 20;
  const double h = std::numbers::pi / (side + 1);
  const int modes[3][3] = {{1, 1, 1}, {1, 3, 2}, {5, 2, 7}};
  Poisson problem({side, 3, float(1 / (h * h))});
  std::vector<float> b;
  std::vector<double> expected;
  for (Index i = 0; i < problem.n; ++i) {
    const double at[3] = {h * (i % side + 1), h * (i / side % side + 1),
                          h * (i / (side * side) + 1)};
    double value = 0, solution = 0;
    for (const auto& mode : modes) {
      double shape = 1, factor = 0;
      for (int d = 0; d < 3; ++d) {
        shape *= std::sin(mode[d] * at[d]);
        factor += 4 / (h * h) * std::pow(std::sin(mode[d] * h / 2), 2);
      }
      value += shape;
      solution += shape / factor;
    }
    b.push_back(float(value));
    expected.push_back(solution);
  }
  const Convergence end = problem.solve(b);
  EXPECT_EQ(end.converged, 1u);
  EXPECT_LE(end.loop.iterations, 10u);  // b has 3 modes; rounding adds a few
  EXPECT_LT(problem.residual(), 2e-5);
  const auto x = problem.x.download();
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-5) << i;
}

TEST(ConjugateGradient, SolutionsHaveTheSameBitsForEveryExecutor) {
  std::vector<float> first;
  for (const D& exec : executors()) {
    Poisson problem({30, 3});
    const auto b = random_values(problem.n, 1);
    const Convergence end = problem.solve(b, exec);
    EXPECT_EQ(end.converged, 1u);
    EXPECT_LE(end.residual, problem.limits.tolerance);
    EXPECT_LT(problem.residual(), 2e-5);
    if (first.empty()) first = problem.x.download();
    EXPECT_EQ(problem.x.download(), first);
  }
}

TEST(ConjugateGradient, DiagonalPreconditionerReducesIterations) {
  std::uint32_t iterations[2] = {};
  for (const bool right : {false, true}) {
    Poisson problem({12, 3});
    Random random(5);
    for (Index i = 0; i < problem.n; ++i) {
      problem.added.push_back(std::exp(random.uniform(0, 8)));
      if (right) problem.weights[std::size_t(i)] = 1 / (6 + problem.added.back());
    }
    const Convergence end = problem.solve(random_values(problem.n, 6));
    EXPECT_EQ(end.converged, 1u);
    EXPECT_LT(problem.residual(), 2e-5);
    iterations[right] = end.loop.iterations;
  }
  EXPECT_LT(4 * iterations[1], iterations[0]);
}

TEST(ConjugateGradient, StartsFromTheFirstGuess) {
  Poisson problem({16, 3});
  const auto b = random_values(problem.n, 2);
  problem.limits.tolerance = 1e-3;
  const std::uint32_t cold = problem.solve(b).loop.iterations;
  EXPECT_EQ(problem.solve(b).loop.iterations, 0u);
  problem.limits.tolerance = 1e-5;
  const Convergence warm = problem.solve(b);
  EXPECT_EQ(warm.converged, 1u);
  EXPECT_GT(warm.loop.iterations, 0u);
  EXPECT_LT(warm.loop.iterations, 2 * cold);
  EXPECT_LT(problem.residual(), 2e-5);
}

TEST(ConjugateGradient, ZeroRightHandSideGivesZero) {
  Poisson problem({16, 2});
  const std::vector<float> zero(static_cast<std::size_t>(problem.n));
  EXPECT_EQ(problem.solve(zero).loop.iterations, 0u);
  EXPECT_EQ(problem.convergence.get().converged, 1u);
  problem.x.upload(random_values(problem.n, 3));
  EXPECT_EQ(problem.solve(zero).converged, 1u);
  for (const float x : problem.x.download()) ASSERT_LT(std::abs(x), 1e-3f);
}

TEST(ConjugateGradient, WorksWithoutUnknowns) {
  Poisson problem({0, 1});
  const Convergence end = problem.solve({});
  EXPECT_EQ(end.converged, 1u);
  EXPECT_EQ(end.loop.iterations, 0u);
}

// Laplace's equation between two given values has a linear solution.
TEST(ConjugateGradient, GivenValuesAreBoundaryConditions) {
  const int n = 40;
  Poisson problem({n, 1});
  problem.weights.front() = problem.weights.back() = 0;
  std::vector<float> guess(n);
  guess.front() = 1;
  guess.back() = 3;
  problem.x.upload(guess);
  std::vector<float> b(n);
  b.front() = not_a_number;  // rows of given values are not read
  const Convergence end = problem.solve(b);
  EXPECT_EQ(end.converged, 1u);
  const auto x = problem.x.download();
  for (int i = 0; i < n; ++i) EXPECT_NEAR(x[std::size_t(i)], 1 + 2.0 * i / (n - 1), 1e-3);
  EXPECT_EQ(x.front(), 1);
  EXPECT_EQ(x.back(), 3);
}

TEST(ConjugateGradient, SingularProblemsAreSolvedWithoutTheMean) {
  Poisson problem({16, 3, 1, true});
  problem.constant_null_space = true;
  auto b = random_values(problem.n, 4);
  for (float& value : b) value += 2;
  const Convergence end = problem.solve(b);
  EXPECT_EQ(end.converged, 1u);
  double mean = 0;
  for (const float value : b) mean += value;
  EXPECT_LT(problem.residual(mean / problem.n), 1e-4);

  problem.x.upload(std::vector<float>(b.size()));
  EXPECT_EQ(problem.solve(std::vector<float>(b.size(), 0.1f)).converged, 1u);
  EXPECT_EQ(problem.convergence.get().loop.iterations, 0u);
}

TEST(ConjugateGradient, ReportsTooFewIterations) {
  Poisson problem({30, 2});
  problem.limits.iterations = 3;
  const Convergence end = problem.solve(random_values(problem.n, 7));
  EXPECT_EQ(end.converged, 0u);
  EXPECT_EQ(end.loop.iterations, 3u);
  EXPECT_GT(end.residual, problem.limits.tolerance);
  EXPECT_NEAR(problem.residual(), end.residual, 1e-4);
  const ConvergenceReport report = take_report(problem.convergence);
  EXPECT_EQ(report.solves, 1u);
  EXPECT_EQ(report.iterations, 3u);
  EXPECT_EQ(report.failures, 1u);
  EXPECT_EQ(report.worst_residual, end.residual);
}

TEST(ConjugateGradient, NanEndsTheSolveBeforeXIsChanged) {
  Poisson problem({20, 2});
  auto b = random_values(problem.n, 8);
  b[77] = not_a_number;
  const Convergence end = problem.solve(b);
  EXPECT_EQ(end.converged, 0u);
  EXPECT_EQ(end.loop.iterations, 0u);
  EXPECT_EQ(end.failures, 1u);
  EXPECT_EQ(problem.x.download(), std::vector<float>(b.size()));
}

// Negative definite, zero, and an operator that overflows.
TEST(ConjugateGradient, BreakdownsEndTheSolve) {
  for (const float scale : {-1.0f, 0.0f, 1e38f}) {
    Poisson problem({20, 2, scale});
    for (float& weight : problem.weights) weight = 1;
    const Convergence end = problem.solve(random_values(problem.n, 9));
    EXPECT_EQ(end.converged, 0u) << scale;
    EXPECT_LE(end.loop.iterations, 2u) << scale;
    EXPECT_EQ(end.failures, 1u) << scale;
    for (const float x : problem.x.download()) ASSERT_TRUE(std::isfinite(x)) << scale;
  }
}

TEST(ConjugateGradient, ClosedGateSkipsTheSolve) {
  Poisson problem({20, 2});
  const auto guess = random_values(problem.n, 10);
  problem.x.upload(guess);
  problem.shut.set(1);
  const Convergence end = problem.solve(random_values(problem.n, 11));
  EXPECT_EQ(end.loop.iterations, 0u);
  EXPECT_EQ(end.solves, 0u);
  EXPECT_EQ(end.failures, 0u);
  EXPECT_EQ(problem.x.download(), guess);
}

// Replays differ in b, in the first guess and in the gate, and therefore in their iterations.
TEST(ConjugateGradient, RecordedSolvesEqualDirectSolves) {
  if (!loops_can_be_recorded<D>()) GTEST_SKIP() << "CUDA 12.4 or newer is needed";
  Poisson recorded({16, 3}), direct({16, 3});
  recorded.set(random_values(recorded.n, 12));
  Recording<D> recording;
  std::optional<std::uint64_t> allocations;
  std::vector<std::uint32_t> counts;
  for (unsigned k = 0; k < 6; ++k) {
    const auto b = k % 2 ? recorded.given : random_values(recorded.n, 12 + k);
    for (Poisson* problem : {&recorded, &direct}) {
      if (k == 4) problem->x.upload(std::vector<float>(b.size(), 0.5f));
      problem->shut.set(k == 3);
      problem->set(b);
    }
    recording.run(
        executor(), 1, [&] { recorded.enqueue(executor()); }, [] {});
    executor().synchronize();
    const Convergence expected = direct.solve(b);
    const Convergence found = recorded.convergence.get();
    EXPECT_EQ(found.loop.iterations, expected.loop.iterations) << k;
    EXPECT_EQ(found.residual == expected.residual, !found.skipped) << k;
    EXPECT_EQ(recorded.x.download(), direct.x.download()) << k;
    counts.push_back(found.loop.iterations);
    if (!allocations) allocations = allocation_count();
  }
  EXPECT_EQ(allocation_count(), *allocations);
  EXPECT_GT(counts[0], 0u);
  EXPECT_EQ(counts[1], 0u);
  EXPECT_GT(counts[2], 0u);
  EXPECT_EQ(take_report(recorded.convergence).solves, 5u);
}

}  // namespace
}  // namespace panta::test
