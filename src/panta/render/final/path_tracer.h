// Path tracing: the final quality.
//
//   LitScene scene = ...;
//   PathTracer tracer(scene);
//   TracedPicture picture = tracer.render({.camera = camera}, {.samples = 64});
//   write_png("picture.png", developed(picture));
//
// Every pixel is the mean of `samples` paths, whose start positions have a tent distribution two
// pixels wide. The picture is bitwise the same for any number of threads.
#pragma once

#include <cstdint>

#include "panta/io/image.h"
#include "panta/render/final/light_transport.h"

namespace panta {

struct TraceOptions {
  int samples = 64;        // paths per pixel
  float target_error = 0;  // tiles below this error end early; 0: never
  int threads = 0;         // 0: all cores
};

struct TracedPicture {
  int width = 0, height = 0;
  std::vector<LinearColor> light = {};  // rows from top to bottom
  // The relative error of a pixel's luminance, root mean square over the picture. It is estimated
  // from the difference between the pictures of even and odd samples. This overestimates the error
  // two or three times, because the two sets complement each other. Pixels darker than a twentieth
  // of white count as that bright.
  double error = 0;
  double mean_samples = 0;  // paths per pixel, less than requested if tiles ended early
  std::uint64_t rays = 0;
};

class PathTracer {
 public:
  // Error(usage) for surfaces that cannot be drawn.
  explicit PathTracer(const LitScene& scene, const Brightest& brightest = {});

  TracedPicture render(const Lens& lens, const TraceOptions& options) const;

 private:
  LightTransport transport_;
};

// Tone mapping like a film: slightly more contrast around the middle tones, increasing compression
// of bright light towards white; hues are preserved except for the brightest, which lose
// saturation.
Image developed(const TracedPicture& picture, float exposure = 1);
LinearColor film_response(const LinearColor& light);

}  // namespace panta
