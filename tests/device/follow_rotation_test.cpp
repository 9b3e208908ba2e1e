// The rotation nearest to a matrix, iterated in kernels, against the eigenvalue solution of the
// host.
#include "panta/geometry/follow_rotation.h"

#include <cmath>
#include <limits>

#include "panta/core/launch.h"
#include "panta/geometry/rigid_fit.h"
#include "support.h"

namespace panta::test {
namespace {

struct Follow {
  const Mat3* matrices;
  const Quat* guesses;
  Quat* results;
  PANTA_HD void operator()(Index i) const { results[i] = follow_rotation(matrices[i], guesses[i]); }
};

std::vector<Quat> followed(const std::vector<Mat3>& matrices, const std::vector<Quat>& guesses) {
  Buffer<D, Mat3> m(matrices);
  Buffer<D, Quat> from(guesses), to(guesses.size());
  launch(executor(), static_cast<Index>(matrices.size()), Follow{m.data(), from.data(), to.data()});
  executor().synchronize();
  return to.download();
}

Quat one(const Mat3& matrix, const Quat& guess) { return followed({matrix}, {guess})[0]; }

// The angle between two rotations.
double apart(const Mat3& a, const Mat3& b) {
  double squares = 0;  // |A - B|^2 = 8 sin^2(angle / 2)
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) squares += std::pow(double(a.row[i][j]) - b.row[i][j], 2);
  return 2 * std::asin(std::min(1.0, std::sqrt(squares / 8)));
}

Mat3 matrix_of(const Turn4& turn) {
  Mat3 m;
  for (int j = 0; j < 3; ++j) {
    const Vec3d column = turned(turn, {double(j == 0), double(j == 1), double(j == 2)});
    for (int i = 0; i < 3; ++i) m.row[i][j] = static_cast<float>(column[i]);
  }
  return m;
}

Turn4 turn_of(const Quat& q) { return {q.w, q.x, q.y, q.z}; }

Mat3 nearest(const Mat3& matrix, const Quat& guess) {
  return matrix_of(nearest_rotation(
      {to_double(matrix.row[0]), to_double(matrix.row[1]), to_double(matrix.row[2])},
      turn_of(guess)));
}

Quat some_turn(Random& random, float angle) {
  return axis_angle(random.in_box({-1, -1, -1}, {1, 1, 1}), angle);
}

// Rotated points with the moments a, b, c along random axes: the rotation is known.
struct Case {
  Mat3 matrix;
  Quat turn;
};
Case some_case(Random& random, const Vec3& moments) {
  const Mat3 axes = rotation(some_turn(random, random.uniform(0, 3)));
  Mat3 squeezed = transpose(axes);
  for (int k = 0; k < 3; ++k) squeezed.row[k] = squeezed.row[k] * moments[k];
  const Quat turn = some_turn(random, random.uniform(0, 3));
  return {rotation(turn) * (axes * squeezed), turn};
}

void expect_found(const Vec3& moments, float off, double tolerance) {
  Random random(11);
  std::vector<Mat3> matrices;
  std::vector<Quat> guesses;
  for (int k = 0; k < 200; ++k) {
    const Case each = some_case(random, moments);
    matrices.push_back(each.matrix);
    guesses.push_back(some_turn(random, off) * each.turn);
  }
  const std::vector<Quat> results = followed(matrices, guesses);
  double worst = 0;
  for (std::size_t k = 0; k < results.size(); ++k)
    worst = std::max(worst, apart(rotation(results[k]), nearest(matrices[k], guesses[k])));
  EXPECT_LT(worst, tolerance) << "moments " << moments.x << " " << moments.y << " " << moments.z
                              << ", " << off << " rad off";
}

TEST(FollowRotation, FindsTheNearestRotationFromAnInexactGuess) {
  for (const float off : {0.0f, 0.01f, 0.3f, 1.0f}) {
    expect_found({1, 1, 1}, off, 2e-5);
    expect_found({3, 2, 1}, off, 2e-5);
    expect_found({1e-4f, 3e-4f, 2e-4f}, off, 2e-5);  // small bodies
    expect_found({40000, 10000, 20000}, off, 2e-5);
  }
}

TEST(FollowRotation, PlanesHaveOneNearestRotation) {
  for (const float off : {0.0f, 0.01f, 0.3f}) {
    expect_found({1, 1, 0}, off, 5e-5);
    expect_found({1, 0.5f, 0}, off, 2e-5);
  }
}

TEST(FollowRotation, ConvergesQuadratically) {
  Random random(13);
  for (int k = 0; k < 100; ++k) {
    const Case each = some_case(random, {3, 2, 1});
    const Quat found = follow_rotation(each.matrix, some_turn(random, 0.2f) * each.turn, 3);
    EXPECT_LT(apart(rotation(found), rotation(each.turn)), 1e-5);
  }
}

// The rotation about the line is unchanged: the eigenvalue solution nearest to the guess.
TEST(FollowRotation, KeepsTheRotationAboutALine) {
  for (const float off : {0.0f, 0.01f, 0.3f}) expect_found({1, 0, 0}, off, 2e-3);
}

TEST(FollowRotation, ZeroMatrixKeepsTheGuess) {
  Random random(5);
  const Quat guess = some_turn(random, 1);
  const Mat3 zero{{{}, {}, {}}};
  EXPECT_EQ(turn_of(one(zero, guess)), turn_of(guess));
  Mat3 invalid = zero;
  invalid.row[1].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(turn_of(one(invalid, guess)), turn_of(guess));
}

// A mirrored body: the nearest proper rotation, not a reflection.
TEST(FollowRotation, StaysARotationForMirroredMatrices) {
  Random random(9);
  for (int k = 0; k < 50; ++k) {
    const Case each = some_case(random, {2, 1.5f, -0.1f});
    const Mat3 r = rotation(one(each.matrix, some_turn(random, 0.1f) * each.turn));
    EXPECT_NEAR(dot(cross(r.row[0], r.row[1]), r.row[2]), 1, 1e-5);
    EXPECT_LT(apart(r, nearest(each.matrix, each.turn)), 1e-3);
  }
}

// A rotating body, followed step by step: no drift, and a quaternion of length one.
TEST(FollowRotation, FollowsARotatingBody) {
  const Vec3 moments{1, 2, 3};
  Quat q{};
  for (int step = 1; step <= 300; ++step) {
    const Mat3 now = rotation(axis_angle({1, 2, -1}, 0.05f * static_cast<float>(step)));
    Mat3 matrix = now;
    for (Vec3& row : matrix.row)
      for (int k = 0; k < 3; ++k) row[k] *= moments[k];
    q = one(matrix, q);
    ASSERT_LT(apart(rotation(q), now), 2e-5) << step;
  }
  EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-5);
}

}  // namespace
}  // namespace panta::test
