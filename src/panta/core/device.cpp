// Compiled once per device: availability, name and free memory.
#include <unistd.h>

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

template <>
double free_memory_bytes<Cuda>() {
  std::size_t free_bytes = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total), "asking for free memory");
  return double(free_bytes);
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

// Free memory, including the system's caches that it would release.
template <>
double free_memory_bytes<Cpu>() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("MemAvailable:", 0) == 0) return 1024 * std::stod(line.substr(13));  // kB
  return double(sysconf(_SC_AVPHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
}
#endif

}  // namespace panta
