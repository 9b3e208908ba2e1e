// Constraints between named particles. The method declares their types and parameters; a new type
// needs no change here.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "panta/load/load_parts.h"

namespace panta {
namespace {

std::uint32_t particle_id(const json::Value& value, const std::string& path) {
  constexpr double most = 4294967295.0;
  const double id = value.number;
  if (value.type != json::Type::number || !(id >= 0 && id <= most) || id != std::floor(id))
    fail_at(value.place, "'{}' must be a particle's number, counted from 0, got {}", path,
            json::describe(value));
  return static_cast<std::uint32_t>(id);
}

void append_ids(const json::Value& list, const std::string& path, std::size_t size,
                std::vector<std::uint32_t>& ids) {
  if (list.type != json::Type::array || (size > 1 && list.items.size() != size))
    fail_at(list.place, "'{}' must be a list of {} particles, got {}", path, size,
            json::describe(list));
  for (const json::Value& item : list.items) ids.push_back(particle_id(item, path));
}

// For types that are neither single particles nor pairs.
bool must_be_named(const ConstraintInfo& type) { return type.size > 2 || !type.element.empty(); }

// [a, b], or [[a, b], [c, d]] for several constraints; for single particles [a, b, c]. For types of
// elements the lists are the elements of one constraint.
void read_ids(ObjectReader& reader, const ConstraintInfo& type, Constraint& constraint) {
  const std::string doc =
      "their numbers, counted from 0 in the order in which fluids and solids are filled; " +
      (type.element.empty()
           ? "several constraints at once as a list of lists"
           : fmt::format("a list of {} for each {}, all of which are one constraint", type.size,
                         type.element));
  const json::Value* list = reader.special(
      "particles",
      type.element.empty() ? "list of particles, or of such lists" : "list of lists of particles",
      R"({"type": "array", "items": {"type": ["integer", "array", "string"]}, "minItems": 1})",
      doc.c_str(), must_be_named(type));
  if (!list) return;
  const std::string path = reader.path_of("particles");
  reader.expect(list->type != json::Type::array || !list->items.empty(), "particles",
                "is empty: name the particles");
  const bool nested = list->type == json::Type::array && !list->items.empty() &&
                      list->items[0].type == json::Type::array;
  const auto each = static_cast<std::size_t>(type.size);
  if (!nested) return append_ids(*list, path, each, constraint.particles);
  for (const json::Value& item : list->items) append_ids(item, path, each, constraint.particles);
}

void read_choice_of_particles(ObjectReader& reader, const ConstraintInfo& type,
                              Constraint& constraint) {
  read_ids(reader, type, constraint);
  if (must_be_named(type)) return;
  if (type.size == 1) {
    read_shape(reader, "within", "all particles that start inside this shape", false,
               constraint.within);
    return reader.exactly_one({"particles", "within"});
  }
  const bool nearest =
      reader.if_given("nearest", constraint.nearest, positive("m"),
                      "all pairs of particles that start no farther apart than this");
  const bool within = read_shape(reader, "within", "with 'nearest': only inside this shape", false,
                                 constraint.within);
  reader.expect(nearest || !within, "within", "needs 'nearest' as well");
  reader.exactly_one({"particles", "nearest"});
}

// The types of all methods; of equal names that of the scene's method. check_contents tests later
// whether the method has the type.
std::vector<const ConstraintInfo*> known_types(const std::string& method) {
  std::vector<const ConstraintInfo*> types;
  const auto add_types = [&](const MethodInfo& info) {
    for (const ConstraintInfo& type : info.constraints)
      if (std::none_of(types.begin(), types.end(),
                       [&](const ConstraintInfo* known) { return known->name == type.name; }))
        types.push_back(&type);
  };
  add_types(find_method(method));
  for (const MethodInfo& info : methods()) add_types(info);
  return types;
}

Constraint read_constraint(ObjectReader& reader, const std::vector<const ConstraintInfo*>& types) {
  reader.about("constraints between particles");
  Constraint constraint;
  std::string name;
  reader.if_given("name", name, "for events and --set; must be unique");
  std::vector<ObjectReader::Kind> kinds;
  for (const ConstraintInfo* type : types)
    kinds.push_back({type->name.c_str(), type->doc.c_str(), [&constraint, type](ObjectReader& r) {
                       read_parameters(r, type->parameters, constraint.parameters);
                       read_choice_of_particles(r, *type, constraint);
                     }});
  constraint.type = types[reader.kind("type", "the type of constraint", kinds)]->name;
  return constraint;
}

}  // namespace

std::vector<Constraint> read_constraints(ObjectReader& owner, const char* key, const char* doc,
                                         const std::string& method) {
  const std::vector<const ConstraintInfo*> types = known_types(method);
  std::vector<Constraint> constraints;
  owner.each_item(key, {"constraint", doc},
                  [&](ObjectReader& r) { constraints.push_back(read_constraint(r, types)); });
  return constraints;
}

}  // namespace panta
