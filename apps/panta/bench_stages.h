// Measures and prints the times of a simulation's stages, for all benchmarks.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "panta/engine/simulation.h"

namespace panta::app {

// ms per frame, in a separate run: the first half of it is a warm-up.
inline std::vector<StageTime> profiled_stages(const Scene& scene, DeviceOptions options,
                                              double frame, int frames) {
  options.profile = true;
  const auto sim = make_simulation(scene, options);
  sim->advance_to(frames * frame);
  sim->stages();
  sim->advance_to(2 * frames * frame);
  std::vector<StageTime> stages = sim->stages();
  for (StageTime& stage : stages) stage.ms /= frames;
  return stages;
}

inline std::string stage_text(const std::vector<StageTime>& stages) {
  std::string text;
  for (const StageTime& s : stages) text += fmt::format("{} {:.3f}  ", s.name, s.ms);
  return text;
}

// As JSON, without the braces.
inline std::string stage_json(const std::vector<StageTime>& stages) {
  std::string text;
  for (const StageTime& s : stages)
    text += fmt::format("{}\"{}\": {:.4f}", text.empty() ? "" : ", ", s.name, s.ms);
  return text;
}

}  // namespace panta::app
