// The types of constraints one by one, and the selection of particles and constraints in scenes.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include "belt_constraint.h"
#include "error_of.h"
#include "panta/load/load.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_group_list.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_lists.h"
#include "panta/methods/unified_macklin2014/constraints/registered.h"
#include "stay_above_constraint.h"

namespace panta::unified {
namespace {

// For every type of a list.
template <class... T, class Check>
void for_each_type(ConstraintTypes<T...>, const Check& check) {
  (check(T{}), ...);
}

float spread(int k) { return static_cast<float>((k * 7919) % 97) / 97 - 0.4f; }

// Against central differences of value(x).
template <int N, class Value>
void expect_gradient(const char* name, Vec3 (&x)[N], const Vec3 (&gradient)[N],
                     const Value& value) {
  constexpr float h = 1e-2f;
  for (int m = 0; m < N; ++m)
    for (int axis = 0; axis < 3; ++axis) {
      const float at = x[m][axis];
      x[m][axis] = at + h;
      const float above = value(x);
      x[m][axis] = at - h;
      const float below = value(x);
      x[m][axis] = at;
      EXPECT_NEAR(gradient[m][axis], (above - below) / (2 * h), 2e-3)
          << name << ", particle " << m << ", axis " << axis;
    }
}

template <SizedConstraint T>
void check_gradients(int trial) {
  Vec3 start[T::size], x[T::size], gradient[T::size], unused[T::size];
  for (int m = 0; m < T::size; ++m) {
    const int k = 31 * trial + 6 * m;
    start[m] = {spread(k + 1), spread(k + 2), spread(k + 3)};
    x[m] = {spread(k + 4) + 0.5f, spread(k + 5), spread(k + 6)};
  }
  const auto data = T::make({}, start);
  const double time = 0.1 * trial;
  T::value(data, x, time, gradient);
  expect_gradient(T::name, x, gradient,
                  [&](const Vec3* at) { return T::value(data, at, time, unused); });
}

// The gradient of an element, and the slope by the sum.
template <SummedConstraint T>
void check_gradients(int trial) {
  Vec3 x[T::element_size], gradient[T::element_size], unused[T::element_size];
  for (int m = 0; m < T::element_size; ++m) {
    const int k = 31 * trial + 6 * m;
    x[m] = {spread(k + 4) + 0.5f, spread(k + 5), spread(k + 6)};
  }
  T::element(x, gradient);
  expect_gradient(T::name, x, gradient, [&](const Vec3* at) { return T::element(at, unused); });
  const double sum = 1 + 0.1 * trial, time = 0.1 * trial, h = 1e-2;
  const auto data = T::make({}, 1.0);
  const double rise =
      double(T::value(data, sum + h, time).value) - double(T::value(data, sum - h, time).value);
  EXPECT_NEAR(T::value(data, sum, time).slope, rise / (2 * h), 2e-3) << T::name;
}

TEST(ConstraintTypes, GradientsMatchFiniteDifferences) {
  const auto check = [](auto type) {
    for (int trial = 0; trial < 20; ++trial) check_gradients<decltype(type)>(trial);
  };
  for_each_type(RegisteredConstraints{}, check);
  for_each_type(ConstraintTypes<StayAboveConstraint, BeltConstraint>{}, check);
}

// Forces between particles only: a type with several particles has gradients that cancel. For sums
// over elements volume_constraint_test.cpp tests this, because it needs connected elements.
TEST(ConstraintTypes, InternalConstraintsConserveTheCentre) {
  for_each_type(RegisteredConstraints{}, [](auto type) {
    using T = decltype(type);
    if constexpr (SizedConstraint<T>) {
      if (T::size == 1) return;
      Vec3 x[T::size], gradient[T::size], sum;
      for (int m = 0; m < T::size; ++m) x[m] = {spread(m), spread(m + 5), spread(m + 9)};
      T::value(T::make({}, x), x, 0, gradient);
      for (const Vec3& each : gradient) sum += each;
      EXPECT_LT(length(sum), 1e-6f) << T::name;
    }
  });
}

const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {5, 5, 5}};

auto lists_of(const Constraint& constraint, const std::vector<Vec3>& start = square) {
  return make_constraint_lists(constraint, 0, {.start = start}, RegisteredConstraints{});
}

TEST(ConstraintSelection, NearPairsWithinAShapeAreConstrained) {
  Constraint constraint{.type = "distance", .nearest = 1.01f};
  auto sides = lists_of(constraint).of<DistanceConstraint>();
  EXPECT_EQ(sides.particles, (std::vector<std::uint32_t>{0, 1, 0, 3, 1, 2, 2, 3}));
  constraint.nearest = 1.5f;  // and the diagonals
  EXPECT_EQ(lists_of(constraint).of<DistanceConstraint>().size(), 6u);
  constraint.within = Shape::box({-0.5f, -0.5f, -0.5f}, {1.5f, 0.5f, 0.5f});
  auto lower = lists_of(constraint).of<DistanceConstraint>();
  EXPECT_EQ(lower.particles, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_FLOAT_EQ(lower.data[0].rest_length, 1);
}

TEST(ConstraintSelection, ParticlesWithinAShapeAreAttached) {
  Constraint constraint{.type = "attach",
                        .parameters = {{"velocity", Vec3d{0, 2, 0}}, {"compliance", 0.5}},
                        .within = Shape::sphere({1, 1, 0}, 0.1f)};
  auto held = lists_of(constraint).of<AttachConstraint>();
  EXPECT_EQ(held.particles, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(held.data[0].point, square[2]);
  EXPECT_EQ(held.data[0].velocity, (Vec3{0, 2, 0}));
  EXPECT_EQ(held.softness[0].compliance, 0.5f);
}

TEST(ConstraintSelection, ErrorsAreSpecific) {
  const auto error = [](const Constraint& constraint) {
    return error_of([&] { lists_of(constraint); });
  };
  EXPECT_EQ(error({.type = "distance", .particles = {0, 5}}),
            "constraints.0: there is no particle 5: there have been 5, counted from 0");
  EXPECT_EQ(error({.type = "distance", .particles = {2, 2}}),
            "constraints.0: particle 2 is named twice in one constraint");
  EXPECT_EQ(error({.type = "distance", .particles = {0, 1, 2}}),
            "constraints.0: 'particles' must name 2 for each constraint, got 3 in all");
  EXPECT_EQ(error({.type = "distance", .parameters = {{"rest_length", 0.0}}, .particles = {0, 1}}),
            "constraints.0: 'rest_length' must be > 0, got 0");
  EXPECT_EQ(error({.type = "attach", .parameters = {{"compliance", -1.0}}, .particles = {0}}),
            "constraints.0: 'compliance' must be between 0 and 1000000000, got -1");
  EXPECT_EQ(error({.type = "atach", .particles = {0}}),
            "constraints.0: 'type' cannot be 'atach' (did you mean 'attach'?)");
  EXPECT_EQ(error({.type = "distance"}),
            "constraints.0: needs 'particles' or 'nearest' to know which particles it ties");
  EXPECT_EQ(error({.type = "attach", .within = Shape::sphere({9, 9, 9}, 1)}),
            "constraints.0: ties no particle: none starts inside 'within'");
  const std::vector<Vec3> same_place = {{1, 1, 1}, {1, 1, 1}};
  EXPECT_EQ(error_of([&] {
              lists_of({.type = "distance", .particles = {0, 1}}, same_place);
            }),
            "constraints.0: particles 0 and 1 start at the same place: give a rest_length");
}

std::string file_with(const std::string& constraints, const std::string& method = "unified") {
  return R"({"method": ")" + method + R"(", "spacing": 0.1, "materials": {"water": {}},
    "fluids": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}],
    "constraints": [)" +
         constraints + "]}";
}

Constraint read_one(const std::string& constraint) {
  return parse_scene(file_with(constraint), "test.json").constraints.at(0);
}

TEST(ConstraintFile, ReadsEveryFormOfParticleSelection) {
  const Constraint pair =
      read_one(R"({"type": "distance", "particles": [3, 5], "rest_length": 0.5})");
  EXPECT_EQ(pair.type, "distance");
  EXPECT_EQ(pair.particles, (std::vector<std::uint32_t>{3, 5}));
  EXPECT_EQ(std::get<double>(pair.parameters.at("rest_length")), 0.5);
  EXPECT_EQ(read_one(R"({"type": "distance", "particles": [[0, 1], [1, 2]]})").particles,
            (std::vector<std::uint32_t>{0, 1, 1, 2}));
  EXPECT_EQ(read_one(R"({"type": "attach", "particles": [7, 8, 9]})").particles,
            (std::vector<std::uint32_t>{7, 8, 9}));
  const Constraint soft = read_one(R"({"type": "distance", "nearest": 0.15, "compliance": 1e-4,
    "within": {"box": {"min": [0, 0, 0], "max": [0.5, 1, 1]}}})");
  EXPECT_EQ(soft.nearest, 0.15f);
  EXPECT_FALSE(soft.within.empty());
  const Constraint held = read_one(R"({"type": "attach", "velocity": [1, 0, 0],
    "within": {"box": {"min": [0, 0, 0], "max": [0.1, 1, 1]}}})");
  EXPECT_EQ(std::get<Vec3d>(held.parameters.at("velocity")), (Vec3d{1, 0, 0}));
}

