// Pictures of a whole run: a PNG per frame, a contact sheet, an animated PNG and, where ffmpeg is
// installed, a video.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "panta/render/preview.h"

namespace panta {

struct RenderOptions {
  PreviewOptions preview;
  int first = 0, last = std::numeric_limits<int>::max();  // frames to draw, both included
  int every = 1;                                          // draw each k-th of them
  std::string out;  // folder for the pictures; empty: the run's
};

struct RenderProgress {
  const char* stage;  // what is going on: "measuring", "drawing"
  int done, total;
};

struct RenderSummary {
  int images = 0;
  std::string images_folder, contact_sheet, animation;
  std::string video;          // empty if there is none ...
  std::string video_problem;  // ... and why
};

RenderSummary render_run(const std::string& dir, const Scene& scene, const RenderOptions& options,
                         const std::function<void(const RenderProgress&)>& progress = {});

}  // namespace panta
