// Finding the folder of bundled scenes.
#include "panta/load/bundled_scenes.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "panta/core/error_format.h"

namespace panta {
namespace {

namespace fs = std::filesystem;

// Folders above the executable that may contain its scenes: an installed executable is in
// PREFIX/bin with its scenes in PREFIX/share/panta, a built one below the source tree.
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

}  // namespace

std::string bundled_scenes_folder() {
  if (const char* chosen = std::getenv("PANTA_SCENES")) {
    if (!is_folder(chosen))
      throw Error(ErrorKind::usage, "PANTA_SCENES is '{}', which is not a folder", chosen);
    return chosen;
  }
  for (const fs::path& folder : candidate_folders())
    if (is_folder(folder)) return folder;
  return {};
}

}  // namespace panta