// A key that is absent because its value is computed stays absent in the effective scene.
TEST(ConstraintFile, TheEffectiveSceneReadsBack) {
  json::Value effective;
  parse_scene(file_with(R"({"type": "distance", "particles": [3, 5]})"), "test.json", {},
              &effective);
  const Scene again = parse_scene(json::dump(effective), "again.json");
  EXPECT_EQ(again.constraints.at(0).particles, (std::vector<std::uint32_t>{3, 5}));
  EXPECT_FALSE(again.constraints[0].parameters.contains("rest_length"));
}

TEST(ConstraintFile, ErrorsHaveFilePositions) {
  const auto error = [](const std::string& constraint, const std::string& method = "unified") {
    const std::string text =
        error_of([&] { parse_scene(file_with(constraint, method), "test.json"); });
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(error(R"({"type": "distnce", "particles": [0, 1]})"),
            "'constraints.0.type' cannot be 'distnce' (did you mean 'distance'?)");
  EXPECT_EQ(error(R"({"type": "distance", "particles": [0, 1], "rest_length": 0})"),
            "'constraints.0.rest_length' must be > 0, got 0");
  EXPECT_EQ(error(R"({"type": "distance", "particles": [0, 1], "compliance": -2})"),
            "'constraints.0.compliance' must be between 0 and 1000000000, got -2");
  EXPECT_EQ(
      error(R"({"type": "distance", "particles": [0, -1]})"),
      "'constraints.0.particles' must be a particle's number, counted from 0, got the number -1");
  EXPECT_EQ(error(R"({"type": "distance", "particles": [0, 1, 2]})"),
            "'constraints.0.particles' must be a list of 2 particles, got a list of 3");
  EXPECT_EQ(error(R"({"type": "distance"})"),
            "'constraints.0' must have one of particles, nearest, got none");
  EXPECT_EQ(
      error(R"({"type": "attach", "particles": [0], "stiffness": 3})"),
      "unknown key 'constraints.0.stiffness' (valid: name, type, velocity, compliance, damping, "
      "particles, within)");
  EXPECT_EQ(error(R"({"type": "attach", "particles": [0]})", "sph"),
            "the method 'sph' has no constraints, and 'constraints.0' is of type 'attach': use "
            "'unified'");
}

// The calls of two iterations: the groups in their order, '!' after the group that closes.
std::string solved(bool has_ties, bool has_density, bool has_contacts) {
  std::string calls;
  const auto group = [&](const char* name, bool active, bool can_close) {
    return ConstraintGroup{name, [active] { return active; },
                           [&calls, name](const SubstepCount&, bool closes) {
                             calls += std::string(name) + (closes ? "! " : " ");
                           },
                           can_close};
  };
  const ConstraintGroupList groups(
      {group("ties", has_ties, false), group("density", has_density, true),
       group("contacts", has_contacts, true)},
      [&](const SubstepCount&) { calls += "close! "; });
  SubstepCount now{.substeps = 1, .iterations = 2};
  for (; now.iteration < now.iterations; ++now.iteration) groups.solve(now);
  return calls;
}

TEST(ConstraintGroupList, LastActiveGroupOrASeparateLaunchCloses) {
  EXPECT_EQ(solved(true, true, true), "ties density contacts ties density contacts! ");
  EXPECT_EQ(solved(true, true, false), "ties density ties density! ");
  EXPECT_EQ(solved(false, false, true), "contacts contacts! ");
  EXPECT_EQ(solved(true, false, false), "ties ties close! ");
  EXPECT_EQ(solved(false, false, false), "close! ");
}

// The guide must show the code that is tested.
TEST(ConstraintGuide, ShowsTheTestedCode) {
  const auto text_of = [](const std::string& path) {
    std::ifstream file(PANTA_SOURCE_DIR "/" + path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  const std::string guide = text_of("docs/add-a-constraint.md");
  for (const auto& [file, mark] : {std::pair{"stay_above", "// [type]\n"},
                                   {"stay_above", "// [list]\n"},
                                   {"belt", "// [type]\n"}}) {
    const std::string code = text_of(std::string("tests/") + file + "_constraint.h");
    const std::size_t begin = code.find(mark) + std::strlen(mark);
    const std::string shown = code.substr(begin, code.find(mark, begin) - begin);
    EXPECT_GT(shown.size(), 20u);
    EXPECT_NE(guide.find(shown), std::string::npos) << shown;
  }
}

}  // namespace
}  // namespace panta::unified
