// Ten boxes on each other, 2 m high, with mass scaling (eq. 21, `shock_propagation`) and without.
//
// Compression is what the top has come down by, as a share of the height. The stack is at rest when
// no particle is faster than a centimetre per second any more. All settings are the defaults, four
// substeps at 1/120 s; with mass scaling `shock_propagation` is 4.
#include <algorithm>

#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

namespace {

constexpr double spacing = 0.05, side = 4 * spacing, height = 10 * side, at_rest = 0.01;

Scene stack_of_ten(double shock_propagation) {
  Scene scene = above_floor(material_of(MaterialKind::solid, 600), spacing, 0.6);
  const float s = static_cast<float>(side);
  scene.solids = {block_at(scene, {-s / 2, 0, -s / 2}, {s, s, s})};
  scene.solids[0].copies = {1, 10, 1};
  scene.solids[0].pitch = {0, s, 0};
  scene.solver["shock_propagation"] = shock_propagation;
  return scene;
}

struct Settling {
  std::vector<double> t, compression, speed;  // s, %, m/s
};

Settling settle(double shock_propagation, double duration, const DeviceOptions& options) {
  Settling stack;
  const auto sim = make_simulation(stack_of_ten(shock_propagation), options);
  for (int frame = 0; frame <= 60 * duration; ++frame) {
    sim->advance_to(frame / 60.0);
    const ParticleFrame now = sim->snapshot();
    double top = 0;
    for (const Vec3& x : now.position()) top = std::max(top, x.y + spacing / 2);
    stack.t.push_back(sim->time());
    stack.compression.push_back(100 * (1 - top / height));
    stack.speed.push_back(fastest_of(now));
  }
  return stack;
}

double largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

double last_movement(const Settling& stack) {
  double last = 0;
  for (std::size_t k = 0; k < stack.t.size(); ++k)
    if (stack.speed[k] > at_rest) last = stack.t[k];
  return last;
}

}  // namespace

StudyResult unified_stack(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/stack", "Ten boxes on each other come to rest", {}, {}};
  const double duration = size == StudySize::full ? 5 : 2.5;
  const Settling with = settle(4, duration, options), without = settle(0, duration, options);
  result.checks = {
      {"compression with mass scaling, largest", largest(with.compression), 2, "%"},
      {"last movement with mass scaling", last_movement(with), 2, "s"},
      {"compression at the end / without it", with.compression.back() / without.compression.back(),
       1, ""},
      {"last movement / without it", last_movement(with) / last_movement(without), 1, ""}};
  result.plots = {{.title = "Ten boxes: compression",
                   .x_label = "t [s]",
                   .y_label = "compression [% of the height]",
                   .series = {{"with mass scaling", with.t, with.compression},
                              {"without", without.t, without.compression}}},
                  {.title = "Ten boxes: fastest particle",
                   .x_label = "t [s]",
                   .y_label = "speed [m/s]",
                   .series = {{"with mass scaling", with.t, with.speed},
                              {"without", without.t, without.speed}}}};
  return result;
}

}  // namespace panta::validation
