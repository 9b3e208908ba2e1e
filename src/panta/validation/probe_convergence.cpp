// The corridor flood at three spacings, each half of the one before, with nothing else changed:
// what its probes report must approach a limit.
#include <algorithm>
#include <cmath>
#include <string>

#include "panta/load/bundled_scenes.h"
#include "panta/load/load.h"
#include "panta/run/probes.h"
#include "panta/validation/container_studies.h"

namespace panta::validation {

namespace {

constexpr int frames = 30;
constexpr double end = 1.5;  // s
constexpr const char* watched[] = {"front", "around the corner"};

struct Series {
  std::vector<double> time, value[2];
};

Series run(double spacing, const DeviceOptions& options) {
  const Scene scene = load_scene(bundled_scenes_folder() + "/basics/corridor_flood.json",
                                 {"spacing=" + std::to_string(spacing)});
  const auto sim = make_simulation(scene, options);
  Series series;
  for (int frame = 1; frame <= frames; ++frame) {
    sim->advance_to(end * frame / frames);
    series.time.push_back(sim->time());
    for (const ProbeValue& probe : measure_probes(scene, *sim, sim->snapshot()))
      for (int k = 0; k < 2; ++k)
        if (probe.name == watched[k]) series.value[k].push_back(probe.value.at(0));
  }
  return series;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) squares += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(squares / static_cast<double>(a.size()));
}

}  // namespace

StudyResult probes_converge(const DeviceOptions& options, StudySize size) {
  StudyResult result{
      "containers/resolution", "A scene's probes approach a limit with the spacing", {}, {}};
  const double coarse = size == StudySize::full ? 0.05 : 0.08;
  std::vector<Series> runs;
  for (const double spacing : {coarse, coarse / 2, coarse / 4})
    runs.push_back(run(spacing, options));
  for (int k = 0; k < 2; ++k) {
    const double first = difference(runs[0].value[k], runs[1].value[k]);
    const double second = difference(runs[1].value[k], runs[2].value[k]);
    const auto [low, high] = std::minmax_element(runs[2].value[k].begin(), runs[2].value[k].end());
    result.checks.push_back({std::string(watched[k]) + ": change at the second halving / range",
                             second / (*high - *low), 0.04, ""});
    if (k == 0)  // the other is the same within its scatter from the first halving on
      result.checks.push_back({std::string(watched[k]) + ": change at the second halving / first",
                               second / first, 0.8, ""});
    Plot plot{.title = std::string("Corridor flood: ") + watched[k],
              .x_label = "t [s]",
              .y_label = k == 0 ? "x [m]" : "V [m3]",
              .series = {}};
    for (std::size_t r = 0; r < runs.size(); ++r)
      plot.series.push_back({"spacing " + std::to_string(coarse / double(1 << r)).substr(0, 6),
                             runs[r].time, runs[r].value[k], SeriesStyle::line});
    result.plots.push_back(std::move(plot));
  }
  return result;
}

}  // namespace panta::validation
