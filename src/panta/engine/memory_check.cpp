#include "panta/engine/memory_check.h"

#include "panta/core/error_format.h"
#include "panta/engine/devices.h"
#include "panta/engine/methods.h"
#include "panta/scene/sample.h"

namespace panta {

namespace {

// Host memory per particle: four frames being made or written (60 bytes), two checkpoints.
constexpr double output_bytes = 4 * 60 + 2 * 60;

}  // namespace

MemoryNeed estimate_memory(const Scene& scene, const DeviceOptions& options) {
  MemoryNeed need;
  need.device = options.device != "cpu" && cuda_available() ? DeviceKind::cuda : DeviceKind::cpu;
  double per_particle = find_method(scene.method).memory_per_particle(scene);
  if (need.device == DeviceKind::cpu) per_particle += output_bytes;
  need.bytes = estimate_particles(scene) * per_particle;
  need.free_bytes = free_memory(need.device);
  return need;
}

std::string memory_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6)
                     : fmt::format("{:.1f} GB", bytes / 1e9);
}

void check_memory(const Scene& scene, const DeviceOptions& options) {
  const MemoryNeed need = estimate_memory(scene, options);
  if (need.fits()) return;
  throw Error(ErrorKind::device,
              "the scene needs about {}, {} are free on {}: use a larger spacing",
              memory_text(need.bytes), memory_text(need.free_bytes), describe_device(need.device));
}

}  // namespace panta
