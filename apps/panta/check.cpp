// panta check: reads a scene and prints a summary of the run, or the first error.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "commands.h"
#include "panta/engine/devices.h"
#include "panta/engine/memory_check.h"
#include "panta/engine/methods.h"
#include "panta/load/load.h"
#include "panta/scene/frame_times.h"
#include "panta/scene/material_mass.h"
#include "panta/scene/sample_solids.h"
#include "parameter_table.h"
#include "print.h"
#include "scene_files.h"

namespace panta::app {
namespace {

// Up to this number, particles are placed to count them, which also finds overlaps.
constexpr double most_counted = 1e8;

std::string memory_line(const Scene& scene) {
  const MemoryNeed need = estimate_memory(scene, {});
  std::string text = "about " + memory_text(need.bytes);
  if (need.at_end > need.bytes)
    text += fmt::format(" at the start, {} at the end{}", memory_text(need.at_end),
                        scene.sinks.empty() ? "" : " unless sinks remove particles");
  if (need.at_end > need.free_bytes)
    text += fmt::format(", more than is free on {} ({})", describe_device(need.device),
                        memory_text(need.free_bytes));
  return text;
}

struct Counts {
  std::string particles, solids;
  std::vector<std::string> fluids;
};

std::string fluid_line(const Scene& scene, std::size_t fluid, std::size_t particles) {
  const auto material = static_cast<std::size_t>(scene.fluids[fluid].material);
  const double mass = particle_mass(scene, material) * static_cast<double>(particles);
  return fmt::format(
      "{}: {} of '{}', {:.4g} kg, {:.4g} {}", fluid, particles, scene.materials.at(material).name,
      mass, mass / scene.materials.at(material).density, scene.dimensions == 2 ? "m2" : "m3");
}

Counts count_particles(const Scene& scene) {
  const double estimate = estimate_particles(scene);
  if (estimate > most_counted)
    return {
        fmt::format("about {:.3g}", estimate), fmt::format("{} kinds", scene.solids.size()), {}};
  const SolidParticles solids = sample_solids(scene);
  const SampledParticles all = sample_scene(scene, solids);
  Counts counts = {fmt::format("{}", all.size()),
                   fmt::format("{} of {} particles", solids.bodies.size(), solids.particles.size()),
                   {}};
  for (std::size_t fluid = 0; fluid < scene.fluids.size(); ++fluid)
    counts.fluids.push_back(fluid_line(
        scene, fluid,
        static_cast<std::size_t>(std::count(all.object.begin(), all.object.end(), fluid))));
  return counts;
}

int check(const Arguments& args) {
  const std::string path = find_scene(args.operands()[0]);
  std::vector<std::string> unused;
  const Scene scene = load_scene(path, args.all("--set"), nullptr, &unused);
  check_strictly(args, unused);
  const MethodInfo& method = find_method(scene.method);
  const Counts counts = count_particles(scene);
  print(stdout, "{}: ok\n", path);
  for (const auto& warnings : {unused, scene_warnings(scene)})
    for (const std::string& warning : warnings) print(stdout, "  warning     {}\n", warning);
  print(stdout, "  title       {}\n", scene.title);
  print(stdout, "  method      {} ({})\n", method.name, method.title);
  print(stdout, "  dimensions  {}\n", scene.dimensions);
  print(stdout, "  spacing     {} m\n", scene.spacing);
  print(stdout, "  particles   {}\n", counts.particles);
  for (const std::string& fluid : counts.fluids) print(stdout, "  fluid       {}\n", fluid);
  if (!scene.solids.empty()) print(stdout, "  solids      {}\n", counts.solids);
  print(stdout, "  memory      {}\n", memory_line(scene));
  print(stdout, "  frames      {} ({} s at {} per second)\n", last_frame(scene), scene.duration,
        scene.fps);
  print(stdout, "  contents    {} fluids, {} bodies, {} fields\n", scene.fluids.size(),
        scene.bodies.size(), scene.fields.size());
  if (args.has("--all"))
    print_lines(stdout, "\n" + parameter_table(method.parameters, scene.solver));
  return exit_done;
}

}  // namespace

Command check_command() {
  return {{"check",
           "SCENE",
           1,
           1,
           "check a scene and summarise its run",
           {strict_option,
            {"--all", "", "print the parameters of the method, too"},
            {"--set", "PATH=VALUE", "change a value of the scene, e.g. --set spacing=0.01", true}}},
          check};
}

}  // namespace panta::app
