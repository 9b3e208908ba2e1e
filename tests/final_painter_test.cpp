// Final pictures of runs: liquids at walls, tone mapping, and the painter.
#include "panta/render/final/final_painter.h"

#include <gtest/gtest.h>

#include "lit_scene_fixture.h"
#include "panta/render/final/wetting.h"
#include "panta/render/make_painter.h"

namespace panta {
namespace {

// Water slightly away from a wall of glass and from the floor.
TEST(Wetting, ClosesTheGapToTouchedWalls) {
  LitScene scene;
  scene.solids = {placed(box({1, 0, -1}, {1.2f, 2, 1}), clear_matter(1.5f))};
  const RayScene solids(scene);
  const Ground ground{{0, 0, 0}, white, 9};
  const Vec3 aslant = normalized(Vec3{1, 1, 0});
  SurfaceMesh water;
  water.position = {{0.97f, 0.5f, 0}, {0.5f, 0.03f, 0}, {0.97f, 0.6f, 0},
                    {0.8f, 0.5f, 0},  {0.97f, 0.7f, 0}, {0.98f, 0.02f, 0}};
  water.normal = {{1, 0, 0}, {0, -1, 0}, aslant, {1, 0, 0}, {0, 1, 0}, normalized(Vec3{1, -1, 0})};
  const SurfaceMesh wet = wetted(water, solids, ground, 0.05f);
  EXPECT_NEAR(wet.position[0].x, 1.005f, 1e-5f);   // into the glass
  EXPECT_NEAR(wet.position[1].y, -0.005f, 1e-5f);  // into the floor
  EXPECT_NEAR(wet.position[2].x, 1.005f, 1e-5f);   // at the edge of the surface: horizontally
  EXPECT_EQ(wet.position[2].y, 0.6f);              // towards the wall
  EXPECT_EQ(wet.position[3], water.position[3]);   // too far
  EXPECT_EQ(wet.position[4], water.position[4]);   // looks upwards
  EXPECT_NEAR(wet.position[5].x, 1.005f, 1e-5f);   // in the edge of both
  EXPECT_NEAR(wet.position[5].y, -0.005f, 1e-5f);
}

// A gap of air between water and glass reflects light at grazing angles; after wetting it does not.
TEST(Wetting, WaterAndGlassTouchWithoutGap) {
  SurfaceMesh water = *box({-2, -2, -1}, {2, 2, -0.01f});
  for (const Vec3& p : water.position)
    water.normal.push_back(p.z > -0.5f ? Vec3{0, 0, 1} : Vec3{0, 0, -1});
  LitScene scene;
  scene.solids = {placed(box({-9, -9, 0}, {9, 9, 0.1f}), clear_matter(1.5f))};
  const RayScene solids(scene);
  const auto boundaries = [&](const SurfaceMesh& mesh) {
    LitScene all = scene;
    all.liquids = {placed(std::make_shared<SurfaceMesh>(mesh), clear_matter(1.333f))};
    const RayScene rays(all);
    Ray ray{{0, 0, 1}, {0, 0, -1}};
    MediaSet media = 0;
    int met = 0;
    for (SurfaceHit hit; rays.nearest(ray, 10, hit);) {
      const Crossing crossing(media, hit.medium, hit.front);
      met += MediaTable::is_boundary(crossing);
      media = crossing.after;
      ray.origin = rays.lifted(hit.point, hit.normal, ray.direction);
    }
    return met;
  };
  EXPECT_EQ(boundaries(water), 4);  // air, glass, air, water, air
  EXPECT_EQ(boundaries(wetted(water, solids, std::nullopt, 0.05f)), 3);  // air, glass, water, air
}

TEST(Film, BrightLightIsCompressedAndKeepsItsHue) {
  const LinearColor middle = film_response({0.5f, 0.2f, 0.1f});
  EXPECT_NEAR(middle.x, 0.5f, 1e-6f);
  EXPECT_NEAR(middle.y / middle.z, 2, 1e-5f);
  float last = 0;
  for (float light = 0.05f; light < 50; light *= 1.1f) {
    const float shown = film_response(white * light).x;
    EXPECT_GT(shown, last - 1e-6f);
    EXPECT_LE(shown, 1);
    last = shown;
  }
  EXPECT_GT(last, 0.99f);
  const LinearColor orange = film_response({1.2f, 0.6f, 0.2f});
  EXPECT_GT(orange.x, orange.y);
  EXPECT_GT(orange.y, orange.z);
}

struct Pool {
  Scene scene;
  ParticleFrame frame;
  RunExtent extent{"speed"};

  Pool() {
    scene.spacing = 0.1;
    scene.materials = {Material{}};
    scene.bodies = {{.shape = Shape::sphere({0.2f, 0.6f, 0.5f}, 0.15f)}};
    frame.resize(250);
    for (std::uint32_t k = 0; k < 250; ++k) {
      const Vec3 cell = {static_cast<float>(k % 10), static_cast<float>(k / 100),
                         static_cast<float>(k / 10 % 10)};
      frame.id()[k] = k;
      frame.position()[k] = cell * 0.1f + Vec3{1, 1, 1} * 0.05f;
      frame.density()[k] = 1000;
    }
    extent.include(frame);
  }
};

// The means of red and blue over the middle of a picture, from 0 to 255.
std::array<double, 2> red_and_blue(const Image& image) {
  std::array<double, 2> sum{};
  int count = 0;
  for (int y = image.height * 2 / 5; y < image.height * 3 / 5; ++y)
    for (int x = image.width * 2 / 5; x < image.width * 3 / 5; ++x, ++count)
      for (std::size_t k = 0; k < 2; ++k) sum[k] += image.pixel(x, y)[2 * k];
  return {sum[0] / count, sum[1] / count};
}

TEST(FinalPainter, DrawsParticlesAndLiquids) {
  const Pool pool;
  FinalOptions options{.width = 48, .height = 27, .samples = 16, .threads = 1};
  FinalReport report;
  options.report = [&](const FinalReport& r) { report = r; };
  const Image balls = make_final_painter(pool.scene, pool.extent, options)->paint(pool.frame);
  EXPECT_EQ(balls.width, 48);
  EXPECT_EQ(report.mean_samples, 16);
  EXPECT_GT(report.rays, 48u * 27 * 16);
  EXPECT_GT(report.error, 0);
  EXPECT_LT(report.error, 0.5);

  options.surfaces = [](const ParticleFrame&) {
    return std::vector<std::pair<std::uint32_t, SurfaceMesh>>{
        {0, *box({0.02f, 0.02f, 0.02f}, {0.98f, 0.3f, 0.98f})}};
  };
  const Image water = make_final_painter(pool.scene, pool.extent, options)->paint(pool.frame);
  for (const Image* image : {&balls, &water}) {
    const auto [red, blue] = red_and_blue(*image);
    EXPECT_GT(blue, red + 5);
    EXPECT_GT(blue, 60);
  }
}

TEST(FinalPainter, UsesTheSurfaceOptionsOfTheScene) {
  Pool pool;
  const auto drawn = [&] {
    std::string notice;
    PictureOptions options;
    options.quality = Quality::final;
    options.width = 48;
    options.height = 27;
    options.samples = 4;
    options.threads = 1;
    return make_painter(pool.scene, pool.extent, options, notice)->paint(pool.frame).rgb;
  };
  const auto unasked = drawn();
  pool.scene.surface_output = SurfaceOutput{};
  EXPECT_EQ(drawn(), unasked);
  pool.scene.surface_output->method = SurfaceMethod::metaballs;
  EXPECT_NE(drawn(), unasked);
}

}  // namespace
}  // namespace panta
