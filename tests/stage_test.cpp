// Bodies in pictures: ray intersections with composed solids, looks, motion, framing, and pictures
// of scenes before their run.
#include <gtest/gtest.h>

#include <cmath>

#include "camera_fixture.h"
#include "command_test_fixture.h"
#include "panta/core/error.h"
#include "panta/io/png.h"
#include "panta/load/load.h"
#include "panta/render/preview.h"
#include "panta/render/render_scene.h"
#include "panta/render/trace.h"

namespace panta {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

DrawnBody drawn_body(const Shape& shape) {
  const Bounds bounds = surface_bounds(shape);
  return {shape, bounds.center(), 0.5f * bounds.diagonal()};
}

Scene scene_with(const Body& body) {
  Scene scene;
  scene.spacing = 0.1;
  scene.bodies = {body};
  return scene;
}

ParticleFrame particle_at(const Vec3& position, double time = 0) {
  ParticleFrame frame;
  frame.time = time;
  frame.resize(1);
  frame.position() = {position};
  frame.density() = {1000};
  return frame;
}

Image picture(const Scene& scene, const ParticleFrame& frame, int threads = 1) {
  RunExtent extent("phase");
  extent.include(frame);
  PreviewOptions options;
  options.threads = threads;
  options.camera = camera_from_front(5, 160, 120);
  return Preview(scene, extent, options).render(frame);
}

// The difference of two colours, 0 to 765.
int contrast(Rgb a, Rgb b) {
  int sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += std::abs(int{a[k]} - int{b[k]});
  return sum;
}

TEST(TracedSolid, FindsTheSurfaceOfACompositionOnEveryRay) {
  const Shape shape = unite(Shape::sphere({-0.4f, 0, 0}, 0.5f), Shape::sphere({0.5f, 0, 0}, 0.3f));
  const View view(camera_from_front(5, 160, 120));
  const TracedSolid solid(drawn_body(shape), view, 1);
  // The nearer of the two spheres' exact intersections.
  const auto exact = [](const View::Ray& ray) {
    float nearest = infinity;
    for (const auto& [center, radius] :
         {std::pair{Vec3{-0.4f, 0, 0}, 0.5f}, {{0.5f, 0, 0}, 0.3f}}) {
      const Vec3 to_eye = ray.origin - center;
      const float a = dot(ray.direction, ray.direction), b = dot(to_eye, ray.direction);
      const float root = b * b - a * (dot(to_eye, to_eye) - radius * radius);
      if (root > 0) nearest = std::min(nearest, (-b - std::sqrt(root)) / a);
    }
    return nearest;
  };
  int differing = 0, hits = 0;
  for (int y = 0; y < view.height(); ++y)
    for (int x = 0; x < view.width(); ++x) {
      const View::Ray ray = view.world_ray(x, y);
      const float found = solid.first_hit(x, y, ray), right = exact(ray);
      hits += right < infinity;
      differing += (found < infinity) != (right < infinity);
      if (found < infinity && right < infinity) {
        EXPECT_NEAR(found, right, 2e-3f);
      }
    }
  EXPECT_GT(hits, 1000);
  EXPECT_LE(differing, hits / 200);  // at the rim
}

TEST(TracedSolid, CrossesBothWallsOfAShell) {
  const Shape ball = shell(Shape::sphere({0, 0, 0}, 1), 0.1f);
  const View view(camera_from_front(5, 160, 120));
  const TracedSolid solid(drawn_body(ball), view, 1);
  std::vector<float> depths;
  const int x = view.width() / 2, y = view.height() / 2;
  const auto note = [&](float depth) { depths.push_back(depth); };
  solid.each_crossing(x, y, view.world_ray(x, y), infinity, note);
  ASSERT_EQ(depths.size(), 4u);
  EXPECT_NEAR(depths[0], 4, 1e-3f);
  EXPECT_NEAR(depths[1], 4.1f, 1e-3f);
  EXPECT_NEAR(depths[2], 5.9f, 1e-3f);
  EXPECT_NEAR(depths[3], 6, 1e-3f);
  depths.clear();
  solid.each_crossing(x, y, view.world_ray(x, y), 5, note);
  EXPECT_EQ(depths.size(), 2u);
}

TEST(TracedSolid, SurfaceBoundsOfABlendAreTight) {
  const Shape shape =
      unite(Shape::sphere({-0.2f, 0, 0}, 0.5f), Shape::sphere({0.2f, 0, 0}, 0.5f), 0.3f);
  const Bounds bounds = surface_bounds(shape);
  EXPECT_NEAR(bounds.max.x, 0.7f, 0.01f);
  EXPECT_NEAR(bounds.min.x, -0.7f, 0.01f);
  EXPECT_NEAR(distance(shape, {0, bounds.max.y, 0}).value, 0, 0.01f);
}

TEST(Looks, SolidGlassAndHiddenBodiesDiffer) {
  const Shape ball = Shape::sphere({0, 0, 0}, 0.8f);
  const auto center = [&](Look look) {
    Body body{ball};
    body.look = look;
    return picture(scene_with(body), particle_at({0, 0, 0})).pixel(80, 60);
  };
  const Rgb bare = center(Look::hidden), glass = center(Look::glass), solid = center(Look::solid);
  EXPECT_GT(contrast(bare, solid), 150);
  EXPECT_LT(contrast(bare, glass), 90);
  EXPECT_EQ(center(Look::automatic), solid);

  // The rim of glass is seen.
  Body body{ball};
  body.look = Look::glass;
  const int rim = 80 + static_cast<int>(0.785f / 5 * 60 / std::tan(0.349f));
  const Image with = picture(scene_with(body), particle_at({0, 0, 0}));
  body.look = Look::hidden;
  const Image without = picture(scene_with(body), particle_at({0, 0, 0}));
  EXPECT_GT(contrast(with.pixel(rim, 60), without.pixel(rim, 60)), 40);
  EXPECT_LT(contrast(with.pixel(rim + 8, 20), without.pixel(rim + 8, 20)), 12);
}

TEST(Looks, HollowBodiesAndPlanesAreOutlinedByDefault) {
  const Shape round = Shape::cylinder({0, -1, 0}, {0, 1, 0}, 0.5f);
  Scene scene = scene_with({round, true});
  scene.bodies.push_back({Shape::plane({0, -1, 0}, {0, 1, 0})});
  scene.bodies.push_back({unite(round, Shape::sphere({0, 1, 0}, 0.6f)), true});
  const DrawnBodies drawn_bodies = drawn_bodies_at(make_stage(scene, {}), 0);
  EXPECT_EQ(drawn_bodies.outlined.size(), 2u);
  EXPECT_EQ(drawn_bodies.glass.size(), 1u);  // a composition has no outline
  EXPECT_TRUE(drawn_bodies.solid.empty());
}

TEST(Looks, AreReadFromTheScene) {
  const auto look = [](const std::string& entry) {
    const std::string scene = R"({"method": "sph", "spacing": 0.1, "bodies": [{"shape":
      {"sphere": {"center": [0, 0, 0], "radius": 1}})" +
                              entry + "}]}";
    return parse_scene(scene, "s.json").bodies.at(0).look;
  };
  EXPECT_EQ(look(""), Look::automatic);
  EXPECT_EQ(look(R"(, "look": "glass")"), Look::glass);
  EXPECT_THROW(look(R"(, "look": "glas")"), Error);
}

