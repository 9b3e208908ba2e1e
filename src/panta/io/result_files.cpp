#include "panta/io/result_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/core/folder_lock.h"
#include "panta/io/frame_files.h"
#include "panta/io/particle_file.h"

namespace panta {

namespace fs = std::filesystem;

namespace {

constexpr const char* unfinished_suffix = ".tmp";  // left by a killed run
constexpr const char* checkpoint_name = "checkpoint.panta";
constexpr const char* scene_name = "scene.json";
constexpr std::array replaced_names = {scene_name, "particles.pvd", "run.json", checkpoint_name};

bool is_particle_file(const std::string& name) {
  const std::vector<std::string> formats = particle_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const std::string& format) {
    return frame_number(name, "." + format, "") >= 0;
  });
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code missing;
  return fs::equivalent(a, b, missing) && !missing;
}

// Whether a run in `dir` writes or removes a file under this path.
bool would_replace(const std::string& dir, const std::string& file) {
  const fs::path path = fs::absolute(file).lexically_normal();
  std::string name = path.filename().string();
  if (is_same_file(path.parent_path(), fs::path(dir) / particles_folder))
    return is_particle_file(name);
  if (!is_same_file(path.parent_path(), dir)) return false;
  if (name == FolderLock::file_name) return true;
  if (name.ends_with(unfinished_suffix))
    name.resize(name.size() - std::string(unfinished_suffix).size());
  const auto is_name = [&](const char* other) { return name == other; };
  return std::any_of(replaced_names.begin(), replaced_names.end(), is_name) ||
         std::any_of(line_file_names.begin(), line_file_names.end(), is_name);
}

void check_can_be_removed(const std::string& dir) {
  const std::string particles = dir + "/" + particles_folder;
  if (fs::is_symlink(fs::symlink_status(particles)))
    throw Error(ErrorKind::io,
                "'{}' is a symbolic link, and files behind it are not removed: remove the link or "
                "choose another --out",
                particles);
  for (const std::string& folder : {dir, particles})
    if (file_exists(folder) && access(folder.c_str(), W_OK | X_OK) != 0)
      throw Error(ErrorKind::io, "cannot write into the folder '{}': {}; nothing was removed",
                  folder, std::strerror(errno));
}

}  // namespace

std::string checkpoint_path(const std::string& dir) { return dir + "/" + checkpoint_name; }

bool holds_run(const std::string& dir) {
  return file_exists(dir + "/run.json") || file_exists(dir + "/" + line_file_names[0]) ||
         file_exists(checkpoint_path(dir));
}

void check_inputs_are_kept(const std::string& dir, const std::vector<std::string>& inputs) {
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const bool of_earlier_run =
        k == 0 && holds_run(dir) && is_same_file(inputs[k], fs::path(dir) / scene_name);
    if (!of_earlier_run && would_replace(dir, inputs[k]))
      throw Error(ErrorKind::usage,
                  "a run in '{}' would replace '{}', which it reads: choose another --out", dir,
                  inputs[k]);
  }
}

void remove_unfinished(const std::string& dir) {
  for (const FrameFile& file : particle_files(dir, "", unfinished_suffix)) remove_file(file.path);
  for (const char* name : replaced_names) remove_file(dir + "/" + name + unfinished_suffix);
}

// The checkpoint is removed first: it must never exist beside files of another run.
void remove_previous_run(const std::string& dir) {
  check_can_be_removed(dir);
  remove_file(checkpoint_path(dir));
  for (const FrameFile& file : particle_files(dir)) remove_file(file.path);
  for (const char* name : line_file_names) remove_file(dir + "/" + name);
  for (const char* name : replaced_names) remove_file(dir + "/" + name);
  remove_unfinished(dir);
}

}  // namespace panta
