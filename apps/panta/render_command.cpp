#include "render_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "option_values.h"
#include "panta/core/error_format.h"
#include "panta/io/png.h"
#include "panta/load/load.h"
#include "panta/render/render_scene.h"
#include "print.h"
#include "progress.h"
#include "scene_files.h"

namespace panta::app {
namespace {

constexpr int largest_side = 16384;  // pixels

void read_size(std::string_view text, PictureOptions& pictures) {
  const std::size_t cross = std::min(text.find('x'), text.size());
  pictures.width = whole_number(text.substr(0, cross));
  pictures.height = whole_number(text.substr(std::min(cross + 1, text.size())));
  for (const int side : {pictures.width, pictures.height})
    if (side < 1 || side > largest_side)
      throw Error(ErrorKind::usage, "--size: '{}' is not WIDTHxHEIGHT in pixels, e.g. 960x540",
                  text);
}

// "azimuth,elevation" in degrees; replaces the scene's camera.
CameraSetup read_view(const std::string& text) {
  CameraSetup camera;
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%f,%f%c", &camera.azimuth, &camera.elevation, &rest);
  if (read != 2 || !(std::abs(camera.azimuth) <= 360) || !(std::abs(camera.elevation) <= 89))
    throw Error(
        ErrorKind::usage,
        "--view: '{}' is not AZIMUTH,ELEVATION in degrees (elevation -89 to 89), e.g. 28,21", text);
  return camera;
}

// An option for a quantity also colours grains.
PictureOptions read_pictures(const Arguments& args) {
  PictureOptions pictures;
  read_size(args.text("--size", "960x540"), pictures);
  pictures.quality = read_choice(args, "--quality", quality_names, Quality::preview);
  pictures.style = read_choice(args, "--style", gl_style_names,
                               args.has("--color") ? GlStyle::particles : GlStyle::fluid);
  if (args.has("--style") && pictures.quality != Quality::preview)
    throw Error(ErrorKind::usage, "--style is for --quality preview");
  pictures.color = args.text("--color", pictures.color);
  pictures.color_all = args.has("--color");
  pictures.legend = pictures.color != ParticleQuantity::speed;
  pictures.samples = args.integer("--samples", pictures.samples, 1);
  pictures.threads = args.integer("--threads", 0, 1, most_threads);
  return pictures;
}

void print_notice(const std::string& notice) {
  if (!notice.empty()) print(stderr, "panta: {}\n", notice);
}

int render_result(const std::string& dir, const Arguments& args) {
  const std::string scene_path = dir + "/scene.json";
  if (!std::filesystem::exists(scene_path))
    throw Error(ErrorKind::io, "'{}' is not a result folder: it contains no scene.json", dir);
  if (args.has("--set"))
    throw Error(ErrorKind::usage, "--set: '{}' is a result folder, its scene is what was run", dir);
  RenderOptions options;
  options.pictures = read_pictures(args);
  const FrameRange frames = read_frames(args);
  options.first = frames.first;
  options.last = frames.last;
  options.every = args.integer("--every", 1, 1);
  options.out = args.text("--out");
  options.overwrite = args.has("--overwrite");
  Scene scene = load_scene(scene_path);
  if (args.has("--view")) scene.camera = read_view(args.text("--view"));
  return draw_run(dir, scene, options, args.has("--quiet"));
}

// A picture of the scene's start, in a PNG with the scene's name.
int render_start(const std::string& given, const Arguments& args) {
  for (const char* option : {"--frames", "--every"})
    if (args.has(option))
      throw Error(ErrorKind::usage, "{}: '{}' is not a result folder and has no frames", option,
                  given);
  const std::string path = find_scene(given);
  const std::string out = args.text("--out", std::filesystem::path(path).stem().string() + ".png");
  Scene scene = load_scene(path, args.all("--set"));
  if (args.has("--view")) scene.camera = read_view(args.text("--view"));
  std::string notice;
  write_png(out, render_scene(scene, read_pictures(args), notice));
  print_notice(notice);
  if (!args.has("--quiet")) print(stderr, "picture {}\n", out);
  return exit_done;
}

int render(const Arguments& args) {
  const std::string& given = args.operands()[0];
  return std::filesystem::is_directory(given) ? render_result(given, args)
                                              : render_start(given, args);
}

}  // namespace

int draw_run(const std::string& dir, const Scene& scene, const RenderOptions& options, bool quiet) {
  ProgressPrinter progress(stderr);
  const RenderSummary summary = render_run(dir, scene, options, [&](const RenderProgress& p) {
    if (!quiet) progress.update(p);
  });
  print_notice(summary.notice);
  for (const std::string& problem : summary.problems)
    print(stderr, "panta: warning: {}; it is skipped\n", problem);
  const int status = summary.problems.empty() ? exit_done : static_cast<int>(ErrorKind::io);
  if (quiet) return status;
  print(stderr, "{} pictures in {}, contact sheet {}\n", summary.images, summary.images_folder,
        summary.contact_sheet);
  if (summary.video_problem.empty())
    print(stderr, "video {}, animated picture {}\n", summary.video, summary.animation);
  else
    print(stderr, "no video ({}); the animated PNG {} shows the run\n", summary.video_problem,
          summary.animation);
  return status;
}

Command render_command() {
  return {
      {"render",
       "DIR|SCENE",
       1,
       1,
       "draw the frames of a result folder: pictures, a contact sheet, a video; or a scene's start",
       {{"--quality", "NAME", "draft, preview or final (preview)"},
        {"--style", "NAME", "of a preview: fluid, particles, splats or mesh (fluid)"},
        {"--size", "WxH", "size of the pictures (960x540)"},
        {"--color", "NAME",
         "colour particles by speed or a column, as phase or velocity_x (speed)"},
        {"--view", "A,E", "azimuth and elevation of the camera in degrees (the scene's)"},
        {"--samples", "N", "of a final picture, per pixel (64)"},
        {"--frames", "A:B", "draw frames A to B (all)"},
        {"--every", "K", "draw each K-th frame (1)"},
        {"--out", "PATH", "folder for the pictures (DIR), or file for a scene's (NAME.png)"},
        {"--overwrite", "", "replace pictures that were made with other settings"},
        {"--set", "PATH=VALUE", "change a value of the scene, e.g. --set spacing=0.01", true},
        {"--threads", "N", "CPU threads (all cores)"},
        {"--quiet", "", "print errors only"}}},
      render};
}

}  // namespace panta::app
