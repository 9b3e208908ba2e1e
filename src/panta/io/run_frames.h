// The complete frames of a result folder: their particles, the particles' objects and, if the scene
// has free bodies, the poses of these.
//
//   const RunFrames frames(dir, scene);
//   for (const FrameFile& file : frames.files()) ... frames.read(file) ...
#pragma once

#include <optional>

#include "panta/io/body_file.h"
#include "panta/io/object_file.h"
#include "panta/io/old_frames.h"
#include "panta/io/output.h"
#include "panta/scene/scene.h"

namespace panta {

class RunFrames {
 public:
  // `scene` is the folder's. Error(io) if there are no frames, or no file with the poses of free
  // bodies.
  RunFrames(const std::string& dir, const Scene& scene);

  const std::vector<FrameFile>& files() const { return files_; }

  // Error(io) if the frame is damaged. Thread-safe.
  ParticleFrame read(const FrameFile& file) const;

  // The poses of free bodies; null if the scene has none.
  const BodyFile* bodies() const { return bodies_ ? &*bodies_ : nullptr; }

 private:
  std::vector<FrameFile> files_;
  std::optional<BodyFile> bodies_;
  std::optional<ObjectFile> objects_;
  std::unique_ptr<OldFrames> old_;  // if a folder of an earlier version has solids
};

}  // namespace panta
