// The bundled models: closed solids of the requested size at the stated position, with a smooth
// distance; vessels hold water up to their openings.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "panta/load/load.h"
#include "panta/render/trace.h"

namespace panta {
namespace {

// The shape of a bundled model; `parameters` is JSON.
Shape load_model(const std::string& name, const std::string& parameters = "{}") {
  const std::string scene =
      R"({"method": "sph", "spacing": 0.01, "bodies": [{"shape": {"model": ")" + name +
      R"(", "parameters": )" + parameters + "}}]}";
  return parse_scene(scene, PANTA_SOURCE_DIR "/scenes/test.json").bodies.at(0).shape;
}

struct Model {
  std::string name, size;  // name of its size parameter
  float standard;          // default of that parameter, m
};

void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

// Points on the surface, found by projecting random points, with their normals. Sharp edges, where
// the normals of both sides differ, are skipped.
struct SurfacePoint {
  Vec3 position, normal;
};

std::vector<SurfacePoint> smooth_points(const Shape& shape, int seeds) {
  const Bounds bounds = surface_bounds(shape);
  const float accuracy = 1e-5f * bounds.diagonal(), step = 5e-4f * bounds.diagonal();
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<SurfacePoint> points;
  for (int k = 0; k < seeds; ++k) {
    Vec3 x;
    for (int axis = 0; axis < 3; ++axis)
      x[axis] = bounds.min[axis] + uniform(random) * (bounds.max[axis] - bounds.min[axis]);
    for (int turn = 0; turn < 30; ++turn) {
      const Distance d = distance(shape, x);
      x -= d.normal * d.value;
    }
    const Distance d = distance(shape, x);
    const Vec3 outside = distance(shape, x + d.normal * step).normal;
    const Vec3 inside = distance(shape, x - d.normal * step).normal;
    if (std::abs(d.value) < accuracy && dot(outside, inside) > 0.99f)
      points.push_back({x, d.normal});
  }
  return points;
}

class BundledModel : public testing::TestWithParam<Model> {};

TEST_P(BundledModel, HasTheRequestedSizeAndStandsOnTheGround) {
  const Model& model = GetParam();
  const Bounds standard = surface_bounds(load_model(model.name));
  const std::string larger = "{\"" + model.size + "\": " + std::to_string(3 * model.standard) + "}";
  const Bounds large = surface_bounds(load_model(model.name, larger));
  for (int axis = 0; axis < 3; ++axis) {
    const float size = standard.max[axis] - standard.min[axis];
    EXPECT_NEAR(large.min[axis], 3 * standard.min[axis], 0.02f * size);
    EXPECT_NEAR(large.max[axis], 3 * standard.max[axis], 0.02f * size);
  }
  const Vec3 size = standard.max - standard.min;
  EXPECT_NEAR(model.name == "foot" || model.name == "corridor" ? size.x : size.y, model.standard,
              0.03f * model.standard);
  EXPECT_NEAR(standard.min.y, 0, 0.01f * size.y);
  EXPECT_NEAR(standard.center().x, 0, 0.12f * size.x);
  EXPECT_NEAR(standard.center().z, 0, 0.05f * size.z);
}

TEST_P(BundledModel, DistanceHasAUnitGradientAtTheSurface) {
  const Shape shape = load_model(GetParam().name);
  const std::vector<SurfacePoint> points = smooth_points(shape, 3000);
  ASSERT_GT(points.size(), 1500u);
  const float step = 2e-4f * surface_bounds(shape).diagonal();
  float deviation = 0;
  int bad = 0;
  for (const auto& [x, normal] : points) {
    const float rise =
        distance(shape, x + normal * step).value - distance(shape, x - normal * step).value;
    const float off = std::abs(rise / (2 * step) - 1);
    deviation += off;
    bad += off > 0.1f;
  }
  EXPECT_LT(deviation / static_cast<float>(points.size()), 0.02f);
  EXPECT_LE(bad, static_cast<int>(points.size()) / 100);  // inexact where three parts blend
}

INSTANTIATE_TEST_SUITE_P(All, BundledModel,
                         testing::Values(Model{"rabbit", "height", 0.3f},
                                         Model{"character", "height", 0.5f},
                                         Model{"glass", "height", 0.14f},
                                         Model{"foot", "size", 0.26f}, Model{"jug", "height", 0.2f},
                                         Model{"stairs", "height", 0.6f},
                                         Model{"corridor", "size", 1.0f}),
                         [](const auto& info) { return info.param.name; });

