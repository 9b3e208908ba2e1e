// Probes of a scene file: quantities reported for every frame.
#include <algorithm>
#include <cmath>

#include "panta/frame/column_values.h"
#include "panta/geometry/mass_properties.h"
#include "panta/load/load_parts.h"

namespace panta {
namespace {

void read_extent(ObjectReader& reader, Probe& probe) {
  std::string side = "+x";
  const std::vector<std::string> sides(side_names.begin(),
                                       side_names.begin() + 2 * reader.dimensions());
  reader.optional("axis", side, sides, "the largest (+) or smallest (-) coordinate along an axis");
  const auto number = std::find(side_names.begin(), side_names.end(), side) - side_names.begin();
  probe.axis = static_cast<int>(number / 2);
  probe.upper = number % 2 == 1;
}

void read_place(ObjectReader& reader, Probe& probe) {
  reader.required("at", probe.at, as_point, "the point");
  reader.if_given("radius", probe.radius, positive("m"),
                  "radius of the average; absent: two spacings");
}

void read_flux(ObjectReader& reader, Probe& probe) {
  reader.required("at", probe.at, as_point, "a point of the plane");
  reader.optional("normal", probe.normal, as_direction,
                  "of the plane; direction of a positive flux");
  reader.expect(length(probe.normal) > 0, "normal", "must not be zero");
  probe.normal = normalized(probe.normal);
}

std::vector<std::string> body_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies)
    if (!body.name.empty()) names.push_back(body.name);
  return names;
}

int body_index(const Scene& scene, const std::string& name) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (!name.empty() && scene.bodies[k].name == name) return static_cast<int>(k);
  return -1;
}

void read_body(ObjectReader& reader, Probe& probe, const Scene& scene) {
  std::string name;
  reader.required("body", name, body_names(scene), "the name of one of `bodies`");
  probe.body = body_index(scene, name);
  reader.optional("quantity", probe.quantity, Choice{body_quantity_names},
                  "place (m); of a free body also its velocity (m/s), spin (rad/s), and force (N) "
                  "and torque (N m) in all, by particles, or by contacts with bodies and walls");
  const bool free =
      probe.body < 0 || scene.bodies[static_cast<std::size_t>(probe.body)].free.has_value();
  reader.expect(free || probe.quantity == BodyQuantity::place, "quantity",
                "is available for free bodies only, and this body is not free");
  const bool given = reader.if_given("at", probe.at, as_point,
                                     "a point of it, in its initial pose; absent: its centre "
                                     "of mass");
  reader.expect(!given || probe.quantity == BodyQuantity::place, "at",
                "is for the quantity 'place': leave it out");
  if (given || probe.body < 0) return;
  const Shape& shape = scene.bodies[static_cast<std::size_t>(probe.body)].shape;
  probe.at = located(reader.place_of("body"), [&] {
    return to_float(mass_properties(shape, reader.dimensions() == 2).centre);
  });
}

void read_reach(ObjectReader& reader, Probe& probe) {
  reader.if_given("radius", probe.radius, positive("m"),
                  "particles nearer than this are connected; absent: two spacings");
}

void read_column(ObjectReader& reader, Probe& probe) {
  reader.required("column", probe.column, "the name of a column, e.g. density or velocity");
  reader.optional("reduce", probe.reduce, Choice{reduce_names},
                  "how the values of the selected particles are combined");
  std::vector<std::string> components;
  for (const ColumnType type : {ColumnType::vector, ColumnType::symmetric})
    for (const std::string& name : component_names(type)) components.push_back(name);
  components.push_back(length_component);
  reader.if_given("component", probe.component, components,
                  "one component of a vector or matrix; absent: all, each separately");
}

void read_wall_pressure(ObjectReader& reader, Probe& probe, const Scene& scene) {
  reader.required("at", probe.at, as_point, "the centre of the patch, on the surface");
  reader.required("normal", probe.normal, as_direction, "of the surface, into the fluid");
  reader.expect(length(probe.normal) > 0, "normal", "must not be zero");
  probe.normal = normalized(probe.normal);
  const bool disc = reader.if_given("radius", probe.radius, positive("m"),
                                    "of a round patch; in two dimensions half its length");
  const bool box = reader.if_given("size", probe.size, Vector{Vector::Kind::direction, "m"},
                                   "instead of `radius`: the patch is the part of the plane inside "
                                   "a box of this size around `at`");
  reader.expect(disc != box, "", "needs one of 'radius' and 'size'");
  bool positive_size = true;
  for (int axis = 0; axis < reader.dimensions(); ++axis)
    positive_size = positive_size && (probe.size[axis] > 0 || std::abs(probe.normal[axis]) == 1);
  reader.expect(disc || positive_size, "size", "must be positive in the directions of the surface");
  std::string body;
  if (reader.if_given("body", body, body_names(scene),
                      "the patch moves with this body; `at` and `normal` are those in its "
                      "initial pose"))
    probe.body = body_index(scene, body);
}

void read_nothing(ObjectReader&, Probe&) {}

}  // namespace

Probe read_probe(const std::string& name, ObjectReader& reader, const Scene& scene) {
  reader.about("a quantity reported for every frame, in `probes.jsonl`");
  Probe probe;
  probe.name = name;
  for (const Body& body : scene.bodies)
    reader.expect(!body.trigger || body.name != name, "",
                  "has the name of a trigger among 'bodies': choose another one");
  const auto keys = [&](void (*read)(ObjectReader&, Probe&)) {
    return [&probe, read](ObjectReader& r) { read(r, probe); };
  };
  // Must be in the order of ProbeType.
  const std::size_t number = reader.kind(
      "type", "what is measured",
      {{"extent", "the outermost coordinate of the particles (m)", keys(read_extent)},
       {"height", "y of the highest particle in the column above and below a point (m)",
        keys(read_place)},
       {"pressure", "the mean pressure around a point (Pa)", keys(read_place)},
       {"velocity", "the mean velocity around a point (m/s)", keys(read_place)},
       {"flux", "the volume that crosses a plane (m3/s; in two dimensions m2/s)", keys(read_flux)},
       {"center_of_mass", "the centre of mass (m)", keys(read_nothing)},
       {"volume", "the volume of the particles (m3; in two dimensions m2)", keys(read_nothing)},
       {"count", "the number of particles", keys(read_nothing)},
       {"body", "position of a point of a body, motion of a free body, and the forces on it",
        [&](ObjectReader& r) { read_body(r, probe, scene); }},
       {"pieces", "the number of pieces that do not touch each other: drops, fragments",
        keys(read_reach)},
       {"column", "mean, minimum, maximum or sum of an attribute of the particles",
        keys(read_column)},
       {"wall_pressure",
        "the mean pressure on a patch of a wall or body (Pa), extrapolated to the surface; dry "
        "parts count as zero",
        [&](ObjectReader& r) { read_wall_pressure(r, probe, scene); }}});
  probe.type = static_cast<ProbeType>(number);
  read_shape(reader, "region", "only particles inside this shape count", false, probe.region);
  std::string material;
  if (reader.if_given("material", material, material_names(scene),
                      "only particles of this material count"))
    probe.material = material_index(scene, material);
  reader.expect(probe.type != ProbeType::body || (probe.region.empty() && probe.material < 0), "",
                "is of a body, which has neither 'region' nor 'material': leave them out");
  return probe;
}

}  // namespace panta
