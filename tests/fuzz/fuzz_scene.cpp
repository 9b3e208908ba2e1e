#include <stdexcept>

#include "panta/core/error.h"
#include "panta/load/load.h"
#include "targets.h"

namespace panta::fuzz {
namespace {

// In a folder that does not exist, so that relative names find no files.
const std::string scene_file = "/no such folder/scene.json";

// Whether a text in it could be the name of a file in another folder.
bool names_other_folder(const json::Value& value) {
  if (value.string.starts_with('/') || value.string.find("..") != std::string::npos) return true;
  for (const json::Value& item : value.items)
    if (names_other_folder(item)) return true;
  for (const json::Member& member : value.members)
    if (names_other_folder(member.value)) return true;
  return false;
}

}  // namespace

void fuzz_scene(std::string_view text) {
  const json::Value file = json::parse(text, scene_file);
  if (names_other_folder(file)) throw Error(ErrorKind::usage, "the fuzzer reads no files");
  json::Value effective;
  scene_warnings(parse_scene(text, scene_file, {}, &effective));
  try {
    parse_scene(json::dump(effective), scene_file);
  } catch (const Error& error) {
    throw std::logic_error(std::string("the effective scene is refused: ") + error.what());
  }
}

}  // namespace panta::fuzz
