// The device of a simulation.
#pragma once

#include <string>

namespace panta {

struct DeviceOptions {
  std::string device = "auto";  // auto, cpu or cuda
  int threads = 0;              // CPU threads; 0: all cores
  bool profile = false;         // time the stages of each step (slows the GPU a little)
};

}  // namespace panta
