// Replacement of the OpenGL renderer in a build without it.
#include "panta/core/error.h"
#include "panta/render/gl/gl_painter.h"

namespace panta {

namespace {

constexpr const char* missing =
    "no OpenGL: this build has none; install libegl-dev, libgl-dev and libopengl-dev and configure "
    "again, or use "
    "--quality draft";

}  // namespace

bool opengl_available(std::string* problem) {
  if (problem) *problem = missing;
  return false;
}

class GlPainter::Studio {};

GlPainter::GlPainter(const Scene&, const RunExtent&, const GlOptions&) {
  throw Error(ErrorKind::device, missing);
}

GlPainter::~GlPainter() = default;

Image GlPainter::paint(const ParticleFrame&) { return {}; }

}  // namespace panta
