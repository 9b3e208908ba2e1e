// Free solids of a scene file.
#include <fmt/core.h>

#include "panta/geometry/bounds.h"
#include "panta/load/load_parts.h"

namespace panta {
namespace {

void read_copies(ObjectReader& reader, Solid& solid) {
  const json::Value* list = reader.special(
      "copies", "list of 3 whole numbers",
      R"({"type": "array", "items": {"type": ["integer", "string"]}, "minItems": 2, "maxItems": 3})",
      "number of copies along x, y and z, each a separate solid", false,
      json::Value::array({json::Value(1.0), json::Value(1.0), json::Value(1.0)}));
  reader.optional("pitch", solid.pitch, as_point, "from one copy to the next along x, y and z");
  reader.optional("random_turns", solid.random_turns,
                  "each copy has a random rotation about its centre, the same in every run");
  if (!list) return;
  const std::size_t count = list->items.size();
  const bool flat = reader.dimensions() == 2;
  reader.expect(list->type == json::Type::array && (count == 3 || (count == 2 && flat)), "copies",
                "must be a list of {} whole numbers, got {}", flat ? "2 or 3" : "3",
                json::describe(*list));
  constexpr float most = 1e6f;  // along one axis
  for (std::size_t k = 0; k < count; ++k) {
    const std::string path = fmt::format("{}.{}", reader.path_of("copies"), k);
    const float number = reader.number(list->items[k], path);
    const int axis = static_cast<int>(k);
    if (!(number >= 1 && number <= most) || number != static_cast<float>(static_cast<int>(number)))
      fail_at(list->items[k].place, "'{}' must be a whole number from 1 to {:g}, got {:g}", path,
              most, number);
    solid.copies[k] = static_cast<int>(number);
    if (axis >= reader.dimensions() && solid.copies[k] > 1)
      fail_at(list->items[k].place, "'{}' must be 1 in a scene with 2 dimensions", path);
    reader.expect(solid.copies[k] == 1 || solid.pitch[axis] != 0, "pitch",
                  "must not be 0 along {}, where there are {} copies", "xyz"[axis],
                  solid.copies[k]);
  }
}

void read_strength(ObjectReader& reader, Solid& solid) {
  bool rigid = false;
  reader.optional("rigid", rigid,
                  "it cannot be deformed: 'stiffness' is 1 and 'yield' 0. A free body ('free' in "
                  "'bodies') is rigid too, works in every method, needs no particles and has an "
                  "exact surface; use a rigid solid beside solids that bend or break");
  reader.optional("stiffness", solid.stiffness, Number{"", 0, 1},
                  "fraction of a deformation that each solve corrects");
  reader.optional("yield", solid.yield, not_negative("m"),
                  "larger displacements of particles remain in part; 0: never");
  reader.optional("creep", solid.creep, Number{"", 0, 1},
                  "the fraction of a displacement beyond 'yield' that remains");
  reader.expect(!rigid || (solid.stiffness == 1 && solid.yield == 0), "rigid",
                "contradicts 'stiffness' {:g} and 'yield' {:g}: a rigid solid has stiffness 1 and "
                "does not yield",
                solid.stiffness, solid.yield);
}

}  // namespace

Solid read_solid(ObjectReader& reader, const Scene& scene) {
  reader.about(
      "a solid that moves freely; it consists of particles that keep its shape. Use it for "
      "bodies that bend, yield or break; for a rigid one use a free body ('free' in 'bodies')");
  Solid solid;
  reader.if_given("name", solid.name, "for messages and --set; must be unique");
  solid.material = read_material_of_solid(reader, scene, "its material, of kind solid");
  read_shape(reader, "shape", "its shape, in its initial pose", true, solid.shape);
  reader.optional("velocity", solid.velocity, as_velocity, "at the start");
  reader.optional("spin", solid.spin, Vector{Vector::Kind::axis, "rad/s"},
                  "at the start, about its centre of mass");
  reader.expect(reader.dimensions() == 3 || (solid.spin.x == 0 && solid.spin.y == 0), "spin",
                "must be about z in a scene with 2 dimensions");
  reader.optional("filling", solid.filling, Choice{"volume", "shell"},
                  "filled with particles, or only a layer at the surface");
  read_strength(reader, solid);
  read_copies(reader, solid);
  read_look(reader, solid.look, "in pictures; automatic: solid");
  read_color(reader, solid.color);
  reader.expect(shape_bounds(solid.shape).finite(), "shape",
                "reaches to infinity: a solid needs a finite shape");
  return solid;
}

}  // namespace panta
