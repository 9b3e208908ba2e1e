#include "panta/surface/surface_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/core/make_exec.h"
#include "panta/engine/devices.h"
#include "panta/frame/column_values.h"
#include "panta/io/pvd.h"
#include "panta/io/run_frames.h"
#include "panta/io/surface_file.h"
#include "panta/surface/export_scene.h"
#include "panta/surface/surface_record.h"

namespace panta {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double memory_per_byte = 15;      // of a job, per byte of a particle file
constexpr double seconds_per_record = 0.5;  // least time between two writes of the record

std::vector<float> values_of(const ParticleFrame& frame, const std::string& name) {
  std::vector<float> values;
  if (name == no_surface_value) return values;
  const ColumnNumbers numbers = ParticleQuantity(name).numbers(frame);
  for (std::size_t i = 0; i < frame.size(); ++i) values.push_back(static_cast<float>(numbers[i]));
  return values;
}

json::Value describe_options(const SurfaceRunOptions& options) {
  const RunSurfaceOptions& surface = options.surface;
  const auto number = [](double value) { return json::Value(value); };
  json::Value all = json::Value::object();
  all.add("method",
          json::Value(surface_method_names[static_cast<std::size_t>(surface.surface.method)]));
  all.add("cell", number(surface.surface.cell));
  all.add("radius", number(surface.surface.radius));
  all.add("smooth", number(surface.smoothing_passes));
  all.add("decimate", number(surface.keep_triangles));
  all.add("smallest_piece", number(static_cast<double>(surface.min_component_triangles)));
  all.add("wall_overlap", number(surface.wall_overlap));
  all.add("flat_at_walls", json::Value(surface.flat_at_walls));
  all.add("value", json::Value(options.value));
  all.add("format", json::Value(options.format));
  all.add("level_set_volume", json::Value(options.volumes.level_set));
  all.add("density_volume", json::Value(options.volumes.density));
  all.add("velocity_volume", json::Value(options.volumes.velocity));
  // The GPU's files differ from the CPU's.
  if (surface_device(surface.surface) == DeviceKind::cuda) all.add("device", json::Value("cuda"));
  return all;
}

// Removes the frames' files in the folder; `unfinished`: only incomplete files of a killed run.
void remove_frames(const std::string& folder, bool unfinished) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("frame_") && (!unfinished || name.ends_with(".tmp")))
      remove_file(entry.path().string());
  }
}

// One frame per thread, if memory allows: parallel frames share no data, so there is no overhead.
int choose_jobs(const SurfaceRunOptions& options, const std::vector<FrameFile>& frames,
                int threads) {
  if (options.surface.surface.method == SurfaceMethod::level_set || frames.empty()) return 1;
  int jobs = options.jobs;
  if (jobs <= 0) {
    double largest = 1;
    for (const FrameFile& file : frames)
      largest = std::max(largest, SurfaceRecord::describe(file).bytes);
    double room = free_memory(DeviceKind::cpu);
    if (surface_device(options.surface.surface) == DeviceKind::cuda)
      room = std::min(room, free_memory(DeviceKind::cuda));
    const double fit = room / 2 / (largest * memory_per_byte);
    jobs = static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(threads)));
  }
  return std::min(jobs, static_cast<int>(frames.size()));
}

class SurfaceSequence {
 public:
  SurfaceSequence(const std::string& dir, const Scene& scene, const SurfaceRunOptions& options,
                  const SurfaceReport& report)
      : dir_(dir),
        scene_(scene),
        options_(options),
        report_(report),
        frames_(dir, scene),
        several_(liquids_of(scene).size() > 1) {
    summary_.folder = options.out.empty() ? dir + "/surface" : options.out;
    std::string missing;
    if (options.volumes.any() && openvdb_version(&missing).empty())
      throw Error(ErrorKind::usage, "volumes cannot be written: {}", missing);
  }

