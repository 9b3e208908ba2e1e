// The path tracer against closed forms: conservation of energy, the laws of Fresnel, Snell and
// Beer, light from rectangles, depth of field, and convergence.
#include "panta/render/final/path_tracer.h"

#include <gtest/gtest.h>

#include "lit_scene_fixture.h"

namespace panta {
namespace {

constexpr double degree = std::numbers::pi / 180;

TEST(PathTracer, EmptySceneShowsTheSky) {
  const LitScene scene;
  Lens lens;
  lens.camera = {.eye = {0, 0, 0}, .target = {0, 0.5f, -1}, .fov = 2, .width = 4, .height = 4};
  const TracedPicture picture = PathTracer(scene).render(lens, {.samples = 16, .threads = 1});
  const LinearColor expected = scene.sky.radiance(normalized(Vec3{0, 0.5f, -1}));
  for (const LinearColor& light : picture.light)
    EXPECT_NEAR(luminance(light), luminance(expected), 0.02f);
}

// White matte matter is as bright as a uniform sky, for any number of bounces.
TEST(PathTracer, WhiteBallIsInvisibleInAUniformSky) {
  LitScene scene = scene_under(white);
  scene.ground = Ground{{0, -1, 0}, white, 10};
  scene.balls = {{{{0, 0, 0}}, 1, {white}, Finish::matte}};
  const Lens lens = parallel_lens({0, 3, 6}, {0, -0.4f, 0}, 2.5f, 8, 8);
  EXPECT_NEAR(light_through(scene, lens, 64), 1, 0.005);
}

// The varnish conserves light, except for losses between its microfacets.
TEST(PathTracer, WhiteGlossyBallIsNearlyInvisibleInAUniformSky) {
  LitScene scene = scene_under(white);
  scene.balls = {{{{0, 0, 0}}, 1, {white}, Finish::glossy}};
  EXPECT_NEAR(light_through(scene, parallel_lens({0, 0, 6}, {}, 1.6f, 8, 8), 256), 1, 0.01);
}

TEST(PathTracer, ClearSphereIsInvisibleInAUniformSky) {
  LitScene scene = scene_under(white);
  scene.solids = {placed(unit_sphere(32), clear_matter(1.5f))};
  EXPECT_NEAR(light_through(scene, parallel_lens({0, 0, 6}, {}, 2, 8, 8), 64), 1, 0.005);
}

// A rectangle behind the objects at the origin, for a camera that looks along -z.
AreaLight wall_of_light() { return {{0, 0, -5}, {20, 0, 0}, {0, 20, 0}, white}; }

// For a plate whose surfaces reflect r and which transmits t = exp(-a d), the sum over internal
// reflections is (1 - r)^2 t / (1 - r^2 t^2).
TEST(PathTracer, PlateDimsLightByBeersLaw) {
  for (const float absorption : {0.0f, 2.0f, 8.0f}) {
    LitScene scene = scene_under(black);
    scene.solids = {placed(box({-9, -9, 0}, {9, 9, 0.25f}), clear_matter(1.5f, absorption))};
    scene.lights = {wall_of_light()};
    const double r = 0.04, t = std::exp(-0.25 * static_cast<double>(absorption));
    const double expected = (1 - r) * (1 - r) * t / (1 - r * r * t * t);
    EXPECT_NEAR(light_through(scene, parallel_lens({0, 0, 5}, {}, 1), 4096), expected,
                0.005 * expected)
        << absorption;
  }
}

double fresnel_by_angles(double angle, double index) {
  const double other = std::asin(std::sin(angle) / index);
  const double s = std::sin(angle - other) / std::sin(angle + other);
  const double p = std::tan(angle - other) / std::tan(angle + other);
  return 0.5 * (s * s + p * p);
}

TEST(PathTracer, FresnelFactorMatchesTheFormOfAngles) {
  for (const double angle : {10.0, 30.0, 45.0, 60.0, 75.0, 85.0})
    EXPECT_NEAR(fresnel(static_cast<float>(std::cos(angle * degree)), 1, 1.333f),
                fresnel_by_angles(angle * degree, 1.333), 1e-4)
        << angle;
  EXPECT_NEAR(fresnel(1, 1, 1.5f), 0.04f, 1e-6f);
  EXPECT_EQ(fresnel(static_cast<float>(std::cos(49 * degree)), 1.333f, 1), 1);  // beyond 48.6
  EXPECT_LT(fresnel(static_cast<float>(std::cos(48 * degree)), 1.333f, 1), 1);
}

// Water so dark that only its surface reflects light.
TEST(PathTracer, DeepWaterMirrorsByAngle) {
  LitScene scene = scene_under(white);
  scene.liquids = {placed(box({-9, -9, -9}, {9, 0, 9}), clear_matter(1.333f, 1e5f))};
  for (const double angle : {5.0, 50.0, 75.0}) {
    const Vec3 eye = {0, static_cast<float>(2 * std::cos(angle * degree)),
                      static_cast<float>(2 * std::sin(angle * degree))};
    EXPECT_NEAR(light_through(scene, parallel_lens(eye, {}, 0.01f), 1024),
                fresnel_by_angles(angle * degree, 1.333), 5e-3)
        << angle;
  }
}

// A plate of thickness d, tilted by i, shifts the background by
// d sin(i) (1 - cos(i) / sqrt(n^2 - sin(i)^2)).
TEST(PathTracer, TiltedPlateShiftsTheBackground) {
  constexpr double tilt = 40 * degree, thickness = 0.5, index = 1.5;
  constexpr int pixels = 256;
  LitScene scene = scene_under(black);
  PictureMesh plate = placed(box({-9, -9, -0.25f}, {9, 9, 0.25f}), clear_matter(1.5f));
  plate.rotation = rotation(axis_angle({0, 1, 0}, static_cast<float>(tilt)));
  scene.solids = {plate};
  AreaLight half = wall_of_light();  // up to x = 0
  half.center.x = -20;
  scene.lights = {half};
  const Lens lens = parallel_lens({0, 0, 9}, {}, 1.0f / pixels, pixels, 1);
  const double bright =
      light_through(scene, parallel_lens({-0.5f, 0, 9}, {-0.5f, 0, 0}, 0.01f), 1024);
  const double edge = light_through(scene, lens, 256) / bright - 0.5;  // m, of the bright part
  const double sine = std::sin(tilt);
  const double shift =
      thickness * sine * (1 - std::cos(tilt) / std::sqrt(index * index - sine * sine));
  EXPECT_NEAR(std::abs(edge), shift, 0.01 * shift);
}

// Layers that reflect r and transmit t, with multiple reflections between them.
struct Layer {
  double r, t;
  Layer over(const Layer& below) const {
    const double loops = 1 / (1 - r * below.r);
    return {r + t * t * below.r * loops, t * below.t * loops};
  }
  static Layer surface(double from, double to) {
    const double root = (from - to) / (from + to);
    return {root * root, 1 - root * root};
  }
};

// Water that overlaps the glass is cut off by it: air, glass, water, air.
TEST(PathTracer, GlassHasPriorityOverOverlappingWater) {
  LitScene scene = scene_under(black);
  scene.solids = {placed(box({-9, -9, 0}, {9, 9, 0.1f}), clear_matter(1.8f))};
  scene.liquids = {placed(box({-9, -9, -0.5f}, {9, 9, 0.04f}), clear_matter(1.333f))};
  scene.lights = {wall_of_light()};
  const double expected =
      Layer::surface(1, 1.8).over(Layer::surface(1.8, 1.333)).over(Layer::surface(1.333, 1)).t;
  const double seen = light_through(scene, parallel_lens({0, 0, 5}, {}, 1), 4096);
  EXPECT_NEAR(seen, expected, 0.005);
}

// The fraction of the light from a rectangle with sides a, b that reaches a surface parallel to it,
// at a distance of 1 below one of its corners.
double corner_form_factor(double a, double b) {
  const double x = std::sqrt(1 + a * a), y = std::sqrt(1 + b * b);
  return (a / x * std::atan(b / x) + b / y * std::atan(a / y)) / (2 * std::numbers::pi);
}

LitScene lit_ground(float albedo) {
  LitScene scene = scene_under(black);
  scene.ground = Ground{{0, 0, 0}, {albedo, albedo, albedo}, 1e3f};
  scene.lights = {{{0, 1, 0}, {0.8f, 0, 0}, {0, 0, 0.5f}, {3, 3, 3}}};
  return scene;
}
const Lens ground_lens = parallel_lens({0, 0.5f, 3}, {}, 0.002f);

TEST(PathTracer, RectangleLightsTheGroundByItsFormFactor) {
  const double expected = 0.5 * 3 * 4 * corner_form_factor(0.8, 0.5);
  EXPECT_NEAR(light_through(lit_ground(0.5f), ground_lens, 2048), expected, 0.005 * expected);
}

TEST(PathTracer, HidingHalfTheLightHalvesTheIrradiance) {
  LitScene scene = lit_ground(0.5f);
  scene.solids = {placed(quad({0, 0.9f, -2}, {2, 0.9f, -2}, {2, 0.9f, 2}, {0, 0.9f, 2}),
                         {.finish = Finish::matte, .color = black})};
  const double expected = 0.5 * 3 * 2 * corner_form_factor(0.8, 0.5);
  EXPECT_NEAR(light_through(scene, ground_lens, 2048), expected, 0.01 * expected);
}

// A small light above a plate of glass: Fresnel losses at two surfaces.
TEST(PathTracer, ShadowOfGlassIsLight) {
  LitScene scene = lit_ground(0.5f);
  scene.lights = {{{0, 8, 0}, {0.1f, 0, 0}, {0, 0, 0.1f}, {300, 300, 300}}};
  const Lens lens = parallel_lens({0, 0.1f, 3}, {}, 0.002f);
  const double open = light_through(scene, lens, 256);
  scene.solids = {placed(box({-0.3f, 1, -0.3f}, {0.3f, 1.1f, 0.3f}), clear_matter(1.5f, 1))};
  EXPECT_NEAR(light_through(scene, lens, 256) / open, 0.96 * 0.96 * std::exp(-0.1), 0.005);
}

// An edge at distance b, with a lens of diameter A focused at f, is blurred over a disc of radius A
// |b - f| / (2 f). In projection a disc has the variance radius^2 / 4, the pixel filter 1 / 6.
TEST(PathTracer, BlurOfALensFollowsTheCircleOfConfusion) {
  LitScene scene = scene_under(white);
  scene.solids = {placed(quad({0, -9, -6}, {9, -9, -6}, {9, 9, -6}, {0, 9, -6}),
                         {.finish = Finish::matte, .color = black})};
  Lens lens;
  lens.camera = {.eye = {0, 0, 0}, .target = {0, 0, -1}, .fov = 10, .width = 200, .height = 4};
  lens.aperture = 0.3f;
  lens.focus = {0.5f, 0.2f, -4};
  // 4 pixels span 10 degrees: use a square picture to make them small.
  lens.camera.fov = static_cast<float>(2 * std::atan(std::tan(5 * degree) * 4 / 200) / degree);
  const TracedPicture picture = PathTracer(scene).render(lens, {.samples = 1024, .threads = 1});
  double mean = 0, square = 0;
  for (int x = 1; x < 200; ++x) {
    double step = 0;
    for (int y = 0; y < 4; ++y) {
      const auto at = static_cast<std::size_t>(y * 200 + x);
      step += static_cast<double>(luminance(picture.light[at - 1]) - luminance(picture.light[at]));
    }
    mean += step / 4 * x, square += step / 4 * x * x;
  }
  const double pixel = 6 * 2 * std::tan(5 * degree) / 200;  // m, at the edge
  const double radius = 0.3 * (6 - 4) / (2.0 * 4) / pixel;
  const double measured = 2 * std::sqrt(square - mean * mean - 1.0 / 6);
  EXPECT_NEAR(mean, 100, 0.2);
  EXPECT_NEAR(measured, radius, 0.02 * radius);
}

LitScene assorted_scene() {
  LitScene scene;
  scene.ground = Ground{{0, -1, 0}, {0.5f, 0.5f, 0.5f}, 5};
  scene.solids = {placed(unit_sphere(16), clear_matter(1.5f, 0.3f))};
  scene.balls = {{{{1.6f, -0.4f, 0}}, 0.6f, {{0.8f, 0.3f, 0.1f}}, Finish::glossy}};
  scene.lights = {{{-3, 4, 3}, {1, 0, 1}, {1, 1.5f, -1}, {6, 6, 6}}};
  return scene;
}

Lens assorted_lens() {
  Lens lens;
  lens.camera = {.eye = {0, 1.5f, 7}, .target = {0.4f, 0, 0}, .fov = 32, .width = 40, .height = 24};
  return lens;
}

double error_against(const TracedPicture& picture, const TracedPicture& reference) {
  double sum = 0;
  for (std::size_t k = 0; k < picture.light.size(); ++k) {
    const float truth = luminance(reference.light[k]);
    const double e = static_cast<double>((luminance(picture.light[k]) - truth) / truth);
    sum += e * e;
  }
  return std::sqrt(sum / static_cast<double>(picture.light.size()));
}

// At least as fast as one over the square root of the number of samples, with a conservative
// estimate.
TEST(PathTracer, ErrorFallsWithSamples) {
  const PathTracer tracer(assorted_scene());
  const Lens lens = assorted_lens();
  const TracedPicture reference = tracer.render(lens, {.samples = 2048, .threads = 1});
  const TracedPicture few = tracer.render(lens, {.samples = 16, .threads = 1});
  const TracedPicture many = tracer.render(lens, {.samples = 256, .threads = 1});
  const double first = error_against(few, reference), last = error_against(many, reference);
  EXPECT_LT(last, first / 3.6);
  for (const double ratio : {few.error / first, many.error / last}) {
    EXPECT_GT(ratio, 0.9);
    EXPECT_LT(ratio, 3);
  }
}

TEST(PathTracer, SameBitsForAnyNumberOfThreads) {
  const PathTracer tracer(assorted_scene());
  const TraceOptions one{.samples = 32, .target_error = 0.03f, .threads = 1};
  TraceOptions two = one;
  two.threads = 2;
  const TracedPicture a = tracer.render(assorted_lens(), one);
  const TracedPicture b = PathTracer(assorted_scene()).render(assorted_lens(), two);
  EXPECT_EQ(a.light, b.light);
  EXPECT_EQ(a.rays, b.rays);
}

TEST(PathTracer, AccuratePartsEndEarly) {
  const PathTracer tracer(assorted_scene());
  const TracedPicture picture =
      tracer.render(assorted_lens(), {.samples = 512, .target_error = 0.03f, .threads = 1});
  EXPECT_LT(picture.mean_samples, 256);
  EXPECT_LT(picture.error, 0.03);
}

TEST(PathTracer, ErrorsNameInvalidSurfaces) {
  const auto message = [](const SurfaceMesh& mesh) -> std::string {
    LitScene scene;
    scene.liquids = {placed(std::make_shared<SurfaceMesh>(mesh), {})};
    try {
      const PathTracer tracer(scene);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "";
  };
  SurfaceMesh mesh = *box({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(message(mesh), "");
  mesh.triangles[3][1] = 77;
  EXPECT_EQ(message(mesh),
            "the mesh of a liquid cannot be drawn: triangle 3 names vertex 77 of only 8");
  mesh.position[5].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message(mesh).find("vertex 5 is not finite"), std::string::npos);
  EXPECT_EQ(message(SurfaceMesh{}), "");  // nothing to draw
}

TEST(PathTracer, SamplesFillTheSquareEvenly) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::array<int, 64> wide{}, high{}, cells{};
    for (std::uint32_t k = 0; k < 64; ++k) {
      Sampler sampler(seed, k);
      sampler.next();
      const Pair u = sampler.next();
      ++wide[static_cast<std::size_t>(64 * u.x)];
      ++high[static_cast<std::size_t>(64 * u.y)];
      ++cells[8 * static_cast<std::size_t>(8 * u.x) + static_cast<std::size_t>(8 * u.y)];
    }
    for (std::size_t k = 0; k < 64; ++k) {
      EXPECT_EQ(wide[k], 1);
      EXPECT_EQ(high[k], 1);
      EXPECT_EQ(cells[k], 1);
    }
  }
}

}  // namespace
}  // namespace panta
