#include "panta/run/density_watch.h"

#include <fmt/core.h>

#include "panta/core/error_format.h"

namespace panta {

namespace {

constexpr const char* remedy =
    "shorten solver.time_step or leave it open, raise the number of substeps or the speed of "
    "sound, "
    "and check that emitters and moving bodies leave the liquid enough room";

}  // namespace

void DensityWatch::check(int frame, const FrameStats& stats, const Log& log) {
  const double error = stats.density_error_mean;
  if (error > worth_a_warning && !warned_) {
    log.warning(
        fmt::format("frame {}: liquids are {:.0f} % too dense on average, a particle {:.0f} %: {}",
                    frame, 100 * error, 100 * stats.density_error_max, remedy));
    warned_ = true;
  }
  above_ = error > limit_ ? above_ + 1 : 0;
  if (above_ < patience) return;
  throw Error(ErrorKind::simulation,
              "liquids have been more than {:.0f} % too dense on average for {} frames, now {:.0f} "
              "%, which is beyond max_density_error: {}",
              100 * limit_, patience, 100 * error, remedy);
}

}  // namespace panta
