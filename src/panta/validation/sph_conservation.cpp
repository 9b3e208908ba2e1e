// Conserved quantities: momentum of a free blob, and the energy that viscosity may only take away.
#include <cmath>

#include "panta/core/random.h"
#include "panta/run/stats.h"
#include "panta/validation/sph_studies.h"

namespace panta::validation {

namespace {

Vec3 random_velocity(const Vec3& x) {
  const auto id = static_cast<std::uint64_t>(std::llround(1e4 * (x.x + 1))) * 1000003u +
                  static_cast<std::uint64_t>(std::llround(1e4 * (x.y + 1))) * 1009u +
                  static_cast<std::uint64_t>(std::llround(1e4 * (x.z + 1)));
  const auto component = [&](int axis) {
    return 2 * random_uniform(1, id, static_cast<std::uint64_t>(axis)) - 1;
  };
  return {component(0), component(1), component(2)};
}

// Water in free space with random velocities of about 1 m/s.
Scene blob(StudySize size) {
  Scene scene;
  scene.spacing = size == StudySize::full ? 0.01 : 0.02;
  scene.gravity = {};
  scene.materials = {Material{}};
  scene.fluids.push_back({0, Shape::box({0, 0, 0}, {0.2f, 0.2f, 0.2f}), {}, 0.1f, random_velocity});
  scene.solver["sound_speed"] = 10.0;
  return scene;
}

}  // namespace

StudyResult sph_momentum(const DeviceOptions& options, StudySize size) {
  StudyResult result{"sph/momentum", "A free blob keeps its momentum", {}, {}};
  const Scene scene = blob(size);
  const auto sim = make_simulation(scene, options);
  const FrameStats start = compute_stats(*sim, sim->snapshot(), scene.gravity);
  sim->advance_to(0.1);
  const FrameStats end = compute_stats(*sim, sim->snapshot(), scene.gravity);
  // Against the sum of the particles' own momenta: what rounding errors are measured by.
  const double scale = std::sqrt(2 * start.kinetic_energy * start.mass);
  result.checks.push_back({"change of momentum / sum of |m v|",
                           length(end.momentum - start.momentum) / scale, 1e-6, ""});
  return result;
}

StudyResult sph_viscosity(const DeviceOptions& options, StudySize size) {
  StudyResult result{"sph/dissipation", "Viscosity never adds kinetic energy", {}, {}};
  Scene scene = blob(size);
  scene.materials[0].viscosity = 20;
  scene.solver["sound_speed"] = 0.2;  // pressure too weak to matter
  scene.solver["artificial_viscosity"] = 0.0;
  const auto sim = make_simulation(scene, options);
  std::vector<double> times, energies;
  double largest_gain = 0;
  for (int frame = 0; frame <= 50; ++frame) {
    sim->advance_to(frame * 2e-4);
    const FrameStats stats = compute_stats(*sim, sim->snapshot(), scene.gravity);
    if (!energies.empty())
      largest_gain = std::max(largest_gain, stats.kinetic_energy / energies.back() - 1);
    times.push_back(stats.time);
    energies.push_back(stats.kinetic_energy);
  }
  result.checks.push_back({"largest gain between frames", largest_gain, 1e-6, ""});
  result.checks.push_back({"energy left", energies.back() / energies.front(), 0.5, ""});
  result.plots.push_back({.title = "Kinetic energy under viscosity alone",
                          .x_label = "t [s]",
                          .y_label = "E [J]",
                          .series = {{"SPH", times, energies}}});
  return result;
}

}  // namespace panta::validation
