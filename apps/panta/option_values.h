// Values of options common to several commands.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "options.h"
#include "panta/scene/parameters.h"

namespace panta::app {

struct FrameRange {
  int first = 0, last = std::numeric_limits<int>::max();  // both included
};

// "A:B", "A:", ":B" or "A"; all frames if the option is not given.
FrameRange read_frames(const Arguments& args);

// The number, or -1 if the text is not a whole number.
int whole_number(std::string_view text);

// The value of an enumeration from the names of its values in order; `otherwise` if the option is
// not given. Error(usage) with the nearest name for an unknown one.
template <class Enum>
Enum read_choice(const Arguments& args, const std::string& option,
                 const std::vector<std::string>& names, Enum otherwise) {
  if (!args.has(option)) return otherwise;
  const std::string name = args.text(option);
  check_choice(option, names, name);
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace panta::app
