#include "panta/render/final/path_tracer.h"

#include <omp.h>

#include <algorithm>

#include "panta/core/error_format.h"

namespace panta {

namespace {

constexpr int tile_size = 16;  // pixels
constexpr int batch = 16;      // samples between two estimates of the error
constexpr float dark = 0.05f;  // least luminance used for relative errors
constexpr std::uint64_t seed = 0x70616e7461ull;

// Rays of a camera through its lens.
class LensRays {
 public:
  explicit LensRays(const Lens& lens) : lens_(lens), view_(lens.camera) {
    focus_depth_ = view_.to_view(lens.focus).z;
    if (lens.aperture > 0 && (view_.orthographic() || focus_depth_ <= 0))
      throw Error(ErrorKind::usage,
                  "a lens with an aperture needs a focus in front of the camera and a perspective "
                  "view; set the aperture to 0 or the focus to what should be sharp");
  }

  // Through the point (x, y) of the picture, in pixels.
  Ray through(float x, float y, const Pair& u) const {
    const float scale = 1 / view_.pixels_per_unit(1);
    const Vec3 across = view_.right() * ((x - 0.5f * static_cast<float>(view_.width())) * scale) +
                        view_.up() * ((0.5f * static_cast<float>(view_.height()) - y) * scale);
    const Vec3& eye = lens_.camera.eye;
    if (view_.orthographic()) return {eye + across, view_.forward()};
    const Vec3 direction = view_.forward() + across;
    if (lens_.aperture <= 0) return {eye, normalized(direction)};
    const Pair p = disc_point(u);
    const Vec3 from = (view_.right() * p.x + view_.up() * p.y) * (0.5f * lens_.aperture);
    return {eye + from, normalized(direction * focus_depth_ - from)};
  }

 private:
  const Lens& lens_;
  View view_;
  float focus_depth_;
};

// Distributed as a tent of height one over (-1, 1).
float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

struct Pixel {
  LinearColor even, odd;  // sums over samples
};

// A square of the picture, its pixels by rows.
struct Tile {
  int left, top, width, height;
  int samples = 0;
  std::uint64_t rays = 0;
  std::vector<Pixel> pixels;

  Tile(int x, int y, int picture_width, int picture_height)
      : left(x),
        top(y),
        width(std::min(tile_size, picture_width - x)),
        height(std::min(tile_size, picture_height - y)),
        pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  LinearColor mean(const Pixel& p) const {
    return (p.even + p.odd) * (1 / static_cast<float>(samples));
  }
  // Squared relative errors, summed over pixels. Half the difference of two independent halves has
  // the same expected size as the error of their mean.
  double squared_error() const {
    if (samples < 2) return static_cast<double>(pixels.size());
    double sum = 0;
    const auto odd_count = static_cast<float>(samples / 2);
    const auto even_count = static_cast<float>(samples - samples / 2);
    for (const Pixel& p : pixels) {
      const float difference = luminance(p.even) / even_count - luminance(p.odd) / odd_count;
      const float relative = 0.5f * difference / std::max(luminance(mean(p)), dark);
      sum += static_cast<double>(relative) * static_cast<double>(relative);
    }
    return sum;
  }
  float error() const {
    return static_cast<float>(std::sqrt(squared_error() / static_cast<double>(pixels.size())));
  }
};

void add_samples(Tile& tile, int count, const LensRays& lens, int picture_width,
                 const LightTransport& transport) {
  for (std::size_t k = 0; k < tile.pixels.size(); ++k) {
    const int x = tile.left + static_cast<int>(k) % tile.width;
    const int y = tile.top + static_cast<int>(k) / tile.width;
    const auto pixel = static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(picture_width) +
                       static_cast<std::uint64_t>(x);
    for (int s = tile.samples; s < tile.samples + count; ++s) {
      Sampler sampler(seed + pixel, static_cast<std::uint32_t>(s));
      const Pair within = sampler.next(), on_lens = sampler.next();
      const Ray ray = lens.through(static_cast<float>(x) + 0.5f + tent(within.x),
                                   static_cast<float>(y) + 0.5f + tent(within.y), on_lens);
      const LinearColor light = transport.radiance(ray, sampler, tile.rays);
      (s % 2 == 0 ? tile.pixels[k].even : tile.pixels[k].odd) += light;
    }
  }
  tile.samples += count;
}

void check(const Camera& camera, const TraceOptions& options) {
  if (camera.width < 1 || camera.height < 1)
    throw Error(ErrorKind::usage, "a picture of {} x {} pixels has none; both must be 1 or more",
                camera.width, camera.height);
  if (options.samples < 1)
    throw Error(ErrorKind::usage, "{} samples per pixel are too few; 1 or more are needed",
                options.samples);
}

}  // namespace

PathTracer::PathTracer(const LitScene& scene, const Brightest& brightest)
    : transport_(scene, brightest) {}

TracedPicture PathTracer::render(const Lens& lens, const TraceOptions& options) const {
  check(lens.camera, options);
  TracedPicture picture{.width = lens.camera.width, .height = lens.camera.height};
  const int width = picture.width, height = picture.height;
  std::vector<Tile> tiles;
  for (int y = 0; y < height; y += tile_size)
    for (int x = 0; x < width; x += tile_size) tiles.emplace_back(x, y, width, height);

  const LensRays rays(lens);
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Tile& tile : tiles) {
    bool accurate = false;
    while (tile.samples < options.samples && !accurate) {
      add_samples(tile, std::min(batch, options.samples - tile.samples), rays, width, transport_);
      accurate = options.target_error > 0 && tile.error() < options.target_error;
    }
  }

  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  picture.light.resize(count);
  for (const Tile& tile : tiles) {
    for (std::size_t k = 0; k < tile.pixels.size(); ++k) {
      const auto x = static_cast<std::size_t>(tile.left + static_cast<int>(k) % tile.width);
      const auto y = static_cast<std::size_t>(tile.top + static_cast<int>(k) / tile.width);
      picture.light[y * static_cast<std::size_t>(width) + x] = tile.mean(tile.pixels[k]);
    }
    picture.rays += tile.rays;
    picture.error += tile.squared_error();
    picture.mean_samples += tile.samples * static_cast<double>(tile.pixels.size());
  }
  picture.error = std::sqrt(picture.error / static_cast<double>(count));
  picture.mean_samples /= static_cast<double>(count);
  return picture;
}

LinearColor film_response(const LinearColor& light) {
  constexpr float middle = 0.5f, contrast = 1.2f;  // fixed brightness, and the slope there
  constexpr float shoulder = 0.6f;                 // brightness where compression starts
  constexpr float bleach = 0.3f;                   // rate at which brighter light loses its hue
  const float peak = brightest(light);
  if (!(peak > 0)) return {};
  const float steep = middle * std::pow(peak / middle, contrast);
  if (steep < shoulder) return light * (steep / peak);
  const float over = (steep - shoulder) / (1 - shoulder);
  const float shown = 1 - (1 - shoulder) * std::exp(-over);
  const float white = 1 - 1 / (1 + bleach * over * (1 - shoulder));
  return mix(light * (shown / peak), Vec3{1, 1, 1} * shown, white);
}

Image developed(const TracedPicture& picture, float exposure) {
  Image image(picture.width, picture.height);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                      static_cast<std::size_t>(x);
      const Rgb color = to_srgb(film_response(picture.light[at] * exposure));
      std::copy(color.begin(), color.end(), image.at(x, y));
    }
  }
  return image;
}

}  // namespace panta
