// Drawing of progress.
#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace panta::app {
namespace {

constexpr double seconds_between_lines = 5;

double done_share(const RunProgress& p) {
  return p.frames > 0 ? static_cast<double>(p.frame) / p.frames : 1.0;
}

std::string bar(double share) {
  constexpr int width = 24;
  const auto filled = static_cast<std::size_t>(share * width);
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

std::string figures(const RunProgress& p) {
  const auto steps = static_cast<double>(p.steps - p.first_steps);
  const int done = p.frame - p.first_frame;
  std::string text = fmt::format("frame {}/{}  t {:.4g} s  {:.4g} steps/s", p.frame, p.frames,
                                 p.time, p.wall_seconds > 0 ? steps / p.wall_seconds : 0);
  if (done > 0 && p.frame < p.frames)
    text += "  ETA " + clock_text(p.wall_seconds * (p.frames - p.frame) / done);
  return text;
}

}  // namespace

std::string clock_text(double seconds) {
  const auto total = static_cast<long long>(std::llround(std::min(seconds, 1e9)));
  if (total < 3600) return fmt::format("{}:{:02}", total / 60, total % 60);
  return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

ProgressPrinter::ProgressPrinter(std::FILE* stream)
    : stream_(stream), terminal_(isatty(fileno(stream)) == 1) {}

bool ProgressPrinter::is_due(const RunProgress& progress) {
  const int tenth = static_cast<int>(10 * done_share(progress));
  if (tenth == last_tenth_ && progress.wall_seconds - last_seconds_ < seconds_between_lines)
    return false;
  last_tenth_ = tenth;
  last_seconds_ = progress.wall_seconds;
  return true;
}

void ProgressPrinter::update(const RunProgress& progress) {
  if (terminal_) {
    const std::string line = bar(done_share(progress)) + " " + figures(progress);
    fmt::print(stream_, "\r{:<{}}", line, drawn_);
    drawn_ = line.size();
  } else if (is_due(progress)) {
    fmt::print(stream_, "{}\n", figures(progress));
  }
  std::fflush(stream_);
}

void ProgressPrinter::end() {
  if (terminal_ && drawn_ > 0) fmt::print(stream_, "\n");
  drawn_ = 0;
}

}  // namespace panta::app