TEST(Stage, MovingBodiesAreAtTheirPosesOfTheFrame) {
  Body body{Shape::box({-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f})};
  body.motion.keys = {{0, {-1, 0, 0}, {}}, {1, {1, 0, 0}, axis_angle({0, 0, 1}, 0.5f)}};
  Scene scene = scene_with(body);
  const Stage stage = make_stage(scene, {});
  EXPECT_NEAR(stage.extent.min.x, -1.2f, 0.01f);
  EXPECT_GT(stage.extent.max.x, 1.19f);
  for (const double time : {0.0, 0.25, 1.0, 3.0}) {
    const DrawnBodies drawn_bodies = drawn_bodies_at(stage, time);
    const float x = -1 + 2 * std::min(static_cast<float>(time), 1.0f);
    EXPECT_NEAR(drawn_bodies.solid.at(0).center.x, x, 1e-5f);
    EXPECT_NEAR(distance(drawn_bodies.solid.at(0).shape, {x, 0, 0}).value, -0.2f, 1e-5f);
  }
  // On the left at the start, on the right at the end.
  const Vec3 far_away{0, -1.5f, 0};
  const Image first = picture(scene, particle_at(far_away, 0));
  const Image last = picture(scene, particle_at(far_away, 1));
  const int shift = static_cast<int>(1.0f / 5 * 60 / std::tan(0.349f));
  EXPECT_GT(contrast(first.pixel(80 - shift, 60), last.pixel(80 - shift, 60)), 60);
  EXPECT_GT(contrast(first.pixel(80 + shift, 60), last.pixel(80 + shift, 60)), 60);
}

