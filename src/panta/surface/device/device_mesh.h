// From blobs to a mesh on a device. If the field of all tiles does not fit the memory limit, it is
// summed for some of them at a time, and again when vertices are placed: the numbers of vertices
// must be known then; bits for all tiles give them.
#pragma once

#include <algorithm>

#include "panta/surface/device/mesh_kernels.h"

namespace panta {

template <class D>
class DeviceMesh {
 public:
  explicit DeviceMesh(std::size_t field_bytes);

  SurfaceMesh make(const D& exec, const DeviceGrid<D>& grid, const DeviceBand<D>& band,
                   const DeviceBlobs<D>& blobs, const FieldPlan& plan);

 private:
  // The input of one call.
  struct Job {
    const D& exec;
    const DeviceGrid<D>& grid;
    const DeviceBand<D>& band;
    const DeviceBlobs<D>& blobs;
    const FieldPlan& plan;
    TileLattice lattice;
    Index part;  // tiles at a time
    Index tiles_from(Index first) const { return std::min(part, band.meshed() - first); }
  };

  void size_tables(const Job& job);
  void sum_field(const Job& job, Index first);
  template <class Bump>
  void sum_field_of(const Job& job, Index first);
  void count(const Job& job, Index first);
  void write(const Job& job, Index first);
  MeshRows mesh_rows(const Job& job) const;
  FieldView field(const Job& job, Index first) const {
    return {job.lattice, values_.data(), first, job.plan.iso};
  }
  CellTableView table() const {
    return {ambiguous_.data(), index_.data(), cases_.data(), case_triangles_.data(),
            case_middles_.data()};
  }

  // Counts of one kind in each row of cells, and their prefix sums.
  struct RowCounts {
    Buffer<D, std::uint32_t> counts, starts;
    void resize(std::size_t rows) {
      counts.resize_discarding(rows);
      starts.resize_discarding(rows + 1);
    }
    std::size_t sum_up(const D& exec, ScanScratch<D>& scratch) {
      const Index rows = static_cast<Index>(counts.size());
      exclusive_scan(exec, counts.data(), starts.data(), rows, scratch);
      exec.synchronize();
      std::uint32_t total = 0;
      Memory<D>::download(&total, starts.data() + rows, sizeof total);
      return total;
    }
  };

  std::size_t field_bytes_;
  Buffer<D, std::uint8_t> ambiguous_;
  Buffer<D, std::uint16_t> index_;
  Buffer<D, CellCase> cases_;
  Buffer<D, std::array<std::uint8_t, 3>> case_triangles_;
  Buffer<D, CellPolygon> case_middles_;

