// Creates the renderer for the quality that was requested.
#pragma once

#include <memory>
#include <string>

#include "panta/render/coloring.h"
#include "panta/render/painter.h"
#include "panta/render/picture_options.h"
#include "panta/scene/scene.h"

namespace panta {

// `notice` is set if the requested quality is not available and another one is used.
std::unique_ptr<Painter> make_painter(const Scene& scene, const RunExtent& extent,
                                      const PictureOptions& options, std::string& notice);

}  // namespace panta
