// A run's result folder:
//   scene.json                  the effective scene
//   particles/frame_000000.vtp  particles (or .ply, .csv), frame 0 is the initial state
//   particles/SET_000000.vtp    particles of a method's additional sets, e.g. tracers
//   particles.pvd               the .vtp frames with their times, for ParaView
//   stats.jsonl                 one line of physical quantities per frame, reproducible bit for bit
//   probes.jsonl                the values of the scene's probes, if it has any; reproducible
//   bodies.jsonl                poses of its free bodies; reproducible (io/body_file.h)
//   objects.jsonl               the particles' objects; reproducible (io/object_file.h)
//   timings.jsonl               one line of wall-clock figures per frame
//   checkpoint.panta            the state to resume from (io/checkpoint.h)
//   run.json                    status, version, machine, options and summary
//   write.lock                    while a run writes: a second one in the folder is refused
//
// The folder can be read at any time: files are replaced atomically, lines are flushed one by one.
//
// After a kill at any time, a run can resume from its checkpoint: a checkpoint is written after all
// output up to its frame, and contains the length of each file at that time. Later output is
// truncated.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "panta/core/file.h"
#include "panta/core/folder_lock.h"
#include "panta/frame/frame_stats.h"
#include "panta/frame/particle_frame.h"
#include "panta/io/checkpoint.h"
#include "panta/io/object_file.h"
#include "panta/io/pvd.h"
#include "panta/io/result_files.h"
#include "panta/io/run_summary.h"

namespace panta {

class ResultFolder {
 public:
  // Refuses a folder with an earlier run unless `overwrite`, which removes only files written by
  // that run. `lock`: of the folder, taken here if it is not held.
  ResultFolder(const std::string& dir, const std::string& effective_scene_json,
               bool overwrite = false, FolderLock lock = {});

  // Resumes the run of that checkpoint: removes output written after it.
  ResultFolder(const std::string& dir, const std::string& effective_scene_json,
               const Checkpoint& checkpoint, FolderLock lock = {});

  void write_frame(int frame, const ParticleFrame& particles, const std::string& format = "vtp");
  // Of an additional set of particles, by its name.
  void write_set(int frame, const std::string& set, const ParticleFrame& particles,
                 const std::string& format);
  void write_stats(int frame, const FrameStats& stats);
  void write_probes(int frame, const FrameStats& stats);
  // Writes the poses of free bodies, with `names` in their order; before the frame's particles, so
  // that a reader that finds the particles also finds the bodies.
  void write_bodies(int frame, const std::vector<std::string>& names,
                    const ParticleFrame& particles);
  // Writes the particles' objects; also before the particles.
  void write_objects(int frame, const ParticleFrame& particles);
  void write_timings(int frame, const std::vector<StageTime>& stages, double wall_seconds);
  void write_checkpoint(const CheckpointInfo& info, State state);
  void finish(const RunSummary& summary);

 private:
  enum LineFile {
    stat_lines,
    probe_lines,
    timing_lines,
    body_lines,
    object_lines,
    line_file_count
  };

  std::string path(const std::string& name) const { return dir_ + "/" + name; }
  std::string line_path(std::size_t file) const;
  void take_lock();
  void start(const std::string& effective_scene_json);
  void check_not_moved() const;
  void append_line(LineFile file, const std::string& text);
  void update_collection();
  void sync_new_files();

  std::string dir_;
  FolderLock lock_;
  std::array<std::uint64_t, 2> identity_ =
      {};                // of the folder, to notice that it was moved or replaced
  std::string started_;  // UTC
  std::vector<PvdEntry> frames_;
  std::size_t listed_ = 0;               // number of them in particles.pvd
  std::vector<std::string> not_synced_;  // particle files since the last checkpoint
  std::array<std::optional<OutputFile>, line_file_count> lines_;
  ObjectLines object_line_maker_;
};

}  // namespace panta
