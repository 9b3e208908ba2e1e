// The pressure on the wall that a breaking dam hits, against the experiment of B. Buchner (Green
// water on ship-type offshore structures, thesis, TU Delft 2002), as digitised in the example
// db_exp_data.py of PySPH (commit a57e6534; reading error 1 to 2 % of the range): a column of water
// 2 H wide and H = 0.6 m high in a tank 5.366 H long, t in units of sqrt(H/g), p in rho g H.
//
// The sensor is a disc of 90 mm across, its centre 0.2 H above the floor. In the plane it is a
// segment of that length. Both curves are used as they are: no shift in time. The simulation is
// sampled 1,000 times per second; its peak and its arrival, at a quarter of its first peak, are
// those of the part below 200 Hz, which the points of the experiment resolve as well. What is above
// 200 Hz is the noise.
//
// The same column between walls on both sides, left alone, has to carry rho g H on its floor.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/run/probes.h"
#include "panta/validation/method_studies.h"

namespace panta::validation {

namespace {

constexpr double gravity = 9.81, height = 0.6, sensor_radius = 0.045, sensor_at = 0.2 * height;
constexpr double rate = 1000, cutoff = 200;  // 1/s
constexpr double hydrostatic = 1000 * gravity * height;

// The rise, the first peak and what follows it; before it the experiment shows noise about zero.
const std::vector<double> measured_t = {
    2.285, 2.244, 2.455, 2.494, 2.514, 2.493, 2.512, 2.611, 2.59,  2.599, 2.628, 2.678, 2.728,
    2.738, 2.828, 2.868, 2.968, 2.988, 3.109, 3.249, 3.519, 3.649, 3.909, 4.009, 4.189, 4.339,
    4.509, 4.669, 4.869, 5.149, 5.319, 5.399, 5.499, 5.648, 5.708, 5.697, 5.767, 5.777, 5.806,
    5.836, 5.917, 5.918, 5.928, 5.989, 6.089, 6.199, 6.219, 6.308, 6.339, 6.349, 6.37,  6.46,
    6.55,  6.699, 6.749, 6.769, 6.8,   6.86,  6.97,  7.02,  7.059, 7.1,   7.16,  7.21,  7.36};
const std::vector<double> measured_p = {
    -0.028, 0.0112, -0.028, 0.0168, 0.0786, 0.1516, 0.258, 0.359, 0.455, 0.55,  0.601,
    0.662,  0.617,  0.691,  0.662,  0.601,  0.651,  0.606, 0.573, 0.544, 0.539, 0.539,
    0.55,   0.556,  0.55,   0.556,  0.55,   0.528,  0.522, 0.511, 0.539, 0.561, 0.589,
    0.617,  0.662,  0.724,  0.747,  0.78,   0.853,  0.887, 0.735, 0.685, 0.646, 0.589,
    0.556,  0.561,  0.595,  0.64,   0.589,  0.533,  0.488, 0.477, 0.488, 0.522, 0.561,
    0.511,  0.46,   0.415,  0.432,  0.477,  0.505,  0.466, 0.455, 0.415, 0.449};

constexpr double measured_peak = 0.691, measured_arrival = 2.497;  // a quarter of it

double in_units_of_t(double seconds) { return seconds * std::sqrt(gravity / height); }

Scene column(const std::string& method, double spacing, double length, double width) {
  Scene scene;
  scene.method = method;
  scene.dimensions = 2;
  scene.spacing = spacing;
  scene.materials = {{.name = "water"}};
  scene.fluids = {{0, Shape::box({0, 0, -1}, {float(width), float(height), 1})}};
  scene.has_domain = true;
  scene.domain.max = {length, 3 * height, 0};
  scene.domain.walls = {true, true, true, false, false, false};
  return scene;
}

Probe sensor(const Vec3& at, const Vec3& normal) {
  Probe probe{.name = "sensor", .type = ProbeType::wall_pressure, .at = at, .normal = normal};
  probe.radius = static_cast<float>(sensor_radius);
  return probe;
}

// What the sensor shows from the time `from` to `until`, in rho g H.
std::vector<double> record(const Scene& scene, const DeviceOptions& options, double from,
                           double until) {
  std::vector<double> pressure;
  const auto sim = make_simulation(scene, options);
  for (int k = static_cast<int>(from * rate); k <= until * rate; ++k) {
    sim->advance_to(k / rate);
    pressure.push_back(measure_probes(scene, *sim, sim->snapshot())[0].value.at(0) / hydrostatic);
  }
  return pressure;
}

// The part below the cutoff: a sinc in a Hamming window of 20 ms on both sides.
std::vector<double> slow_part(const std::vector<double>& signal) {
  constexpr int half = 20;
  const int size = static_cast<int>(signal.size());
  std::vector<double> slow(signal.size());
  for (int i = 0; i < size; ++i) {
    double sum = 0, weights = 0;
    for (int k = -half; k <= half; ++k) {
      const double x = 2 * std::numbers::pi * cutoff * k / rate;
      const double weight = (k == 0 ? 1 : std::sin(x) / x) *
                            (0.54 + 0.46 * std::cos(std::numbers::pi * k / (half + 1)));
      sum += weight * signal[static_cast<std::size_t>(std::clamp(i + k, 0, size - 1))];
      weights += weight;
    }
    slow[static_cast<std::size_t>(i)] = sum / weights;
  }
  return slow;
}

struct Impact {
  std::vector<double> t, pressure, slow;
  double arrival = 0, peak = 0, noise = 0;
};

// The first peak is the largest value within 0.6 sqrt(H/g) of the arrival.
Impact impact_of(const std::vector<double>& pressure, double from) {
  Impact impact{.t = {}, .pressure = pressure, .slow = slow_part(pressure)};
  for (std::size_t k = 0; k < pressure.size(); ++k)
    impact.t.push_back(in_units_of_t(from + static_cast<double>(k) / rate));
  const auto arrival = [&](double level) {
    std::size_t k = 0;
    while (k + 1 < impact.slow.size() && impact.slow[k] < level) ++k;
    return k;
  };
  std::size_t at = arrival(0.25 * measured_peak);
  for (int pass = 0; pass < 2; ++pass) {
    impact.peak = 0;
    for (std::size_t k = at; k < impact.t.size() && impact.t[k] < impact.t[at] + 0.6; ++k)
      impact.peak = std::max(impact.peak, impact.slow[k]);
    at = arrival(0.25 * impact.peak);
  }
  impact.arrival = impact.t[at];
  double squares = 0, count = 0;
  for (std::size_t k = at; k < impact.t.size(); ++k, ++count)
    squares += (pressure[k] - impact.slow[k]) * (pressure[k] - impact.slow[k]);
  impact.noise = std::sqrt(squares / std::max(count, 1.0)) / impact.peak;
  return impact;
}

double bottom_pressure_error(const std::string& method, double spacing,
                             const DeviceOptions& options, bool full) {
  Scene scene = column(method, spacing, height, height);
  scene.probes = {sensor({float(height / 2), 0, 0}, {0, 1, 0})};
  const double from = full ? 2 : 1;
  const std::vector<double> pressure = record(scene, options, from, from + 1);
  double mean = 0;
  for (const double p : pressure) mean += p / static_cast<double>(pressure.size());
  return std::abs(mean - 1);
}

}  // namespace

StudyResult impact(const std::string& method, const DeviceOptions& options, StudySize size) {
  const bool full = size == StudySize::full;
  const double spacing = full ? 0.01 : 0.03;
  constexpr double length = 5.366 * height;
  Scene scene = column(method, spacing, length, 2 * height);
  scene.probes = {sensor({float(length), float(sensor_at), 0}, {-1, 0, 0})};
  const double from = 2.0 / in_units_of_t(1), until = 6.9 / in_units_of_t(1);
  const Impact found = impact_of(record(scene, options, from, until), from);
  StudyResult result{method + "/impact", "A breaking dam hits a wall: pressure", {}, {}};
  result.checks = {
      {"arrival, relative error", std::abs(found.arrival / measured_arrival - 1), 0.04, ""},
      {"first peak, relative error", std::abs(found.peak / measured_peak - 1), 0.2, ""},
      {"rms of the part above 200 Hz / first peak", found.noise, 0.1, ""},
      {"column at rest: bottom pressure, relative error",
       bottom_pressure_error(method, spacing, options, full), 0.01, ""}};
  result.plots = {{.title = "Dam break: pressure on the wall",
                   .x_label = "t sqrt(g/H)",
                   .y_label = "p / (rho g H)",
                   .series = {{method, found.t, found.pressure},
                              {method + " below 200 Hz", found.t, found.slow},
                              {"Buchner 2002", measured_t, measured_p, SeriesStyle::reference}}}};
  return result;
}

}  // namespace panta::validation
