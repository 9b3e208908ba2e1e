#include "panta/io/frame_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "panta/core/error_format.h"
#include "panta/io/particle_file.h"

namespace panta {

namespace fs = std::filesystem;

static constexpr std::string_view frame_prefix = "frame_";

int frame_number(std::string_view name, std::string_view suffix) {
  if (!name.starts_with(frame_prefix) || !name.ends_with(suffix)) return -1;
  name.remove_prefix(frame_prefix.size());
  name.remove_suffix(suffix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

std::string frame_name(int frame, const std::string& format) {
  return fmt::format("{}/{}{:06}.{}", particles_folder, frame_prefix, frame, format);
}

std::vector<FrameFile> frame_files(const std::string& dir, const std::string& suffix) {
  std::vector<FrameFile> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(dir) / particles_folder, missing))
    for (const std::string& format : particle_formats()) {
      const int number = frame_number(entry.path().filename().string(), "." + format + suffix);
      if (number >= 0) files.push_back({number, entry.path().string()});
    }
  std::sort(files.begin(), files.end(),
            [](const FrameFile& a, const FrameFile& b) { return a.frame < b.frame; });
  return files;
}

std::vector<FrameFile> list_frames(const std::string& dir) {
  std::vector<FrameFile> files = frame_files(dir);
  if (files.empty())
    throw Error(ErrorKind::io, "'{}' contains no particle frames ({})", dir, frame_name(0, "vtp"));
  return files;
}

}  // namespace panta
