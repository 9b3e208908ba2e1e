// Replacement of final_painter.cpp in a build without Embree.
#include "panta/core/error.h"
#include "panta/render/final/final_painter.h"

namespace panta {

std::unique_ptr<Painter> make_final_painter(const Scene&, const RunExtent&, const FinalOptions&) {
  throw Error(
      ErrorKind::usage,
      "this build cannot make final pictures, which needs Embree; install it (libembree-dev "
      "on Debian and Ubuntu), configure and build again");
}

std::string final_painter_engine() { return {}; }

}  // namespace panta
