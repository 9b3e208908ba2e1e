#include "panta/render/render_run.h"

#include <fmt/format.h>

#include <future>
#include <memory>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/core/folder_lock.h"
#include "panta/io/apng.h"
#include "panta/io/png.h"
#include "panta/io/run_frames.h"
#include "panta/render/contact_sheet.h"
#include "panta/render/make_painter.h"
#include "panta/render/picture_record.h"
#include "panta/render/video.h"

namespace panta {

namespace {

constexpr int contact_pictures = 12;
constexpr int animation_pixels = 960;  // width limit: larger animations load too slowly

bool is_chosen(int frame, const std::vector<FrameFile>& files, const RenderOptions& options) {
  return frame >= options.first && frame <= options.last &&
         (frame - std::max(options.first, files.front().frame)) % options.every == 0;
}

void expect_some_chosen(const std::vector<FrameFile>& files, const RenderOptions& options) {
  for (const FrameFile& file : files)
    if (is_chosen(file.frame, files, options)) return;
  throw Error(ErrorKind::usage, "no such frames: the run has frames {} to {}", files.front().frame,
              files.back().frame);
}

// Writes the pictures, the contact sheet, the animation and the video of a run.
class PictureWriter {
 public:
  // The folder `out`/images must be ready.
  PictureWriter(const std::string& out, int width, int height, int pictures, double rate)
      : out_(out),
        pictures_(pictures),
        seconds_(1 / rate),
        sheet_(std::min(pictures, contact_pictures), width, height),
        animation_width_(std::min(width, animation_pixels)),
        animation_height_(std::max(1, height * animation_width_ / width)) {
    summary_.images_folder = out + "/images";
    summary_.contact_sheet = out + "/contact.png";
    summary_.animation = out + "/preview.png";
    animation_ = std::make_unique<AnimatedPng>(summary_.animation, animation_width_,
                                               animation_height_, pictures);
    const std::string ffmpeg = find_on_path("ffmpeg");
    if (ffmpeg.empty()) summary_.video_problem = "ffmpeg is not installed";
    if (!ffmpeg.empty())
      try_video([&] {
        video_ = std::make_unique<VideoWriter>(ffmpeg, out_ + "/preview.mp4", width, height, rate);
      });
  }

  void add(const Image& image, int frame, double time) {
    write_png(fmt::format("{}/frame_{:06}.png", summary_.images_folder, frame), image);
    animation_->add(image.width == animation_width_
                        ? image
                        : shrink(image, animation_width_, animation_height_),
                    seconds_);
    if (video_) try_video([&] { video_->add(image); });
    const int shown = std::min(pictures_, contact_pictures);
    if (summary_.images == contact_index(contact_added_, shown)) {
      sheet_.add(image, fmt::format("t = {:.2f} s", time));
      ++contact_added_;
    }
    ++summary_.images;
  }

  RenderSummary finish() {
    write_png(summary_.contact_sheet, sheet_.image());
    animation_->finish();
    if (video_)
      try_video([&] {
        video_->finish();
        summary_.video = out_ + "/preview.mp4";
      });
    return summary_;
  }

 private:
  // The frame for the k-th picture of the contact sheet: evenly spaced from the first to the last.
  int contact_index(int k, int shown) const {
    return shown > 1 ? k * (pictures_ - 1) / (shown - 1) : 0;
  }

  // The video is optional: its failure is reported and does not stop the other output.
  template <class Action>
  void try_video(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      summary_.video_problem = error.what();
      video_.reset();
    }
  }

  std::string out_;
  int pictures_;
  double seconds_;
  ContactSheet sheet_;
  int contact_added_ = 0;
  int animation_width_, animation_height_;
  std::unique_ptr<AnimatedPng> animation_;
  std::unique_ptr<VideoWriter> video_;
  RenderSummary summary_;
};

// The extent of all frames, the chosen frames that can be drawn, and the problems of the others.
struct Measured {
  RunExtent extent;
  std::vector<FrameFile> chosen;
  std::vector<std::string> problems;
};

Measured measure(const RunFrames& frames, const RenderOptions& options,
                 const std::function<void(std::size_t)>& done) {
  const std::vector<FrameFile>& files = frames.files();
  Measured run{RunExtent(options.pictures.color), {}, {}};
  int next = files.front().frame;
  for (std::size_t k = 0; k < files.size(); ++k) {
    for (; next < files[k].frame; ++next)
      if (is_chosen(next, files, options))
        run.problems.push_back(fmt::format("frame {} is missing", next));
    const bool chosen = is_chosen(next++, files, options);
    try {
      run.extent.include(frames.read(files[k]));
      if (chosen) run.chosen.push_back(files[k]);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::io) throw;
      if (chosen) run.problems.push_back(error.what());
    }
    done(k + 1);
  }
  if (run.chosen.empty()) throw Error(ErrorKind::io, run.problems.front());
  return run;
}

}  // namespace

RenderSummary render_run(const std::string& dir, const Scene& scene, const RenderOptions& options,
                         const std::function<void(const RenderProgress&)>& progress) {
  const auto report = [&](const char* stage, std::size_t done, std::size_t total) {
    if (progress) progress({stage, static_cast<int>(done), static_cast<int>(total)});
  };
  const RunFrames frames(dir, scene);
  const std::vector<FrameFile>& files = frames.files();
  expect_some_chosen(files, options);
  const Measured run =
      measure(frames, options, [&](std::size_t done) { report("measuring", done, files.size()); });
  const std::vector<FrameFile>& chosen = run.chosen;
  std::string notice;
  const std::unique_ptr<Painter> painter =
      make_painter(scene, run.extent, options.pictures, notice);
  const std::string out = options.out.empty() ? dir : options.out;
  const std::string images = out + "/images";
  make_folder(images);
  const FolderLock lock(images);  // of two commands that draw into one folder, one is refused
  prepare_pictures(images, picture_settings(scene, options), options.overwrite);
  PictureWriter writer(out, options.pictures.width, options.pictures.height,
                       static_cast<int>(chosen.size()), scene.fps / options.every);
  std::future<void> writing;  // of the last picture, while the next is drawn
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const ParticleFrame frame = frames.read(chosen[k]);
    Image image = painter->paint(frame);
    if (writing.valid()) writing.get();
    writing =
        std::async(std::launch::async, [&writer, image = std::move(image), number = chosen[k].frame,
                                        time = frame.time] { writer.add(image, number, time); });
    report("drawing", k + 1, chosen.size());
  }
  writing.get();
  RenderSummary summary = writer.finish();
  summary.notice = notice;
  summary.problems = run.problems;
  return summary;
}

}  // namespace panta
