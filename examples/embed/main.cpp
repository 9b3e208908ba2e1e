// Panta in another program: a block of water collapses in a walled box; prints ten frames.
#include <algorithm>
#include <cstdio>

#include "panta/engine/simulation.h"

static panta::Scene block_of_water() {
  panta::Scene scene;
  scene.spacing = 0.03;
  scene.has_domain = true;
  scene.domain.min = {0, 0, 0};
  scene.domain.max = {0.9, 0.6, 0.3};
  scene.domain.walls.fill(true);
  scene.materials = {panta::Material{}};  // water
  scene.fluids = {{.material = 0, .shape = panta::Shape::box({0, 0, 0}, {0.3f, 0.45f, 0.3f})}};
  return scene;
}

int main() try {
  const auto simulation = panta::make_simulation(block_of_water(), {.device = "auto"});
  for (int frame = 1; frame <= 10; ++frame) {
    simulation->advance_by(0.05);

    const panta::ParticleFrame particles = simulation->snapshot();  // copied to the host, by id
    panta::Vec3d center;
    float highest = 0;
    for (const panta::Vec3& x : particles.position()) {
      center += panta::to_double(x) * (1.0 / particles.size());
      highest = std::max(highest, x.y);
    }
    std::printf("t = %.2f s: centre of mass (%.3f, %.3f, %.3f) m, highest particle at %.3f m\n",
                simulation->time(), center.x, center.y, center.z, highest);
  }

  // The same positions without a copy: host pointers on the CPU, device pointers with CUDA.
  const panta::ColumnView x = simulation->view("position");
  const bool on_gpu = x.device == panta::DeviceKind::cuda;
  std::printf("%zu particles, in %s memory\n", x.count, on_gpu ? "GPU" : "host");
  if (!on_gpu)
    std::printf("the first one in cell order is at (%.3f, %.3f, %.3f) m\n", *x.component(0),
                *x.component(1), *x.component(2));
} catch (const std::exception& error) {
  std::fprintf(stderr, "embed: %s\n", error.what());
  return 1;
}
