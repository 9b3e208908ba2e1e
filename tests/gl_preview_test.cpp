// OpenGL previews without a window: geometry against closed forms, depth and thickness of liquids,
// and robustness against unusual frames. Skipped if OpenGL is not available.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "camera_fixture.h"
#include "panta/render/gl/gl_canvas.h"
#include "panta/render/gl/gl_painter.h"

namespace panta {
namespace {

constexpr int width = 160, height = 120;
constexpr float eye_distance = 5;
constexpr float nothing = 1e29f;
const float focal = 0.5f * height / std::tan(20 * std::numbers::pi_v<float> / 180);

class GlPreview : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string problem;
    if (!opengl_available(&problem)) GTEST_SKIP() << problem;
    if (!canvas_) canvas_ = new GlCanvas(width, height);
  }
  static void TearDownTestSuite() {
    delete canvas_;
    canvas_ = nullptr;
  }

  static GlPicture blank() {
    GlPicture picture;
    picture.camera = camera_from_front(eye_distance, width, height);
    picture.towards_light = normalized(Vec3{-0.3f, 1, 0.5f});
    return picture;
  }

  static Stage bare_stage() {
    Stage stage;
    stage.extent = {{-1, -1, -1}, {1, 1, 1}};
    stage.sets.emplace_back();
    stage.particle_radius = stage.detail = 0.02f;
    return stage;
  }

  static Image draw(const GlPicture& picture) { return canvas_->draw(picture, bare_stage()); }

  static GlCanvas* canvas_;
};

GlCanvas* GlPreview::canvas_ = nullptr;

SpherePoints sphere(const Vec3& at, float radius, const LinearColor& color) {
  SpherePoints points;
  points.position = {at};
  points.color = {color};
  points.radius = radius;
  return points;
}

// A block of liquid on a lattice around the origin.
LiquidPoints block(const Vec3& size, float spacing) {
  LiquidPoints liquid;
  for (float x = -0.5f * size.x + 0.5f * spacing; x < 0.5f * size.x; x += spacing)
    for (float y = -0.5f * size.y + 0.5f * spacing; y < 0.5f * size.y; y += spacing)
      for (float z = -0.5f * size.z + 0.5f * spacing; z < 0.5f * size.z; z += spacing)
        liquid.position.push_back({x, y, z});
  liquid.size.assign(liquid.position.size(), 1);
  liquid.radius = 0.78f * spacing;
  liquid.volume = spacing * spacing * spacing;
  liquid.appearance.finish = Finish::clear;
  liquid.appearance.refraction = 1.333f;
  liquid.appearance.absorption = {3, 1, 0.3f};
  liquid.appearance.color = {0.05f, 0.3f, 0.7f};
  return liquid;
}

bool is_red(Rgb c) { return c[0] > 2 * c[1] && c[0] > 2 * c[2]; }

int brightness(Rgb c) { return c[0] + c[1] + c[2]; }

// Values around the middle of a layer, `half` pixels of the picture to each side.
std::vector<float> middle_values(const std::vector<float>& values, int w, int h, int half) {
  std::vector<float> out;
  for (int y = h / 2 - half; y < h / 2 + half; ++y)
    for (int x = w / 2 - half; x < w / 2 + half; ++x)
      out.push_back(values[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) +
                           static_cast<std::size_t>(x)]);
  return out;
}

double mean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST_F(GlPreview, EmptyPictureShowsTheBackground) {
  const Image image = draw(blank());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) ASSERT_EQ(image.pixel(x, y), image.pixel(0, 0));
  EXPECT_GT(brightness(image.pixel(0, 0)), 300);
}

TEST_F(GlPreview, SphereHasItsProjectedPositionAndSize) {
  GlPicture picture = blank();
  picture.spheres = sphere({0.6f, -0.3f, 0}, 0.5f, {0.8f, 0, 0});
  const Image image = draw(picture);
  double count = 0, x_sum = 0, y_sum = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (is_red(image.pixel(x, y))) {
        count += 1;
        x_sum += x + 0.5;
        y_sum += y + 0.5;
      }
  const double radius = 0.5 / std::sqrt(eye_distance * eye_distance - 0.25) * focal;
  EXPECT_NEAR(count, std::numbers::pi * radius * radius, 0.06 * count);
  EXPECT_NEAR(x_sum / count, width / 2 + 0.6 / eye_distance * focal, 0.5);
  EXPECT_NEAR(y_sum / count, height / 2 + 0.3 / eye_distance * focal, 0.5);
}

TEST_F(GlPreview, NearSurfacesHideFarOnes) {
  GlPicture picture = blank();
  picture.spheres = sphere({0, 0, 1}, 0.3f, {0.8f, 0, 0});
  picture.spheres.position.push_back({0, 0, -1});
  picture.spheres.color.push_back({0, 0.8f, 0});
  EXPECT_TRUE(is_red(draw(picture).pixel(width / 2, height / 2)));
  std::swap(picture.spheres.position[0], picture.spheres.position[1]);
  EXPECT_FALSE(is_red(draw(picture).pixel(width / 2, height / 2)));
}

