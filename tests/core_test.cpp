// Vectors, matrices, quaternions, errors, and the packs of sixteen floats against single floats.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "panta/core/error_format.h"
#include "panta/core/pack.h"
#include "panta/core/record.h"
#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta {
namespace {

using Lanes = std::array<float, pack_width>;

Vec3 random_vector(std::mt19937& engine) {
  std::uniform_real_distribution<float> uniform(-1, 1);
  const float x = uniform(engine), y = uniform(engine);
  return {x, y, uniform(engine)};
}

void expect_near(const Vec3& a, const Vec3& b, float tolerance = 1e-6f) {
  EXPECT_LT(length(a - b), tolerance);
}

TEST(Vec3, ProductsObeyTheirIdentities) {
  std::mt19937 engine(1);
  for (int k = 0; k < 100; ++k) {
    const Vec3 a = random_vector(engine), b = random_vector(engine), c = random_vector(engine);
    EXPECT_NEAR(dot(cross(a, b), a), 0, 1e-6);
    expect_near(cross(a, b), -cross(b, a));
    expect_near(cross(a, cross(b, c)), b * dot(a, c) - c * dot(a, b), 2e-6f);
    EXPECT_FLOAT_EQ(length(normalized(a)), 1);
    EXPECT_NEAR(length(a + b) * length(a + b), dot(a, a) + 2 * dot(a, b) + dot(b, b), 1e-5);
  }
}

TEST(Vec3, NormalizingAZeroVectorGivesTheFallback) {
  EXPECT_EQ(normalized(Vec3{}), (Vec3{0, 1, 0}));
  EXPECT_EQ(normalized(Vec3{}, {1, 0, 0}), (Vec3{1, 0, 0}));
}

TEST(Vec3, ComponentsAreIndexedByAxis) {
  Vec3 a = {1, 2, 3};
  a[1] = 5;
  EXPECT_EQ(a, (Vec3{1, 5, 3}));
  EXPECT_EQ(a[0] + a[2], 4);
}

TEST(Quat, RotationsAreOrthogonalAndKeepTheAxis) {
  std::mt19937 engine(2);
  for (int k = 0; k < 100; ++k) {
    const Vec3 axis = random_vector(engine);
    const Mat3 r = rotation(axis_angle(axis, 0.1f * static_cast<float>(k)));
    const Mat3 product = r * transpose(r);
    for (int i = 0; i < 3; ++i) expect_near(product.row[i], Mat3{}.row[i]);
    EXPECT_NEAR(determinant(r), 1, 1e-5);
    expect_near(r * axis, axis);
  }
}

TEST(Quat, AxisAngleTurnsRightHanded) {
  const float right_angle = std::numbers::pi_v<float> / 2;
  expect_near(rotation(axis_angle({0, 0, 2}, right_angle)) * Vec3{1, 0, 0}, {0, 1, 0});
  expect_near(rotation(axis_angle({3, 0, 0}, right_angle)) * Vec3{0, 1, 0}, {0, 0, 1});
  expect_near(rotation(axis_angle({0, 1, 0}, right_angle)) * Vec3{0, 0, 1}, {1, 0, 0});
}

TEST(Quat, ProductsComposeRotations) {
  std::mt19937 engine(3);
  for (int k = 0; k < 50; ++k) {
    const Quat a = axis_angle(random_vector(engine), 1.3f),
               b = axis_angle(random_vector(engine), 2);
    const Vec3 v = random_vector(engine);
    expect_near(rotation(a * b) * v, rotation(a) * (rotation(b) * v), 2e-6f);
    const Quat unity = a * Quat{a.w, -a.x, -a.y, -a.z};
    EXPECT_NEAR(unity.w, 1, 1e-6);
    expect_near({unity.x, unity.y, unity.z}, {});
  }
}

TEST(Mat3, ProductAppliesTheRightFactorFirst) {
  const Mat3 a = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}}, b = {{{0, 1, 0}, {2, 0, 1}, {1, 1, 1}}};
  EXPECT_EQ((a * b) * (Vec3{1, 2, 3}), a * (b * (Vec3{1, 2, 3})));
  EXPECT_EQ(determinant(a), -3);
  EXPECT_EQ(transpose(a).row[0], (Vec3{1, 4, 7}));
}

