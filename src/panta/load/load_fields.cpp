// Force fields of a scene file. Each type has its own keys; keys of other types are errors.
#include "panta/load/load_parts.h"

namespace panta {
namespace {

void read_radius(ObjectReader& reader, ForceField& field) {
  reader.required("radius", field.radius, positive("m"),
                  "its range, where its strength falls to zero");
}

void read_swirl(ObjectReader& reader, ForceField& field) {
  read_radius(reader, field);
  reader.required("center", field.center, as_point, "a point on the axis");
  read_axis(reader, field.axis);
  reader.required("rate", field.rate, any_number("rad/s"), "the target angular speed");
  reader.required("strength", field.strength, not_negative("1/s"), "rate of approach to it");
}

void read_pull(ObjectReader& reader, ForceField& field) {
  read_radius(reader, field);
  reader.optional("strength", field.strength, any_number("m/s2"),
                  "acceleration to its centre; negative: away from it");
  reader.optional("drag", field.drag, not_negative("1/s"), "rate of approach to its own velocity");
}

void read_hand(ObjectReader& reader, ForceField& field) {
  read_pull(reader, field);
  reader.each_item("path", {"path_key", "1 to 16 positions with times, linear in between", true},
                   [&](ObjectReader& r) {
                     reader.expect(field.keys < ForceField::max_keys, "path",
                                   "must have 1 to {} entries", ForceField::max_keys);
                     PathKey& key = field.path[field.keys];
                     r.required("time", key.time, any_number("s"),
                                "later than that of the entry before");
                     r.required("position", key.position, as_point, "its centre at that time");
                     if (field.keys > 0)
                       r.expect(key.time > field.path[field.keys - 1].time, "time",
                                "must be later than the entry before, got {}", key.time);
                     ++field.keys;
                   });
  reader.expect(field.keys > 0, "path", "must have 1 to {} entries, got 0", ForceField::max_keys);
}

void read_point(ObjectReader& reader, ForceField& field) {
  read_pull(reader, field);
  reader.required("at", field.path[0].position, as_point, "its centre");
  field.keys = 1;
}

// The range of a field; optional, as its range may be unlimited.
void read_region(ObjectReader& reader, ForceField& field) {
  field.radius = ForceField::everywhere;
  const bool center = reader.if_given("center", field.center, as_point,
                                      "the centre of its range; absent: unlimited");
  const bool radius = reader.if_given("radius", field.radius, positive("m"),
                                      "its range, where its strength falls to zero");
  reader.expect(center == radius, center ? "center" : "radius", "needs '{}' as well",
                center ? "radius" : "center");
}

void read_uniform(ObjectReader& reader, ForceField& field) {
  reader.required("acceleration", field.vector, Vector{Vector::Kind::direction, "m/s2"},
                  "of everything in its range");
  read_region(reader, field);
}

void read_drag(ObjectReader& reader, ForceField& field) {
  reader.required("rate", field.rate, not_negative("1/s"), "velocities fall by exp(-rate t)");
  read_region(reader, field);
}

void read_wind(ObjectReader& reader, ForceField& field) {
  reader.required("velocity", field.vector, as_velocity, "of the air, on average");
  reader.required("rate", field.rate, not_negative("1/s"), "rate of approach to it");
  reader.optional("turbulence", field.turbulence, not_negative("m/s"),
                  "root mean square of the velocity's fluctuations in space and time");
  reader.optional("scale", field.scale, positive("m"), "the size of the eddies");
  read_region(reader, field);
}

}  // namespace

ForceField read_field(ObjectReader& reader) {
  reader.about("a force on everything in its range");
  ForceField field;
  std::string name;
  reader.if_given("name", name, "for events and --set; must be unique");
  reader.optional("active", field.active,
                  "whether it is active at the start; events can switch it");
  reader.optional("start", field.start, any_number("s"), "start of its action");
  reader.if_given("stop", field.stop, any_number("s"), "end of its action; absent: none");
  reader.expect(field.start < field.stop, "stop", "must be later than 'start', got {} and {}",
                field.stop, field.start);
  field.flat = reader.dimensions() == 2;
  constexpr FieldType types[] = {FieldType::swirl,   FieldType::hand, FieldType::hand,
                                 FieldType::uniform, FieldType::drag, FieldType::wind};
  const auto keys = [&](void (*read)(ObjectReader&, ForceField&)) {
    return [&field, read](ObjectReader& r) { read(r, field); };
  };
  const std::size_t number = reader.kind(
      "type", "the type of field",
      {{"swirl", "drives fluid around an axis", keys(read_swirl)},
       {"hand", "a ball on a path that attracts particles and drags them along", keys(read_hand)},
       {"point", "the same at a fixed position", keys(read_point)},
       {"uniform", "a further acceleration besides gravity", keys(read_uniform)},
       {"drag", "slows everything down", keys(read_drag)},
       {"wind", "drags particles along with the air, steady or turbulent", keys(read_wind)}});
  field.type = types[number];
  return field;
}

}  // namespace panta
