// Pictures of a whole run: a PNG per frame, a contact sheet, an animated PNG and, where ffmpeg is
// installed, a video.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "panta/render/make_painter.h"

namespace panta {

struct RenderOptions {
  PictureOptions pictures;
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
  std::string video;                  // empty if there is none ...
  std::string video_problem;          // ... and why
  std::string notice;                 // of another quality than was asked for
  std::vector<std::string> problems;  // frames that could not be drawn, and why
};

// Frames that are missing or cannot be read are left out; Error(io) if no frame is left.
RenderSummary render_run(const std::string& dir, const Scene& scene, const RenderOptions& options,
                         const std::function<void(const RenderProgress&)>& progress = {});

}  // namespace panta
