// Materials and fluids of a scene file.
#include <algorithm>

#include "panta/geometry/bounds.h"
#include "panta/scene/load_parts.h"
#include "panta/scene/sample.h"

namespace panta {

std::vector<std::string> material_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  return names;
}

int material_index(const Scene& scene, const std::string& name) {
  const std::vector<std::string> names = material_names(scene);
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

Material read_material(const std::string& name, ObjectReader& reader) {
  reader.about("a substance");
  Material material;
  material.name = name;
  reader.optional("kind", material.kind, Choice{"liquid", "granular"},
                  "a liquid, or grains that touch and rub (method unified)");
  reader.optional("density", material.density, positive("kg/m3"), "at rest");
  reader.optional("viscosity", material.viscosity, not_negative("Pa s"), "dynamic viscosity");
  reader.optional("surface_tension", material.surface_tension, not_negative("N/m"),
                  "of its surface towards air");
  reader.optional("clarity", material.clarity, Choice{"clear", "opaque"},
                  "in pictures: light goes through it, or stays at its surface");
  read_color(reader, material.color);
  reader.optional("color_depth", material.color_depth, not_negative("m"),
                  "so much of a clear liquid turns white light into its colour; 0: chosen");
  reader.optional("refraction", material.refraction, Number{"", 1, 3},
                  "refractive index, in pictures");
  return material;
}

Fluid read_fluid(ObjectReader& reader, const Scene& scene) {
  reader.about("a volume filled with particles");
  Fluid fluid;
  std::string material;
  reader.required("material", material, material_names(scene), "what it is made of");
  fluid.material = material_index(scene, material);
  read_shape(reader, "shape", "the volume that is filled", true, fluid.shape);
  reader.optional("velocity", fluid.velocity, as_velocity, "at the start");
  reader.optional("jitter", fluid.jitter, Number{"spacings", 0, 0.5},
                  "each particle starts displaced at random by up to this");
  reader.optional("packing", fluid.packing, Choice{"cubic", "hexagonal"},
                  "how particles are arranged at the start");
  if (reader.describing()) return fluid;
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
