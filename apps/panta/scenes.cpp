// panta scenes: lists the scenes that come with Panta.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/json/json.h"
#include "scene_files.h"

namespace panta::app {
namespace {

std::string scene_title(const std::string& path) {
  try {
    const json::Value scene = json::parse(read_binary_file(path), path);
    const json::Value* title = scene.find("title");
    return title ? title->string : "";
  } catch (const Error& error) {
    return fmt::format("(unreadable: {})", error.what());
  }
}

int list_scenes(const Arguments&) {
  const std::vector<std::string> names = bundled_scenes();
  if (names.empty())
    throw Error(ErrorKind::io, "no scenes found: set PANTA_SCENES to the folder that holds them");
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  for (const std::string& name : names)
    fmt::print("{:<{}}  {}\n", name, width, scene_title(bundled_path(name)));
  return exit_done;
}

}  // namespace

Command scenes_command() {
  return {{"scenes", "", 0, 0, "list the scenes that come with Panta", {}}, list_scenes};
}

}  // namespace panta::app
