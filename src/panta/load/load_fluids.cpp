// Materials and fluids of a scene file.
#include <fmt/core.h>

#include <algorithm>

#include "panta/geometry/bounds.h"
#include "panta/load/load_parts.h"
#include "panta/scene/filled_region.h"
#include "panta/scene/sample.h"

namespace panta {
namespace {

int read_material_name(ObjectReader& reader, const Scene& scene, const char* doc) {
  std::string name;
  reader.required("material", name, material_names(scene), doc);
  return material_index(scene, name);
}

// A scene that is only described has no materials.
const Material& material_at(const Scene& scene, int index) {
  static const Material none;
  const auto k = static_cast<std::size_t>(index);
  return k < scene.materials.size() ? scene.materials[k] : none;
}

}  // namespace

std::vector<std::string> material_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  return names;
}

int material_index(const Scene& scene, const std::string& name) {
  const std::vector<std::string> names = material_names(scene);
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

int read_material_of_fluid(ObjectReader& reader, const Scene& scene, const char* doc) {
  const int material = read_material_name(reader, scene, doc);
  reader.expect(material_at(scene, material).kind != MaterialKind::solid, "material",
                "'{}' is of kind solid: only 'solids' can be made of it",
                material_at(scene, material).name);
  return material;
}

int read_material_of_solid(ObjectReader& reader, const Scene& scene, const char* doc) {
  const int material = read_material_name(reader, scene, doc);
  reader.expect(
      material_at(scene, material).kind == MaterialKind::solid, "material",
      "'{}' must be of kind solid: set \"kind\": \"solid\" in 'materials.{}', or list the "
      "shape under 'fluids'",
      material_at(scene, material).name, material_at(scene, material).name);
  return material;
}

// Blocks named after methods, with parameters of that method only.
static void read_method_blocks(ObjectReader& reader, Material& material) {
  for (const MethodInfo& method : methods()) {
    if (method.material_parameters.empty()) continue;
    const std::string doc = fmt::format("parameters of the method {} only", method.name);
    const bool given = reader.object(
        method.name, {"material_" + method.name, doc.c_str()}, [&](ObjectReader& block) {
          read_parameters(block, method.material_parameters, material.methods[method.name]);
        });
    if (given && method.name != reader.context().method) note_unused_key(reader, method.name);
  }
}

Material read_material(const std::string& name, ObjectReader& reader,
                       const std::vector<std::string>& others) {
  reader.about("a substance");
  Material material;
  material.name = name;
  reader.optional(
      "kind", material.kind, Choice{"liquid", "granular", "solid"},
      "a liquid, grains with contact and friction, or the material of 'solids' (the last two: "
      "method unified)");
  reader.optional("density", material.density, positive("kg/m3"), "at rest");
  reader.optional("viscosity", material.viscosity, not_negative("Pa s"), "dynamic viscosity");
  reader.optional("surface_tension", material.surface_tension, not_negative("N/m"),
                  "of its surface towards air");
  reader.optional("weight", material.weight, any_number(),
                  "factor on gravity: 0 floats, negative rises (method unified)");
  if (const json::Value* list = reader.special(
          "ignores", "list of names", R"({"type": "array", "items": {"type": "string"}})",
          "bodies, and materials of grains or solids, without contact to this material (method "
          "unified)"))
    material.ignores = reader.names(*list, reader.path_of("ignores"), others);
  reader.optional("self_collision", material.self_collision,
                  "contacts between its grains, or between solids of it (method unified)");
  reader.optional("rest_distance", material.rest_distance, not_negative("m"),
                  "its grains that are initially nearer to each other than this do not touch: "
                  "neighbours in a rope or a sheet (method unified)");
  note_unused_keys(reader);
  read_method_blocks(reader, material);
  reader.optional("clarity", material.clarity, Choice{"clear", "opaque"},
                  "in pictures: transparent or opaque");
  read_color(reader, material.color);
  reader.optional("color_depth", material.color_depth, not_negative("m"),
                  "depth of clear liquid that gives white light its colour; 0: automatic");
  reader.optional("refraction", material.refraction, Number{"", 1, 3},
                  "refractive index, in pictures");
  return material;
}

namespace {

Shape read_fill(ObjectReader& reader, const Scene& scene) {
  reader.about(
      "all that liquid reaches from a point, below a level, between bodies and walls of the "
      "domain; "
      "an error where it would run out");
  Vec3 point;
  double level = 0;
  reader.required("point", point, as_point, "a point in the container");
  reader.required("level", level, any_number("m"),
                  "height of the surface against the direction of gravity: y by default");
  if (reader.describing()) return {};
  return located(reader.place(), [&] { return filled_region(scene, point, level); });
}

}  // namespace

Fluid read_fluid(ObjectReader& reader, const Scene& scene) {
  reader.about("a volume filled with particles");
  Fluid fluid;
  fluid.material = read_material_of_fluid(reader, scene, "its material");
  read_shape(reader, "shape", "the volume that is filled", false, fluid.shape);
  const bool poured =
      reader.object("fill", {"fill", "instead of a shape: a container, filled up to a level"},
                    [&](ObjectReader& r) { fluid.shape = read_fill(r, scene); });
  reader.optional("velocity", fluid.velocity, as_velocity, "at the start");
  fluid.jitter = usual_jitter;
  reader.optional("jitter", fluid.jitter, Number{"spacings", 0, 0.5},
                  "largest random displacement of each particle at the start");
  reader.optional("packing", fluid.packing, Choice{"cubic", "hexagonal"},
                  "arrangement of the particles at the start");
  reader.exactly_one({"shape", "fill"});
  if (reader.describing() || poured) return fluid;
  const ShapeNode* solid = fluid.shape.primitive();
  reader.expect(!solid || solid->op != ShapeOp::plane, "shape",
                "cannot be a plane: a fluid needs a finite shape");
  reader.expect(shape_bounds(fluid.shape).finite(), "shape",
                "reaches to infinity: a fluid needs a finite shape");
  const Lattice lattice =
      located(reader.place_of("shape"), [&] { return fluid_lattice(scene, fluid); });
  reader.expect(lattice.count[0] != 0, "shape", "lies completely outside the domain");
  return fluid;
}

}  // namespace panta
