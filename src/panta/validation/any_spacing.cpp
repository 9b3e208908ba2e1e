// The same scene at several spacings, with nothing else changed: results agree, and the liquid is
// nowhere much denser than at rest. Three columns of water that are released: one twice as high as
// wide, a deep and narrow one, a shallow and wide one.
//
// Compared at the time 0.75 sqrt(2 H/g) after the release (0.3 s for the first column): the centre
// of mass, and the front, against the mean over the spacings. Density errors are those of every
// frame: max(0, rho/rho_0 - 1).
#include <algorithm>
#include <cmath>

#include "panta/run/stats.h"
#include "panta/validation/method_studies.h"

namespace panta::validation {

namespace {

struct Column {
  const char* name;
  float width, height, length;  // m, of the water
  float room;                   // m, the length of the tank
};
constexpr Column columns[] = {{"dam", 0.4f, 0.8f, 0.16f, 1.6f},
                              {"deep", 0.24f, 1.2f, 0.16f, 1.6f},
                              {"shallow", 1.2f, 0.32f, 0.16f, 2.4f}};

Scene scene_of(const std::string& method, const Column& c, double spacing) {
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.materials = {{.name = "water"}};
  scene.has_domain = true;
  scene.domain.max = {c.room, 1.5f * c.height, c.length};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {c.width, c.height, c.length}), {}, usual_jitter}};
  return scene;
}

struct Outcome {
  Vec3d centre;
  double front = 0;
  double mean_error = 0, largest_error = 0, dense_share = 0;  // the worst frame's
};

// The part of the particles that are more than 5 % too dense.
double dense_share(const Simulation& sim, const ParticleFrame& frame) {
  double dense = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    dense += frame.density()[i] > 1.05 * sim.rest_density(frame.phase()[i]);
  return dense / static_cast<double>(frame.size());
}

Outcome run(const Scene& scene, double compared, double end, const DeviceOptions& options) {
  const auto sim = make_simulation(scene, options);
  Outcome o;
  const auto look = [&] {
    const ParticleFrame frame = sim->snapshot();
    const FrameStats s = compute_stats(*sim, frame, scene.gravity);
    o.mean_error = std::max(o.mean_error, s.density_error_mean);
    o.largest_error = std::max(o.largest_error, s.density_error_max);
    o.dense_share = std::max(o.dense_share, dense_share(*sim, frame));
    if (o.front > 0 || sim->time() < compared) return;
    o.centre = s.center_of_mass;
    for (const Vec3& x : frame.position()) o.front = std::max(o.front, double{x.x});
    o.front += 0.5 * scene.spacing;
  };
  constexpr double frame_time = 1.0 / 30;
  for (int k = 1; k * frame_time < end; ++k) {
    const double before = (k - 1) * frame_time, now = k * frame_time;
    if (before < compared && now >= compared) {
      sim->advance_to(compared);
      look();
    }
    sim->advance_to(now);
    look();
  }
  return o;
}

// The largest difference from the mean over the spacings, relative to it.
template <class Value>
double spread(const std::vector<Outcome>& all, const Value& value) {
  double mean = 0, worst = 0;
  for (const Outcome& o : all) mean += value(o) / static_cast<double>(all.size());
  for (const Outcome& o : all) worst = std::max(worst, std::abs(value(o) / mean - 1));
  return worst;
}

}  // namespace

StudyResult any_spacing(const std::string& method, const DeviceOptions& options, StudySize size) {
  StudyResult result{method + "/resolution", "A scene gives the same at any spacing", {}, {}};
  const bool full = size == StudySize::full;
  const std::vector<double> spacings =
      full ? std::vector<double>{0.04, 0.02, 0.01} : std::vector<double>{0.08, 0.04};
  for (const Column& column : columns) {
    const double compared = 0.75 * std::sqrt(2 * double{column.height} / 9.81);
    std::vector<Outcome> all;
    double mean = 0, largest = 0, dense = 0;
    for (const double spacing : spacings) {
      all.push_back(run(scene_of(method, column, spacing), compared, full ? 1.5 : 0.6, options));
      mean = std::max(mean, all.back().mean_error);
      largest = std::max(largest, all.back().largest_error);
      dense = std::max(dense, all.back().dense_share);
    }
    const std::string name = std::string(column.name) + ": ";
    // A column of few particles across is coarse.
    const double share = full ? 1 : 2;
    result.checks.push_back({name + "centre of mass, along, from the mean",
                             spread(all, [](const Outcome& o) { return o.centre.x; }), 0.03 * share,
                             ""});
    result.checks.push_back({name + "centre of mass, height, from the mean",
                             spread(all, [](const Outcome& o) { return o.centre.y; }), 0.03 * share,
                             ""});
    result.checks.push_back({name + "front, from the mean",
                             spread(all, [](const Outcome& o) { return o.front; }), 0.08, ""});
    result.checks.push_back({name + "density error, mean", mean, 0.01, ""});
    result.checks.push_back(
        {name + "share of particles more than 5 % too dense", dense, 0.001, ""});
    result.checks.push_back({name + "density error, largest", largest, 0.1, ""});
  }
  return result;
}

}  // namespace panta::validation
