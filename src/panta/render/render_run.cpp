#include "panta/render/render_run.h"

#include <fmt/format.h>

#include <future>
#include <memory>

#include "panta/core/error.h"
#include "panta/io/apng.h"
#include "panta/io/output.h"
#include "panta/io/particle_file.h"
#include "panta/io/png.h"
#include "panta/render/contact_sheet.h"
#include "panta/render/video.h"

namespace panta {

namespace {

constexpr int contact_pictures = 12;
constexpr int animation_pixels = 960;  // across, at most: larger animations load too slowly

std::vector<FrameFile> chosen_frames(const std::vector<FrameFile>& files,
                                     const RenderOptions& options) {
  std::vector<FrameFile> chosen;
  for (const FrameFile& file : files)
    if (file.frame >= options.first && file.frame <= options.last &&
        (file.frame - std::max(options.first, files.front().frame)) % options.every == 0)
      chosen.push_back(file);
  if (chosen.empty())
    throw Error(ErrorKind::usage, "no such frames: the run has frames {} to {}",
                files.front().frame, files.back().frame);
  return chosen;
}

// Everything the pictures of a run go into.
class PictureWriter {
 public:
  PictureWriter(const std::string& out, const Camera& camera, int pictures, double rate)
      : out_(out),
        pictures_(pictures),
        seconds_(1 / rate),
        sheet_(std::min(pictures, contact_pictures), camera.width, camera.height),
        animation_width_(std::min(camera.width, animation_pixels)),
        animation_height_(std::max(1, camera.height * animation_width_ / camera.width)) {
    summary_.images_folder = out + "/images";
    summary_.contact_sheet = out + "/contact.png";
    summary_.animation = out + "/preview.png";
    make_folder(summary_.images_folder);
    animation_ = std::make_unique<AnimatedPng>(summary_.animation, animation_width_,
                                               animation_height_, pictures);
    const std::string ffmpeg = find_on_path("ffmpeg");
    if (ffmpeg.empty()) summary_.video_problem = "ffmpeg is not installed";
    if (!ffmpeg.empty())
      try_video([&] {
        video_ = std::make_unique<VideoWriter>(ffmpeg, out_ + "/preview.mp4", camera.width,
                                               camera.height, rate);
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
  // The picture shown k-th on the contact sheet: evenly spread from the first to the last.
  int contact_index(int k, int shown) const {
    return shown > 1 ? k * (pictures_ - 1) / (shown - 1) : 0;
  }

  // The video is an extra: its failure is told and costs nothing else.
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

}  // namespace

RenderSummary render_run(const std::string& dir, const Scene& scene, const RenderOptions& options,
                         const std::function<void(const RenderProgress&)>& progress) {
  const auto report = [&](const char* stage, std::size_t done, std::size_t total) {
    if (progress) progress({stage, static_cast<int>(done), static_cast<int>(total)});
  };
  const std::vector<FrameFile> files = list_frames(dir);
  const std::vector<FrameFile> chosen = chosen_frames(files, options);
  RunExtent extent(options.preview.color);
  for (std::size_t k = 0; k < files.size(); ++k) {
    extent.include(read_particles(files[k].path));
    report("measuring", k + 1, files.size());
  }
  const Preview preview(scene, extent, options.preview);
  PictureWriter writer(options.out.empty() ? dir : options.out, preview.camera(),
                       static_cast<int>(chosen.size()), scene.fps / options.every);
  std::future<void> writing;  // of the last picture, while the next is drawn
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const ParticleFrame frame = read_particles(chosen[k].path);
    Image image = preview.render(frame);
    if (writing.valid()) writing.get();
    writing =
        std::async(std::launch::async, [&writer, image = std::move(image), number = chosen[k].frame,
                                        time = frame.time] { writer.add(image, number, time); });
    report("drawing", k + 1, chosen.size());
  }
  writing.get();
  return writer.finish();
}

}  // namespace panta