// Whether a path in free space, through points that are `allowed`, connects a point to the border
// of a box around the shape, in steps of the given length.
bool leaks(const Shape& shape, const Vec3& from, float step,
           const std::function<bool(const Vec3&)>& allowed) {
  const Bounds bounds = surface_bounds(shape);
  std::array<int, 3> count, start;
  const Vec3 origin = bounds.min - Vec3{1, 1, 1} * (2 * step);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int a = static_cast<int>(axis);
    count[axis] = static_cast<int>((bounds.max[a] - bounds.min[a]) / step) + 5;
    start[axis] = static_cast<int>((from[a] - origin[a]) / step);
  }
  const auto index = [&](const std::array<int, 3>& c) {
    return static_cast<std::size_t>((c[2] * count[1] + c[1]) * count[0] + c[0]);
  };
  std::vector<char> seen(index({0, 0, count[2]}), 0);
  std::vector<std::array<int, 3>> open = {start};
  while (!open.empty()) {
    const std::array<int, 3> cell = open.back();
    open.pop_back();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (cell[axis] == 0 || cell[axis] == count[axis] - 1) return true;
    if (seen[index(cell)]) continue;
    seen[index(cell)] = 1;
    const Vec3 x = origin + Vec3{static_cast<float>(cell[0]), static_cast<float>(cell[1]),
                                 static_cast<float>(cell[2])} *
                                step;
    if (distance(shape, x).value < 0 || !allowed(x)) continue;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const int side : {-1, 1}) {
        std::array<int, 3> next = cell;
        next[axis] += side;
        open.push_back(next);
      }
  }
  return false;
}

// The thinnest part of a wall: the depth of the solid below points of its surface.
float thinnest(const Shape& shape) {
  const Bounds bounds = surface_bounds(shape);
  const float step = 5e-4f * bounds.diagonal();
  float least = bounds.diagonal();
  for (const auto& [x, normal] : smooth_points(shape, 4000)) {
    float depth = step;
    while (depth < least && distance(shape, x - normal * depth).value < 0) depth += step;
    least = std::min(least, depth);
  }
  return least;
}

TEST(Vessels, GlassHoldsWaterToTheRim) {
  const Shape glass = load_model("glass", R"({"height": 0.2, "radius": 0.05, "thickness": 0.005})");
  const Vec3 inside{0, 0.1f, 0};
  EXPECT_FALSE(leaks(glass, inside, 0.003f, [](const Vec3& x) { return x.y < 0.199f; }));
  EXPECT_TRUE(leaks(glass, inside, 0.003f, [](const Vec3&) { return true; }));
  EXPECT_GT(thinnest(glass), 0.004f);  // less than the side's only near the rim
}

TEST(Vessels, JugHoldsWaterToItsSpoutAndPoursThroughIt) {
  const float height = 0.2f, radius = height / 1.83f;
  const Shape jug = load_model("jug");
  const Vec3 inside{0, 0.5f * height, 0};
  const float step = 0.6f * 0.07f * radius;
  EXPECT_FALSE(leaks(jug, inside, step, [&](const Vec3& x) { return x.y < 0.8f * height; }));
  const auto not_through_the_neck = [&](const Vec3& x) {
    return x.y < 0.75f * height || x.x > 0.8f * radius;
  };
  EXPECT_TRUE(leaks(jug, inside, step, not_through_the_neck));
  const auto not_through_the_spout = [&](const Vec3& x) { return x.x < 0.95f * radius; };
  EXPECT_TRUE(leaks(jug, inside, step, not_through_the_spout));
  EXPECT_GT(thinnest(jug), 0.04f * radius);
}

TEST(Vessels, CorridorIsClosedAtItsEndsByDefault) {
  const Vec3 inside{-0.3f, 0.1f, -0.3f};
  const auto below_the_top = [](const Vec3& x) { return x.y < 0.245f; };
  EXPECT_FALSE(leaks(load_model("corridor"), inside, 0.015f, below_the_top));
  EXPECT_TRUE(leaks(load_model("corridor", R"({"ends": 0})"), inside, 0.015f, below_the_top));
  EXPECT_NEAR(thinnest(load_model("corridor")), 0.03f, 2e-3f);
}

TEST(Vessels, StairsHaveSixStepsAndOptionalWalls) {
  const Shape stairs = load_model("stairs", R"({"height": 0.6, "run": 0.2, "width": 1})");
  const Shape walled =
      load_model("stairs", R"({"height": 0.6, "run": 0.2, "width": 1, "walls": 0.1})");
  for (int k = 0; k < 6; ++k) {
    const Vec3 middle{-0.5f + 0.2f * static_cast<float>(k), 0.1f * static_cast<float>(k + 1), 0};
    EXPECT_NEAR(distance(stairs, middle).value, 0, 1e-5f);
    EXPECT_NEAR(distance(walled, middle).value, 0, 1e-5f);
  }
  EXPECT_NEAR(surface_bounds(stairs).max.y, 0.6f, 1e-3f);
  EXPECT_NEAR(surface_bounds(walled).max.y, 0.7f, 1e-3f);
  EXPECT_NEAR(surface_bounds(stairs).max.z, 0.5f, 1e-3f);
  EXPECT_GT(surface_bounds(walled).max.z, 0.53f);
}

}  // namespace
}  // namespace panta
