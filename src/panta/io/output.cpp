#include "panta/io/output.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <thread>
#include <utility>

#include "panta/core/error_format.h"
#include "panta/io/frame_files.h"
#include "panta/io/particle_file.h"
#include "panta/json/json_line.h"

namespace panta {

namespace fs = std::filesystem;

namespace {

// Name of the array with the files' lengths in a checkpoint.
constexpr const char* saved_sizes = "output.line_file_sizes";
constexpr std::size_t fewest_line_files = 3;  // in checkpoints of the first version
constexpr const char* saved_frames = "output.listed_frames";
constexpr const char* saved_times = "output.listed_times";

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

// Device and inode, which identify a folder independently of its name; zeros if it does not exist.
std::array<std::uint64_t, 2> folder_identity(const std::string& dir) {
  struct stat status {};
  if (stat(dir.c_str(), &status) != 0) return {};
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

}  // namespace

ResultFolder::ResultFolder(const std::string& dir, const std::string& effective_scene_json,
                           bool overwrite, FolderLock lock)
    : dir_(dir), lock_(std::move(lock)), started_(utc_now()) {
  take_lock();
  const bool occupied = holds_run(dir);
  if (occupied && !overwrite)
    throw Error(ErrorKind::io,
                "'{}' contains the results of an earlier run: choose another --out, resume it with "
                "--resume or pass --overwrite",
                dir);
  if (occupied) remove_previous_run(dir);
  start(effective_scene_json);
  for (const LineFile file : {stat_lines, timing_lines})
    lines_[file].emplace(line_path(file), OutputFile::Mode::append);
}

ResultFolder::ResultFolder(const std::string& dir, const std::string& effective_scene_json,
                           const Checkpoint& checkpoint, FolderLock lock)
    : dir_(dir), lock_(std::move(lock)), started_(utc_now()) {
  take_lock();
  auto sizes = checkpoint.state.get<std::uint64_t>(saved_sizes);
  const auto listed = checkpoint.state.get<std::int32_t>(saved_frames);
  const auto times = checkpoint.state.get<double>(saved_times);
  if (sizes.size() < fewest_line_files || sizes.size() > line_file_count ||
      listed.size() != times.size())
    throw Error(ErrorKind::io, "'{}' does not describe a result folder: start the run again",
                checkpoint_path(dir));
  sizes.resize(line_file_count, 0);
  remove_unfinished(dir);
  for (const FrameFile& file : particle_files(dir))
    if (file.frame > checkpoint.info.frame) remove_file(file.path);
  for (std::size_t k = 0; k < listed.size(); ++k)
    frames_.push_back({times[k], frame_name(listed[k], "vtp")});
  start(effective_scene_json);
  for (std::size_t file = 0; file < line_file_count; ++file) {
    if (sizes[file] == 0) {
      remove_file(line_path(file));
    } else {
      cut_file(line_path(file), sizes[file]);
      lines_[file].emplace(line_path(file), OutputFile::Mode::append);
    }
  }
  if (sizes[object_lines] > 0)
    object_line_maker_ = ObjectLines(ObjectFile(line_path(object_lines)).at(checkpoint.info.frame));
}

void ResultFolder::take_lock() {
  if (dir_.empty()) throw Error(ErrorKind::usage, "the result folder must have a name");
  make_folder(dir_);
  if (!lock_.holds()) lock_ = FolderLock(dir_);
}

void ResultFolder::start(const std::string& effective_scene_json) {
  make_folder(path(particles_folder));
  identity_ = folder_identity(dir_);
  write_text_file(path("run.json"),
                  JsonLine().add("status", "running").add("started", started_).text() + "\n");
  write_text_file(path("scene.json"), effective_scene_json);
  update_collection();
}

std::string ResultFolder::line_path(std::size_t file) const { return path(line_file_names[file]); }

// Open files can be written after they were moved, and missing folders would be created again:
// neither would give a valid result.
void ResultFolder::check_not_moved() const {
  if (folder_identity(dir_) != identity_)
    throw Error(ErrorKind::io,
                "the result folder '{}' was moved, removed or replaced while the run went on",
                dir_);
}

void ResultFolder::append_line(LineFile file, const std::string& text) {
  check_not_moved();
  if (!lines_[file]) lines_[file].emplace(line_path(file), OutputFile::Mode::append);
  lines_[file]->write(text + "\n");
  lines_[file]->flush();
}

void ResultFolder::write_frame(int frame, const ParticleFrame& particles,
                               const std::string& format) {
  check_not_moved();
  const std::string name = frame_name(frame, format);
  write_particles(path(name), format, particles);
  not_synced_.push_back(name);
  if (format != "vtp") return;  // ParaView's collections support no other format
  frames_.push_back({particles.time, name});
  // Rewriting the list for each frame would take quadratic time: a long list is updated every few
  // frames.
  constexpr std::size_t share = 64;
  if (frames_.size() - listed_ > listed_ / share) update_collection();
}

void ResultFolder::write_set(int frame, const std::string& set, const ParticleFrame& particles,
                             const std::string& format) {
  check_not_moved();
  const std::string name = frame_name(frame, format, set);
  write_particles(path(name), format, particles);
  not_synced_.push_back(name);
}

void ResultFolder::update_collection() {
  write_pvd(path("particles.pvd"), frames_);
  listed_ = frames_.size();
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
  line.add("emitted", stats.emitted);
  line.add("removed", stats.removed);
  for (const Counter& counter : stats.counters) line.add(counter.name.c_str(), counter.value);
  if (stats.solves) {
    line.add("solver_iterations", stats.solver_iterations);
    line.add("solver_failures", stats.solver_failures);
    line.add("solver_residual", stats.solver_residual);
  }
  append_line(stat_lines, line.text());
}

void ResultFolder::write_probes(int frame, const FrameStats& stats) {
  if (stats.probes.empty()) return;
  JsonLine line;
  line.add("frame", frame);
  line.add("time", stats.time);
  for (const ProbeValue& probe : stats.probes) line.add(probe.name, probe.value);
  append_line(probe_lines, line.text());
}

void ResultFolder::write_bodies(int frame, const std::vector<std::string>& names,
                                const ParticleFrame& particles) {
  if (names.size() != particles.bodies.size() && !particles.bodies.empty())
    throw Error(ErrorKind::simulation, "frame {} has {} free bodies, its scene {}", frame,
                particles.bodies.size(), names.size());
  if (!particles.bodies.empty())
    append_line(body_lines, body_line(frame, particles.time, names, particles.bodies).text());
}

void ResultFolder::write_objects(int frame, const ParticleFrame& particles) {
  for (const std::string& line : object_line_maker_.next(frame, particles.objects))
    append_line(object_lines, line);
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
  append_line(timing_lines, line.text());
}

void ResultFolder::write_checkpoint(const CheckpointInfo& info, State state) {
  check_not_moved();
  if (listed_ != frames_.size()) update_collection();
  std::vector<std::uint64_t> sizes;
  for (std::optional<OutputFile>& file : lines_) sizes.push_back(file ? file->size() : 0);
  std::vector<std::int32_t> listed;
  std::vector<double> times;
  for (const PvdEntry& entry : frames_) {
    listed.push_back(frame_number(fs::path(entry.file).filename().string(), ".vtp", frame_prefix));
    times.push_back(entry.time);
  }
  state.put(saved_sizes, sizes);
  state.put(saved_frames, listed);
  state.put(saved_times, times);
  sync_new_files();
  panta::write_checkpoint(checkpoint_path(dir_), info, state);
}

// All files that the next checkpoint refers to must be on the disk before it.
void ResultFolder::sync_new_files() {
  for (const std::string& name : not_synced_) sync_to_disk(path(name));
  not_synced_.clear();
  for (std::size_t file = 0; file < line_file_count; ++file)
    if (lines_[file]) sync_to_disk(line_path(file));
  sync_to_disk(path(particles_folder));
}

void ResultFolder::finish(const RunSummary& summary) {
  check_not_moved();
  if (listed_ != frames_.size()) update_collection();
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
  if (summary.resumed_from_frame >= 0) run.add("resumed_from_frame", summary.resumed_from_frame);
  write_text_file(path("run.json"), run.text() + "\n");
}

}  // namespace panta
