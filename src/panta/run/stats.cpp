#include "panta/run/stats.h"

#include <algorithm>
#include <cmath>

#include "panta/run/particle_masses.h"

namespace panta {

FrameStats compute_stats(const Simulation& sim, const ParticleFrame& frame, const Vec3d& gravity) {
  FrameStats s;
  s.time = frame.time;
  s.steps = sim.steps();
  s.dt = sim.last_dt();
  s.particles = frame.size();
  s.emitted = sim.emitted();
  s.removed = sim.removed();
  Vec3d moment;
  double error_sum = 0;
  const ParticleMasses masses(sim, frame);
  const std::vector<float>& density = frame.density();  // empty if the method computes none
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const double m = masses[i];
    const Vec3d x = to_double(frame.position()[i]), v = to_double(frame.velocity()[i]);
    s.mass += m;
    s.momentum += v * m;
    s.angular_momentum += cross(x, v) * m;
    moment += x * m;
    s.kinetic_energy += 0.5 * m * dot(v, v);
    s.potential_energy -= m * dot(gravity, x);
    s.max_speed = std::max(s.max_speed, length(v));
    if (density.empty()) continue;
    const double error = std::max(0.0, density[i] / sim.rest_density(frame.phase()[i]) - 1);
    error_sum += error;
    s.density_error_max = std::max(s.density_error_max, error);
  }
  if (s.mass > 0) s.center_of_mass = moment * (1 / s.mass);
  if (s.particles > 0) s.density_error_mean = error_sum / double(s.particles);
  return s;
}

void add_convergence(FrameStats& stats, Simulation& sim) {
  const std::optional<ConvergenceReport> report = sim.convergence();
  if (!report) return;
  stats.solves = true;
  stats.solver_iterations = report->iterations;
  stats.solver_failures = report->failures;
  stats.solver_residual = report->worst_residual;
}

}  // namespace panta
