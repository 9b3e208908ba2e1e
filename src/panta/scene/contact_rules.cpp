#include "panta/scene/contact_rules.h"

#include <algorithm>

#include "panta/core/error.h"
#include "panta/scene/suggest.h"

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

bool feels(const Material& material, const Body& body) {
  return !body.trigger && !lists(material.ignores, body.name);
}

void check_contact_rules(const Scene& scene) {
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
