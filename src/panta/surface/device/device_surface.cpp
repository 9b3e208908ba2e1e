// Compiled once per device.
#include "panta/surface/device/device_surface.h"

#include "panta/core/make_exec.h"
#include "panta/surface/band.h"
#include "panta/surface/device/device_mesh.h"

namespace panta {
namespace {

template <class D>
class SurfaceOn final : public DeviceSurface {
 public:
  SurfaceOn(D exec, std::size_t field_bytes) : exec_(exec), mesh_(field_bytes) {}

  SurfaceMesh make(std::span<const Vec3> positions, const FieldPlan& plan) override {
    if (positions.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      throw Error(ErrorKind::device,
                  std::to_string(positions.size()) + " particles are too many for one surface");
    if (positions.empty() || !grid_.build(exec_, positions, plan.lattice, plan.reach)) return {};
    band_.find(exec_, grid_, enough_particles(plan.lattice, plan.spacing), plan.reach);
    blobs_.make(exec_, grid_, band_, plan);
    return mesh_.make(exec_, grid_, band_, blobs_, plan);
  }

  std::size_t left_out() const override { return grid_.left_out(); }

 private:
  D exec_;
  DeviceGrid<D> grid_;
  DeviceBand<D> band_;
  DeviceBlobs<D> blobs_;
  DeviceMesh<D> mesh_;
};

}  // namespace

template <class D>
std::unique_ptr<DeviceSurface> make_device_surface(int threads, std::size_t field_bytes) {
  return std::make_unique<SurfaceOn<D>>(make_exec<D>(threads), field_bytes);
}

template std::unique_ptr<DeviceSurface> make_device_surface<PANTA_DEVICE>(int, std::size_t);

}  // namespace panta
