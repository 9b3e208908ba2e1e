// Force fields of a scene file. Each type has its own keys, so that one of another type is an
// error.
#include "panta/load/load_parts.h"

namespace panta {
namespace {

void read_radius(ObjectReader& reader, ForceField& field) {
  reader.required("radius", field.radius, positive("m"),
                  "its reach, where it has faded to nothing");
}

void read_swirl(ObjectReader& reader, ForceField& field) {
  read_radius(reader, field);
  reader.required("center", field.center, as_point, "a point on the axis");
  read_axis(reader, field.axis);
  reader.required("rate", field.rate, any_number("rad/s"), "the angular speed that is approached");
  reader.required("strength", field.strength, not_negative("1/s"), "how fast it is approached");
}

void read_pull(ObjectReader& reader, ForceField& field) {
  read_radius(reader, field);
  reader.optional("strength", field.strength, any_number("m/s2"),
                  "the pull to its centre; negative: away from it");
  reader.optional("drag", field.drag, not_negative("1/s"),
                  "how fast its own velocity is taken over");
}

void read_hand(ObjectReader& reader, ForceField& field) {
  read_pull(reader, field);
  reader.each_item(
      "path", {"path_key", "where it is when: 1 to 16 places, straight lines between", true},
      [&](ObjectReader& r) {
        reader.expect(field.keys < ForceField::max_keys, "path", "must have 1 to {} entries",
                      ForceField::max_keys);
        PathKey& key = field.path[field.keys];
        r.required("time", key.time, any_number("s"), "later than that of the entry before");
        r.required("position", key.position, as_point, "its centre then");
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

// The reach of a field that may act everywhere.
void read_region(ObjectReader& reader, ForceField& field) {
  field.radius = ForceField::everywhere;
  const bool center = reader.if_given("center", field.center, as_point,
                                      "the middle of its reach; absent: it acts everywhere");
  const bool radius = reader.if_given("radius", field.radius, positive("m"),
                                      "its reach, where it has faded to nothing");
  reader.expect(center == radius, center ? "center" : "radius", "needs '{}' as well",
                center ? "radius" : "center");
}

void read_uniform(ObjectReader& reader, ForceField& field) {
  reader.required("acceleration", field.vector, Vector{Vector::Kind::direction, "m/s2"},
                  "of everything in its reach");
  read_region(reader, field);
}

void read_drag(ObjectReader& reader, ForceField& field) {
  reader.required("rate", field.rate, not_negative("1/s"), "velocities fall by exp(-rate t)");
  read_region(reader, field);
}

void read_wind(ObjectReader& reader, ForceField& field) {
  reader.required("velocity", field.vector, as_velocity, "of the air, on average");
  reader.required("rate", field.rate, not_negative("1/s"), "how fast it is taken over");
  reader.optional("turbulence", field.turbulence, not_negative("m/s"),
                  "root mean square of the velocity's variations in space and time");
  reader.optional("scale", field.scale, positive("m"), "the size of the eddies");
  read_region(reader, field);
}

}  // namespace

ForceField read_field(ObjectReader& reader) {
  reader.about("a force on everything in its reach");
  ForceField field;
  std::string name;
  reader.if_given("name", name, "for events and --set; no two alike");
  reader.optional("active", field.active, "whether it acts from the beginning; events switch it");
  reader.optional("start", field.start, any_number("s"), "from when it acts");
  reader.if_given("stop", field.stop, any_number("s"), "until when; absent: for ever");
  reader.expect(field.start < field.stop, "stop", "must be later than 'start', got {} and {}",
                field.stop, field.start);
  field.flat = reader.dimensions() == 2;
  constexpr FieldType types[] = {FieldType::swirl,   FieldType::hand, FieldType::hand,
                                 FieldType::uniform, FieldType::drag, FieldType::wind};
  const auto keys = [&](void (*read)(ObjectReader&, ForceField&)) {
    return [&field, read](ObjectReader& r) { read(r, field); };
  };
  const std::size_t number = reader.kind(
      "type", "what it does",
      {{"swirl", "drives fluid around an axis", keys(read_swirl)},
       {"hand", "a ball that moves along a path, pulls and drags along", keys(read_hand)},
       {"point", "the same at a fixed place", keys(read_point)},
       {"uniform", "a further acceleration besides gravity", keys(read_uniform)},
       {"drag", "slows everything down", keys(read_drag)},
       {"wind", "carries along what is in the air, steadily or in gusts", keys(read_wind)}});
  field.type = types[number];
  return field;
}

}  // namespace panta
