// Pictures of a whole run: a PNG per frame, a contact sheet, an animated PNG and, if ffmpeg is
// installed, a video.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "panta/render/picture_options.h"

namespace panta {

struct RenderOptions {
  PictureOptions pictures;
  int first = 0, last = std::numeric_limits<int>::max();  // frames to draw, both included
  int every = 1;                                          // draw each k-th of them
  std::string out;         // folder for the pictures; empty: the run's
  bool overwrite = false;  // replaces pictures that were made with other settings
};

struct RenderProgress {
  const char* stage;  // current work: "measuring", "drawing"
  int done, total;
};

struct RenderSummary {
  int images = 0;
  std::string images_folder, contact_sheet, animation;
  std::string video;                  // empty if there is none
  std::string video_problem;          // the reason why there is no video
  std::string notice;                 // set if another quality than the requested one was used
  std::vector<std::string> problems;  // frames that could not be drawn, with the reason
};

// Missing and unreadable frames are skipped; Error(io) if no frame is left, or if the folder
// contains pictures made with other settings. Otherwise earlier pictures there are replaced.
RenderSummary render_run(const std::string& dir, const Scene& scene, const RenderOptions& options,
                         const std::function<void(const RenderProgress&)>& progress = {});

}  // namespace panta
