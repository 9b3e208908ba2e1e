// Which devices this machine and this build have.
#pragma once

#include <string>

#include "panta/core/exec.h"

namespace panta {

// The name of the processor or GPU, for reports; empty if there is none.
std::string describe_device(DeviceKind kind);

// Bytes that can still be allocated there; 0 if there is no such device.
double free_memory(DeviceKind kind);

// True if this binary was built with CUDA and a usable GPU is present; `why` says what is missing.
bool cuda_available(std::string* why = nullptr);

// The device that auto, cpu or cuda names. Error(usage) for other names, Error(device) where CUDA
// is asked for and missing.
DeviceKind choose_device(const std::string& name);

}  // namespace panta