TEST(Stage, EventsChangeTheBodies) {
  Scene scene = scene_with({Shape::sphere({0, 0, 0}, 1)});
  Scene later = scene;
  later.bodies.clear();
  scene.events.push_back({0.5, std::make_shared<const Scene>(later)});
  const Stage stage = make_stage(scene, {});
  EXPECT_EQ(drawn_bodies_at(stage, 0.4).solid.size(), 1u);
  EXPECT_EQ(drawn_bodies_at(stage, 0.5).solid.size(), 0u);
}

TEST(Stage, ShowsTheFluidAndBodiesThatAreNotHuge) {
  Scene scene = scene_with({Shape::sphere({0.5f, 0, 0}, 0.5f)});
  scene.bodies.push_back({Shape::box({-50, -2, -50}, {50, -1, 50})});
  const Bounds fluid{{0, -1, 0}, {0.5f, -0.5f, 0.5f}};
  const Bounds extent = make_stage(scene, fluid).extent;
  EXPECT_NEAR(extent.max.x, 2, 0.7f);
  EXPECT_NEAR(extent.max.y, 0.5f, 1e-4f);
  EXPECT_LT(extent.diagonal(), 6);
  // Solids without an end are cut.
  Body ground{subtract(Shape::plane({0, 0, 0}, {0, 1, 0}), Shape::sphere({0, 0, 0}, 0.3f))};
  scene.bodies = {ground};
  const DrawnBodies drawn_bodies = drawn_bodies_at(make_stage(scene, fluid), 0);
  EXPECT_LT(drawn_bodies.solid.at(0).radius, 10);
}

TEST(Stage, SamePictureForAnyNumberOfThreads) {
  Scene scene = scene_with({shell(Shape::sphere({0, 0, 0}, 0.8f), 0.05f)});
  scene.bodies[0].look = Look::glass;
  scene.bodies.push_back(
      {unite(Shape::sphere({0.6f, 0, 0}, 0.3f), Shape::box({0, -1, -1}, {1, -0.8f, 1}), 0.1f)});
  const ParticleFrame frame = particle_at({0, 0, 0});
  const Image one = picture(scene, frame, 1);
  EXPECT_EQ(one.rgb, picture(scene, frame, 2).rgb);
  EXPECT_EQ(one.rgb, picture(scene, frame, 5).rgb);
}

TEST(RenderScene, ShowsFluidsAndBodiesBeforeTheRun) {
  Scene scene = scene_with({Shape::sphere({0, 0, 0}, 0.5f)});
  scene.materials = {Material{}};
  scene.fluids = {{.material = 0, .shape = Shape::box({1, 0, 0}, {1.5f, 0.5f, 0.5f})}};
  const ParticleFrame frame = initial_frame(scene);
  EXPECT_EQ(frame.size(), 125u);
  EXPECT_EQ(frame.density().at(7), 1000);
  PictureOptions options;
  options.quality = Quality::draft;
  options.width = 96;
  options.height = 54;
  std::string notice;
  EXPECT_EQ(render_scene(scene, options, notice).width, 96);
  scene.fluids.clear();
  EXPECT_EQ(render_scene(scene, options, notice).height, 54);
  EXPECT_EQ(notice, "");
}

using RenderCommand = CommandTest;

TEST_F(RenderCommand, DrawsASceneThatHasNotRun) {
  expect_output("render tiny.json --size 64x36 --threads 1", "picture tiny.png");
  EXPECT_EQ(read_png((folder_ / "tiny.png").string()).width, 64);
  expect_output("render tiny.json --size 64x36 --view 90,10 --set spacing=0.05 --out side.png",
                "picture side.png");
  EXPECT_NE(read("side.png"), read("tiny.png"));
  expect_error("render tiny.json --view north", 2, "--view: 'north' is not AZIMUTH,ELEVATION");
  expect_output("render tiny.json --quality draft --size 64x36 --color velocity_x --out c.png",
                "picture c.png");
  expect_error("render tiny.json --color heat", 2,
               "the particles have no 'heat': there are speed, id, phase, position, velocity, ");
  expect_error("render tiny.json --every 2", 2, "'tiny.json' is not a result folder");
  expect_error("render tinny.json", 2, "there is no scene 'tinny.json'");
  expect_error("render . --size 64x36", 4, "is not a result folder: it contains no scene.json");
}

}  // namespace
}  // namespace panta
