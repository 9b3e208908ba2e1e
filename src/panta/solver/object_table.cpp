#include "panta/solver/object_table.h"

namespace panta {

namespace {

std::string entry_name(const char* section, std::size_t entry) {
  return std::string(section) + "." + std::to_string(entry);
}

}  // namespace

std::vector<Object> make_objects(const Scene& scene, const SolidParticles& solids) {
  std::vector<Object> objects;
  for (std::size_t k = 0; k < scene.fluids.size(); ++k)
    objects.push_back({.kind = ObjectKind::fluid,
                       .name = entry_name("fluids", k),
                       .entry = static_cast<int>(k),
                       .material = scene.fluids[k].material});
  for (std::size_t k = 0; k < scene.emitters.size(); ++k)
    objects.push_back({.kind = ObjectKind::emitter,
                       .name = scene.emitters[k].name.empty() ? entry_name("emitters", k)
                                                              : scene.emitters[k].name,
                       .entry = static_cast<int>(k),
                       .material = scene.emitters[k].material});
  int copy = 0;
  for (std::size_t b = 0; b < solids.bodies.size(); ++b) {
    const int entry = solids.bodies[b].solid;
    copy = b > 0 && solids.bodies[b - 1].solid == entry ? copy + 1 : 0;
    const Solid& solid = scene.solids[static_cast<std::size_t>(entry)];
    const std::array<int, 3>& n = solid.copies;
    std::string name =
        solid.name.empty() ? entry_name("solids", static_cast<std::size_t>(entry)) : solid.name;
    if (n[0] * n[1] * n[2] > 1) name += "." + std::to_string(copy);
    objects.push_back({.kind = ObjectKind::solid,
                       .name = name,
                       .entry = entry,
                       .copy = copy,
                       .material = solid.material});
  }
  return objects;
}

Object added_object(const Scene& scene, int material, std::size_t number) {
  return {.kind = ObjectKind::fluid,
          .name = "added." + std::to_string(number),
          .entry = static_cast<int>(scene.fluids.size()),
          .material = material};
}

}  // namespace panta
