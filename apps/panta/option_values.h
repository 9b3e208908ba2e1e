// Values of options that several commands have.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "options.h"

namespace panta::app {

struct FrameRange {
  int first = 0, last = std::numeric_limits<int>::max();  // both included
};

// "A:B", "A:", ":B" or "A"; all frames where the option is not given.
FrameRange read_frames(const Arguments& args);

// The place of an option's value in the names; `otherwise` where the option is not given.
// Error(usage) with the nearest name for one that is not among them.
std::size_t read_choice(const Arguments& args, const std::string& option,
                        const std::vector<std::string>& names, std::size_t otherwise);

}  // namespace panta::app
