// panta scenes: lists the scenes that come with Panta; with --methods, which methods can run them.
#include <fmt/format.h>

#include "commands.h"
#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/engine/methods.h"
#include "panta/json/json.h"
#include "panta/load/load.h"
#include "print.h"
#include "scene_files.h"
#include "text_table.h"

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

// "yes", or the reason why the method cannot run the scene.
std::string support_text(const std::string& path, const Scene& scene, const MethodInfo& method) {
  if (const auto obstacle = find_obstacle(scene, method)) return "no: " + obstacle->what;
  try {
    load_scene(path, {"method=" + method.name});
  } catch (const Error& error) {
    return fmt::format("no: {}", error.what());
  }
  return "yes";
}

TextRow method_row(const std::string& name) {
  TextRow row = {name};
  const std::string path = bundled_path(name);
  try {
    const Scene scene = load_scene(path);
    for (const MethodInfo& method : methods()) row.push_back(support_text(path, scene, method));
  } catch (const Error& error) {
    row.push_back(fmt::format("(unreadable: {})", error.what()));
  }
  return row;
}

int list_scenes(const Arguments& args) {
  const std::vector<std::string> names = bundled_scenes();
  if (names.empty())
    throw Error(ErrorKind::io,
                "no scenes found: set PANTA_SCENES to the folder that contains them");
  std::vector<TextRow> rows;
  const bool by_method = args.has("--methods");
  if (by_method) {
    rows.push_back({"scene"});
    for (const MethodInfo& method : methods()) rows.back().push_back(method.name);
  }
  for (const std::string& name : names)
    rows.push_back(by_method ? method_row(name) : TextRow{name, scene_title(bundled_path(name))});
  print_lines(stdout, text_table(rows));
  return exit_done;
}

}  // namespace

Command scenes_command() {
  return {{"scenes",
           "",
           0,
           0,
           "list the scenes that come with Panta",
           {{"--methods", "", "show for each method whether it can run the scene, or why not"}}},
          list_scenes};
}

}  // namespace panta::app
