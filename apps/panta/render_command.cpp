#include "render_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "panta/core/error.h"
#include "panta/render/render_run.h"
#include "panta/scene/load.h"

namespace panta::app {
namespace {

constexpr int largest_side = 16384;  // pixels

// The number, or -1 if the text is anything else.
int whole_number(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

void read_size(std::string_view text, PreviewOptions& preview) {
  const std::size_t cross = std::min(text.find('x'), text.size());
  preview.width = whole_number(text.substr(0, cross));
  preview.height = whole_number(text.substr(std::min(cross + 1, text.size())));
  for (const int side : {preview.width, preview.height})
    if (side < 1 || side > largest_side)
      throw Error(ErrorKind::usage, "--size: '{}' is not WIDTHxHEIGHT in pixels, e.g. 960x540",
                  text);
}

// "a:b", "a:", ":b" or "a".
void read_frames(const std::string& text, RenderOptions& options) {
  const std::size_t colon = text.find(':');
  const std::string from = text.substr(0, colon);
  const std::string to = colon == std::string::npos ? from : text.substr(colon + 1);
  if (!from.empty()) options.first = whole_number(from);
  if (!to.empty()) options.last = whole_number(to);
  if (text.empty() || options.first < 0 || options.last < options.first)
    throw Error(ErrorKind::usage, "--frames: '{}' is not FIRST:LAST, e.g. 0:120", text);
}

ColorBy read_color(const std::string& name) {
  check_choice("--color", color_by_names, name);
  std::size_t k = 0;
  while (color_by_names[k] != name) ++k;
  return static_cast<ColorBy>(k);
}

// A line redrawn on a terminal, a line for each tenth elsewhere.
class Progress {
 public:
  void update(const RenderProgress& progress) {
    const int percent = progress.done * 100 / progress.total;
    const std::string line =
        fmt::format("{} {}/{} ({} %)", progress.stage, progress.done, progress.total, percent);
    const bool last = progress.done == progress.total;
    if (terminal_)
      fmt::print(stderr, "\r{:<40}{}", line, last ? "\n" : "");
    else if (last || percent / 10 != tenth_)
      fmt::print(stderr, "{}\n", line);
    tenth_ = last ? -1 : percent / 10;
    std::fflush(stderr);
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  int tenth_ = -1;
};

int render(const Arguments& args) {
  const std::string& dir = args.operands()[0];
  RenderOptions options;
  read_size(args.text("--size", "960x540"), options.preview);
  options.preview.color = read_color(args.text("--color", "speed"));
  options.preview.legend = options.preview.color != ColorBy::speed;
  options.preview.threads = args.integer("--threads", 0, 1);
  if (args.has("--frames")) read_frames(args.text("--frames"), options);
  options.every = args.integer("--every", 1, 1);
  options.out = args.text("--out");
  const std::string scene_path = dir + "/scene.json";
  if (!std::filesystem::exists(scene_path))
    throw Error(ErrorKind::io, "'{}' is no result folder: it holds no scene.json", dir);
  const Scene scene = load_scene(scene_path);
  const bool quiet = args.has("--quiet");
  Progress progress;
  const RenderSummary summary = render_run(dir, scene, options, [&](const RenderProgress& p) {
    if (!quiet) progress.update(p);
  });
  if (quiet) return exit_done;
  fmt::print(stderr, "{} pictures in {}, contact sheet {}\n", summary.images, summary.images_folder,
             summary.contact_sheet);
  if (summary.video_problem.empty())
    fmt::print(stderr, "video {}, animated picture {}\n", summary.video, summary.animation);
  else
    fmt::print(stderr, "no video ({}); the animated PNG {} shows the run\n", summary.video_problem,
               summary.animation);
  return exit_done;
}

}  // namespace

Command render_command() {
  return {{"render",
           "DIR",
           1,
           1,
           "draw the frames of a result folder: pictures, a contact sheet, a video",
           {{"--size", "WxH", "size of the pictures (960x540)"},
            {"--color", "NAME", "colour by speed, phase, pressure or density (speed)"},
            {"--frames", "A:B", "draw frames A to B (all)"},
            {"--every", "K", "draw each K-th frame (1)"},
            {"--out", "DIR", "folder for the pictures (the result folder)"},
            {"--threads", "N", "CPU threads (all cores)"},
            {"--quiet", "", "print errors only"}}},
          render};
}

}  // namespace panta::app
