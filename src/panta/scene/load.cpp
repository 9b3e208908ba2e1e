// The top level of a scene file, and the checks that need more than one key.
#include "panta/scene/load.h"

#include <algorithm>
#include <utility>

#include "panta/io/file.h"
#include "panta/scene/load_parts.h"
#include "panta/scene/overrides.h"
#include "panta/scene/sample.h"

namespace panta {
namespace {

constexpr double most_particles = 2e9;
constexpr double most_frames = 1e8;

const MethodInfo& read_method(ObjectReader& root, Scene& scene) {
  root.required("method", scene.method);
  return *located(root.place_of("method"), [&] { return &find_method(scene.method); });
}

void read_basics(ObjectReader& root, Scene& scene) {
  root.optional("title", scene.title);
  root.optional("dimensions", scene.dimensions, Number{"", 2, 3});
  root.set_dimensions(scene.dimensions);
  root.required("spacing", scene.spacing, positive);
  root.optional("duration", scene.duration, positive);
  root.optional("fps", scene.fps, positive);
  root.optional("gravity", scene.gravity, VectorKind::direction);
  if (scene.duration * scene.fps > most_frames)
    fail_at(root.place_of("duration"), "'duration' times 'fps' gives {:.3g} frames, too many",
            scene.duration * scene.fps);
}

Material read_material(const std::string& name, ObjectReader& reader) {
  Material material;
  material.name = name;
  reader.optional("density", material.density, positive);
  reader.optional("viscosity", material.viscosity, not_negative);
  reader.optional("surface_tension", material.surface_tension, not_negative);
  return material;
}

Body read_body(ObjectReader& reader) {
  Body body;
  body.shape = read_shape(reader);
  reader.optional("hollow", body.hollow);
  read_surface(reader, body.surface);
  return body;
}

int read_material_name(ObjectReader& reader, const Scene& scene) {
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  std::string name;
  reader.required("material", name, names);
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

Fluid read_fluid(ObjectReader& reader, const Scene& scene) {
  Fluid fluid;
  fluid.material = read_material_name(reader, scene);
  fluid.shape = read_shape(reader);
  reader.optional("velocity", fluid.velocity, VectorKind::direction);
  reader.optional("jitter", fluid.jitter, Number{"spacings", 0, 0.5});
  const json::Place& place = reader.place_of("shape");
  if (fluid.shape.type == ShapeType::plane)
    fail_at(place, "'{}' cannot be a plane: a fluid needs a finite shape", reader.path_of("shape"));
  const Lattice lattice = located(place, [&] { return fluid_lattice(scene, fluid); });
  if (lattice.count[0] == 0)
    fail_at(place, "'{}' lies completely outside the domain", reader.path_of("shape"));
  return fluid;
}

void read_fluids(ObjectReader& root, Scene& scene) {
  root.require("fluids");
  root.each_item("fluids", [&](ObjectReader& r) { scene.fluids.push_back(read_fluid(r, scene)); });
  if (scene.fluids.empty())
    fail_at(root.place_of("fluids"), "'fluids' is empty: nothing to simulate");
  const double count = estimate_particles(scene);
  if (count > most_particles)
    fail_at(root.place_of("spacing"),
            "'spacing' {} gives about {:.3g} particles, more than {:.0e}: use a larger one",
            scene.spacing, count, most_particles);
}

void read_output(ObjectReader& reader, Scene& scene) {
  std::string particles = "vtp";
  reader.optional("particles", particles, std::vector<std::string>{"vtp", "none"});
  scene.write_particles = particles == "vtp";
  refuse_unsupported(reader, {"surface", "images"});
}

Scene read_scene(json::Value& value) {
  Scene scene;
  ObjectReader root(value, "");
  const MethodInfo& method = read_method(root, scene);
  read_basics(root, scene);
  read_domain(root, scene);
  root.each_member("materials", [&](const std::string& name, ObjectReader& r) {
    scene.materials.push_back(read_material(name, r));
  });
  root.each_item("bodies", [&](ObjectReader& r) { scene.bodies.push_back(read_body(r)); });
  read_fluids(root, scene);
  root.each_item("fields", [&](ObjectReader& r) { scene.fields.push_back(read_field(r)); });
  refuse_unsupported(root, {"cloths", "ropes", "emitters", "events", "probes"});
  read_solver(root, method, scene.solver);
  root.section("output", [&](ObjectReader& r) { read_output(r, scene); });
  root.finish();
  return scene;
}

}  // namespace

const MethodInfo& find_method(const std::string& name) {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  throw Error(ErrorKind::usage, "unknown method '{}'{}", name, suggestion(name, names));
}

void refuse_unsupported(ObjectReader& reader, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const json::Value* value = reader.find(key);
    if (value && !value->empty())
      fail_at(value->place, "'{}' is not supported by this version", reader.path_of(key));
  }
}

Scene parse_scene(std::string_view text, const std::string& filename,
                  const std::vector<std::string>& overrides, json::Value* effective) {
  json::Value value = json::parse(text, filename);
  for (const std::string& assignment : overrides) apply_override(value, assignment);
  Scene scene = read_scene(value);
  if (effective) *effective = std::move(value);
  return scene;
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides,
                 json::Value* effective) {
  return parse_scene(read_binary_file(path), path, overrides, effective);
}

}  // namespace panta
