// Animations without a video encoder: animated PNG, which every browser and ffmpeg can open; other
// image viewers show the first frame. Each frame stores only the rectangle that changed.
#pragma once

#include <cstdint>
#include <string>

#include "panta/core/file.h"
#include "panta/io/image.h"

namespace panta {

class AnimatedPng {
 public:
  // The number of frames is in the header of the file, so it must be known in advance.
  AnimatedPng(const std::string& path, int width, int height, int frames);

  void add(const Image& image, double seconds);
  void finish();

 private:
  struct Rectangle {
    int x, y, width, height;
  };
  Rectangle changed_rectangle(const Image& image) const;
  void write_frame_control(const Rectangle& area, double seconds);

  std::string path_;
  OutputFile file_;
  int frames_ = 0, added_ = 0;
  std::uint32_t sequence_ = 0;  // of the animation's chunks
  Image previous_;
};

}  // namespace panta
