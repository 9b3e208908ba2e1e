#include "panta/io/run_frames.h"

#include <algorithm>

#include "panta/io/particle_file.h"

namespace panta {

// A run writes a frame's bodies before its particles: whatever is listed first has its line.
RunFrames::RunFrames(const std::string& dir, const Scene& scene) : files_(list_frames(dir)) {
  const auto bodies = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                    [](const Body& body) { return body.free.has_value(); });
  if (bodies > 0) bodies_.emplace(dir + "/" + body_file_name, static_cast<std::size_t>(bodies));
}

ParticleFrame RunFrames::read(const FrameFile& file) const {
  ParticleFrame frame = read_particles(file.path);
  if (bodies_) frame.bodies = bodies_->at(file.frame);
  return frame;
}

}  // namespace panta
