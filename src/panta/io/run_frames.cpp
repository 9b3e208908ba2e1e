#include "panta/io/run_frames.h"

#include <algorithm>
#include <optional>

#include "panta/core/file.h"
#include "panta/io/body_file.h"
#include "panta/io/object_file.h"
#include "panta/io/old_frames.h"
#include "panta/io/particle_file.h"
#include "panta/scene/scene.h"

namespace panta {

// A run writes a frame's bodies before its particles: every listed frame has its line.
struct RunFrames::Sources {
  Sources(const std::string& dir, const Scene& scene) {
    const auto free = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                    [](const Body& body) { return body.free.has_value(); });
    if (free > 0) bodies.emplace(dir + "/" + body_file_name, static_cast<std::size_t>(free));
    const std::string path = dir + "/" + object_file_name;
    if (file_exists(path))
      objects.emplace(path);
    else if (!scene.solids.empty())
      old.emplace(scene);
  }

  std::optional<BodyFile> bodies;
  std::optional<ObjectFile> objects;
  std::optional<OldFrames> old;  // if a folder of an earlier version has solids
};

RunFrames::RunFrames(const std::string& dir, const Scene& scene)
    : files_(list_frames(dir)), sources_(std::make_unique<Sources>(dir, scene)) {}

RunFrames::~RunFrames() = default;

ParticleFrame RunFrames::read(const FrameFile& file) const {
  ParticleFrame frame = read_particles(file.path);
  if (sources_->bodies) frame.bodies = sources_->bodies->at(file.frame);
  if (sources_->objects) frame.objects = sources_->objects->at(file.frame);
  if (sources_->old) sources_->old->complete(frame);
  return frame;
}

const BodyFile* RunFrames::bodies() const {
  return sources_->bodies ? &*sources_->bodies : nullptr;
}

}  // namespace panta
