// Polygons: exact distances, faults, prisms as solids, and ground in scenes with two dimensions.
#include "panta/geometry/polygon.h"

#include <fmt/core.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "error_of.h"
#include "panta/engine/simulation.h"
#include "panta/geometry/bounds.h"
#include "panta/geometry/mass_properties.h"
#include "panta/load/load.h"

namespace panta {
namespace {

// An L: the unit square without its upper right quarter.
const std::vector<Vec3d> angle = {{0, 0, 0},     {1, 0, 0},   {1, 0.5, 0},
                                  {0.5, 0.5, 0}, {0.5, 1, 0}, {0, 1, 0}};

TEST(Polygon, DistanceIsExactInsideAndOutsideEitherWayRound) {
  const std::vector<Vec3d> reversed(angle.rbegin(), angle.rend());
  EXPECT_NEAR(polygon_area(angle), 0.75, 1e-12);
  EXPECT_NEAR(polygon_area(reversed), -0.75, 1e-12);
  struct Case {
    Vec3 x;
    double value;
    Vec3 normal;
  };
  const float half = std::sqrt(0.5f);
  const Case cases[] = {{{0.2f, 0.5f, 0}, -0.2, {-1, 0, 0}},
                        {{0.5f, -0.3f, 7}, 0.3, {0, -1, 0}},
                        {{1.3f, 0.9f, 0}, 0.5, {0.6f, 0.8f, 0}},
                        {{0.7f, 0.6f, 0}, 0.1, {0, 1, 0}},
                        {{0.4f, 0.4f, 0}, -0.1414214, {half, half, 0}},
                        {{1, 0.2f, 0}, 0, {1, 0, 0}}};
  for (const auto& corners : {angle, reversed})
    for (const Case& c : cases) {
      const Distance d = polygon_distance(corners, c.x);
      EXPECT_NEAR(d.value, c.value, 1e-6);
      EXPECT_LT(length(d.normal - c.normal), 1e-5);
    }
}

TEST(Polygon, FaultsAreFoundWhereTheyAre) {
  const auto fault = [](const std::vector<Vec3d>& corners) {
    const auto found = polygon_fault(corners);
    return found ? fmt::format("{} {}", found->corner, found->text) : "none";
  };
  EXPECT_EQ(fault(angle), "none");
  EXPECT_EQ(fault({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}),
            "2 starts a side that meets the side from corner 0 to 1");
  EXPECT_EQ(fault({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
            "2 is the same point as the corner before it");
  EXPECT_EQ(fault({{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
            "1 is a tip without area: the next side leads back");
  EXPECT_EQ(fault({{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {2, 0, 0}, {0, 2, 0}}),
            "2 starts a side that meets the side from corner 0 to 1");  // a corner on a side
  EXPECT_NE(fault({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}), "none");
}

// Of a triangle with the right angle at the origin and legs a, b: area ab/2, centre (a, b)/3,
// moment of inertia about it A (a^2 + b^2)/18.
TEST(Polygon, FlatPrismHasTheMassPropertiesOfTheTriangle) {
  const double a = 0.6, b = 0.3, area = a * b / 2;
  const Shape triangle =
      prism({{0, 0, 0}, {a, 0, 0}, {0, b, 0}}, -0.01f, 0.01f, true, 0.01f, 0.05f);
  const MassProperties p = mass_properties(triangle, true);
  EXPECT_NEAR(p.volume, area, 0.01 * area);
  EXPECT_LT(length(p.centre - Vec3d{a / 3, b / 3, 0}), 0.005 * a);
  EXPECT_NEAR(p.inertia.row[2].z, area * (a * a + b * b) / 18, 0.02 * p.inertia.row[2].z);
}

std::string scene_with_body(int dimensions, const std::string& shape) {
  const bool flat = dimensions == 2;
  return fmt::format(R"({{"method": "unified", "spacing": 0.02, "dimensions": {},
"domain": {{"min": {}, "max": {}, "walls": "all"}},
"materials": {{"sand": {{"kind": "granular", "density": 1600}}}},
"fluids": [{{"material": "sand", "shape": {{"box": {{"min": {}, "max": {}}}}}}}],
"bodies": [{{"shape": {}}}]}})",
                     dimensions, flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[1, 1]" : "[1, 1, 1]",
                     flat ? "[0.4, 0.3]" : "[0.4, 0.3, 0.4]",
                     flat ? "[0.6, 0.5]" : "[0.6, 0.5, 0.6]", shape);
}

Scene scene_of(int dimensions, const std::string& shape) {
  return parse_scene(scene_with_body(dimensions, shape), "s.json");
}

TEST(Polygon, PrismInSpaceEndsAtItsFaces) {
  const Scene scene = scene_of(
      3, R"({"polygon": {"points": [[0, 0], [0.4, 0], [0, 0.4]], "z_min": 0.2, "z_max": 0.8}})");
  const Shape& prism = scene.bodies[0].shape;
  EXPECT_NEAR(distance(prism, {0.1f, 0.1f, 0.79f}).value, -0.01, 1e-3);
  EXPECT_NEAR(distance(prism, {0.1f, 0.1f, 0.85f}).value, 0.05, 1e-3);
  EXPECT_NEAR(distance(prism, {0.3f, 0.3f, 0.5f}).value, 0.2 / std::sqrt(2), 1e-3);
  EXPECT_NEAR(shape_bounds(prism).max.z, 0.8, 1e-6);
}

TEST(Polygon, BrokenOnesAreNamedWithTheirLine) {
  const auto error = [](int dimensions, const std::string& shape) {
    return error_of([&] { scene_of(dimensions, shape); });
  };
  EXPECT_EQ(error(2, "{\"polygon\": {\"points\": [[0, 0], [1, 1],\n[1, 0], [0, 1]]}}"),
            "s.json:6:1: 'bodies.0.shape.polygon.points.2' starts a side that meets the side from "
            "corner 0 to 1");
  EXPECT_EQ(
      error(2, R"({"polygon": {"points": [[0, 0], [1, 1]]}})"),
      "s.json:5:45: 'bodies.0.shape.polygon.points' has 2 corners: a polygon needs at least 3");
  EXPECT_NE(error(2, R"({"polygon": {"points": [[0, 0], [1, 1, 2], [0, 1]]}})")
                .find("points.1' must be a list of two numbers"),
            std::string::npos);
  EXPECT_NE(error(3, R"({"polygon": {"points": [[0, 0], [1, 1], [0, 1]]}})")
                .find("needs z_min and z_max in three dimensions"),
            std::string::npos);
  EXPECT_NE(error(2, R"({"polygon": {"points": [[0, 0], [1, 1], [0, 1]], "z_max": 1}})")
                .find("has no z_min and z_max in two dimensions"),
            std::string::npos);
  EXPECT_NE(error(2, R"({"height_field": {"min": [0, 0], "max": [1, 0],
                         "heights": [[0, 0], [0, 0]]}})")
                .find("must be one row of at least two heights in two dimensions"),
            std::string::npos);
}

// Sand falls into a valley given as a polygon and as a row of heights: all of it stays in there.
TEST(Polygon, GroundInThePlaneHoldsSand) {
  const std::string shapes[] = {
      R"({"polygon": {"points": [[0, 0], [1, 0], [1, 0.4], [0.5, 0.1], [0, 0.4]]}})",
      R"({"height_field": {"min": [0, 0], "max": [1, 0], "heights": [[0.4, 0.1, 0.4]],
                           "bottom": 0}})"};
  for (const std::string& shape : shapes) {
    const auto sim = make_simulation(scene_of(2, shape), {"cpu", 1, false});
    sim->advance_to(1.5);
    double fastest = 0;
    for (const Vec3& v : sim->snapshot().velocity()) fastest = std::max<double>(fastest, length(v));
    EXPECT_LT(fastest, 0.02);
    for (const Vec3& x : sim->snapshot().position()) {
      const double ground = 0.1 + 0.6 * std::abs(x.x - 0.5);
      EXPECT_GT((x.y - ground) / std::hypot(1, 0.6), 0.4 * 0.02);
      EXPECT_LT(x.y, 0.5);
    }
  }
}

}  // namespace
}  // namespace panta
