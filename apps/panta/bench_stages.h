// Measures and prints the times of a simulation's stages, for all benchmarks.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "panta/engine/simulation.h"
#include "print.h"

namespace panta::app {

// What the rows of these benchmarks have in common.
struct StageRow {
  std::string name;
  std::string device;
  int threads = 1;
  std::size_t particles = 0;
  double neighbours = 0;
  std::vector<StageTime> stages;  // ms per frame

  void describe(Simulation& sim) {
    threads = sim.threads();
    particles = sim.size();
    neighbours = sim.mean_neighbors();
  }
};

// The rows to measure.
struct RowChoice {
  double particles = 0;  // of a single row; 0: the standard rows
  std::string row;       // only rows with this in their name
};

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

// The first columns of a table of rows, and the first members of a row as JSON.
inline std::string head_titles(int width) {
  return fmt::format("{:<{}} {:<6} {:>7} {:>10}", "name", width, "device", "threads", "particles");
}
inline std::string head_text(const StageRow& row, int width) {
  return fmt::format("{:<{}} {:<6} {:>7} {:>10}", row.name, width, row.device, row.threads,
                     row.particles);
}
inline std::string head_json(const StageRow& row) {
  return fmt::format("\"name\": \"{}\", \"device\": \"{}\", \"threads\": {}, \"particles\": {}",
                     row.name, row.device, row.threads, row.particles);
}

// measure(case) of all cases. Prints each row, text(row), when it is measured.
template <class Row, class Case, class Measure, class Text>
std::vector<Row> measure_rows(const std::vector<Case>& cases, const Measure& measure,
                              const Text& text) {
  std::vector<Row> rows;
  for (const Case& c : cases) {
    rows.push_back(measure(c));
    print(stdout, "{}  {}\n", text(rows.back()), stage_text(rows.back().stages));
    std::fflush(stdout);
  }
  return rows;
}

}  // namespace panta::app
