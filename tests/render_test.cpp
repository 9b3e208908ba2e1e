// The preview renderer: position and occlusion of spheres, and independence of the number of
// threads.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>

#include "camera_fixture.h"
#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/io/output.h"
#include "panta/io/png.h"
#include "panta/render/contact_sheet.h"
#include "panta/render/preview.h"
#include "panta/render/render_run.h"
#include "panta/render/text.h"
#include "panta/render/video.h"

namespace panta {
namespace {

float focal_length(const Camera& camera) {
  return 0.5f * static_cast<float>(camera.height) /
         std::tan(camera.fov * std::numbers::pi_v<float> / 360);
}

struct Disc {
  double x = 0, y = 0;  // centre, pixels
  double radius = 0;    // of a disc of the same area
};

Disc covered_disc(const SurfaceBuffer& buffer, std::int32_t particle) {
  Disc disc;
  int count = 0;
  for (int y = 0; y < buffer.height; ++y)
    for (int x = 0; x < buffer.width; ++x)
      if (buffer.surface[buffer.index(x, y)] == particle) {
        disc.x += x + 0.5;
        disc.y += y + 0.5;
        ++count;
      }
  disc.x /= count;
  disc.y /= count;
  disc.radius = std::sqrt(count / std::numbers::pi);
  return disc;
}

ParticleFrame frame_of(const std::vector<Vec3>& positions) {
  ParticleFrame frame;
  frame.resize(positions.size());
  frame.position() = positions;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    frame.id()[k] = static_cast<std::uint32_t>(k);
    frame.phase()[k] = static_cast<std::uint32_t>(k % 2);
    frame.velocity()[k] = {static_cast<float>(k % 7), 0, 0};
    frame.density()[k] = 1000;
    frame.pressure()[k] = static_cast<float>(k % 11);
  }
  return frame;
}

Scene box_scene() {
  Scene scene;
  scene.spacing = 0.05;
  scene.has_domain = true;
  scene.domain.min = {0, 0, 0};
  scene.domain.max = {1, 1, 1};
  scene.domain.walls.fill(true);
  scene.materials = {Material{}, Material{"oil"}};
  scene.bodies.push_back({Shape::sphere({0.7f, 0.2f, 0.5f}, 0.2f)});
  scene.bodies.push_back({Shape::cylinder({0.2f, 0, 0.2f}, {0.2f, 0.5f, 0.2f}, 0.1f), true});
  scene.bodies.push_back({Shape::plane({0.1f, 0, 0}, {1, 1, 0})});
  return scene;
}

ParticleFrame random_particles(int count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<Vec3> positions;
  for (int k = 0; k < count; ++k)
    positions.push_back({uniform(random), 0.6f * uniform(random), uniform(random)});
  return frame_of(positions);
}

Image render_with(const Scene& scene, const ParticleFrame& frame, int threads,
                  const std::string& color) {
  RunExtent extent(color);
  extent.include(frame);
  PreviewOptions options;
  options.width = 240;
  options.height = 150;
  options.legend = true;
  options.threads = threads;
  return Preview(scene, extent, options).render(frame);
}

TEST(SphereRaster, ParticleHasItsProjectedPositionAndSize) {
  const Camera camera = camera_from_front(5, 400, 300);
  const float radius = 0.4f, focal = focal_length(camera);
  const Disc middle = covered_disc(rasterize_spheres(View(camera), {{0, 0, 0}}, radius, 1), 0);
  EXPECT_NEAR(middle.x, 200, 0.01);
  EXPECT_NEAR(middle.y, 150, 0.01);
  // The outline is where rays touch the sphere: tan of the angle whose sine is radius / distance.
  EXPECT_NEAR(middle.radius, focal * radius / std::sqrt(25 - radius * radius), 0.3);

  const Disc aside = covered_disc(rasterize_spheres(View(camera), {{0.5f, 0.8f, 1}}, 0.02f, 1), 0);
  EXPECT_NEAR(aside.x, 200 + focal * 0.5 / 4, 0.5);
  EXPECT_NEAR(aside.y, 150 - focal * 0.8 / 4, 0.5);
}

TEST(SphereRaster, ParallelProjectionKeepsSizes) {
  Camera camera = camera_from_front(5, 400, 300);
  camera.orthographic_height = 3;  // 100 pixels per metre
  for (const float z : {0.0f, 3.0f}) {
    const Disc disc = covered_disc(rasterize_spheres(View(camera), {{0.5f, 0, z}}, 0.25f, 1), 0);
    EXPECT_NEAR(disc.x, 250, 0.01);
    EXPECT_NEAR(disc.radius, 25, 0.15);
  }
}

TEST(SphereRaster, NearSpheresHideFarOnes) {
  const View view(camera_from_front(5, 400, 300));
  const std::vector<Vec3> far_first = {{0, 0, -1}, {0, 0, 1}}, near_first = {{0, 0, 1}, {0, 0, -1}};
  const SurfaceBuffer a = rasterize_spheres(view, far_first, 0.3f, 1);
  const SurfaceBuffer b = rasterize_spheres(view, near_first, 0.3f, 1);
  EXPECT_EQ(a.surface[a.index(200, 150)], 1);
  EXPECT_EQ(b.surface[b.index(200, 150)], 0);
  EXPECT_NEAR(a.depth[a.index(200, 150)], 3.7f, 1e-3f);
  EXPECT_EQ(a.depth, b.depth);
}

TEST(SphereRaster, SkipsInvisibleParticles) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const SurfaceBuffer buffer = rasterize_spheres(
      View(camera_from_front(5, 400, 300)),
      {{nan, 0, 0}, {0, infinity, 0}, {0, 0, 6}, {0, 0, 5}, {1e30f, 0, 0}, {100, 0, 0}}, 0.3f, 2);
  for (const std::int32_t surface : buffer.surface) ASSERT_EQ(surface, SurfaceBuffer::nothing);
}

