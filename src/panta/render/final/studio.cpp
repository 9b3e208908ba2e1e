#include "panta/render/final/studio.h"

#include "panta/render/shading.h"

namespace panta {

namespace {

constexpr LinearColor key_radiance = {24.0f, 22.6f, 20.6f};
constexpr LinearColor edge_radiance = {5.0f, 5.4f, 6.0f};
constexpr LinearColor floor_color = {0.50f, 0.50f, 0.50f};
constexpr LinearColor rod_color = {0.05f, 0.055f, 0.065f};
constexpr int rod_sides = 6;

// A rectangle at `from` that faces `target`; sizes are from its middle to its sides.
AreaLight facing(const Vec3& from, const Vec3& target, float half_width, float half_height,
                 const LinearColor& radiance) {
  const Vec3 towards = normalized(target - from);
  const Vec3 u = normalized(cross(towards, {0, 1, 0}), {1, 0, 0});
  const Vec3 v = cross(towards, u);
  return {from, u * half_width, v * half_height, radiance};
}

}  // namespace

void set_up_studio(LitScene& scene, const Stage& stage, const Camera& camera) {
  const Vec3 middle = stage.extent.center();
  const float size = 0.5f * stage.extent.diagonal();
  const View view(camera);
  const Vec3 key = light_direction(view);
  scene.lights = {
      facing(middle + key * (8 * size), middle, 1.4f * size, 1.4f * size, key_radiance)};
  if (!stage.has_floor) return;
  const Vec3 level = normalized(Vec3{view.forward().x, 0, view.forward().z}, {0, 0, -1});
  const Vec3 edge = normalized(level * 0.9f + view.right() * 0.75f + Vec3{0, 0.55f, 0});
  scene.lights.push_back(
      facing(middle + edge * (8 * size), middle, 1.2f * size, 2.4f * size, edge_radiance));
  scene.ground = {{middle.x, stage.floor, middle.z}, floor_color, 1.5f * size};
}

PictureMesh rods(const std::vector<Segment>& lines, float radius) {
  auto mesh = std::make_shared<SurfaceMesh>();
  for (const Segment& line : lines) {
    const Frame frame(normalized(line.to - line.from));
    const auto first = static_cast<std::uint32_t>(mesh->position.size());
    for (std::uint32_t k = 0; k < rod_sides; ++k) {
      const float angle = 2 * pi_f * static_cast<float>(k) / rod_sides;
      const Vec3 out = frame.x * std::cos(angle) + frame.y * std::sin(angle);
      for (const Vec3& end : {line.from, line.to}) {
        mesh->position.push_back(end + out * radius);
        mesh->normal.push_back(out);
      }
      const std::uint32_t a = first + 2 * k, b = first + 2 * ((k + 1) % rod_sides);
      mesh->triangles.push_back({a, b, b + 1});
      mesh->triangles.push_back({a, b + 1, a + 1});
    }
  }
  return {mesh, {}, {}, {.finish = Finish::matte, .color = rod_color}};
}

}  // namespace panta
