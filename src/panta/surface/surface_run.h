// The surfaces of a whole run as files:
//   surface/frame_000012.ply        of the only liquid, or
//   surface/frame_000012_water.ply  of each of several
//   surface/frame_000012.vdb        the same as volumes, if requested
//   surface/solids/cup.ply          the bodies at their poses in the scene
//   surface/surface.json            options, and data for importing programs
//   surface.pvd                     the .vtp files with their times, for ParaView
// Finished frames are kept, so that an interrupted run continues where it stopped. A frame that
// fails is reported, and the other frames are still made.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "panta/io/vdb.h"
#include "panta/surface/run_surfaces.h"

namespace panta {

// The option value for vertices without a value.
inline constexpr const char* no_surface_value = "none";

struct SurfaceRunOptions {
  RunSurfaceOptions surface;    // its threads are those of all jobs together
  std::string value = "speed";  // of vertices: a ParticleQuantity, or none
  std::string format = "ply";
  VolumeGrids volumes;
  int first = 0, last = std::numeric_limits<int>::max();  // frames, both included
  int every = 1;                                          // each k-th of them
  int jobs = 0;            // parallel frames; 0: chosen by threads and memory
  bool overwrite = false;  // replaces existing files
  std::string out;         // folder for the files; empty: DIR/surface
};

struct SurfaceProgress {
  int done, total;
  double seconds;  // since the start of the first frame
};

// Called from several threads, but never concurrently.
struct SurfaceReport {
  std::function<void(const SurfaceProgress&)> progress = [](const SurfaceProgress&) {};
  std::function<void(const std::string&)> error = [](const std::string&) {};
  std::function<void(const std::string&)> warning = [](const std::string&) {};
};

struct SurfaceRunSummary {
  int made = 0, kept = 0, failed = 0;  // frames
  double triangles = 0;                // of the frames made
  double seconds = 0;
  int jobs = 1;
  std::string folder;
};

// Throws errors that concern all frames: invalid options, a folder that cannot be written.
SurfaceRunSummary make_run_surfaces(const std::string& dir, const Scene& scene,
                                    const SurfaceRunOptions& options,
                                    const SurfaceReport& report = {});

}  // namespace panta
