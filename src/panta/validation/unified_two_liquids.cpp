// A liquid lies on another of a quarter of its density: they change places. There is room above
// them; particles that fill a closed box hold each other like a lattice and hardly overturn.
//
// Where they have parted the light one is above the middle. A particle is on the wrong side when it
// is light and below that or heavy and above it; liquids that are mixed evenly have half of their
// particles there. The limit, 8 %, is twice what is found: up to half of a layer at the interface,
// 1 to 2.5 %, and particles of the light liquid that are alone in the heavy one and so stay.
#include <cmath>
#include <numbers>

#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

namespace {

constexpr double side = 1;

Scene heavy_over_light(double spacing, double depth) {
  Scene scene = unified_scene(material_of(MaterialKind::liquid, 1000), spacing);
  scene.materials.push_back(material_of(MaterialKind::liquid, 250));
  const float s = static_cast<float>(side), d = static_cast<float>(depth);
  scene.fluids = {{0, Shape::box({0, s / 2, 0}, {s, s, d})},
                  {1, Shape::box({0, 0, 0}, {s, s / 2, d})}};
  // The interface is given a slow wave, so that it does not depend on rounding where it breaks.
  for (Fluid& fluid : scene.fluids)
    fluid.velocity_at = [](const Vec3& x) {
      return Vec3{0,
                  0.5f * std::cos(2 * std::numbers::pi_v<float> * x.x) *
                      std::exp(-6 * std::abs(x.y - 0.5f)),
                  0};
    };
  scene.has_domain = true;
  scene.domain.max = {side, 1.25 * side, depth};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.solver["substeps"] = 12.0;
  return scene;
}

struct Overturn {
  std::vector<double> t, heavy, light, wrong;  // heights of the centres of mass, share
};

void look(const ParticleFrame& frame, Overturn& overturn) {
  double height[2] = {}, count[2] = {}, wrong = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const bool light = frame.phase()[i] == 1;
    height[light] += frame.position()[i].y, ++count[light];
    if (light != (frame.position()[i].y > side / 2)) ++wrong;
  }
  overturn.t.push_back(frame.time);
  overturn.heavy.push_back(height[0] / count[0]);
  overturn.light.push_back(height[1] / count[1]);
  overturn.wrong.push_back(wrong / double(frame.size()));
}

}  // namespace

StudyResult unified_two_liquids(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/two_liquids", "A heavy liquid over a light one overturns", {}, {}};
  const bool full = size == StudySize::full;
  const double spacing = full ? 0.02 : 0.05;
  const auto sim = make_simulation(heavy_over_light(spacing, 0.2), options);
  Overturn overturn;
  const int frames = full ? 80 : 40;
  for (int frame = 0; frame <= frames; ++frame) {
    sim->advance_to(0.1 * frame);
    look(sim->snapshot(), overturn);
  }
  result.checks = {
      {"distance of the centres / parted, error",
       std::abs((overturn.light.back() - overturn.heavy.back()) / (side / 2) - 1), 0.1, ""},
      {"share of particles on the wrong side", overturn.wrong.back(), 0.08, ""}};
  const double end = overturn.t.back(), gap = std::nan("");
  result.plots = {
      {.title = "Two liquids change places",
       .x_label = "t [s]",
       .y_label = "height of the centre of mass [m]",
       .series =
           {{"density 1000", overturn.t, overturn.heavy},
            {"density 250", overturn.t, overturn.light},
            {"parted", {0, end, gap, 0, end}, {0.75, 0.75, gap, 0.25, 0.25}, SeriesStyle::dashed}}},
      {.title = "Two liquids change places: what is still on the wrong side",
       .x_label = "t [s]",
       .y_label = "share of the particles",
       .series = {{"unified", overturn.t, overturn.wrong}}}};
  return result;
}

}  // namespace panta::validation
