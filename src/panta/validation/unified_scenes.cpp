#include "panta/validation/unified_scenes.h"

#include <algorithm>

namespace panta::validation {

Material material_of(MaterialKind kind, double density) {
  Material material;
  material.name = kind == MaterialKind::solid      ? "wood"
                  : kind == MaterialKind::granular ? "sand"
                                                   : "water";
  material.kind = kind;
  material.density = density;
  return material;
}

Scene unified_scene(const Material& material, double spacing) {
  Scene scene;
  scene.method = "unified";
  scene.spacing = spacing;
  scene.materials = {material};
  return scene;
}

Scene above_floor(const Material& material, double spacing, double friction) {
  Scene scene = unified_scene(material, spacing);
  scene.has_domain = true;
  scene.domain.min = {-100, 0, -100};
  scene.domain.max = {100, 100, 100};
  scene.domain.walls[minus_y] = true;
  scene.domain.surfaces[minus_y].friction = static_cast<float>(friction);
  return scene;
}

Solid block_at(const Scene& scene, const Vec3& low, const Vec3& size) {
  const auto solid_material =
      std::find_if(scene.materials.begin(), scene.materials.end(),
                   [](const Material& m) { return m.kind == MaterialKind::solid; });
  Solid solid;
  solid.material = static_cast<int>(solid_material - scene.materials.begin());
  solid.shape = Shape::box(low, low + size);
  return solid;
}

Vec3d mean_of(const std::vector<Vec3>& values) {
  Vec3d sum;
  for (const Vec3& v : values) sum += to_double(v);
  return sum * (1.0 / static_cast<double>(values.size()));
}

double fastest_of(const ParticleFrame& frame) {
  double fastest = 0;
  for (const Vec3& v : frame.velocity()) fastest = std::max(fastest, double(length(v)));
  return fastest;
}

}  // namespace panta::validation
