// The frames of a result folder, whole: their particles, the objects that these belong to and,
// where the scene has free bodies, where those are.
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
  // `scene` is the folder's. Error(io) where there are no frames, or nothing that says where free
  // bodies are.
  RunFrames(const std::string& dir, const Scene& scene);

  const std::vector<FrameFile>& files() const { return files_; }

  // Error(io) where the frame is damaged. May be asked by several threads at once.
  ParticleFrame read(const FrameFile& file) const;

  // Where free bodies are; null where the scene has none.
  const BodyFile* bodies() const { return bodies_ ? &*bodies_ : nullptr; }

 private:
  std::vector<FrameFile> files_;
  std::optional<BodyFile> bodies_;
  std::optional<ObjectFile> objects_;
  std::unique_ptr<OldFrames> old_;  // where a folder of an earlier version has solids
};

}  // namespace panta
