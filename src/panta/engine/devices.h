// The devices of this machine that this build supports.
#pragma once

#include <string>

#include "panta/core/exec.h"

namespace panta {

// The name of the processor or GPU, for reports; empty if there is none.
std::string describe_device(DeviceKind kind);

// Bytes that can still be allocated on it; 0 if there is no such device.
double free_memory(DeviceKind kind);

// True if this binary was built with CUDA and a usable GPU is present; `why` gives the reason if
// not.
bool cuda_available(std::string* why = nullptr);

// The device for auto, cpu or cuda. Error(usage) for other names, Error(device) if CUDA is
// requested but not available.
DeviceKind choose_device(const std::string& name);

}  // namespace panta