  SurfaceRunSummary run() {
    const std::vector<FrameFile> chosen = choose_frames();
    const int threads = make_exec<Cpu>(options_.surface.surface.threads).threads;
    RunSurfaceOptions surface = options_.surface;
    summary_.jobs = choose_jobs(options_, chosen, threads);
    surface.surface.threads = std::max(1, threads / summary_.jobs);
    threads_per_job_ = surface.surface.threads;
    RunSurfaces first(scene_, surface);  // checks the options before anything is written
    check_value(chosen.front());

    prepare_folder();
    if (liquids_of(scene_).empty())
      report_.warning("the scene has no liquid, so there are no surfaces to make");
    choose_work(chosen);
    work(first);
    record_->write();
    if (options_.format == "vtp") write_collection();
    return summary_;
  }

 private:
  void prepare_folder() {
    make_folder(summary_.folder);
    record_.emplace(summary_.folder, describe_options(options_), options_.overwrite);
    try {
      remove_frames(summary_.folder, !options_.overwrite);
      describe_scene(*record_, scene_, frames_.bodies(), summary_.folder, several_,
                     report_.warning);
      record_->write();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::io) throw;
      throw Error(ErrorKind::io, "{}; make room there or choose another folder with --out",
                  error.what());
    }
  }

  // The requested frames that exist; missing ones are reported.
  std::vector<FrameFile> choose_frames() {
    const std::vector<FrameFile>& files = frames_.files();
    const int first = std::max(options_.first, files.front().frame);
    const int last = std::min(options_.last, files.back().frame);
    std::vector<FrameFile> chosen;
    std::size_t k = 0;
    for (int frame = first; frame <= last; frame += options_.every) {
      while (k < files.size() && files[k].frame < frame) ++k;
      if (k < files.size() && files[k].frame == frame)
        chosen.push_back(files[k]);
      else
        fail(
            fmt::format("frame {} is missing in '{}/particles': run the scene again", frame, dir_));
    }
    if (chosen.empty())
      throw Error(ErrorKind::usage, "no such frames: the run has frames {} to {}",
                  files.front().frame, files.back().frame);
    return chosen;
  }

  std::string name_of(int frame, std::uint32_t phase, const std::string& extension) const {
    return fmt::format("frame_{:06}{}.{}", frame,
                       several_ ? "_" + file_name_of(scene_.materials[phase].name) : "", extension);
  }

  bool files_exist(int frame) const {
    for (const std::uint32_t phase : liquids_of(scene_)) {
      if (!file_exists(path_of(frame, phase, options_.format))) return false;
      if (options_.volumes.any() && !file_exists(path_of(frame, phase, "vdb"))) return false;
    }
    return true;
  }
  std::string path_of(int frame, std::uint32_t phase, const std::string& extension) const {
    return summary_.folder + "/" + name_of(frame, phase, extension);
  }

  void choose_work(const std::vector<FrameFile>& chosen) {
    for (const FrameFile& file : chosen)
      if (record_->is_done(file) && files_exist(file.frame))
        ++summary_.kept;
      else
        work_.push_back(file);
    // A method that starts from the previous frame needs it even if its files exist.
    if (options_.surface.surface.method == SurfaceMethod::level_set && !work_.empty())
      for (const FrameFile& file : chosen)
        if (file.frame < work_.front().frame) warm_up_ = file;
  }

  // A quantity that the particles do not have would fail in every frame.
  void check_value(const FrameFile& source) const {
    if (options_.value == no_surface_value || options_.value == ParticleQuantity::speed) return;
    try {
      values_of(frames_.read(source), options_.value);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::io) throw;
    }
  }

  void work(RunSurfaces& first) {
    start_ = Clock::now();
    if (warm_up_) attempt(*warm_up_, [&] { first.make(frames_.read(*warm_up_)); });
    std::vector<std::thread> helpers;
    for (int job = 1; job < summary_.jobs; ++job)
      helpers.emplace_back([this, &first] {
        RunSurfaces own = first.another();
        make_frames(own);
      });
    make_frames(first);
    for (std::thread& helper : helpers) helper.join();
    summary_.seconds = seconds();
  }

  void make_frames(RunSurfaces& surfaces) {
    for (std::size_t k; (k = next_++) < work_.size();) {
      attempt(work_[k], [&] { make_frame(surfaces, work_[k]); });
      const std::lock_guard lock(mutex_);
      report_.progress({++done_, static_cast<int>(work_.size()), seconds()});
    }
  }

  // A failure is reported and stops only this frame.
  template <class Action>
  void attempt(const FrameFile& source, const Action& action) {
    std::string problem;
    try {
      action();
    } catch (const std::bad_alloc&) {
      problem = "out of memory; use fewer --jobs or a larger --cell";
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (!problem.empty()) fail(fmt::format("frame {}: {}", source.frame, problem));
  }

  void make_frame(RunSurfaces& surfaces, const FrameFile& source) {
    SurfaceFrame figures = SurfaceRecord::describe(source);
    const ParticleFrame frame = frames_.read(source);
    const std::vector<LiquidSurface> liquids =
        surfaces.make(frame, values_of(frame, options_.value));
    const auto of_liquids =
        std::count_if(frame.phase().begin(), frame.phase().end(),
                      [this](std::uint32_t phase) { return is_liquid(scene_, phase); });
    check_left_out(surfaces.left_out(), static_cast<std::size_t>(of_liquids), source);
    figures.time = frame.time;
    figures.particles = static_cast<double>(frame.size());
    for (const LiquidSurface& liquid : liquids) {
      write_liquid(source.frame, frame.time, liquid);
      figures.triangles += static_cast<double>(liquid.mesh.triangles.size());
    }
    finish_frame(source.frame, figures);
  }

  void check_left_out(std::size_t left_out, std::size_t all, const FrameFile& source) {
    if (left_out == 0) return;
    const std::string what =
        fmt::format("{} of {} particles in '{}' have no usable position or velocity", left_out, all,
                    source.path);
    if (left_out == all)
      throw Error(ErrorKind::io, "{}: the simulation failed there, run it again", what);
    const std::lock_guard lock(mutex_);
    report_.warning(what + " and are skipped");
  }

  void write_liquid(int frame, double time, const LiquidSurface& liquid) const {
    if (options_.volumes.any()) {
      const auto spacing = static_cast<float>(scene_.spacing);
      write_vdb(path_of(frame, liquid.phase, "vdb"),
                {&liquid.mesh, liquid.particles.position, liquid.particles.velocity, spacing,
                 options_.surface.surface.cell * spacing, time},
                options_.volumes, threads_per_job_);
    }
    write_surface(path_of(frame, liquid.phase, options_.format), options_.format, liquid.mesh,
                  time);
  }

  void finish_frame(int frame, const SurfaceFrame& figures) {
    const std::lock_guard lock(mutex_);
    record_->add(frame, figures);
    if (seconds() - recorded_ >= seconds_per_record) {
      record_->write();
      recorded_ = seconds();
    }
    ++summary_.made;
    summary_.triangles += figures.triangles;
  }

  void fail(const std::string& problem) {
    const std::lock_guard lock(mutex_);
    ++summary_.failed;
    report_.error(problem);
  }

  void write_collection() const {
    const std::string folder = fs::path(summary_.folder).filename().string();
    std::vector<PvdEntry> entries;
    for (const auto& [frame, figures] : record_->frames()) {
      int part = 0;
      for (const std::uint32_t phase : liquids_of(scene_))
        if (file_exists(path_of(frame, phase, "vtp")))
          entries.push_back({figures.time, folder + "/" + name_of(frame, phase, "vtp"), part++});
    }
    write_pvd(summary_.folder + ".pvd", entries);
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const std::string& dir_;
  const Scene& scene_;
  const SurfaceRunOptions& options_;
  const SurfaceReport& report_;
  RunFrames frames_;
  bool several_;  // liquids: their names are part of the file names
  int threads_per_job_ = 1;
  std::optional<SurfaceRecord> record_;
  std::vector<FrameFile> work_;
  std::optional<FrameFile> warm_up_;
  std::mutex mutex_;  // protects the members below and the record
  std::atomic<std::size_t> next_ = 0;
  int done_ = 0;
  Clock::time_point start_ = Clock::now();
  double recorded_ = 0;
  SurfaceRunSummary summary_;
};

}  // namespace

SurfaceRunSummary make_run_surfaces(const std::string& dir, const Scene& scene,
                                    const SurfaceRunOptions& options, const SurfaceReport& report) {
  return SurfaceSequence(dir, scene, options, report).run();
}

}  // namespace panta