TEST_F(GlPreview, FlatLayerOfParticlesHasAFlatSurface) {
  GlPicture picture = blank();
  picture.liquids = {block({2, 2, 0.1f}, 0.1f)};
  draw(picture);
  const DrawnLayer layer = canvas_->layer(0);
  const std::vector<float> depth = middle_values(layer.depth, layer.width, layer.height, 40);
  const double radius = picture.liquids[0].radius, level = mean(depth);
  double worst = 0;
  for (const float z : depth) worst = std::max(worst, std::abs(z - level));
  EXPECT_LT(worst, 0.06 * radius);
  EXPECT_NEAR(level, eye_distance - radius, 0.35 * radius);
}

TEST_F(GlPreview, ThicknessIsTheDepthOfTheLiquid) {
  for (const float depth : {0.4f, 1.2f}) {
    GlPicture picture = blank();
    picture.liquids = {block({2, 2, depth}, 0.08f)};
    draw(picture);
    const DrawnLayer layer = canvas_->layer(0);
    const double found =
        mean(middle_values(layer.thickness, layer.thickness_width, layer.thickness_height, 15));
    EXPECT_NEAR(found, depth, 0.1 * depth);
  }
}

TEST_F(GlPreview, DeepLiquidIsDarkerAndClearLiquidIsTransparent) {
  const auto middle = [&](float depth, bool ball) {
    GlPicture picture = blank();
    picture.liquids = {block({2, 2, depth}, 0.1f)};
    if (ball) picture.spheres = sphere({0, 0, -1.5f}, 0.3f, {0.8f, 0, 0});
    return draw(picture).pixel(width / 2, height / 2);
  };
  EXPECT_GT(brightness(middle(0.2f, false)), brightness(middle(0.6f, false)) + 20);
  EXPECT_GT(brightness(middle(0.6f, false)), brightness(middle(1.4f, false)) + 20);
  EXPECT_GT(brightness(middle(0.2f, false)), brightness(middle(0.2f, true)) + 60);
}

TEST_F(GlPreview, BallOfParticlesHasACircularOutline) {
  constexpr float radius = 0.8f, spacing = 0.08f;
  GlPicture picture = blank();
  LiquidPoints ball = block({2, 2, 2}, spacing);
  std::erase_if(ball.position, [](const Vec3& p) { return length(p) > radius - 0.5f * spacing; });
  ball.size.resize(ball.position.size());
  picture.liquids = {ball};
  draw(picture);
  const DrawnLayer layer = canvas_->layer(0);
  const auto covered = static_cast<double>(
      std::count_if(layer.depth.begin(), layer.depth.end(), [](float z) { return z < nothing; }));
  const double scale = 2 * focal;  // two samples per pixel
  const double seen = std::sqrt(covered / std::numbers::pi);
  const double expected = radius / std::sqrt(eye_distance * eye_distance - radius * radius) * scale;
  EXPECT_NEAR(seen, expected, 0.5 * spacing / eye_distance * scale);
}

TEST_F(GlPreview, OfTwoLiquidsTheNearerOneIsInFront) {
  GlPicture picture = blank();
  picture.liquids = {block({2, 2, 0.3f}, 0.1f), block({2, 2, 0.3f}, 0.1f)};
  picture.liquids[0].appearance.finish = picture.liquids[1].appearance.finish = Finish::glossy;
  picture.liquids[0].appearance.color = {0.8f, 0.02f, 0.02f};
  picture.liquids[1].appearance.color = {0.02f, 0.8f, 0.02f};
  for (Vec3& p : picture.liquids[0].position) p.z += 0.5f;
  EXPECT_TRUE(is_red(draw(picture).pixel(width / 2, height / 2)));
  for (Vec3& p : picture.liquids[0].position) p.z -= 1;
  EXPECT_FALSE(is_red(draw(picture).pixel(width / 2, height / 2)));
}

