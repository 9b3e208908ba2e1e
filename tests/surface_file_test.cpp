// Surface files: other readers get the written data, and volumes have the stated content.
#include <fmt/core.h>

#include <cmath>
#include <cstring>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/geometry/mesh_distance.h"
#include "panta/geometry/read_mesh.h"
#include "panta/io/surface_file.h"
#include "panta/io/vdb.h"
#include "surface_mesh_fixture.h"

#ifdef PANTA_HAS_OPENVDB
#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#endif

namespace panta {
namespace {

constexpr float radius = 0.4f;
constexpr Vec3 centre{0.512f, 0.613f, 0.709f};

SurfaceMesh ball() {
  SurfaceMesh mesh = marched_mesh([](const Vec3& x) { return length(x - centre) - radius; },
                                  {0, 0.1f, 0.2f}, 0.05f, 20);
  for (const Vec3& x : mesh.position) {
    mesh.normal.push_back(normalized(x - centre));
    mesh.velocity.push_back({x.y, -x.x, 1});
    mesh.value.push_back(x.z);
  }
  return mesh;
}

using SurfaceFile = FileTest;

TEST_F(SurfaceFile, MeshReadersReadTheSameMesh) {
  const SurfaceMesh mesh = ball();
  for (const std::string format : {"ply", "obj"}) {
    write_surface(path("ball." + format), format, mesh, 1.5);
    const TriangleMesh read = read_mesh(path("ball." + format));
    EXPECT_EQ(read.vertices, mesh.position) << format;
    EXPECT_EQ(read.triangles, mesh.triangles) << format;
  }
}

TEST_F(SurfaceFile, PlyRowsContainEveryAttribute) {
  const SurfaceMesh mesh = ball();
  write_surface(path("ball.ply"), "ply", mesh, 0.25);
  const std::string content = read_binary_file(path("ball.ply"));
  const std::string end = "end_header\n";
  const std::size_t body = content.find(end) + end.size();
  const std::string header = content.substr(0, body);
  expect_contains(header, "comment time 0.25\n");
  for (const std::string name : {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz", "value"})
    expect_contains(header, "property float " + name + "\n");
  expect_contains(header, "property list uchar int vertex_indices\n");
  constexpr std::size_t row_bytes = 10 * sizeof(float);
  ASSERT_EQ(content.size(), body + row_bytes * mesh.position.size() + 13 * mesh.triangles.size());
  float row[10];
  std::memcpy(row, content.data() + body + 7 * row_bytes, row_bytes);
  EXPECT_EQ((Vec3{row[0], row[1], row[2]}), mesh.position[7]);
  EXPECT_EQ((Vec3{row[3], row[4], row[5]}), mesh.normal[7]);
  EXPECT_EQ((Vec3{row[6], row[7], row[8]}), mesh.velocity[7]);
  EXPECT_EQ(row[9], mesh.value[7]);
}

TEST_F(SurfaceFile, VtpHeaderMatchesItsContent) {
  const SurfaceMesh mesh = ball();
  write_surface(path("ball.vtp"), "vtp", mesh, 0.25);
  const std::string content = read_binary_file(path("ball.vtp"));
  expect_contains(content, fmt::format("NumberOfPoints=\"{}\"", mesh.position.size()));
  expect_contains(content, fmt::format("NumberOfPolys=\"{}\"", mesh.triangles.size()));
  for (const std::string name : {"TimeValue", "Normals", "velocity", "value", "connectivity"})
    expect_contains(content, "Name=\"" + name + "\"");
  // The appended arrays follow each other without gaps, each behind its size.
  std::size_t at = content.find("<AppendedData encoding=\"raw\">\n_") + 31;
  const std::size_t vertices = mesh.position.size(), triangles = mesh.triangles.size();
  for (const std::size_t expected : {std::size_t{8}, 12 * vertices, 12 * vertices, 12 * vertices,
                                     4 * vertices, 12 * triangles, 4 * triangles}) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, content.data() + at, sizeof bytes);
    ASSERT_EQ(bytes, expected);
    at += sizeof bytes + bytes;
  }
  EXPECT_EQ(content.substr(at), "\n</AppendedData>\n</VTKFile>\n");
}

TEST_F(SurfaceFile, EmptyMeshGivesAFile) {
  for (const std::string& format : surface_formats()) {
    write_surface(path("none." + format), format, {}, 0);
    EXPECT_TRUE(file_exists(path("none." + format)));
  }
  expect_contains(read_binary_file(path("none.ply")), "element vertex 0\n");
}

TEST_F(SurfaceFile, InvalidOptionsAreRefused) {
  expect_contains(
      error_message(ErrorKind::usage, [&] { write_surface(path("a.stl"), "stl", ball(), 0); }),
      "ply, obj and vtp");
  SurfaceMesh odd = ball();
  odd.velocity.pop_back();
  expect_contains(
      error_message(ErrorKind::io, [&] { write_surface(path("a.ply"), "ply", odd, 0); }),
      "values of velocity");
  EXPECT_FALSE(file_exists(path("a.ply")));
  expect_contains(
      error_message(ErrorKind::io, [&] { write_surface(path("no/a.ply"), "ply", ball(), 0); }),
      "no/a.ply");
}

#ifdef PANTA_HAS_OPENVDB

// A ball of particles on a lattice, turning about the y axis.
struct Ball {
  float spacing = 0.02f;
  std::vector<Vec3> position, velocity;
  Ball() {
    const int n = static_cast<int>(radius / spacing) + 1;
    for (int k = -n; k <= n; ++k)
      for (int j = -n; j <= n; ++j)
        for (int i = -n; i <= n; ++i) {
          const Vec3 d = Vec3{float(i), float(j), float(k)} * spacing;
          if (length(d) >= radius) continue;
          position.push_back(centre + d);
          velocity.push_back(cross(Vec3{0, 2, 0}, d));
        }
  }
};

class VdbFile : public FileTest {
 protected:
  template <class Grid>
  typename Grid::Ptr read(const std::string& grid) {
    openvdb::initialize();
    openvdb::io::File file(path("ball.vdb"));
    file.open();
    return openvdb::gridPtrCast<Grid>(file.readGrid(grid));
  }
};

TEST_F(VdbFile, LevelSetIsTheDistanceFromTheMesh) {
  const SurfaceMesh mesh = ball();
  write_vdb(path("ball.vdb"), {&mesh, {}, {}, 0.02f, 0.02f, 0.5}, {.level_set = true}, 1);
  const auto grid = read<openvdb::FloatGrid>("surface");
  EXPECT_EQ(grid->getGridClass(), openvdb::GRID_LEVEL_SET);
  EXPECT_NEAR(grid->voxelSize()[0], 0.02, 1e-7);
  EXPECT_NEAR(grid->background(), 0.06f, 1e-6f);
  EXPECT_EQ(grid->metaValue<double>("time"), 0.5);
  const MeshDistance exact({mesh.position, mesh.triangles, "ball"});
  int seen = 0;
  for (auto it = grid->cbeginValueOn(); it; ++it)
    if (++seen % 13 == 0) {
      const openvdb::Vec3d x = grid->indexToWorld(it.getCoord());
      const float distance = exact.at(to_float({x[0], x[1], x[2]})).value;
      // OpenVDB is exact only near the mesh, and extrapolates distances from there.
      EXPECT_NEAR(*it, distance, std::abs(distance) < 0.02f ? 4e-4f : 4e-3f);
    }
  EXPECT_GT(seen, 10000);
}

TEST_F(VdbFile, DensityHasTheVolumeAndVelocityTheMotion) {
  const Ball liquid;
  const SurfaceMesh none;
  write_vdb(path("ball.vdb"), {&none, liquid.position, liquid.velocity, liquid.spacing, 0.01f, 0},
            {.density = true, .velocity = true}, 1);
  const auto density = read<openvdb::FloatGrid>("density");
  double volume = 0;
  for (auto it = density->cbeginValueOn(); it; ++it) volume += double{*it} * std::pow(0.02, 3);
  const double sphere = 4.0 / 3 * 3.14159265 * std::pow(radius, 3);
  EXPECT_NEAR(volume, static_cast<double>(liquid.position.size()) * std::pow(0.02, 3), 1e-6);
  EXPECT_NEAR(volume, sphere, 0.02 * sphere);
  const openvdb::Vec3d middle(centre.x, centre.y, centre.z),
      aside(centre.x + 0.2, centre.y, centre.z);
  EXPECT_NEAR(openvdb::tools::BoxSampler::sample(density->tree(), density->worldToIndex(middle)), 1,
              1e-3);
  const auto velocity = read<openvdb::Vec3SGrid>("velocity");
  const auto v =
      openvdb::tools::BoxSampler::sample(velocity->tree(), velocity->worldToIndex(aside));
  EXPECT_NEAR(v.z(), -0.4, 1e-3);
  EXPECT_NEAR(v.x(), 0, 1e-3);
}

TEST_F(VdbFile, EmptyMeshWritesValidVdb) {
  const SurfaceMesh none;
  write_vdb(path("ball.vdb"), {&none, {}, {}, 0.02f, 0.01f, 0},
            {.level_set = true, .density = true, .velocity = true}, 1);
  EXPECT_EQ(read<openvdb::FloatGrid>("surface")->activeVoxelCount(), 0u);
  EXPECT_EQ(read<openvdb::FloatGrid>("density")->activeVoxelCount(), 0u);
}

TEST_F(VdbFile, UnwritableFileIsAnError) {
  const SurfaceMesh none;
  expect_contains(
      error_message(ErrorKind::io,
                    [&] {
                      write_vdb(path("no/ball.vdb"), {&none, {}, {}, 1, 1, 0}, {.density = true});
                    }),
      "no/ball.vdb");
}

#else

TEST(VdbFile, MissingOpenVdbNamesItsPackages) {
  std::string missing;
  EXPECT_TRUE(openvdb_version(&missing).empty());
  expect_contains(missing, "libopenvdb-dev");
  const SurfaceMesh none;
  expect_contains(error_message(ErrorKind::usage,
                                [&] {
                                  write_vdb("a.vdb", {&none, {}, {}, 1, 1, 0}, {.density = true});
                                }),
                  "libopenvdb-dev");
}

#endif

}  // namespace
}  // namespace panta
