#include "panta/validation/martin_moyce.h"

#include <algorithm>
#include <cmath>

namespace panta::validation {

namespace {

constexpr double a = 0.05715, g = 9.81;
const std::vector<double> front_t = {0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.2,
                                     2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33};
const std::vector<double> front_z = {1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56,
                                     2.78, 3.0,  3.22, 3.44, 3.67, 3.89, 4.11};
const std::vector<double> height_t = {0.56, 0.77, 0.93, 1.08, 1.28, 1.46, 1.66, 1.84, 2.0, 2.21};
const std::vector<double> height_h = {0.94, 0.89, 0.83, 0.78, 0.72, 0.67, 0.61, 0.56, 0.5, 0.44};

struct Curve {
  std::vector<double> t, front, height;  // T, Z and H
};

Curve collapse(const Scene& scene, const DeviceOptions& options) {
  Curve curve;
  const double spacing = scene.spacing;
  const auto sim = make_simulation(scene, options);
  for (int frame = 0; frame <= 70; ++frame) {
    const double big_t = 0.05 * frame;
    sim->advance_to(big_t / std::sqrt(2 * g / a));
    double front = 0, height = 0;
    for (const Vec3& x : sim->snapshot().position()) {
      front = std::max(front, x.x + spacing / 2);
      if (x.x < 2 * spacing) height = std::max(height, x.y + spacing / 2);
    }
    curve.t.push_back(big_t);
    curve.front.push_back(front / a);
    curve.height.push_back(height / (2 * a));
  }
  return curve;
}

// Mean relative error of the front when the simulation starts `shift` late.
double front_error(const Curve& curve, double shift) {
  double sum = 0;
  for (std::size_t k = 0; k < front_t.size(); ++k)
    sum += std::abs(interpolate(curve.t, curve.front, front_t[k] - shift) / front_z[k] - 1);
  return sum / double(front_t.size());
}

}  // namespace

Scene martin_moyce_column(int across) {
  Scene scene;
  scene.dimensions = 2;
  scene.spacing = a / across;
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::box({0, 0, -1}, {float(a), float(2 * a), 1})}};
  scene.has_domain = true;
  scene.domain.max = {6 * a, 3 * a, 0};
  scene.domain.walls = {true, true, true, true, false, false};
  return scene;
}

StudyResult compare_with_martin_moyce(const Scene& scene, const std::string& study,
                                      const std::string& label, const DeviceOptions& options) {
  StudyResult result{study, "The collapse of a water column", {}, {}};
  const Curve curve = collapse(scene, options);
  double best = 0, best_error = front_error(curve, 0);
  for (double shift = -0.3; shift <= 0.3001; shift += 0.005)
    if (front_error(curve, shift) < best_error)
      best = shift, best_error = front_error(curve, shift);
  double height_error = 0;
  std::vector<double> height_big_t;
  for (std::size_t k = 0; k < height_t.size(); ++k) {
    height_big_t.push_back(height_t[k] * std::sqrt(2));
    height_error += std::abs(interpolate(curve.t, curve.height, height_big_t[k]) - height_h[k]) /
                    double(height_t.size());
  }
  result.checks = {{"front, mean relative error, raw", front_error(curve, 0), 0.12, ""},
                   {"front, mean relative error, shifted", best_error, 0.05, ""},
                   {"shift dT, magnitude", std::abs(best), 0.3, ""},
                   {"height at the wall, mean error / 2a", height_error, 0.06, ""}};
  result.plots = {
      {.title = "Dam break: front",
       .x_label = "t sqrt(2g/a)",
       .y_label = "front/a",
       .series = {{label, curve.t, curve.front},
                  {"Martin and Moyce 1952", front_t, front_z, SeriesStyle::reference}}},
      {.title = "Dam break: height at the wall",
       .x_label = "t sqrt(2g/a)",
       .y_label = "height/2a",
       .series = {{label, curve.t, curve.height},
                  {"Martin and Moyce 1952", height_big_t, height_h, SeriesStyle::reference}}}};
  return result;
}

}  // namespace panta::validation
