#include "panta/io/output.h"

#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <thread>

#include "panta/core/error.h"
#include "panta/io/json_line.h"
#include "panta/io/vtp.h"

namespace panta {

namespace fs = std::filesystem;

namespace {

constexpr const char* particles_folder = "particles";
constexpr std::string_view frame_prefix = "frame_";
constexpr std::string_view frame_suffix = ".vtp";
constexpr std::string_view unfinished_suffix = ".vtp.tmp";  // left by a killed run

std::string frame_name(int frame) {
  return fmt::format("{}{:06}{}", frame_prefix, frame, frame_suffix);
}

// The number in a particle file's name, or -1.
int frame_number(std::string_view name, std::string_view suffix) {
  if (!name.starts_with(frame_prefix) || !name.ends_with(suffix)) return -1;
  name.remove_prefix(frame_prefix.size());
  name.remove_suffix(suffix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

std::vector<FrameFile> frame_files(const std::string& dir, std::string_view suffix) {
  std::vector<FrameFile> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(dir) / particles_folder, missing)) {
    const int number = frame_number(entry.path().filename().string(), suffix);
    if (number >= 0) files.push_back({number, entry.path().string()});
  }
  std::sort(files.begin(), files.end(),
            [](const FrameFile& a, const FrameFile& b) { return a.frame < b.frame; });
  return files;
}

void remove_file(const std::string& path) {
  std::error_code reason;
  fs::remove(path, reason);
  if (reason) throw Error(ErrorKind::io, "cannot remove '{}': {}", path, reason.message());
}

void remove_previous_run(const std::string& dir) {
  for (const std::string_view suffix : {frame_suffix, unfinished_suffix})
    for (const FrameFile& file : frame_files(dir, suffix)) remove_file(file.path);
  for (const char* name :
       {"scene.json", "particles.pvd", "stats.jsonl", "timings.jsonl", "run.json"})
    remove_file(dir + "/" + name);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

JsonLine describe_machine() {
  utsname system{};
  uname(&system);
  JsonLine machine;
  machine.add("system", fmt::format("{} {}", system.sysname, system.release));
  machine.add("architecture", system.machine);
  machine.add("cores", std::thread::hardware_concurrency());
  return machine;
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

void append_line(OutputFile& file, const JsonLine& line) {
  file.write(line.text() + "\n");
  file.flush();
}

}  // namespace

ResultFolder::ResultFolder(const std::string& dir, const std::string& effective_scene_json,
                           bool overwrite)
    : dir_(dir), started_(utc_now()) {
  const bool occupied = fs::exists(path("run.json")) || fs::exists(path("stats.jsonl"));
  if (occupied && !overwrite)
    throw Error(ErrorKind::io,
                "'{}' holds the results of an earlier run: choose another --out or pass "
                "--overwrite",
                dir);
  if (occupied) remove_previous_run(dir);
  make_folder(path(particles_folder));
  write_text_file(path("run.json"),
                  JsonLine().add("status", "running").add("started", started_).text() + "\n");
  write_text_file(path("scene.json"), effective_scene_json);
  write_pvd(path("particles.pvd"), {});
  stats_.emplace(path("stats.jsonl"), OutputFile::Mode::append);
  timings_.emplace(path("timings.jsonl"), OutputFile::Mode::append);
}

void ResultFolder::write_frame(int frame, const ParticleFrame& particles) {
  const std::string file = fmt::format("{}/{}", particles_folder, frame_name(frame));
  write_vtp(path(file), particles);
  frames_.push_back({particles.time, file});
  write_pvd(path("particles.pvd"), frames_);
}

void ResultFolder::write_stats(int frame, const FrameStats& stats) {
  JsonLine line;
  line.add("frame", frame);
  line.add("time", stats.time);
  line.add("steps", stats.steps);
  line.add("dt", stats.dt);
  line.add("particles", stats.particles);
  line.add("mass", stats.mass);
  line.add("momentum", stats.momentum);
  line.add("angular_momentum", stats.angular_momentum);
  line.add("center_of_mass", stats.center_of_mass);
  line.add("kinetic_energy", stats.kinetic_energy);
  line.add("potential_energy", stats.potential_energy);
  line.add("max_speed", stats.max_speed);
  line.add("density_error_mean", stats.density_error_mean);
  line.add("density_error_max", stats.density_error_max);
  append_line(*stats_, line);
}

void ResultFolder::write_timings(int frame, const std::vector<StageTime>& stages,
                                 double wall_seconds) {
  JsonLine stage_ms;
  for (const StageTime& stage : stages) stage_ms.add(stage.name, stage.ms);
  JsonLine line;
  line.add("frame", frame);
  line.add("wall_seconds", wall_seconds);
  line.add("stages_ms", stage_ms);
  line.add("peak_memory_bytes", peak_memory_bytes());
  append_line(*timings_, line);
}

void ResultFolder::finish(const RunSummary& summary) {
  JsonLine run;
  run.add("status", summary.status);
  run.add("version", summary.version);
  run.add("command", summary.command);
  run.add("started", started_);
  run.add("finished", utc_now());
  run.add("machine", describe_machine());
  run.add("device", summary.device);
  run.add("threads", summary.threads);
  run.add("frames", summary.frames);
  run.add("steps", summary.steps);
  run.add("particles", summary.particles);
  run.add("wall_seconds", summary.wall_seconds);
  write_text_file(path("run.json"), run.text() + "\n");
}

std::vector<FrameFile> list_frames(const std::string& dir) {
  std::vector<FrameFile> files = frame_files(dir, frame_suffix);
  if (files.empty())
    throw Error(ErrorKind::io, "'{}' holds no particle frames ({}/{}…{})", dir, particles_folder,
                frame_prefix, frame_suffix);
  return files;
}

}  // namespace panta
