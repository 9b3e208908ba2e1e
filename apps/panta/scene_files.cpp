// Finding scene files.
#include "scene_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "panta/core/error.h"
#include "panta/scene/suggest.h"

namespace panta::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* extension = ".json";

// Folders above the executable that may hold its scenes: an installed one is in PREFIX/bin with its
// scenes in PREFIX/share/panta, a built one somewhere below the source tree.
std::vector<fs::path> candidate_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  fs::path above = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) {
    constexpr int levels = 4;
    folders.push_back(above.parent_path() / "share/panta/scenes");
    for (int level = 0; level < levels && above.has_relative_path(); ++level) {
      above = above.parent_path();
      folders.push_back(above / "scenes");
    }
  }
  folders.push_back("scenes");
  return folders;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

// People often leave out the folders of a bundled scene: compare with its last part too.
std::string nearest_scene(const std::string& given) {
  const std::vector<std::string> names = bundled_scenes();
  std::string wanted = fs::path(given).filename();
  if (wanted.ends_with(extension)) wanted.resize(wanted.size() - std::string(extension).size());
  std::vector<std::string> last_parts;
  for (const std::string& name : names) last_parts.push_back(fs::path(name).filename());
  const std::string nearest = nearest_name(wanted, last_parts);
  const auto at = std::find(last_parts.begin(), last_parts.end(), nearest);
  return nearest.empty() ? "" : names[static_cast<std::size_t>(at - last_parts.begin())];
}

}  // namespace

std::string scenes_folder() {
  if (const char* chosen = std::getenv("PANTA_SCENES")) {
    if (!is_folder(chosen))
      throw Error(ErrorKind::usage, "PANTA_SCENES is '{}', which is not a folder", chosen);
    return chosen;
  }
  for (const fs::path& folder : candidate_folders())
    if (is_folder(folder)) return folder;
  return {};
}

std::vector<std::string> bundled_scenes() {
  std::vector<std::string> names;
  const std::string folder = scenes_folder();
  if (folder.empty()) return names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == extension)
      names.push_back(entry.path().lexically_relative(folder).replace_extension().generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string bundled_path(const std::string& name) {
  return (fs::path(scenes_folder()) / (name + extension)).string();
}

std::string find_scene(const std::string& given) {
  if (is_file(given)) return given;
  const std::string folder = scenes_folder();
  if (!folder.empty())
    for (const fs::path& path : {fs::path(folder) / given, fs::path(folder) / (given + extension)})
      if (is_file(path)) return path;
  const std::string nearest = nearest_scene(given);
  throw Error(ErrorKind::usage, "there is no scene '{}' ({})", given,
              nearest.empty() ? "'panta scenes' lists those that come with Panta"
                              : fmt::format("did you mean '{}'?", nearest));
}

}  // namespace panta::app
