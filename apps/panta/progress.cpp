// Drawing of progress.
#include "progress.h"
#include "print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace panta::app {
namespace {

constexpr std::chrono::seconds between_lines{5};

std::string bar(double share) {
  constexpr int width = 24;
  const auto filled = static_cast<std::size_t>(share * width);
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

std::string time_left(double seconds, int done, int total) {
  if (done <= 0 || done >= total) return "";
  return "  ETA " + clock_text(seconds * (total - done) / done);
}

std::string figures(const RunProgress& p) {
  const auto steps = static_cast<double>(p.steps - p.first_steps);
  return fmt::format("frame {}/{}  t {:.4g} s  {:.4g} steps/s{}", p.frame, p.frames, p.time,
                     p.wall_seconds > 0 ? steps / p.wall_seconds : 0,
                     time_left(p.wall_seconds, p.frame - p.first_frame, p.frames - p.first_frame));
}

std::string counted(const char* what, int done, int total) {
  return fmt::format("{} {}/{} ({} %)", what, done, total, total > 0 ? 100 * done / total : 100);
}

}  // namespace

std::string clock_text(double seconds) {
  const auto total = static_cast<long long>(std::llround(std::min(seconds, 1e9)));
  if (total < 3600) return fmt::format("{}:{:02}", total / 60, total % 60);
  return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

ProgressPrinter::ProgressPrinter(std::FILE* stream)
    : stream_(stream), terminal_(isatty(fileno(stream)) == 1) {}

bool ProgressPrinter::is_due(int tenth) {
  const Clock::time_point now = Clock::now();
  if (tenth == last_tenth_ && now - last_ < between_lines) return false;
  last_tenth_ = tenth;
  last_ = now;
  return true;
}

void ProgressPrinter::show(int done, int total, const std::string& figures) {
  const double share = total > 0 ? static_cast<double>(done) / total : 1.0;
  if (terminal_) {
    const std::string line = bar(share) + " " + figures;
    std::fputs(fmt::format("\r{:<{}}", line, drawn_).c_str(), stream_);
    drawn_ = line.size();
  } else if (is_due(static_cast<int>(10 * share))) {
    print(stream_, "{}\n", figures);
  }
  std::fflush(stream_);
}

void ProgressPrinter::update(const RunProgress& p) { show(p.frame, p.frames, figures(p)); }

void ProgressPrinter::update(const RenderProgress& p) {
  show(p.done, p.total, counted(p.stage, p.done, p.total));
  if (p.done == p.total) end();
}

void ProgressPrinter::update(const SurfaceProgress& p) {
  show(p.done, p.total, counted("frames", p.done, p.total) + time_left(p.seconds, p.done, p.total));
  if (p.done == p.total) end();
}

void ProgressPrinter::end() {
  if (terminal_ && drawn_ > 0) print(stream_, "\n");
  drawn_ = 0;
  last_tenth_ = -1;
}

}  // namespace panta::app
