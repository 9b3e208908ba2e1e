#include "panta/io/frame_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "panta/core/error_format.h"
#include "panta/io/particle_file.h"

namespace panta {

namespace fs = std::filesystem;

int frame_number(std::string_view name, std::string_view suffix, std::string_view prefix) {
  const std::size_t at = name.rfind('_');
  if (at == std::string_view::npos || !name.ends_with(suffix)) return -1;
  if (!prefix.empty() && name.substr(0, at) != prefix) return -1;
  name.remove_prefix(at + 1);
  name.remove_suffix(suffix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

std::string frame_name(int frame, const std::string& format, const std::string& prefix) {
  return fmt::format("{}/{}_{:06}.{}", particles_folder, prefix, frame, format);
}

std::vector<FrameFile> particle_files(const std::string& dir, const std::string& prefix,
                                      const std::string& suffix) {
  std::vector<FrameFile> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(dir) / particles_folder, missing))
    for (const std::string& format : particle_formats()) {
      const int number =
          frame_number(entry.path().filename().string(), "." + format + suffix, prefix);
      if (number >= 0) files.push_back({number, entry.path().string()});
    }
  std::sort(files.begin(), files.end(),
            [](const FrameFile& a, const FrameFile& b) { return a.frame < b.frame; });
  return files;
}

std::vector<FrameFile> list_frames(const std::string& dir) {
  std::vector<FrameFile> files = particle_files(dir, frame_prefix);
  if (files.empty())
    throw Error(ErrorKind::io, "'{}' contains no particle frames ({})", dir, frame_name(0, "vtp"));
  return files;
}

}  // namespace panta
