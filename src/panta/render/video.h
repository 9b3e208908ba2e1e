// Video files through the ffmpeg command, if it is installed.
#pragma once

#include <sys/types.h>

#include <string>

#include "panta/io/image.h"

namespace panta {

// The first executable of that name on the PATH, empty if there is none.
std::string find_on_path(const std::string& name);

// Pictures piped to a running ffmpeg. The file appears under its name when it is complete. Every
// failure is an Error(io); ffmpeg's own messages go to standard error.
class VideoWriter {
 public:
  VideoWriter(const std::string& ffmpeg, const std::string& path, int width, int height,
              double frames_per_second);
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  void add(const Image& image);
  void finish();

 private:
  void close_input();
  int wait_for_exit();

  std::string path_, unfinished_path_;
  int input_ = -1;
  pid_t process_ = -1;
};

}  // namespace panta