TEST(Error, KeepsItsKindUnderContext) {
  const Error error = Error(ErrorKind::io, "cannot read {}", "a.txt").with_context("scene.json");
  EXPECT_STREQ(error.what(), "scene.json: cannot read a.txt");
  EXPECT_EQ(error.exit_code(), 4);
}

TEST(Scalar, FiniteIsTestedOnTheBits) {
  for (const float a : {0.0f, -0.0f, 1e-45f, 3.4e38f, -3.4e38f}) EXPECT_TRUE(is_finite(a)) << a;
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float a : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_FALSE(is_finite(a)) << a;
}

// Magnitudes from tiny to large, both signs, ties for rounding, zeros and equal lanes.
struct PackCase {
  Lanes a, b, c;
};

std::vector<PackCase> pack_cases() {
  std::mt19937 engine(4);
  std::uniform_real_distribution<float> uniform(-3, 3);
  std::vector<PackCase> cases(200);
  for (PackCase& x : cases)
    for (std::size_t l = 0; l < pack_width; ++l) {
      const float scale = std::pow(10.0f, std::floor(uniform(engine)));
      x.a[l] = uniform(engine) * scale, x.b[l] = uniform(engine), x.c[l] = uniform(engine);
    }
  cases.push_back(
      {{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 0, -0.0f, 1e9f, -1e9f, 8388609, 3, 4, 5, 6, 7},
       {0.5f, 2, -2.5f, 0, 0, 0, 0, 1, 1e9f, 1, 1, 1, 1, 1, 1, 7},
       {}});
  return cases;
}

F16 pack(const Lanes& lanes) { return load(lanes.data()); }

template <class Packed, class Scalar>
void expect_lanes(const char* what, const Packed& packed, const Scalar& scalar) {
  for (const PackCase& x : pack_cases()) {
    const F16 result = packed(pack(x.a), pack(x.b), pack(x.c));
    for (std::size_t l = 0; l < pack_width; ++l)
      ASSERT_EQ(result[l], scalar(x.a[l], x.b[l], x.c[l])) << what << " of " << x.a[l];
  }
}

TEST(Pack, EveryLaneEqualsTheScalarResult) {
  const auto all = [](const char* what, const auto& f) { expect_lanes(what, f, f); };
  all("fused", [](auto a, auto b, auto c) { return fused(a, b, c); });
  all("maximum", [](auto a, auto b, auto) { return maximum(a, b); });
  all("minimum", [](auto a, auto b, auto) { return minimum(a, b); });
  all("maximum with a number", [](auto a, auto, auto) { return maximum(a, 0.5f); });
  all("minimum with a number", [](auto a, auto, auto) { return minimum(a, 0.5f); });
  all("square root", [](auto a, auto, auto) { return square_root(a * a); });
  all("reciprocal", [](auto a, auto, auto) { return reciprocal(a * a + 0.1f); });
  all("nearest integer", [](auto a, auto, auto) { return round_nearest(a); });
}

TEST(Pack, ComparisonsGiveAMaskOfLanes) {
  for (const PackCase& x : pack_cases()) {
    const LaneMask below = lanes_below(pack(x.a), pack(x.b)), small = lanes_below(pack(x.a), 0.5f);
    for (std::size_t l = 0; l < pack_width; ++l) {
      EXPECT_EQ(below >> l & 1, x.a[l] < x.b[l]);
      EXPECT_EQ(small >> l & 1, x.a[l] < 0.5f);
    }
    EXPECT_EQ((below | small) >> pack_width, 0u);
  }
  EXPECT_EQ(lanes_below(lane_numbers() - 20, splat(-17)), 0b111u);
  EXPECT_EQ(lanes_below(splat(std::numeric_limits<float>::quiet_NaN()), 1e30f), 0u);
}

TEST(Pack, ChooseSelectsByLane) {
  for (const LaneMask mask : {0u, 0xffffu, 1u, 0x8000u, 0x5a3cu}) {
    const F16 chosen = choose(mask, splat(1.0f), splat(-1.0f));
    const I16 chosen_numbers = choose(mask, lane_numbers(), splat(-1));
    for (int l = 0; l < pack_width; ++l) {
      EXPECT_EQ(chosen[l], mask >> l & 1 ? 1 : -1);
      EXPECT_EQ(chosen_numbers[l], mask >> l & 1 ? l : -1);
    }
  }
}

