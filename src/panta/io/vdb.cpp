#include "panta/io/vdb.h"

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/ValueTransformer.h>
#include <tbb/task_arena.h>

#include <array>
#include <cmath>
#include <streambuf>

#include "panta/core/error_format.h"
#include "panta/core/file.h"

namespace panta {

namespace {

// Writes the stream of OpenVDB to a file that throws on errors.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(OutputFile& file) : file_(file) {}

 protected:
  std::streamsize xsputn(const char* data, std::streamsize count) override {
    file_.write(data, static_cast<std::size_t>(count));
    written_ += count;
    return count;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    xsputn(&byte, 1);
    return c;
  }
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    return offset == 0 && from == std::ios_base::cur ? pos_type(written_) : pos_type(off_type(-1));
  }

 private:
  OutputFile& file_;
  std::streamoff written_ = 0;
};

openvdb::math::Transform::Ptr voxels_of(float size) {
  return openvdb::math::Transform::createLinearTransform(double{size});
}

openvdb::Vec3s to_vdb(const Vec3& v) { return {v.x, v.y, v.z}; }

openvdb::GridBase::Ptr level_set(const SurfaceMesh& mesh, float cell) {
  const auto voxels = voxels_of(cell);
  openvdb::FloatGrid::Ptr grid;
  if (mesh.empty()) {
    grid = openvdb::createLevelSet<openvdb::FloatGrid>(double{cell}, double{vdb_half_width});
  } else {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    for (const Vec3& x : mesh.position) points.push_back(to_vdb(x));
    for (const Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    grid = openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(*voxels, points, triangles,
                                                              vdb_half_width);
  }
  grid->setName("surface");
  return grid;
}

// The three nodes around a position in voxels, and the quadratic B-spline weights there.
struct Spline {
  std::array<int, 3> first;
  std::array<std::array<float, 3>, 3> weight;  // by axis

  Spline(const Vec3& place) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      const float nearest = std::round(place[axis]), t = place[axis] - nearest;
      first[k] = static_cast<int>(nearest) - 1;
      weight[k] = {0.5f * (0.5f - t) * (0.5f - t), 0.75f - t * t, 0.5f * (0.5f + t) * (0.5f + t)};
    }
  }

  // visit(voxel, weight); the weights' sum is 1.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 3; ++i)
          visit(openvdb::Coord(first[0] + static_cast<int>(i), first[1] + static_cast<int>(j),
                               first[2] + static_cast<int>(k)),
                weight[0][i] * weight[1][j] * weight[2][k]);
  }
};

openvdb::FloatGrid::Ptr density(const LiquidVolume& liquid) {
  const auto grid = openvdb::FloatGrid::create(0.0f);
  grid->setTransform(voxels_of(liquid.spacing));
  grid->setName("density");
  grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  auto voxel = grid->getAccessor();
  for (const Vec3& x : liquid.position)
    Spline(x * (1 / liquid.spacing)).each([&](const openvdb::Coord& at, float weight) {
      voxel.modifyValue(at, [&](float& value) { value += weight; });
    });
  return grid;
}

openvdb::GridBase::Ptr velocity(const LiquidVolume& liquid, const openvdb::FloatGrid& weights) {
  const auto grid = openvdb::Vec3SGrid::create(openvdb::Vec3s(0.0f));
  grid->setTransform(voxels_of(liquid.spacing));
  grid->setName("velocity");
  grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
  auto voxel = grid->getAccessor();
  for (std::size_t i = 0; i < liquid.position.size(); ++i) {
    const openvdb::Vec3s v = to_vdb(liquid.velocity[i]);
    Spline(liquid.position[i] * (1 / liquid.spacing))
        .each([&](const openvdb::Coord& at, float weight) {
          voxel.modifyValue(at, [&](openvdb::Vec3s& value) { value += v * weight; });
        });
  }
  auto weight = weights.getConstAccessor();
  for (auto it = grid->beginValueOn(); it; ++it) {
    const float sum = weight.getValue(it.getCoord());
    it.setValue(sum > 0 ? *it / sum : openvdb::Vec3s(0.0f));
  }
  return grid;
}

openvdb::GridPtrVec make_grids(const LiquidVolume& liquid, const VolumeGrids& wanted) {
  openvdb::GridPtrVec grids;
  if (wanted.level_set) grids.push_back(level_set(*liquid.mesh, liquid.cell));
  if (wanted.density || wanted.velocity) {
    const openvdb::FloatGrid::Ptr shares = density(liquid);
    if (wanted.velocity) grids.push_back(velocity(liquid, *shares));
    if (wanted.density) grids.push_back(shares);
  }
  for (const auto& grid : grids) grid->insertMeta("time", openvdb::DoubleMetadata(liquid.time));
  return grids;
}

}  // namespace

std::string openvdb_version(std::string*) { return openvdb::getLibraryVersionString(); }

void write_vdb(const std::string& path, const LiquidVolume& liquid, const VolumeGrids& wanted,
               int threads) {
  openvdb::initialize();
  try {
    openvdb::GridPtrVec grids;
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    arena.execute([&] { grids = make_grids(liquid, wanted); });
    OutputFile file(path);
    FileBuffer buffer(file);
    std::ostream stream(&buffer);
    stream.exceptions(std::ios::badbit);  // passes the file's own error on
    openvdb::io::Stream(stream).write(grids);
    file.close();
  } catch (const openvdb::Exception& error) {
    throw Error(ErrorKind::io, "cannot write '{}': {}", path, error.what());
  }
}

}  // namespace panta
