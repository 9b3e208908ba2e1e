// Triangle meshes: measures, reports, distances and inside tests, hulls and height fields.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <numbers>

#include "file_test_fixture.h"
#include "geometry_cases.h"
#include "panta/core/file.h"
#include "panta/core/random.h"
#include "panta/geometry/convex_hull.h"
#include "panta/geometry/height_field.h"
#include "panta/geometry/mesh_distance.h"

namespace panta {
namespace {

using namespace panta::test;

constexpr double pi = std::numbers::pi;

Vec3 random_point(std::uint64_t i, float reach) {
  const auto coordinate = [&](std::uint64_t k) {
    return reach * (2 * random_uniform(5, i, k) - 1);
  };
  return {coordinate(0), coordinate(1), coordinate(2)};
}

TEST(TriangleMesh, MeasuresOfABox) {
  const TriangleMesh box = box_mesh({1, 2, 3}, {2, 4, 6});
  EXPECT_DOUBLE_EQ(mesh_volume(box), 6);
  EXPECT_DOUBLE_EQ(mesh_area(box), 2 * (1 * 2 + 2 * 3 + 3 * 1));
  EXPECT_EQ(mesh_bounds(box).min, (Vec3{1, 2, 3}));
  EXPECT_EQ(mesh_bounds(box).max, (Vec3{2, 4, 6}));
  EXPECT_EQ(error_message(ErrorKind::usage,
                          [] {
                            mesh_bounds({{}, {}, "none"});
                          }),
            "the mesh 'none' has no vertices");
}

TEST(TriangleMesh, FineSphereAndTorusHaveTheirVolume) {
  EXPECT_NEAR(mesh_volume(icosphere(1, 4)) / (4 * pi / 3), 1, 5e-3);
  EXPECT_NEAR(mesh_volume(torus_mesh(1, 0.4f, 120, 60)) / (2 * pi * pi * 0.16), 1, 5e-3);
  EXPECT_TRUE(inspect_mesh(icosphere(1, 3)).has_no_defects());
  EXPECT_TRUE(inspect_mesh(torus_mesh(1, 0.4f, 12, 6)).has_no_defects());
}

TEST(TriangleMesh, MergingKeepsOrderAndDropsUnusedVertices) {
  TriangleMesh mesh{{{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {-0.0f, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    {{1, 2, 4}, {3, 5, 2}},
                    ""};
  merge_vertices(mesh);
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 3, 1}}));
}

TEST(MeshReport, ReportsDefectsWithPositions) {
  TriangleMesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(describe(inspect_mesh(box)), "closed and consistently oriented");
  box.triangles.erase(box.triangles.begin());
  EXPECT_EQ(describe(inspect_mesh(box)),
            "open: 3 edges belong to one triangle only, the first from (0, 0, 0) to (1, 0, 0)");
  box = box_mesh({0, 0, 0}, {1, 1, 1});
  std::swap(box.triangles[0][0], box.triangles[0][1]);
  EXPECT_EQ(inspect_mesh(box).misoriented_edges.count, 3u);
  EXPECT_TRUE(inspect_mesh(box).closed());
  expect_contains(describe(inspect_mesh(box)), "inconsistently oriented: 3 edges");
  box = box_mesh({0, 0, 0}, {1, 1, 1});
  box.triangles.push_back(box.triangles[0]);
  EXPECT_EQ(inspect_mesh(box).crowded_edges.count, 3u);
  expect_contains(describe(inspect_mesh(box)), "branching: 3 edges");
  box.triangles.back() = {4, 4, 5};
  EXPECT_TRUE(inspect_mesh(box).closed());
  EXPECT_EQ(describe(inspect_mesh(box)),
            "degenerate: 1 triangle has no area, the first from (0, 0, 1) to (0, 0, 1)");
}

TEST(MeshDistance, IsExactForABox) {
  const TriangleMesh mesh = box_mesh({-1, -1, -1}, {1, 1, 1});
  const MeshDistance distance(mesh);
  const Solid box = box_solid({1, 1, 1});
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 x = random_point(i, 2);
    const Distance found = distance.at(x), expected = box.distance(x);
    ASSERT_NEAR(found.value, expected.value, 1e-6);
    ASSERT_NEAR(dot(found.normal, expected.normal), 1, 1e-5);
    ASSERT_NEAR(length(distance.closest_point(x) - x), std::abs(expected.value), 1e-6);
    ASSERT_NEAR(distance.winding_number(x), expected.value < 0, 0.02);
  }
  EXPECT_EQ(distance.at({0.3f, 1, 0.2f}).value, 0);
  EXPECT_EQ(distance.at({0.3f, 1, 0.2f}).normal, (Vec3{0, 1, 0}));
}

