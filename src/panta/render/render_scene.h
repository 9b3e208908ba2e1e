// A picture of a scene before its run: particles of its fluids, and its bodies at t = 0.
#pragma once

#include "panta/render/make_painter.h"

namespace panta {

// The particles of the scene's fluids, at rest density.
ParticleFrame initial_frame(const Scene& scene);

// A scene without fluids shows only its bodies. `notice` as in make_painter.
Image render_scene(const Scene& scene, const PictureOptions& options, std::string& notice);

}  // namespace panta
