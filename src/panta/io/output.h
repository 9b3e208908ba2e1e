// A run's result folder:
//   scene.json                  the effective scene
//   particles/frame_000000.vtp  particles, frame 0 is the initial state
//   particles.pvd               the frames with their times, for ParaView
//   stats.jsonl                 one line of physical quantities per frame, reproducible bit for bit
//   timings.jsonl               one line of wall-clock figures per frame
//   run.json                    status, version, machine, options and summary
// At any instant the folder can be read: files are replaced whole, lines are flushed one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "panta/io/file.h"
#include "panta/io/pvd.h"
#include "panta/sim/simulation.h"

namespace panta {

struct RunSummary {
  std::string version, device, command, status;
  int threads = 0;
  int frames = 0;
  std::uint64_t steps = 0;
  double wall_seconds = 0;
  std::size_t particles = 0;
};

class ResultFolder {
 public:
  // Refuses a folder that holds an earlier run unless `overwrite`, which removes what that run
  // wrote and nothing else.
  ResultFolder(const std::string& dir, const std::string& effective_scene_json,
               bool overwrite = false);

  void write_frame(int frame, const ParticleFrame& particles);
  void write_stats(int frame, const FrameStats& stats);
  void write_timings(int frame, const std::vector<StageTime>& stages, double wall_seconds);
  void finish(const RunSummary& summary);

 private:
  std::string path(const std::string& name) const { return dir_ + "/" + name; }

  std::string dir_;
  std::string started_;  // UTC
  std::vector<PvdEntry> frames_;
  std::optional<OutputFile> stats_, timings_;
};

// A particle file of a result folder.
struct FrameFile {
  int frame = 0;
  std::string path;
};

// The particle files of a result folder by frame number; Error(io) if there are none.
std::vector<FrameFile> list_frames(const std::string& dir);

}  // namespace panta
