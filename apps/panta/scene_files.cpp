// Finding scene files.
#include "scene_files.h"

#include <algorithm>
#include <filesystem>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"
#include "panta/load/bundled_scenes.h"

namespace panta::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* extension = ".json";

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

// Users often omit the folders of a bundled scene: its last part is compared too.
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

std::string scenes_folder() { return bundled_scenes_folder(); }

std::vector<std::string> bundled_scenes() {
  std::vector<std::string> names;
  const std::string folder = scenes_folder();
  if (folder.empty()) return names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_model = entry.path().parent_path().filename() == "models";
    if (entry.is_regular_file() && entry.path().extension() == extension && !is_model)
      names.push_back(entry.path().lexically_relative(folder).replace_extension().generic_string());
  }
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

void check_strictly(const Arguments& args, const std::vector<std::string>& unused_keys) {
  if (args.has(strict_option.name) && !unused_keys.empty())
    throw Error(ErrorKind::usage, unused_keys.front());
}

}  // namespace panta::app
