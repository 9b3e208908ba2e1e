// Stage timing: mark(name) ends the stage that started at the last mark.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "panta/core/exec.h"

namespace panta {

// Sums wall-clock time by stage name, in the order in which the stages first appear. On the GPU
// each mark waits for the work before it, so that it measures the device's time.
template <class D>
class StageTimer {
 public:
  bool enabled = false;

  void start(const D& exec) {
    if (!enabled) return;
    exec.synchronize();
    last_ = Clock::now();
  }
  void mark(const D& exec, const char* name) {
    if (!enabled) return;
    exec.synchronize();
    const auto now = Clock::now();
    add(name, std::chrono::duration<double, std::milli>(now - last_).count());
    last_ = now;
  }
  std::vector<std::pair<std::string, double>> take() { return std::exchange(stages_, {}); }

 private:
  using Clock = std::chrono::steady_clock;
  void add(const char* name, double ms) {
    for (auto& [known, total] : stages_)
      if (known == name) {
        total += ms;
        return;
      }
    stages_.emplace_back(name, ms);
  }
  Clock::time_point last_{};
  std::vector<std::pair<std::string, double>> stages_;
};

}  // namespace panta
