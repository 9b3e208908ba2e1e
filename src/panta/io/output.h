// A run's result folder:
//   scene.json                  the effective scene
//   particles/frame_000000.vtp  particles (or .ply, .csv), frame 0 is the initial state
//   particles.pvd               the .vtp frames with their times, for ParaView
//   stats.jsonl                 one line of physical quantities per frame, reproducible bit for bit
//   probes.jsonl                the values of the scene's probes, where it has any; reproducible
//   bodies.jsonl                where its free bodies are, the same (io/body_file.h)
//   objects.jsonl               what its particles belong to, the same (io/object_file.h)
//   timings.jsonl               one line of wall-clock figures per frame
//   checkpoint.panta            the state to go on from (io/checkpoint.h)
//   run.json                    status, version, machine, options and summary
//
// At any instant the folder can be read: files are replaced whole, lines are flushed one by one.
//
// Killed at any instant, a run can go on from its checkpoint: a checkpoint is written after
// everything up to its frame, and knows how long each file was by then. What came later is cut off.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "panta/core/file.h"
#include "panta/frame/frame_stats.h"
#include "panta/frame/particle_frame.h"
#include "panta/io/checkpoint.h"
#include "panta/io/object_file.h"
#include "panta/io/pvd.h"

namespace panta {

struct RunSummary {
  std::string version, device, command, status;
  int threads = 0;
  int frames = 0;
  std::uint64_t steps = 0;
  double wall_seconds = 0;
  std::size_t particles = 0;
  int resumed_from_frame = -1;  // -1: begun afresh
};

class ResultFolder {
 public:
  // Refuses a folder that holds an earlier run unless `overwrite`, which removes what that run
  // wrote and nothing else.
  ResultFolder(const std::string& dir, const std::string& effective_scene_json,
               bool overwrite = false);

  // Goes on with the run of that checkpoint: removes what was written after it.
  ResultFolder(const std::string& dir, const std::string& effective_scene_json,
               const Checkpoint& checkpoint);

  void write_frame(int frame, const ParticleFrame& particles, const std::string& format = "vtp");
  void write_stats(int frame, const FrameStats& stats);
  void write_probes(int frame, const FrameStats& stats);
  // Where free bodies are, `names` in their order; before the frame's particles, so that whoever
  // finds those finds this too.
  void write_bodies(int frame, const std::vector<std::string>& names,
                    const ParticleFrame& particles);
  // What the particles belong to; before them, too.
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
  void start(const std::string& effective_scene_json);
  void check_still_there() const;
  void append_line(LineFile file, const std::string& text);
  void update_collection();
  void sync_new_files();

  std::string dir_;
  std::array<std::uint64_t, 2> identity_ =
      {};                // of the folder, to notice that it was moved or replaced
  std::string started_;  // UTC
  std::vector<PvdEntry> frames_;
  std::size_t listed_ = 0;               // of them in particles.pvd
  std::vector<std::string> not_synced_;  // particle files since the last checkpoint
  std::array<std::optional<OutputFile>, line_file_count> lines_;
  ObjectLines object_line_maker_;
};

// The checkpoint of a result folder, whether or not there is one.
std::string checkpoint_path(const std::string& dir);

// Whether the folder holds a run, finished or not.
bool holds_run(const std::string& dir);

// A particle file of a result folder.
struct FrameFile {
  int frame = 0;
  std::string path;
};

// The particle files of a result folder by frame number; Error(io) if there are none.
std::vector<FrameFile> list_frames(const std::string& dir);

}  // namespace panta
