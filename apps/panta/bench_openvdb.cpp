// The reference of the surface benchmark: OpenVDB on the same particles.
#include <openvdb/openvdb.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointRasterizeSDF.h>
#include <openvdb/tools/ParticlesToLevelSet.h>
#include <openvdb/tools/VolumeToMesh.h>
#include <tbb/global_control.h>

#include <memory>

#include "bench_surface.h"

namespace panta::app {
namespace {

// Particles in the form of OpenVDB's interface.
struct Particles {
  using PosType = openvdb::Vec3R;
  const std::vector<Vec3>& points;
  double radius;

  std::size_t size() const { return points.size(); }
  void getPos(std::size_t k, openvdb::Vec3R& at) const {
    at = {points[k].x, points[k].y, points[k].z};
  }
  void getPosRad(std::size_t k, openvdb::Vec3R& at, openvdb::Real& r) const {
    getPos(k, at);
    r = radius;
  }
};

MeshSize meshed(const openvdb::FloatGrid& grid) {
  std::vector<openvdb::Vec3s> vertices;
  std::vector<openvdb::Vec4I> quads;
  openvdb::tools::volumeToMesh(grid, vertices, quads);
  return {vertices.size(), 2 * quads.size()};
}

}  // namespace

MeshSize vdb_spheres(const std::vector<Vec3>& points, float radius, float cell) {
  const auto grid = openvdb::createLevelSet<openvdb::FloatGrid>(cell);
  openvdb::tools::ParticlesToLevelSet<openvdb::FloatGrid> raster(*grid);
  raster.setRmin(0.1);
  raster.rasterizeSpheres(Particles{points, radius});
  raster.finalize(true);
  return meshed(*grid);
}

MeshSize vdb_smooth_spheres(const std::vector<Vec3>& points, float radius, float reach,
                            float cell) {
  std::vector<openvdb::Vec3R> positions;
  positions.reserve(points.size());
  for (const Vec3& p : points) positions.emplace_back(p.x, p.y, p.z);
  const auto transform = openvdb::math::Transform::createLinearTransform(4 * cell);
  const auto cloud =
      openvdb::points::createPointDataGrid<openvdb::points::NullCodec,
                                           openvdb::points::PointDataGrid>(positions, *transform);
  const auto lattice = openvdb::math::Transform::createLinearTransform(cell);
  return meshed(*openvdb::points::rasterizeSmoothSpheres<openvdb::points::PointDataGrid>(
      *cloud, radius, reach, openvdb::LEVEL_SET_HALF_WIDTH, lattice));
}

bool limit_vdb_threads(int threads) {
  static std::unique_ptr<tbb::global_control> limit;
  openvdb::initialize();
  limit.reset();
  limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                static_cast<std::size_t>(threads));
  return true;
}

}  // namespace panta::app
