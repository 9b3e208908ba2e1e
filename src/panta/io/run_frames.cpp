#include "panta/io/run_frames.h"

#include <algorithm>

#include "panta/core/file.h"
#include "panta/io/particle_file.h"

namespace panta {

// A run writes a frame's bodies before its particles: every listed frame has its line.
RunFrames::RunFrames(const std::string& dir, const Scene& scene) : files_(list_frames(dir)) {
  const auto bodies = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                    [](const Body& body) { return body.free.has_value(); });
  if (bodies > 0) bodies_.emplace(dir + "/" + body_file_name, static_cast<std::size_t>(bodies));
  const std::string objects = dir + "/" + object_file_name;
  if (file_exists(objects))
    objects_.emplace(objects);
  else if (!scene.solids.empty())
    old_ = std::make_unique<OldFrames>(scene);
}

ParticleFrame RunFrames::read(const FrameFile& file) const {
  ParticleFrame frame = read_particles(file.path);
  if (bodies_) frame.bodies = bodies_->at(file.frame);
  if (objects_) frame.objects = objects_->at(file.frame);
  if (old_) old_->complete(frame);
  return frame;
}

}  // namespace panta
