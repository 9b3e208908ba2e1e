// Warnings about a scene, reported before it runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/geometry/bounds.h"
#include "panta/methods/viscoelastic_clavet2005/setup.h"
#include "panta/scene/liquid_depth.h"

namespace panta::viscoelastic {

namespace {

// Liquids hold a small stress before they flow (README.md, known limits).
constexpr double may_hang = 0.12;          // difference of density, as a share of the liquid's
constexpr double may_not_overturn = 0.87;  // ratio of densities
constexpr double least_radius = 3;         // spacings, of bodies that float as deep as they weigh

// The fastest liquid at the start and at emitters.
double fastest_inflow(const Scene& scene) {
  double fastest = 0;
  for (const Fluid& f : scene.fluids) fastest = std::max(fastest, double{length(f.velocity)});
  for (const Emitter& e : scene.emitters) fastest = std::max(fastest, double{e.speed});
  return fastest;
}

void add_compression(const Scene& scene, const Setup& s, std::vector<std::string>& out) {
  constexpr double worth_mentioning = 0.2, much_faster = 2;
  const double depth = liquid_depth(scene);
  const double squeezed = length(scene.gravity) * depth / (s.sound_speed * s.sound_speed);
  if (squeezed > worth_mentioning)
    out.push_back(fmt::format(
        "liquid {:.3g} m deep will be about {:.0f} % too dense at its bottom with "
        "solver.time_step {:.4g}; {:.3g} would make that {:.0f} %",
        depth, 100 * squeezed, s.params.time_step,
        s.params.time_step * std::sqrt(worth_mentioning / squeezed), 100 * worth_mentioning));
  const double fastest = fastest_inflow(scene);
  if (fastest > much_faster * s.sound_speed)
    out.push_back(
        fmt::format("liquid moves at {:.3g} m/s, sound in it at {:.3g} m/s: it is compressed on "
                    "impact; set solver.time_step to {:.3g} or less",
                    fastest, s.sound_speed, s.params.time_step * s.sound_speed / fastest));
}

void add_hanging_bodies(const Scene& scene, std::vector<std::string>& out) {
  for (const Body& body : scene.bodies) {
    if (!body.free || body.free->mass) continue;
    const ShapeBounds b = shape_bounds(body.shape);
    const Vec3d size = b.max - b.min;
    const double across = std::min({size.x, size.y, scene.dimensions == 3 ? size.z : size.y});
    if (across < 2 * least_radius * scene.spacing * (1 - 1e-6))
      out.push_back(fmt::format(
          "body '{}' is {:.2g} spacings across: in liquid bodies of less than {:.0f} may hang; "
          "lower the spacing to {:.2g}",
          body.name, across / scene.spacing, 2 * least_radius, 0.5 * across / least_radius));
    for (const Material& m : scene.materials) {
      const double difference = std::abs(body.free->density / m.density - 1);
      if (!(difference > 0) || !(difference < may_hang)) continue;
      out.push_back(fmt::format(
          "body '{}' of {:.4g} kg/m3 may stay on the floor or hang in '{}' of {:.4g} kg/m3, which "
          "holds bodies of nearly its own density",
          body.name, body.free->density, m.name, m.density));
    }
  }
}

void add_liquids_that_stay(const Scene& scene, std::vector<std::string>& out) {
  for (const Material& light : scene.materials)
    for (const Material& heavy : scene.materials) {
      const double ratio = light.density / heavy.density;
      if (!(ratio < 1) || !(ratio > may_not_overturn)) continue;
      out.push_back(
          fmt::format("if '{}' of {:.4g} kg/m3 starts below '{}' of {:.4g} kg/m3, they separate "
                      "slowly and not completely: their densities differ by little",
                      light.name, light.density, heavy.name, heavy.density));
    }
}

}  // namespace

std::vector<std::string> advice(const Scene& scene) {
  const Setup s = make_setup(scene);
  std::vector<std::string> out = s.held_back;
  add_compression(scene, s, out);
  if (!s.corrected || length(scene.gravity) == 0) return out;
  add_hanging_bodies(scene, out);
  add_liquids_that_stay(scene, out);
  return out;
}

}  // namespace panta::viscoelastic
