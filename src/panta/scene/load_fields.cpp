// Force fields of a scene file. Each type has its own keys, so that one of another type is an
// error.
#include "panta/scene/load_parts.h"

namespace panta {
namespace {

void read_swirl(ObjectReader& reader, ForceField& field) {
  const bool flat = reader.dimensions() == 2;
  reader.required("center", field.center, VectorKind::point);
  if (flat) field.axis = {0, 0, 1};
  reader.optional("axis", field.axis, VectorKind::axis);
  if (!(length(field.axis) > 0))
    fail_at(reader.place_of("axis"), "'{}' must not be zero", reader.path_of("axis"));
  if (flat && (field.axis.x != 0 || field.axis.y != 0))
    fail_at(reader.place_of("axis"), "'{}' must point along z in a scene with 2 dimensions",
            reader.path_of("axis"));
  field.axis = normalized(field.axis);
  reader.required("rate", field.rate, any_number);
  reader.required("strength", field.strength, not_negative);
}

void read_path(ObjectReader& reader, ForceField& field) {
  const json::Value& list = reader.require("path");
  const std::string path = reader.path_of("path");
  if (list.type == json::Type::array && (list.empty() || list.items.size() > ForceField::max_keys))
    fail_at(list.place, "'{}' must have 1 to {} entries, got {}", path, ForceField::max_keys,
            list.items.size());
  reader.each_item("path", [&](ObjectReader& r) {
    PathKey& key = field.path[field.keys];
    r.required("time", key.time, any_number);
    r.required("position", key.position, VectorKind::point);
    if (field.keys > 0 && !(key.time > field.path[field.keys - 1].time))
      fail_at(r.place_of("time"), "'{}' must be later than the entry before, got {}",
              r.path_of("time"), key.time);
    ++field.keys;
  });
}

void read_hand(ObjectReader& reader, ForceField& field) {
  reader.optional("strength", field.strength, any_number);
  reader.optional("drag", field.drag, not_negative);
  read_path(reader, field);
}

struct FieldReader {
  const char* name;
  FieldType type;
  void (*read)(ObjectReader&, ForceField&);
};
constexpr FieldReader field_readers[] = {{"swirl", FieldType::swirl, read_swirl},
                                         {"hand", FieldType::hand, read_hand}};

}  // namespace

ForceField read_field(ObjectReader& reader) {
  std::vector<std::string> names;
  for (const FieldReader& entry : field_readers) names.push_back(entry.name);
  std::string name;
  reader.required("type", name, names);
  ForceField field;
  reader.required("radius", field.radius, positive);
  reader.optional("start", field.start, any_number);
  reader.optional("stop", field.stop, any_number);
  if (!(field.start < field.stop))
    fail_at(reader.place_of("stop"), "'{}' must be later than 'start', got {} and {}",
            reader.path_of("stop"), field.stop, field.start);
  for (const FieldReader& entry : field_readers)
    if (entry.name == name) {
      field.type = entry.type;
      entry.read(reader, field);
    }
  return field;
}

}  // namespace panta