  Index summed_ = -1;  // the first tile whose field is in values_
  Buffer<D, float> values_;
  Buffer<D, std::uint64_t> inside_;
  RowCounts edges_, middles_, triangles_;
  ScanScratch<D> scratch_;
  Buffer<D, Vec3> mesh_positions_;
  Buffer<D, Triangle> mesh_triangles_;
};

template <class D>
DeviceMesh<D>::DeviceMesh(std::size_t field_bytes) : field_bytes_(field_bytes) {
  const CellTables plain = plain_tables();
  ambiguous_.upload(plain.ambiguous);
  index_.upload(plain.index);
  cases_.upload(plain.cases);
  case_triangles_.upload(plain.triangles);
  case_middles_.upload(plain.middles);
}

template <class D>
SurfaceMesh DeviceMesh<D>::make(const D& exec, const DeviceGrid<D>& grid, const DeviceBand<D>& band,
                                const DeviceBlobs<D>& blobs, const FieldPlan& plan) {
  const TileLattice lattice(plan.lattice.cells_per_bin);
  const std::size_t fit = std::max<std::size_t>(field_bytes_ / lattice.tile_bytes(), 1);
  const Index all = band.meshed();
  const Job job{
      .exec = exec,
      .grid = grid,
      .band = band,
      .blobs = blobs,
      .plan = plan,
      .lattice = lattice,
      .part = static_cast<Index>(std::min<std::size_t>(fit, static_cast<std::size_t>(all)))};
  SurfaceMesh mesh;
  if (all == 0) return mesh;
  size_tables(job);
  summed_ = -1;
  for (Index first = 0; first < all; first += job.part) count(job, first);
  const std::size_t edges = edges_.sum_up(exec, scratch_);
  const std::size_t middles = middles_.sum_up(exec, scratch_);
  const std::size_t triangles = triangles_.sum_up(exec, scratch_);
  mesh_positions_.resize_discarding(edges + middles);
  mesh_triangles_.resize_discarding(triangles);
  // In reverse order: the field of the last part is still in memory.
  for (Index first = (all - 1) / job.part * job.part; first >= 0; first -= job.part)
    write(job, first);
  exec.synchronize();
  mesh.position = mesh_positions_.download();
  mesh.triangles = mesh_triangles_.download();
  return mesh;
}

template <class D>
void DeviceMesh<D>::size_tables(const Job& job) {
  const auto tiles = static_cast<std::size_t>(job.band.meshed());
  const auto across = static_cast<std::size_t>(job.lattice.across);
  const auto points = static_cast<std::size_t>(job.lattice.points);
  if (tiles * points * points > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw Error(ErrorKind::device, "the surface passes " + std::to_string(tiles) +
                                       " tiles, too many for the GPU at this resolution; choose a "
                                       "larger --cell or --device cpu");
  values_.resize_discarding(static_cast<std::size_t>(job.part) * job.lattice.tile_bytes() /
                            sizeof(float));
  inside_.resize_discarding(tiles * points * points);
  for (RowCounts* counts : {&edges_, &middles_, &triangles_})
    counts->resize(tiles * across * across);
}

template <class D>
template <class Bump>
void DeviceMesh<D>::sum_field_of(const Job& job, Index first) {
  const TileLattice& lattice = job.lattice;
  launch_uneven(job.exec,
                job.tiles_from(first) * lattice.points * lattice.points * lattice.segments, 1024,
                surface_kernels::SumField<Bump>{.view = job.grid.tile_view(),
                                                .deep = job.band.deep(),
                                                .band = job.band.band(),
                                                .blobs = job.blobs.view(),
                                                .lattice = lattice,
                                                .tile_of = job.band.tile_of() + first,
                                                .reach = job.plan.reach,
                                                .distance = job.plan.range,
                                                .full = 2 * job.plan.iso,
                                                .values = values_.data()});
}

template <class D>
void DeviceMesh<D>::sum_field(const Job& job, Index first) {
  if (summed_ == first) return;
  if (job.plan.method == SurfaceMethod::cone)
    sum_field_of<ConeBump>(job, first);
  else
    sum_field_of<SmoothBump>(job, first);
  summed_ = first;
}

template <class D>
MeshRows DeviceMesh<D>::mesh_rows(const Job& job) const {
  return {.tiles = job.grid.tile_view().tiles,
          .tile_of = job.band.tile_of(),
          .slot_of = job.band.slot_of(),
          .lattice = job.lattice,
          .inside = inside_.data(),
          .edge_starts = edges_.starts.data(),
          .middle_starts = middles_.starts.data(),
          .triangle_starts = triangles_.starts.data()};
}

template <class D>
void DeviceMesh<D>::count(const Job& job, Index first) {
  using namespace surface_kernels;
  const TileLattice& lattice = job.lattice;
  const Index tiles = job.tiles_from(first);
  sum_field(job, first);
  launch(
      job.exec, tiles * lattice.points * lattice.points,
      FindInside{lattice, values_.data(), job.plan.iso, inside_.data() + lattice.row(first, 0, 0)});
  launch(job.exec, tiles * lattice.across * lattice.across,
         CountInRows{mesh_rows(job), field(job, first), table(), edges_.counts.data(),
                     middles_.counts.data(), triangles_.counts.data()});
}

template <class D>
void DeviceMesh<D>::write(const Job& job, Index first) {
  sum_field(job, first);
  launch_uneven(
      job.exec, job.tiles_from(first) * job.lattice.across * job.lattice.across, 64,
      surface_kernels::WriteRows{mesh_rows(job), field(job, first), table(), job.grid.keys(),
                                 mesh_positions_.data(), mesh_triangles_.data()});
}

}  // namespace panta