SurfaceMesh cube_mesh(float half) {
  SurfaceMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.position.push_back({k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TEST_F(GlPreview, LiquidMeshHasItsThickness) {
  GlPicture picture = blank();
  picture.liquid_meshes.push_back({std::make_shared<const SurfaceMesh>(cube_mesh(0.5f)),
                                   {},
                                   {},
                                   block({1, 1, 1}, 0.5f).appearance});
  draw(picture);
  const DrawnLayer layer = canvas_->layer(0);
  EXPECT_NEAR(
      mean(middle_values(layer.thickness, layer.thickness_width, layer.thickness_height, 4)), 1,
      0.01);
  EXPECT_NEAR(mean(middle_values(layer.depth, layer.width, layer.height, 4)), eye_distance - 0.5,
              1e-3);
}

TEST_F(GlPreview, MeshIsVisibleFromBothSides) {
  GlPicture picture = blank();
  SurfaceMesh sheet;
  sheet.position = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 2, 1}};  // faces away
  Appearance red;
  red.color = {0.8f, 0, 0};
  picture.geometry.solids.push_back({std::make_shared<const SurfaceMesh>(sheet), {}, {}, red});
  EXPECT_TRUE(is_red(draw(picture).pixel(width / 2, height / 2)));
}

TEST_F(GlPreview, SmokeIsDarkerOnTheFarSideOfTheLight) {
  GlPicture picture = blank();
  picture.towards_light = {0, 1, 0};
  SmokePuffs& smoke = picture.smoke;
  for (int k = 0; k < 4000; ++k) {
    const float a = 2.4f * static_cast<float>(k), z = 1 - (static_cast<float>(k) + 0.5f) / 2000;
    const float r = 0.9f * std::cbrt(static_cast<float>(k * 7919 % 4000) / 4000);
    const float ring = std::sqrt(1 - z * z);
    smoke.position.push_back(Vec3{ring * std::cos(a), z, ring * std::sin(a)} * r);
    smoke.radius.push_back(0.12f);
  }
  smoke.opacity = 0.15f;
  const Image image = draw(picture);
  const int off = static_cast<int>(0.5f / eye_distance * focal);
  EXPECT_GT(brightness(image.pixel(width / 2, height / 2 - off)),
            brightness(image.pixel(width / 2, height / 2 + off)) + 60);
}

TEST_F(GlPreview, GlassAndLinesAreVisible) {
  const Image empty = draw(blank());
  GlPicture picture = blank();
  Appearance glass = block({1, 1, 1}, 0.5f).appearance;
  picture.geometry.solids.push_back(
      {std::make_shared<const SurfaceMesh>(cube_mesh(0.5f)), {}, {}, glass});
  EXPECT_NE(draw(picture).pixel(width / 2, height / 2), empty.pixel(width / 2, height / 2));
  picture = blank();
  picture.geometry.lines = {{{-1, 0, 0}, {1, 0, 0}}};
  EXPECT_GT(brightness(empty.pixel(width / 2, height / 2)),
            brightness(draw(picture).pixel(width / 2, height / 2)) + 40);
}

TEST(TubeMesh, HasItsRadius) {
  const SurfaceMesh tube = tube_along({{0, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 0.1f, 8);
  EXPECT_EQ(tube.position.size(), 24u);
  EXPECT_EQ(tube.triangles.size(), 32u);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(length(tube.position[k]), 0.1f, 1e-6f);
  for (const Triangle& t : tube.triangles) {
    const Vec3 a = tube.position[t[0]], b = tube.position[t[1]], c = tube.position[t[2]];
    EXPECT_GT(dot(cross(b - a, c - a), tube.normal[t[0]]), 0);
  }
  EXPECT_TRUE(tube_along({{0, 0, 0}}, 0.1f).empty());
}

ParticleFrame frame_of(const std::vector<Vec3>& position) {
  ParticleFrame frame;
  const std::size_t n = position.size();
  frame.resize(n);
  frame.position() = position;
  std::iota(frame.id().begin(), frame.id().end(), 0u);
  frame.density().assign(n, 1000);
  frame.pressure().assign(n, 0);
  frame.normal().assign(n, {0, 0, 1});
  return frame;
}

Image paint(const ParticleFrame& frame, GlOptions options, const char* color = "speed") {
  Scene scene;
  scene.spacing = 0.1;
  scene.materials = {Material{}};
  options.width = width;
  options.height = height;
  RunExtent extent(color);
  extent.include(frame);
  return GlPainter(scene, extent, options).paint(frame);
}

TEST_F(GlPreview, NonFiniteParticlesAreSkipped) {
  std::vector<Vec3> positions = block({0.4f, 0.4f, 0.4f}, 0.1f).position;
  const Image right = paint(frame_of(positions), {});
  positions.push_back({std::nanf(""), 0, 0});
  positions.push_back({0, std::numeric_limits<float>::infinity(), 0});
  EXPECT_EQ(paint(frame_of(positions), {}).rgb, right.rgb);
}

TEST_F(GlPreview, EveryStyleDrawsAndAFrameMayBeEmpty) {
  const ParticleFrame frame = frame_of(block({0.4f, 0.4f, 0.4f}, 0.1f).position);
  const Image empty = paint(frame_of({}), {});
  EXPECT_EQ(empty.width, width);
  GlOptions options;
  for (const GlStyle style : {GlStyle::fluid, GlStyle::particles, GlStyle::splats, GlStyle::mesh}) {
    options.style = style;
    options.surfaces = [](const ParticleFrame&) {
      return std::vector<std::pair<std::uint32_t, SurfaceMesh>>{{0, cube_mesh(0.2f)}};
    };
    const Image image = paint(frame, options);
    EXPECT_NE(image.pixel(width / 2, height / 2), empty.pixel(width / 2, height / 2));
  }
}

TEST_F(GlPreview, TheLegendIsInTheLowerRightCorner) {
  const ParticleFrame frame = frame_of(block({0.4f, 0.4f, 0.4f}, 0.1f).position);
  GlOptions options;
  options.style = GlStyle::particles;
  const Image without = paint(frame, options, "pressure");
  options.legend = true;
  const Image with = paint(frame, options, "pressure");
  int differing = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (with.pixel(x, y) != without.pixel(x, y)) {
        ++differing;
        EXPECT_TRUE(x > width / 3 && y > height / 2);
      }
  EXPECT_GT(differing, 200);
}

}  // namespace
}  // namespace panta