TEST(MeshDistance, ApproximatesSphereAndTorus) {
  const std::pair<Solid, TriangleMesh> cases[] = {
      {sphere_solid(1), icosphere(1, 5)}, {torus_solid(1, 0.4f), torus_mesh(1, 0.4f, 200, 50)}};
  for (const auto& [solid, mesh] : cases) {
    const MeshDistance distance(mesh);
    for (std::uint64_t i = 0; i < 5000; ++i) {
      const Vec3 x = random_point(i, 1.5f);
      ASSERT_NEAR(distance.at(x).value, solid.distance(x).value, 1.5e-3) << x.x << ' ' << x.y;
    }
  }
}

TEST(MeshDistance, InsideIsRobustToHolesDuplicatesAndOverlaps) {
  TriangleMesh holed = icosphere(1, 3);
  const Vec3 hole = holed.vertices[holed.triangles[100][0]];
  holed.triangles.erase(holed.triangles.begin() + 100);
  TriangleMesh doubled = icosphere(1, 3);
  doubled.triangles.insert(doubled.triangles.end(), doubled.triangles.begin(),
                           doubled.triangles.begin() + 600);
  for (const TriangleMesh* mesh : {&holed, &doubled}) {
    const MeshDistance distance(*mesh);
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const Vec3 x = random_point(i, 1.3f);
      const float r = length(x);
      if (std::abs(r - 1) < 0.01f || length(x - hole) < 0.25f) continue;
      ASSERT_EQ(distance.at(x).value < 0, r < 1);
    }
  }
  TriangleMesh overlapping = box_mesh({0, 0, 0}, {2, 2, 2});
  const TriangleMesh second = box_mesh({1, 1, 1}, {3, 3, 3});
  for (const Triangle& t : second.triangles)
    overlapping.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  overlapping.vertices.insert(overlapping.vertices.end(), second.vertices.begin(),
                              second.vertices.end());
  const MeshDistance both(overlapping);
  EXPECT_LT(both.at({1.5f, 1.5f, 1.5f}).value, 0);
  EXPECT_LT(both.at({0.5f, 0.5f, 0.5f}).value, 0);
  EXPECT_GT(both.at({2.5f, 0.5f, 0.5f}).value, 0);
}

TEST(MeshDistance, DegenerateTrianglesAreHandled) {
  TriangleMesh mesh = box_mesh({-1, -1, -1}, {1, 1, 1});
  mesh.triangles.push_back({0, 0, 1});
  mesh.triangles.push_back({3, 3, 3});
  EXPECT_FLOAT_EQ(MeshDistance(mesh).at({0, 2, 0}).value, 1);
  EXPECT_FLOAT_EQ(MeshDistance(mesh).at({0, 0.75f, 0}).value, -0.25f);
  error_message(ErrorKind::usage, [] { MeshDistance({{}, {}, "empty"}); });
}

TEST(ConvexHull, OfACubeIsTheCube) {
  std::vector<Vec3> points = box_mesh({0, 0, 0}, {2, 2, 2}).vertices;
  for (std::uint64_t i = 0; i < 200; ++i) points.push_back(Vec3{1, 1, 1} + random_point(i, 1));
  points.push_back({1, 2, 0.5f});                                   // on a face
  points.push_back({1, 2, 2});                                      // on an edge
  points.insert(points.end(), points.begin(), points.begin() + 8);  // corners twice
  const TriangleMesh hull = convex_hull(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.triangles.size(), 12u);
  EXPECT_DOUBLE_EQ(mesh_volume(hull), 8);
  EXPECT_TRUE(inspect_mesh(hull).has_no_defects());
}

TEST(ConvexHull, OfPointsInABallIsConvexAndContainsThem) {
  for (const bool on_sphere : {false, true}) {
    std::vector<Vec3> points;
    for (std::uint64_t i = 0; i < 1500; ++i) {
      const Vec3 x = random_point(i, 1);
      if (length(x) < 1) points.push_back((on_sphere ? normalized(x) : x) + Vec3{5, 0, 0});
    }
    const TriangleMesh hull = convex_hull(points);
    EXPECT_TRUE(inspect_mesh(hull).has_no_defects());
    EXPECT_GT(mesh_volume(hull), 3.4);
    EXPECT_LT(mesh_volume(hull), 4 * pi / 3);
    if (on_sphere) {
      EXPECT_EQ(hull.vertices.size(), points.size());
    }
    for (std::size_t t = 0; t < hull.triangles.size(); ++t) {
      const Vec3d a = hull.corner(t, 0);
      const Vec3d n = cross(hull.corner(t, 1) - a, hull.corner(t, 2) - a);
      for (const Vec3& p : points) ASSERT_LE(dot(n, to_double(p) - a), 1e-6 * length(n));
    }
  }
}

