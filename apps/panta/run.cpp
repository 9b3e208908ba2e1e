// panta run: simulates a scene into a result folder.
#include "panta/run/run.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>

#include "commands.h"
#include "panta/core/error.h"
#include "panta/load/load.h"
#include "print.h"
#include "progress.h"
#include "render_command.h"
#include "scene_files.h"
#include "surface_command.h"

namespace panta::app {
namespace {

// A signal handler can access only a global variable.
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
  interrupted = 1;
  const char message[] = "\npanta: interrupted, finishing the frame (repeat to stop at once)\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof message - 1);
}

// A second signal of the same kind has the default action and ends the process. Only a closed
// terminal may send its signal, SIGHUP, several times; nohup ignores it.
void catch_interrupts() {
  struct sigaction action = {}, earlier = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int signal_number : {SIGINT, SIGTERM}) sigaction(signal_number, &action, nullptr);
  action.sa_flags = SA_RESTART;
  if (sigaction(SIGHUP, nullptr, &earlier) == 0 && earlier.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

std::vector<std::string> overrides(const Arguments& args) {
  std::vector<std::string> list = args.all("--set");
  if (args.has("--duration"))
    list.push_back(fmt::format("duration={}", args.number("--duration", 0, 0)));
  return list;
}

std::string device_name(const Arguments& args) {
  const std::string name = args.text("--device", "auto");
  check_choice("--device", {"auto", "cpu", "cuda"}, name);
  return name;
}

CheckpointPolicy checkpoint_policy(const Arguments& args) {
  CheckpointPolicy policy;
  policy.every_frames = args.integer("--checkpoint-every", policy.every_frames, 0);
  return policy;
}

std::string command_text(const Arguments& args, const CommandLine& line) {
  std::string text = "panta run " + args.operands()[0];
  for (const Option& option : line.options)
    for (const std::string& value : args.all(option.name))
      text += " " + option.name + (option.value.empty() ? "" : " " + value);
  return text;
}

RunOptions run_options(const Arguments& args, const std::string& scene_path) {
  RunOptions options;
  options.out = args.text("--out", "results/" + std::filesystem::path(scene_path).stem().string());
  options.overwrite = args.has("--overwrite");
  options.resume = args.has("--resume");
  if (options.overwrite && options.resume)
    throw Error(ErrorKind::usage,
                "--resume continues the run in the folder, --overwrite replaces it: choose one");
  options.command = command_text(args, run_command().line);
  options.frames = args.integer("--frames", -1, 0);
  options.device = {device_name(args), args.integer("--threads", 0, 1, most_threads),
                    args.has("--profile")};
  options.checkpoints = checkpoint_policy(args);
  options.stop = [] { return interrupted != 0; };
  return options;
}

void print_end(const RunSummary& summary, const RunOptions& options) {
  print(stderr, "{} after frame {}: {} particles, {} steps in {:.1f} s, results in {}\n",
        summary.status, summary.frames, summary.particles, summary.steps, summary.wall_seconds,
        options.out);
  if (summary.status != "interrupted") return;
  if (options.checkpoints.every_frames == CheckpointPolicy::never)
    print(stderr, "there is no checkpoint: the run can only start again\n");
  else
    print(stderr, "to continue, give the same command with --resume\n");
}

SurfaceRunOptions surface_options(const Scene& scene, int threads, const std::string& device) {
  SurfaceRunOptions options;
  options.surface = wanted_surface(scene);
  options.surface.surface.threads = threads;
  options.surface.surface.device = device;
  if (scene.surface_output) options.format = scene.surface_output->format;
  return options;
}

RenderOptions picture_options(const ImageOutput& output, int threads, bool overwrite) {
  RenderOptions options;
  options.overwrite = overwrite;
  options.pictures.quality = output.quality;
  options.pictures.width = output.width;
  options.pictures.height = output.height;
  options.pictures.samples = output.samples;
  options.pictures.threads = threads;
  options.every = output.every;
  return options;
}

// Makes the surfaces and pictures that the scene, or the command line, requests.
int finish(const Arguments& args, const Scene& scene, const std::string& dir, bool quiet) {
  const int threads = args.integer("--threads", 0, 1, most_threads);
  int code = exit_done;
  if (scene.surface_output || args.has("--surface"))
    code = make_surfaces(dir, scene, surface_options(scene, threads, device_name(args)), quiet);
  if (scene.image_output || args.has("--images"))
    code = std::max(code, draw_run(dir, scene,
                                   picture_options(scene.image_output.value_or(ImageOutput{}),
                                                   threads, args.has("--overwrite")),
                                   quiet));
  return code;
}

int run(const Arguments& args) {
  const std::string path = find_scene(args.operands()[0]);
  json::Value effective;
  std::vector<std::string> unused;
  const Scene scene = load_scene(path, overrides(args), &effective, &unused);
  check_strictly(args, unused);
  RunOptions options = run_options(args, path);
  options.warnings = unused;
  options.effective_scene = json::dump(effective);
  options.inputs = files_of(effective);
  const bool quiet = args.has("--quiet");
  std::optional<ProgressPrinter> progress;
  if (!quiet) {
    progress.emplace(stderr);
    options.progress = [&](const RunProgress& p) { progress->update(p); };
  }
  catch_interrupts();
  const Log log(quiet ? LogLevel::error : LogLevel::info);
  RunSummary summary;
  try {
    summary = run_scene(scene, options, log);
  } catch (...) {
    if (progress) progress->end();
    throw;
  }
  if (progress) progress->end();
  const bool stopped = summary.status == "interrupted";
  if (!quiet || stopped) print_end(summary, options);
  return stopped ? exit_interrupted : finish(args, scene, options.out, quiet);
}

}  // namespace

Command run_command() {
  return {{"run",
           "SCENE",
           1,
           1,
           "simulate a scene (a file, or a name that 'panta scenes' lists)",
           {{"--out", "DIR", "the result folder (results/SCENE)"},
            {"--overwrite", "", "replace an earlier run in that folder"},
            {"--resume", "", "continue the run in that folder from its checkpoint"},
            {"--checkpoint-every", "N", "frames between checkpoints, 0 for none (a minute)"},
            {"--device", "NAME", "auto, cpu or cuda (auto)"},
            {"--threads", "N", "CPU threads (all cores)"},
            {"--frames", "N", "stop after frame N"},
            {"--duration", "S", "simulate S seconds"},
            {"--set", "PATH=VALUE", "change a value of the scene, e.g. --set spacing=0.01", true},
            {"--surface", "", "make surface meshes when it is done, as 'panta surface' does"},
            {"--images", "", "draw pictures and a video when it is done, as 'panta render' does"},
            strict_option,
            {"--profile", "", "record the time of each stage of a step"},
            {"--quiet", "", "print errors only"}}},
          run};
}

}  // namespace panta::app