TEST(Camera, WholeBoxIsInThePictureAndFillsIt) {
  for (const Bounds& box : {Bounds{{0, 0, 0}, {1.6f, 1.2f, 0.4f}}, Bounds{{-9, 2, 3}, {9, 3, 4}},
                            Bounds{{0, 0, 0}, {0.1f, 5, 0.1f}}}) {
    for (const int dimensions : {2, 3}) {
      const Camera camera = frame_to_fit(box, dimensions, 640, 360);
      const View view(camera);
      Vec3 low{1e9f, 1e9f, 0}, high{-1e9f, -1e9f, 0};
      for (int k = 0; k < 8; ++k) {
        const Vec3 p = view.project(view.to_view(box.corner(k)));
        for (int axis = 0; axis < 2; ++axis) {
          low[axis] = std::min(low[axis], p[axis]);
          high[axis] = std::max(high[axis], p[axis]);
        }
      }
      EXPECT_GE(low.x, 0);
      EXPECT_GE(low.y, 0);
      EXPECT_LE(high.x, 640);
      EXPECT_LE(high.y, 360);
      EXPECT_GT(std::max((high.x - low.x) / 640, (high.y - low.y) / 360), 0.75f);
    }
  }
}

TEST(Preview, OneParticleIsDrawnAtItsProjectedPosition) {
  Scene scene;
  scene.spacing = 0.5;  // drawn with radius 0.3
  scene.dimensions = 2;
  const ParticleFrame frame = frame_of({{0, 0, 0}});
  RunExtent extent("phase");
  extent.include(frame);
  PreviewOptions options;
  options.camera = camera_from_front(5, 400, 300);
  options.camera->orthographic_height = 3;
  const Image image = Preview(scene, extent, options).render(frame);
  ASSERT_EQ(image.width, 400);
  const Rgb background = image.pixel(5, 5);
  EXPECT_EQ(image.pixel(200 + 32, 150), background);
  EXPECT_EQ(image.pixel(200, 150 - 33), background);
  for (const int offset : {-28, 0, 28}) EXPECT_NE(image.pixel(200 + offset, 150), background);
  const Rgb center = image.pixel(200, 150);
  EXPECT_GT(center[2], center[0] + 40);  // the first phase is blue
}

TEST(Preview, SamePictureForAnyNumberOfThreads) {
  const Scene scene = box_scene();
  const ParticleFrame frame = random_particles(3000);
  for (const char* color : {"speed", "phase", "pressure", "density"}) {
    const Image one = render_with(scene, frame, 1, color);
    EXPECT_EQ(one.rgb, render_with(scene, frame, 2, color).rgb);
    EXPECT_EQ(one.rgb, render_with(scene, frame, 5, color).rgb);
  }
}

