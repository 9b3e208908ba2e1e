#include "panta/engine/memory_check.h"

#include "panta/core/error_format.h"
#include "panta/engine/devices.h"
#include "panta/engine/methods.h"
#include "panta/scene/estimate_emitted.h"
#include "panta/scene/sample.h"
#include "panta/solver/common_columns.h"

namespace panta {

namespace {

// At the same time in host memory: frames being made or written, and checkpoints.
constexpr double frames_at_once = 4, checkpoints_at_once = 2;

}  // namespace

MemoryNeed estimate_memory(const Scene& scene, const DeviceOptions& options) {
  MemoryNeed need;
  need.device = options.device != "cpu" && cuda_available() ? DeviceKind::cuda : DeviceKind::cpu;
  const MethodInfo& method = find_method(scene.method);
  std::vector<ColumnInfo> columns = method.columns(&scene);
  for (const ColumnInfo& column : common_columns(&scene)) columns.push_back(column);
  const ColumnBytes bytes = bytes_of(columns);
  double per_particle = bytes.device + method.work_memory(scene);
  if (need.device == DeviceKind::cpu)
    per_particle += frames_at_once * bytes.frame + checkpoints_at_once * bytes.checkpoint;
  need.bytes = estimate_particles(scene) * per_particle;
  need.at_end = need.bytes + estimate_emitted(scene) * per_particle;
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