TEST(ConvexHull, RotatedGridOfPointsHasFlatSides) {
  const Mat3 turn = rotation(axis_angle({1, 2, 3}, 0.7f));
  std::vector<Vec3> points;
  for (int i = 0; i < 1000; ++i)
    points.push_back(turn * Vec3{static_cast<float>(i % 10), static_cast<float>(i / 10 % 10),
                                 static_cast<float>(i / 100)});
  const TriangleMesh hull = convex_hull(points);
  EXPECT_TRUE(inspect_mesh(hull).closed());
  EXPECT_NEAR(mesh_volume(hull), 729, 1e-3);
}

TEST(ConvexHull, PointsWithoutVolumeAreRefused) {
  const auto refusal = [](const std::vector<Vec3>& points) {
    return error_message(ErrorKind::usage, [&] { convex_hull(points); });
  };
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
            "a convex hull needs at least four points, not 3");
  expect_contains(refusal({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {3, 4, 1}, {2, 2, 1}}),
                  "lie in a plane");
  expect_contains(refusal({{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {3, 6, 9}}), "lie on a line");
  expect_contains(refusal({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}), "all the same point");
  expect_contains(refusal({{1, 2, 3}, {1, 2, 4}, {1, 5, 3}, {NAN, 2, 3}}), "not finite");
}

TEST(HeightField, IsTheClosedSolidBelow) {
  // y = 1 + x + 2 z over [0, 2] x [0, 3] is linear, so that its volume above -1 is exact.
  std::vector<float> heights;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 5; ++column)
      heights.push_back(1 + 0.5f * static_cast<float>(column) + 2 * static_cast<float>(row));
  const TriangleMesh mesh = height_field_mesh(heights, 5, 4, {0, 0, 0}, {2, 0, 3}, -1);
  EXPECT_TRUE(inspect_mesh(mesh).has_no_defects()) << describe(inspect_mesh(mesh));
  EXPECT_NEAR(mesh_volume(mesh), 2 * 3 * (2 + 1 + 3), 1e-9);
  const MeshDistance distance(mesh);
  EXPECT_LT(distance.at({1, 4.9f, 1.5f}).value, 0);
  EXPECT_GT(distance.at({1, 5.1f, 1.5f}).value, 0);
}

TEST(HeightField, InconsistentNumbersAreErrors) {
  const auto refusal = [](std::vector<float> heights, int columns, int rows) {
    return error_message(ErrorKind::usage, [&] {
      height_field_mesh(heights, columns, rows, {0, 0, 0}, {1, 0, 1}, 0);
    });
  };
  expect_contains(refusal({1, 1, 1}, 2, 2), "cannot have 3 heights");
  expect_contains(refusal({1, 1}, 2, 1), "both at least 2");
  expect_contains(refusal({1, 1, 0, 1}, 2, 2), "column 0, row 1");
  expect_contains(refusal({1, 1, 1, NAN}, 2, 2), "not above its bottom");
}

using HeightImageFile = FileTest;

TEST_F(HeightImageFile, IsReadAsStored) {
  const std::uint16_t grey16[] = {0, 1, 32768, 65535, 300, 4000};
  const std::uint8_t grey8[] = {0, 51, 102, 153, 204, 255};
  for (const bool deep : {false, true}) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = 3;
    png.height = 2;
    png.format = deep ? PNG_FORMAT_LINEAR_Y : PNG_FORMAT_GRAY;
    const void* pixels = deep ? static_cast<const void*>(grey16) : grey8;
    ASSERT_TRUE(png_image_write_to_file(&png, path("h.png").c_str(), 0, pixels, 0, nullptr));
    const HeightImage image = read_height_image(path("h.png"));
    EXPECT_EQ(image.columns, 3);
    EXPECT_EQ(image.rows, 2);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_FLOAT_EQ(image.heights[i], deep ? static_cast<float>(grey16[i]) / 65535.0f
                                             : static_cast<float>(grey8[i]) / 255.0f);
  }
  const std::string whole = read_binary_file(path("h.png"));
  write_text_file(path("cut.png"), whole.substr(0, whole.size() / 2));
  expect_contains(error_message(ErrorKind::io, [&] { read_height_image(path("cut.png")); }),
                  "cannot read the height image");
  write_text_file(path("text.png"), "no picture");
  expect_contains(error_message(ErrorKind::io, [&] { read_height_image(path("text.png")); }),
                  "cannot read the height image");
}

}  // namespace
}  // namespace panta
