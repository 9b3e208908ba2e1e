// Pictures by following light: the final quality.
//
//   LitScene scene = ...;
//   PathTracer tracer(scene);
//   TracedPicture picture = tracer.render({.camera = camera}, {.samples = 64});
//   write_png("picture.png", developed(picture));
//
// Every pixel is the mean of `samples` paths whose starts are spread by a tent filter two pixels
// wide. The picture is the same bit for bit for any number of threads.
#pragma once

#include <cstdint>

#include "panta/io/image.h"
#include "panta/render/final/light_transport.h"

namespace panta {

struct TraceOptions {
  int samples = 64;        // paths per pixel
  float target_error = 0;  // tiles whose error falls below it end early; 0: none does
  int threads = 0;         // 0: all cores
};

struct TracedPicture {
  int width = 0, height = 0;
  std::vector<LinearColor> light = {};  // rows from top to bottom
  // The relative error of a pixel's luminance, root of the mean square over the picture. Estimated
  // from the difference between the pictures that even and odd samples make, which is two or
  // three times too careful: the two complement each other. What is darker than a twentieth of
  // white counts as that bright.
  double error = 0;
  double mean_samples = 0;  // paths per pixel, less than asked for where tiles ended early
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

// The picture as a film would show it: a little more contrast around the middle tones, bright light
// ever more compressed towards white, hues kept but for the brightest, which bleach.
Image developed(const TracedPicture& picture, float exposure = 1);
LinearColor film_response(const LinearColor& light);

}  // namespace panta
