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
// Files of frames begin with "frame", those of additional sets of particles with the set's name.
inline constexpr const char* particles_folder = "particles";
inline constexpr const char* frame_prefix = "frame";
std::string frame_name(int frame, const std::string& format,
                       const std::string& prefix = frame_prefix);

// The number in the name of a file that ends with `suffix`, or -1; an empty prefix stands for any.
int frame_number(std::string_view name, std::string_view suffix, std::string_view prefix);

// The particle files of every format by number, with `suffix` after the extension; `prefix` as
// above.
std::vector<FrameFile> particle_files(const std::string& dir, const std::string& prefix = "",
                                      const std::string& suffix = "");

// The files of frames; Error(io) if there are none.
std::vector<FrameFile> list_frames(const std::string& dir);

}  // namespace panta
