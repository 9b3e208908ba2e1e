// panta check: reads a scene, says what it would run, or what is wrong with it.
#include <fmt/format.h>

#include "commands.h"
#include "panta/scene/load.h"
#include "panta/scene/sample.h"
#include "panta/sim/run.h"
#include "parameter_table.h"
#include "scene_files.h"

namespace panta::app {
namespace {

// Up to this many particles are placed to be counted, which also finds overlapping fluids.
constexpr double most_counted = 1e8;

// Particle state (about 30 floats, twice for sorting) and neighbour lists of about 60 entries.
constexpr double bytes_per_particle = 2 * 30 * 4 + 60 * 4;

std::string particle_count(const Scene& scene, double& count) {
  count = estimate_particles(scene);
  if (count > most_counted) return fmt::format("about {:.3g}", count);
  count = static_cast<double>(sample_fluids(scene).size());
  return fmt::format("{}", count);
}

int check(const Arguments& args) {
  const std::string path = find_scene(args.operands()[0]);
  const Scene scene = load_scene(path, args.all("--set"));
  const MethodInfo& method = find_method(scene.method);
  double particles = 0;
  const std::string count = particle_count(scene, particles);
  fmt::print("{}: ok\n", path);
  fmt::print("  title       {}\n", scene.title);
  fmt::print("  method      {} ({})\n", method.name, method.title);
  fmt::print("  dimensions  {}\n", scene.dimensions);
  fmt::print("  spacing     {} m\n", scene.spacing);
  fmt::print("  particles   {}\n", count);
  fmt::print("  memory      about {:.0f} MB\n", particles * bytes_per_particle / 1e6 + 1);
  fmt::print("  frames      {} ({} s at {} per second)\n", last_frame(scene), scene.duration,
             scene.fps);
  fmt::print("  contents    {} fluids, {} bodies, {} fields\n", scene.fluids.size(),
             scene.bodies.size(), scene.fields.size());
  fmt::print("\n{}", parameter_table(method.parameters, scene.solver));
  return exit_done;
}

}  // namespace

Command check_command() {
  return {{"check",
           "SCENE",
           1,
           1,
           "check a scene and say what it would run",
           {{"--set", "PATH=VALUE", "change a value of the scene, e.g. --set spacing=0.01", true}}},
          check};
}

}  // namespace panta::app
