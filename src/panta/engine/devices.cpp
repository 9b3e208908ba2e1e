#include "panta/engine/devices.h"

#include "panta/core/error_format.h"
#include "panta/core/make_exec.h"
#include "panta/core/suggest.h"

namespace panta {

bool cuda_available(std::string* why) {
#ifdef PANTA_HAS_CUDA
  const std::string problem = device_problem<Cuda>();
#else
  const std::string problem = "this build has no CUDA support";
#endif
  if (why) *why = problem;
  return problem.empty();
}

DeviceKind choose_device(const std::string& name) {
  if (name == "cpu") return DeviceKind::cpu;
  if (name != "auto" && name != "cuda")
    throw Error(ErrorKind::usage, "unknown device '{}'{}", name,
                suggestion(name, {"auto", "cpu", "cuda"}));
  std::string why;
  if (cuda_available(&why)) return DeviceKind::cuda;
  if (name == "cuda")
    throw Error(ErrorKind::device, "no CUDA device can be used: {}; choose --device cpu", why);
  return DeviceKind::cpu;
}

std::string describe_device(DeviceKind kind) {
#ifdef PANTA_HAS_CUDA
  if (kind == DeviceKind::cuda) return device_name<Cuda>();
#endif
  return kind == DeviceKind::cpu ? device_name<Cpu>() : "";
}

double free_memory(DeviceKind kind) {
#ifdef PANTA_HAS_CUDA
  if (kind == DeviceKind::cuda) return free_memory_bytes<Cuda>();
#endif
  return kind == DeviceKind::cpu ? free_memory_bytes<Cpu>() : 0;
}

}  // namespace panta