TEST(Preview, HandlesEmptyFramesAndStrayParticles) {
  const Scene scene = box_scene();
  const Image empty = render_with(scene, frame_of({}), 2, "speed");
  EXPECT_EQ(empty.width, 240);
  Scene bare;
  ParticleFrame none = frame_of({});
  none.pressure();
  EXPECT_EQ(render_with(bare, none, 1, "pressure").height, 150);

  ParticleFrame frame = random_particles(3000);
  RunExtent inner("speed");
  inner.include(frame);
  frame.position()[0] = {1e6f, 0, 0};
  frame.position()[1] = {std::nanf(""), 0, 0};
  RunExtent extent("speed");
  extent.include(frame);
  EXPECT_LT(extent.bounds().max.x, 1.1f);
  EXPECT_NEAR(extent.bounds().diagonal(), inner.bounds().diagonal(), 0.01f);
  EXPECT_EQ(extent.values().low, 0);
  EXPECT_EQ(extent.values().high, 6);
}

TEST(Outline, ShapesAreDrawnByTheirEdges) {
  const Bounds extent{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(shape_outline(Shape::box({0, 0, 0}, {1, 2, 3}), extent).size(), 12u);
  for (const Segment& s : shape_outline(Shape::sphere({1, 2, 3}, 0.5f), extent))
    EXPECT_NEAR(length(s.from - Vec3{1, 2, 3}), 0.5f, 1e-5f);
  const Shape cylinder = Shape::cylinder({0, 0, 0}, {0, 2, 0}, 0.5f);
  for (const Segment& s : shape_outline(cylinder, extent))
    EXPECT_NEAR(distance(cylinder, s.from).value, 0, 1e-5f);
  const Shape plane = Shape::plane({0.5f, 0.5f, 0.5f}, {1, 1, 1});
  const std::vector<Segment> cut = shape_outline(plane, extent);
  EXPECT_EQ(cut.size(), 6u);  // a hexagon
  for (const Segment& s : cut) EXPECT_NEAR(distance(plane, s.from).value, 0, 1e-5f);
}

TEST(Text, IsDrawnInsideItsWidthAndClipped) {
  Image image(40, 10);
  draw_text(image, 1, 1, "t = 1", 1, {255, 255, 255});
  EXPECT_EQ(text_width("t = 1", 1), 29);
  for (int y = 0; y < 10; ++y)
    for (int x = 30; x < 40; ++x) EXPECT_EQ(image.pixel(x, y), (Rgb{0, 0, 0}));
  EXPECT_EQ(image.pixel(1 + 24 + 2, 1), (Rgb{255, 255, 255}));  // top of the 1
  draw_text(image, -20, -3, "clipped at every side of it", 3, {255, 255, 255});
}

TEST(ContactSheet, ShrinksByAveraging) {
  Image image(4, 2, {0, 0, 0});
  image.at(0, 0)[0] = 200;
  image.at(1, 1)[0] = 100;
  const Image small = shrink(image, 2, 1);
  EXPECT_EQ(small.pixel(0, 0), (Rgb{75, 0, 0}));
  EXPECT_EQ(small.pixel(1, 0), (Rgb{0, 0, 0}));
}

using RenderRunTest = FileTest;

TEST_F(RenderRunTest, WritesEveryPicture) {
  const Scene scene = box_scene();
  ResultFolder folder(path("run"), "{}");
  for (int k = 0; k < 14; ++k) folder.write_frame(k, random_particles(50 + k));
  RenderOptions options;
  options.pictures.quality = Quality::draft;
  options.pictures.width = 64;
  options.pictures.height = 37;  // odd sizes are fine for every format
  options.first = 1;
  int drawn = 0;
  const RenderSummary summary =
      render_run(path("run"), scene, options, [&](const RenderProgress& p) { drawn = p.done; });
  EXPECT_EQ(summary.images, 13);
  EXPECT_EQ(drawn, 13);
  EXPECT_FALSE(std::filesystem::exists(path("run/images/frame_000000.png")));
  EXPECT_EQ(read_png(path("run/images/frame_000013.png")).width, 64);
  EXPECT_EQ(read_png(path("run/preview.png")).height, 37);
  EXPECT_EQ(read_png(path("run/contact.png")).width, 4 * (64 + 8) + 8);
  EXPECT_EQ(summary.video.empty(), !summary.video_problem.empty());
  EXPECT_EQ(std::filesystem::exists(path("run/preview.mp4")), !summary.video.empty());

  options.every = 6;
  options.out = path("other");
  EXPECT_EQ(render_run(path("run"), scene, options).images, 3);  // 1, 7, 13
  EXPECT_TRUE(std::filesystem::exists(path("other/images/frame_000007.png")));
  options.first = 50;
  expect_contains(error_message(ErrorKind::usage, [&] { render_run(path("run"), scene, options); }),
                  "the run has frames 0 to 13");
}

TEST_F(RenderRunTest, SkipsAndReportsUnreadableFrames) {
  ResultFolder folder(path("run"), "{}");
  for (int k = 0; k < 6; ++k) folder.write_frame(k, random_particles(k == 5 ? 0 : 50));
  std::filesystem::resize_file(path("run/particles/frame_000002.vtp"), 1000);
  std::filesystem::remove(path("run/particles/frame_000003.vtp"));
  RenderOptions options;
  options.pictures.quality = Quality::draft;
  options.pictures.width = options.pictures.height = 32;
  const RenderSummary summary = render_run(path("run"), box_scene(), options);
  EXPECT_EQ(summary.images, 4);  // the last without particles
  ASSERT_EQ(summary.problems.size(), 2u);
  expect_contains(summary.problems[0], "frame_000002.vtp");
  EXPECT_EQ(summary.problems[1], "frame 3 is missing");
  options.every = 5;  // frames that are not drawn are not read
  options.overwrite = true;
  EXPECT_TRUE(render_run(path("run"), box_scene(), options).problems.empty());
  options.first = options.last = 2;
  options.every = 1;
  expect_contains(
      error_message(ErrorKind::io, [&] { render_run(path("run"), box_scene(), options); }),
      "frame_000002.vtp");
}

TEST_F(RenderRunTest, PicturesOfOtherSettingsAreNotMixed) {
  ResultFolder folder(path("run"), "{}");
  for (int k = 0; k < 3; ++k) folder.write_frame(k, random_particles(20));
  RenderOptions options;
  options.pictures.quality = Quality::draft;
  options.pictures.width = options.pictures.height = 32;
  render_run(path("run"), box_scene(), options);
  std::filesystem::copy(path("run/images/frame_000002.png"), path("run/images/frame_000077.png"));
  EXPECT_EQ(render_run(path("run"), box_scene(), options).images, 3);          // the same settings
  EXPECT_FALSE(std::filesystem::exists(path("run/images/frame_000077.png")));  // of an earlier run

  options.pictures.width = 48;
  options.first = 1;
  const std::string before = read_binary_file(path("run/preview.png"));
  expect_contains(
      error_message(ErrorKind::io, [&] { render_run(path("run"), box_scene(), options); }),
      "choose another --out or pass --overwrite");
  EXPECT_EQ(read_png(path("run/images/frame_000000.png")).width, 32);
  EXPECT_EQ(read_binary_file(path("run/preview.png")), before);
  options.overwrite = true;
  render_run(path("run"), box_scene(), options);
  EXPECT_FALSE(std::filesystem::exists(path("run/images/frame_000000.png")));
  EXPECT_EQ(read_png(path("run/images/frame_000001.png")).width, 48);
}

TEST_F(RenderRunTest, VideoProgramThatFailsIsAnError) {
  const auto add_until_error = [](VideoWriter& video) {
    for (int k = 0; k < 100; ++k) video.add(Image(64, 64));
    video.finish();
  };
  error_message(ErrorKind::io, [&] {
    VideoWriter video("/bin/false", path("a.mp4"), 64, 64, 30);
    add_until_error(video);
  });
  error_message(ErrorKind::io, [&] { VideoWriter("/no/such/program", path("a.mp4"), 64, 64, 30); });
  EXPECT_FALSE(std::filesystem::exists(path("a.mp4")));
  EXPECT_EQ(find_on_path("no-such-program-anywhere"), "");
  EXPECT_NE(find_on_path("sh"), "");
}

}  // namespace
}  // namespace panta
