// Progress of a run: one line redrawn in place on a terminal, plain lines now and then elsewhere.
#pragma once

#include <cstdio>
#include <string>

#include "panta/sim/run.h"

namespace panta::app {

// "1:02:03", "2:03"
std::string clock_text(double seconds);

class ProgressPrinter {
 public:
  explicit ProgressPrinter(std::FILE* stream);

  void update(const RunProgress& progress);

  // Leaves the redrawn line behind, so that other text starts on a line of its own.
  void end();

 private:
  bool is_due(const RunProgress& progress);

  std::FILE* stream_;
  bool terminal_;
  std::size_t drawn_ = 0;    // characters of the line on the terminal
  double last_seconds_ = 0;  // when the last plain line was printed
  int last_tenth_ = -1;      // tenths of the run done by then
};

}  // namespace panta::app
