// The commands of panta: each has a command line and a function, in a separate file.
#pragma once

#include "options.h"

namespace panta::app {

struct Command {
  CommandLine line;
  int (*execute)(const Arguments&);  // returns the exit code
};

inline constexpr int exit_done = 0;
inline constexpr int exit_interrupted = 130;

Command run_command();
Command check_command();
Command scenes_command();
Command info_command();
Command bench_command();
Command validate_command();

}  // namespace panta::app
