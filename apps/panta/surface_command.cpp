#include "surface_command.h"

#include <fmt/format.h>

#include <cstdio>

#include "option_values.h"
#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/surface_file.h"
#include "panta/load/load.h"
#include "print.h"
#include "progress.h"

namespace panta::app {
namespace {

VolumeGrids read_volumes(const std::string& text) {
  static const std::vector<std::string> names = {"level_set", "density", "velocity"};
  VolumeGrids grids;
  bool* const wanted[] = {&grids.level_set, &grids.density, &grids.velocity};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, comma - at);
    check_choice("--volume", names, name);
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name) *wanted[k] = true;
    at = comma + 1;
  }
  return grids;
}

SurfaceRunOptions read_options(const Arguments& args) {
  SurfaceRunOptions options;
  RunSurfaceOptions& surface = options.surface;
  surface.surface.method =
      read_choice(args, "--method", surface_method_names, surface.surface.method);
  surface.surface.cell = static_cast<float>(args.number("--cell", surface.surface.cell, 0));
  surface.surface.threads = args.integer("--threads", 0, 1, most_threads);
  surface.surface.device = args.text("--device", "auto");
  if (surface.surface.device == "cuda" && !has_device_form(surface.surface.method))
    throw Error(ErrorKind::usage, "--method {} runs on the CPU only: choose --device cpu",
                args.text("--method"));
  surface.smoothing_passes = args.integer("--smooth", surface.smoothing_passes, 0);
  surface.keep_triangles = static_cast<float>(args.number("--decimate", 1, 0));
  if (!(surface.keep_triangles > 0 && surface.keep_triangles <= 1))
    throw Error(ErrorKind::usage,
                "--decimate: {} is not a share of the triangles to keep, above 0 and at most 1",
                surface.keep_triangles);
  options.value = args.text("--value", options.value);
  options.format =
      surface_formats()[read_choice(args, "--format", surface_formats(), std::size_t{0})];
  if (args.has("--volume")) options.volumes = read_volumes(args.text("--volume"));
  const FrameRange frames = read_frames(args);
  options.first = frames.first;
  options.last = frames.last;
  options.every = args.integer("--every", 1, 1);
  options.jobs = args.integer("--jobs", 0, 1, most_threads);
  options.overwrite = args.has("--overwrite");
  options.out = args.text("--out");
  return options;
}

std::string summary_text(const SurfaceRunSummary& summary) {
  std::string text = fmt::format("{} frames in {}", summary.made, summary.folder);
  if (summary.made > 0)
    text +=
        fmt::format(" ({:.0f} triangles each, {}, {} at once)", summary.triangles / summary.made,
                    clock_text(summary.seconds), summary.jobs);
  if (summary.kept > 0) text += fmt::format(", {} kept from before", summary.kept);
  return text;
}

int surface(const Arguments& args) {
  const std::string& dir = args.operands()[0];
  const std::string scene_path = dir + "/scene.json";
  if (!file_exists(scene_path))
    throw Error(ErrorKind::io, "'{}' is not a result folder: it contains no scene.json", dir);
  const SurfaceRunOptions options = read_options(args);
  return make_surfaces(dir, load_scene(scene_path), options, args.has("--quiet"));
}

}  // namespace

int make_surfaces(const std::string& dir, const Scene& scene, const SurfaceRunOptions& options,
                  bool quiet) {
  ProgressPrinter progress(stderr);
  const auto print_line = [&](const char* kind, const std::string& text) {
    progress.end();
    print(stderr, "panta: {}: {}\n", kind, text);
  };
  const SurfaceReport report{[&](const SurfaceProgress& p) {
                               if (!quiet) progress.update(p);
                             },
                             [&](const std::string& problem) { print_line("error", problem); },
                             [&](const std::string& problem) { print_line("warning", problem); }};
  const SurfaceRunSummary summary = make_run_surfaces(dir, scene, options, report);
  if (!quiet) print(stderr, "{}\n", summary_text(summary));
  if (summary.failed == 0) return exit_done;
  print(stderr,
        "panta: error: {} frames failed; correct the cause and repeat the command, which "
        "keeps the others\n",
        summary.failed);
  return static_cast<int>(ErrorKind::io);
}

Command surface_command() {
  return {
      {"surface",
       "DIR",
       1,
       1,
       "make surface meshes and volumes of the liquids in a result folder, for other programs",
       {{"--method", "NAME",
         "anisotropic, colour, follow, cone, metaballs or level_set (anisotropic)"},
        {"--cell", "F", "resolution: spacings between lattice points (0.5)"},
        {"--smooth", "N", "passes of smoothing (5)"},
        {"--decimate", "F", "share of the triangles to keep (1)"},
        {"--value", "NAME", "vertices' values: speed, a column as pressure, or none (speed)"},
        {"--format", "NAME", "ply, obj or vtp (ply)"},
        {"--volume", "NAMES", "also OpenVDB volumes: level_set, density, velocity, with commas"},
        {"--frames", "A:B", "make frames A to B (all)"},
        {"--every", "K", "make each K-th frame (1)"},
        {"--out", "DIR", "folder for the files (DIR/surface)"},
        {"--jobs", "N", "frames made at once (as threads and memory allow)"},
        {"--threads", "N", "CPU threads, of all jobs together (all cores)"},
        {"--device", "NAME", "auto, cpu or cuda (auto)"},
        {"--overwrite", "", "make all frames again; without it finished frames are kept"},
        {"--quiet", "", "print errors only"}}},
      surface};
}

}  // namespace panta::app
