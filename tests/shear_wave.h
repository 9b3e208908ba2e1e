// A shear wave in a liquid without viscosity, with default parameters. It must not lose amplitude,
// because liquids have no shear modulus.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "panta/engine/simulation.h"

namespace panta {

// The remaining fraction of the amplitude of a wave 20 spacings long, with a speed of a tenth of
// the speed of sound, after the crest has moved by ten spacings.
inline double remaining_shear_wave(const std::string& method, float jitter,
                                   const DeviceOptions& options) {
  constexpr float spacing = 0.02f, wave = 20 * spacing, width = 8 * spacing;
  constexpr double sound = 10, turn = 2 * std::numbers::pi / wave;
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.gravity = {};
  scene.materials = {Material{.viscosity = 0}};
  Fluid water{0, Shape::box({0, 0, 0}, {wave, width, width})};
  water.jitter = jitter;
  water.velocity_at = [](const Vec3& x) {
    return Vec3{0, static_cast<float>(0.1 * sound * std::sin(turn * x.x)), 0};
  };
  scene.fluids = {water};
  scene.has_domain = true;
  scene.domain.max = {wave, width, width};
  scene.domain.periodic = {true, true, true};
  scene.solver["sound_speed"] = sound;
  const auto sim = make_simulation(scene, options);
  const auto amplitude = [&] {
    const ParticleFrame frame = sim->snapshot();
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const double shape = std::sin(turn * frame.position()[i].x);
      sum += shape * frame.velocity()[i].y, squares += shape * shape;
    }
    return sum / squares;
  };
  const double before = amplitude();
  sim->advance_to(10 * spacing / (0.1 * sound));
  return amplitude() / before;
}

}  // namespace panta