TEST(Pack, FirstLanesHasTheRequestedCount) {
  for (Index count = 0; count <= pack_width; ++count)
    EXPECT_EQ(first_lanes(count), (1u << count) - 1);
  EXPECT_EQ(first_lanes(1000), 0xffffu);
}

TEST(Pack, CompressedLanesKeepTheirOrder) {
  for (LaneMask mask = 0; mask <= 0xffff; ++mask) {
    std::array<std::uint32_t, pack_width> stored;
    Lanes stored_floats;
    const I16 numbers = lane_numbers() + 100;
    compress_store(stored.data(), mask, numbers);
    compress_store(stored_floats.data(), mask, to_float(numbers));
    std::size_t k = 0;
    for (std::uint32_t l = 0; l < pack_width; ++l)
      if (mask >> l & 1) {
        ASSERT_EQ(stored[k], 100 + l) << mask;
        ASSERT_EQ(stored_floats[k++], static_cast<float>(100 + l)) << mask;
      }
  }
}

TEST(Pack, LaneSumIsABinaryTree) {
  for (const PackCase& x : pack_cases()) {
    Lanes s = x.a;
    for (std::size_t half = pack_width / 2; half >= 1; half /= 2)
      for (std::size_t l = 0; l < half; ++l) s[l] += s[l + half];
    ASSERT_EQ(lane_sum(pack(x.a)), s[0]);
    EXPECT_EQ(lane_sum(Vec3T<F16>{pack(x.a), pack(x.b), pack(x.a)}).x, s[0]);
  }
}

TEST(Pack, GatherReadsTheGivenIndices) {
  std::vector<float> values(1000);
  std::vector<std::uint32_t> numbers(1000);
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = static_cast<float>(k) + 0.5f;
    numbers[k] = static_cast<std::uint32_t>(3 * k);
  }
  const I16 places = lane_numbers() * 61 + 7;
  const F16 gathered = gather(values.data(), places);
  const I16 gathered_numbers = gather(numbers.data(), places);
  for (int l = 0; l < pack_width; ++l) {
    EXPECT_EQ(gathered[l], static_cast<float>(places[l]) + 0.5f);
    EXPECT_EQ(gathered_numbers[l], 3 * places[l]);
  }
}

TEST(Pack, IntegersAndFloatsConvertTowardsZero) {
  const I16 numbers = lane_numbers() * 1000 - 8000;
  const F16 floats = to_float(numbers);
  const I16 cut = to_int(floats + 0.75f);
  for (int l = 0; l < pack_width; ++l) {
    EXPECT_EQ(floats[l], static_cast<float>(numbers[l]));
    EXPECT_EQ(cut[l], static_cast<int>(static_cast<float>(numbers[l]) + 0.75f));
  }
}

TEST(Pack, GatheredRecordsAreTransposedInOrder) {
  std::vector<Record8> records(50);
  for (std::size_t r = 0; r < records.size(); ++r) {
    const float a = 10 * static_cast<float>(r);
    records[r] = {{a, a + 1, a + 2, a + 3}, {a + 4, a + 5, a + 6, a + 7}};
  }
  std::mt19937 engine(5);
  std::array<std::uint32_t, pack_width> list;
  for (std::uint32_t& place : list) place = engine() % 50;
  const RecordT<F16> gathered = gather_records({records.data()}, list.data());
  const F16* const members[8] = {&gathered.first.x,  &gathered.first.y,  &gathered.first.z,
                                 &gathered.first.w,  &gathered.second.x, &gathered.second.y,
                                 &gathered.second.z, &gathered.second.w};
  for (int l = 0; l < pack_width; ++l)
    for (int m = 0; m < 8; ++m)
      EXPECT_EQ((*members[m])[l],
                static_cast<float>(10 * list[static_cast<std::size_t>(l)]) + static_cast<float>(m));
}

}  // namespace
}  // namespace panta
