// Progress of a command: one line redrawn in place on a terminal; otherwise plain lines from time
// to time.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "panta/render/render_run.h"
#include "panta/run/run.h"
#include "panta/surface/surface_run.h"

namespace panta::app {

// "1:02:03", "2:03"
std::string clock_text(double seconds);

class ProgressPrinter {
 public:
  explicit ProgressPrinter(std::FILE* stream);

  void update(const RunProgress& progress);
  void update(const RenderProgress& progress);
  void update(const SurfaceProgress& progress);

  // Ends the redrawn line, so that other text starts on a new line.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  void show(int done, int total, const std::string& figures);
  bool is_due(int tenth);

  std::FILE* stream_;
  bool terminal_;
  std::size_t drawn_ = 0;     // characters of the line on the terminal
  Clock::time_point last_{};  // when the last plain line was printed
  int last_tenth_ = -1;       // tenths done by then
};

}  // namespace panta::app
