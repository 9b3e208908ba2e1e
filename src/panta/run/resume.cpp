#include "panta/run/resume.h"

#include <algorithm>
#include <array>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/output.h"
#include "panta/json/json.h"

namespace panta {

namespace {

constexpr std::array free_keys = {"title", "duration", "max_density_error", "output"};
constexpr const char* solver_key = "solver";

// A power cut may leave a small file empty; the run can still be resumed.
json::Value parse_file(const std::string& path) {
  try {
    return json::parse(read_binary_file(path), path);
  } catch (const Error&) {
    return {};
  }
}

// The scene of an embedding program may have no text.
json::Value parse_scene_text(const std::string& effective_scene) {
  return effective_scene.empty() ? json::Value() : json::parse(effective_scene, "scene");
}

// The scene without the keys that may change.
json::Value fixed_part(json::Value scene) {
  std::erase_if(scene.members, [](const json::Member& member) {
    return std::find(free_keys.begin(), free_keys.end(), member.key) != free_keys.end();
  });
  return scene;
}

std::string hash_text(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

// The path of the first value that differs between two scenes; empty if there is none.
std::string first_difference(const json::Value& a, const json::Value& b, const std::string& path) {
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  for (const json::Member& member : a.members) {
    const json::Value* other = b.find(member.key);
    if (!other) return below(member.key);
    const std::string found = first_difference(member.value, *other, below(member.key));
    if (!found.empty()) return found;
  }
  for (const json::Member& member : b.members)
    if (!a.find(member.key)) return below(member.key);
  for (std::size_t k = 0; k < std::min(a.items.size(), b.items.size()); ++k) {
    const std::string found =
        first_difference(a.items[k], b.items[k], fmt::format("{}[{}]", path, k));
    if (!found.empty()) return found;
  }
  return json::dump(a) == json::dump(b) ? "" : path;
}

// Compares with the scene in the folder; empty if the folder has none.
std::string difference_to_earlier(const std::string& dir, const json::Value& scene) {
  const json::Value earlier = parse_file(dir + "/scene.json");
  if (earlier.type != json::Type::object || scene.type != json::Type::object) return "";
  return first_difference(fixed_part(earlier), fixed_part(scene), "");
}

void check_scene(const Checkpoint& checkpoint, const std::string& dir,
                 const std::string& effective_scene, const Log& log) {
  const std::string difference = difference_to_earlier(dir, parse_scene_text(effective_scene));
  if (scene_key(effective_scene) != checkpoint.info.scene_key)
    throw Error(ErrorKind::usage,
                "'{}' contains a run of another scene{}: undo the change, choose another --out, or "
                "start again with --overwrite instead of --resume",
                dir, difference.empty() ? "" : fmt::format(" ('{}' differs)", difference));
  if (!difference.empty())
    log.warning(
        fmt::format("'{}' was different when the run began: the new value applies from frame {} on",
                    difference, checkpoint.info.frame + 1));
}

}  // namespace

std::string scene_key(const std::string& effective_scene) {
  json::Value scene = fixed_part(parse_scene_text(effective_scene));
  std::erase_if(scene.members, [](const json::Member& m) { return m.key == solver_key; });
  return hash_text(json::dump(scene));
}

std::optional<Checkpoint> find_checkpoint(const std::string& dir,
                                          const std::string& effective_scene, const Log& log) {
  const std::string path = checkpoint_path(dir);
  if (file_exists(path)) {
    Checkpoint checkpoint = read_checkpoint(path);
    check_scene(checkpoint, dir, effective_scene, log);
    return checkpoint;
  }
  if (run_status(dir) == "done")
    throw Error(ErrorKind::usage,
                "'{}' contains a finished run without a checkpoint to resume from: choose another "
                "--out, or run it again with --overwrite instead of --resume",
                dir);
  log.info("no checkpoint in '" + dir + "': the run starts from the beginning");
  return std::nullopt;
}

std::string run_status(const std::string& dir) {
  const json::Value run = parse_file(dir + "/run.json");
  const json::Value* status = run.find("status");
  return status ? status->string : "";
}

}  // namespace panta
