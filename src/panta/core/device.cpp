// Compiled once per device: is it there, and what is it called?
#include <fstream>

#include "panta/core/make_exec.h"

namespace panta {

#ifdef __CUDACC__
template <>
std::string device_problem<Cuda>() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return count > 0 ? "" : "no GPU found";
}

template <>
std::string device_name<Cuda>() {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "unknown GPU";
  return properties.name;
}
#else
template <>
std::string device_problem<Cpu>() {
  return "";
}

template <>
std::string device_name<Cpu>() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}
#endif

}  // namespace panta
