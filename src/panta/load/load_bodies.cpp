// Solid bodies of a scene file and their motion.
#include <fmt/core.h>

#include <cmath>

#include "panta/geometry/bounds.h"
#include "panta/load/load_parts.h"

namespace panta {
namespace {

// Rotations are interpolated along the shorter arc, so more than half a turn would be lost.
constexpr float most_degrees = 180;

void read_keys(ObjectReader& reader, Motion& motion) {
  float last_degrees = 0;
  reader.each_item("keys", {"motion_key", "position and rotation at a time"}, [&](ObjectReader& r) {
    MotionKey key;
    Turn turn;
    r.required("time", key.time, any_number("s"), "later than that of the entry before");
    r.optional("translate", key.position, as_point,
               "displacement from the initial position of the shape");
    r.object("rotate", {"rotation", "about the pivot; less than half a turn from key to key"},
             [&](ObjectReader& t) { turn = read_turn(t); });
    key.rotation = turn.rotation();
    if (!motion.keys.empty()) {
      r.expect(key.time > motion.keys.back().time, "time",
               "must be later than the entry before, got {}", key.time);
      r.expect(std::abs(turn.degrees - last_degrees) < most_degrees, "rotate",
               "turns by {} degrees from one key to the next, must be less than {}: add keys "
               "between, or use a formula",
               std::abs(turn.degrees - last_degrees), most_degrees);
    }
    last_degrees = turn.degrees;
    motion.keys.push_back(key);
  });
}

void read_displacement(ObjectReader& reader, MotionProgram& program) {
  const json::Value* list = reader.special(
      "translate", "list of 3 numbers or formulas of t",
      R"({"type": "array", "items": {"type": ["number", "string"]}, "minItems": 2, "maxItems": 3})",
      "the displacement at time t (m), for example [\"0.1*sin(2*pi*t)\", 0, 0]");
  if (!list) return;
  const std::size_t count = list->items.size();
  reader.expect(
      list->type == json::Type::array && (count == 3 || (count == 2 && reader.dimensions() == 2)),
      "translate", "must be a list of 3 numbers or formulas of t, got {}", json::describe(*list));
  for (std::size_t k = 0; k < count && k < static_cast<std::size_t>(reader.dimensions()); ++k)
    program.displacement[k] =
        reader.formula(list->items[k], fmt::format("{}.{}", reader.path_of("translate"), k));
}

void read_turning(ObjectReader& reader, MotionProgram& program) {
  reader.object("rotate", {"motion_rotation", "the rotation at time t, about the pivot"},
                [&](ObjectReader& r) {
                  read_axis(r, program.axis);
                  Expression degrees;
                  r.required("degrees", degrees, any_number("degrees"),
                             "the angle at time t, for example \"90*t\"");
                  program.angle = scaled(degrees, radians_per_degree, r.place_of("degrees"));
                });
}

}  // namespace

Motion read_motion(ObjectReader& reader) {
  reader.about(
      "prescribed motion of a body: key frames, formulas of the time t, or the sum of both");
  Motion motion;
  enum class Interpolation { linear, smooth } interpolation = Interpolation::linear;
  reader.optional("pivot", motion.program.pivot, as_point, "the point about which it turns");
  reader.optional("interpolation", interpolation, Choice{"linear", "smooth"},
                  "between keys: constant speed, or smooth");
  motion.program.smooth = interpolation == Interpolation::smooth;
  read_keys(reader, motion);
  read_displacement(reader, motion.program);
  read_turning(reader, motion.program);
  return motion;
}

void read_surface(ObjectReader& reader, Surface& surface) {
  reader.optional("velocity", surface.velocity, as_velocity,
                  "of the surface, which stays in place: a conveyor, a sliding lid");
  reader.optional("restitution", surface.restitution, Number{"", 0, 1},
                  "fraction of the normal speed after a bounce");
  reader.if_given(
      "friction", surface.friction, not_negative(),
      "Coulomb coefficient on contact; absent: 0.5 for grains and bodies, 0 for liquids");
  reader.optional("no_slip", surface.no_slip, "viscous fluid sticks to it");
  reader.optional(
      "adhesion", surface.adhesion, not_negative("m/s2"),
      "attraction of touching particles; falls with the distance to zero at the kernel's "
      "radius (method unified)");
  reader.optional("stickiness", surface.stickiness, not_negative("1/s2"),
                  "k_stick: attracts particles within solver.stick_distance (method viscoelastic)");
  note_unused_keys(reader);
}

void read_look(ObjectReader& reader, Look& look, const char* doc) {
  reader.optional("look", look, Choice{"automatic", "solid", "glass", "outline", "hidden"}, doc);
}

namespace {

FreeBody read_free(ObjectReader& reader) {
  reader.about(
      "a rigid body moved by the forces on it, in every method; it consists of no particles and "
      "its surface is exact. For bodies that bend, yield or break use 'solids'");
  FreeBody free;
  const bool has_density = reader.if_given("density", free.density, positive("kg/m3"),
                                           "of its material; needed unless 'mass' is given");
  double mass = 0;
  if (reader.if_given("mass", mass, positive("kg"), "instead of a density")) free.mass = mass;
  reader.expect(reader.describing() || has_density != free.mass.has_value(), "density",
                "or 'mass' must be given, one of the two");
  Vec3d inertia{1, 1, 1};
  if (reader.if_given("inertia", inertia, Vector{Vector::Kind::direction, "kg m2"},
                      "about the axes of the shape's frame through its centre of mass; absent: "
                      "that of a homogeneous body"))
    free.inertia = inertia;
  reader.expect(inertia.x > 0 && inertia.y > 0 && inertia.z > 0, "inertia", "must be positive");
  reader.optional("velocity", free.velocity, as_velocity, "of its centre of mass, at the start");
  reader.optional("spin", free.spin, Vector{Vector::Kind::axis, "rad/s"},
                  "about its centre of mass, at the start");
  reader.expect(reader.dimensions() == 3 || (free.spin.x == 0 && free.spin.y == 0), "spin",
                "must be about z in two dimensions");
  return free;
}

void check_free(const ObjectReader& reader, const Body& body) {
  if (!body.free) return;
  reader.expect(!body.motion.moves(), "motion",
                "prescribes the motion, but 'free' means that forces "
                "move the body: remove one of them");
  reader.expect(!body.hollow, "hollow",
                "makes the body solid to infinity, so that it cannot be free");
  reader.expect(!body.trigger, "trigger", "has no contacts, so that the body cannot be free");
  const ShapeBounds bounds = shape_bounds(body.shape);
  reader.expect(!body.shape.empty() && !bounds.empty() && bounds.finite(), "shape",
                "must have a finite size where the body is free");
}

}  // namespace

Body read_body(ObjectReader& reader) {
  reader.about("a solid: at rest, with prescribed motion, or moved by the forces on it");
  Body body;
  reader.if_given("name", body.name, "for events and --set; must be unique");
  read_shape(reader, "shape", "its shape", true, body.shape);
  reader.optional("hollow", body.hollow, "a container: fluid inside the shape, solid outside");
  reader.optional("trigger", body.trigger,
                  "no contacts; the number of particles inside is reported with the probes, under "
                  "its name");
  read_look(reader, body.look,
            "in pictures; automatic: solid, hollow bodies and planes as outlines, triggers hidden");
  read_color(reader, body.color);
  read_surface(reader, body.surface);
  reader.object("motion", {"motion", "prescribed motion; absent: at rest"},
                [&](ObjectReader& r) { body.motion = read_motion(r); });
  reader.object("free", {"free_body", "moved by the forces on it"},
                [&](ObjectReader& r) { body.free = read_free(r); });
  check_free(reader, body);
  return body;
}

}  // namespace panta
