// The particle files of a result folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace panta {

struct FrameFile {
  int frame = 0;
  std::string path;
};

// The folder of the particle files within a result folder, and the path of one relative to that.
inline constexpr const char* particles_folder = "particles";
std::string frame_name(int frame, const std::string& format);

// The frame's number in the name of a file that ends with `suffix`, or -1.
int frame_number(std::string_view name, std::string_view suffix);

// The particle files of every format by frame number, with `suffix` after the extension.
std::vector<FrameFile> frame_files(const std::string& dir, const std::string& suffix = "");

// The same without a suffix; Error(io) if there are none.
std::vector<FrameFile> list_frames(const std::string& dir);

}  // namespace panta
