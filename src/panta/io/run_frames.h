// The complete frames of a result folder: their particles, the particles' objects and, if the scene
// has free bodies, the poses of these.
//
//   const RunFrames frames(dir, scene);
//   for (const FrameFile& file : frames.files()) ... frames.read(file) ...
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "panta/frame/particle_frame.h"
#include "panta/io/frame_files.h"

namespace panta {

class BodyFile;
struct Scene;

class RunFrames {
 public:
  // `scene` is the folder's. Error(io) if there are no frames, or no file with the poses of free
  // bodies.
  RunFrames(const std::string& dir, const Scene& scene);
  ~RunFrames();

  const std::vector<FrameFile>& files() const { return files_; }

  // Error(io) if the frame is damaged. Thread-safe.
  ParticleFrame read(const FrameFile& file) const;

  // The poses of free bodies (io/body_file.h); null if the scene has none.
  const BodyFile* bodies() const;

 private:
  struct Sources;  // of everything but the particles

  std::vector<FrameFile> files_;
  std::unique_ptr<const Sources> sources_;
};

}  // namespace panta
