#include "panta/scene/contact_rules.h"

#include <algorithm>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"

namespace panta {

namespace {

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool materials_meet(const Material& a, const Material& b) {
  if (a.name == b.name) return a.self_collision;
  return !lists(a.ignores, b.name) && !lists(b.ignores, a.name);
}

bool touches(const Material& material, const Body& body) {
  return !body.trigger && !lists(material.ignores, body.name);
}

bool has_rest_distances(const Scene& scene) {
  return std::any_of(scene.materials.begin(), scene.materials.end(),
                     [](const Material& m) { return m.rest_distance > 0; });
}

namespace {

void check_rest_distances(const Scene& scene) {
  for (const Material& m : scene.materials)
    if (m.rest_distance > 0 && m.kind != MaterialKind::granular)
      throw Error(ErrorKind::usage,
                  "materials.{}.rest_distance: only grains (kind granular) have one", m.name);
  for (const Emitter& emitter : scene.emitters) {
    const Material& m = scene.materials[static_cast<std::size_t>(emitter.material)];
    if (m.rest_distance > 0)
      throw Error(
          ErrorKind::usage,
          "materials.{}.rest_distance: emitter '{}' emits this material, but only particles "
          "of the initial scene have neighbours at rest; use another material for it",
          m.name, emitter.name);
  }
}

}  // namespace

void check_contact_rules(const Scene& scene) {
  check_rest_distances(scene);
  std::vector<std::string> bodies, materials, names;
  for (const Body& body : scene.bodies)
    if (!body.name.empty()) bodies.push_back(body.name);
  for (const Material& m : scene.materials) materials.push_back(m.name);
  names = materials;
  names.insert(names.end(), bodies.begin(), bodies.end());
  for (const Material& m : scene.materials)
    for (const std::string& name : m.ignores)
      if (!lists(names, name))
        throw Error(ErrorKind::usage,
                    "materials.{}.ignores: there is no material or body named '{}'{}", m.name, name,
                    suggestion(name, names));
  for (const Material& a : scene.materials)
    for (const Material& b : scene.materials)
      if (a.kind == MaterialKind::liquid && !materials_meet(a, b))
        throw Error(ErrorKind::usage,
                    "materials.{}: liquids cannot pass through '{}', only through bodies; rules "
                    "between materials are for grains and solids",
                    a.name, b.name);
}

}  // namespace panta
