// Sources and sinks of a scene file.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/geometry/bounds.h"
#include "panta/load/load_parts.h"

namespace panta {
namespace {

// Half the depth of the profile's solid, relative to its width; only its cross-section matters.
constexpr float profile_depth = 0.5f;

// Rotates z to the direction, with y as vertical as possible.
Quat towards(const Vec3& direction) {
  const float heading = std::atan2(direction.x, direction.z);
  const float elevation = std::asin(std::clamp(direction.y, -1.0f, 1.0f));
  return axis_angle({0, 1, 0}, heading) * axis_angle({1, 0, 0}, -elevation);
}

void read_disc(ObjectReader& reader, Emitter& emitter) {
  float radius = 0;
  reader.required("radius", radius, positive("m"), "its radius; in two dimensions half its width");
  const Vec3 half = emitter.direction * (profile_depth * radius);
  emitter.profile = Shape::cylinder(emitter.at - half, emitter.at + half, radius);
  emitter.area = reader.dimensions() == 2 ? 2 * radius : std::numbers::pi * radius * radius;
}

void read_square(ObjectReader& reader, Emitter& emitter) {
  const json::Value* list = reader.special(
      "size", "list of 2 numbers",
      R"({"type": "array", "items": {"type": ["number", "string"]}, "minItems": 1, "maxItems": 2})",
      "width and height (m), the height as vertical as possible; in two dimensions only the width",
      true);
  if (!list) return;
  const bool flat = reader.dimensions() == 2;
  reader.expect(list->type == json::Type::array && list->items.size() <= 2 &&
                    list->items.size() >= (flat ? 1 : 2),
                "size", "must be a list of width and height, got {}", json::describe(*list));
  float size[2] = {};
  for (std::size_t k = 0; k < list->items.size(); ++k)
    size[k] = reader.number(list->items[k], fmt::format("{}.{}", reader.path_of("size"), k));
  // In the plane z = 0, the vertical axis of the profile lies in the plane.
  if (flat) size[1] = size[0];
  reader.expect(size[0] > 0 && size[1] > 0, "size", "must be > 0, got {} and {}", size[0], size[1]);
  const Vec3 half{0.5f * size[0], 0.5f * size[1], profile_depth * std::max(size[0], size[1])};
  emitter.profile = Shape::box(-half, half).rotated(towards(emitter.direction)).moved(emitter.at);
  emitter.area = flat ? size[0] : static_cast<double>(size[0]) * size[1];
}

// Whether the plane of the profile intersects its solid, tested on a grid of a quarter spacing.
bool plane_cuts_profile(const Emitter& emitter, double spacing) {
  const ShapeBounds bounds = shape_bounds(emitter.profile);
  const double reach = length(bounds.max - bounds.min) +
                       length((bounds.max + bounds.min) * 0.5 - to_double(emitter.at));
  const double step = std::max(spacing / 4, reach / 500);
  const Quat turn = towards(emitter.direction);
  const Vec3 right = rotation(turn) * Vec3{1, 0, 0}, up = rotation(turn) * Vec3{0, 1, 0};
  const int count = static_cast<int>(reach / step) + 1;
  for (int i = -count; i <= count; ++i)
    for (int j = -count; j <= count; ++j) {
      const Vec3 x =
          emitter.at + right * static_cast<float>(i * step) + up * static_cast<float>(j * step);
      if (distance(emitter.profile, x).value < 0) return true;
    }
  return false;
}

void read_profile(ObjectReader& reader, Emitter& emitter) {
  reader.object("disc", {"emitter_disc", "a round profile"},
                [&](ObjectReader& r) { read_disc(r, emitter); });
  reader.object("square", {"emitter_square", "a profile with four corners"},
                [&](ObjectReader& r) { read_square(r, emitter); });
  if (read_shape(reader, "shape",
                 "a solid; its cross-section in the plane through 'at' is the profile", false,
                 emitter.profile)) {
    reader.expect(shape_bounds(emitter.profile).finite(), "shape", "must be finite");
    reader.expect(plane_cuts_profile(emitter, reader.context().spacing), "shape",
                  "gives a profile without area: the plane through 'at' normal to 'direction' must "
                  "cut it");
  }
  reader.exactly_one({"disc", "square", "shape"});
}

void read_times(ObjectReader& reader, Emitter& emitter) {
  reader.optional("start", emitter.start, any_number("s"), "start of the flow");
  reader.if_given("stop", emitter.stop, any_number("s"), "end of the flow; absent: none");
  reader.expect(emitter.start < emitter.stop, "stop", "must be later than 'start', got {} and {}",
                emitter.stop, emitter.start);
  reader.object("pulse", {"pulse", "periodic flow; absent: steady"}, [&](ObjectReader& r) {
    r.required("period", emitter.pulse_period, positive("s"), "length of a period");
    r.required("on", emitter.pulse_on, positive("s"), "time of flow in each period");
    r.expect(emitter.pulse_on <= emitter.pulse_period, "on",
             "must not be longer than 'period', got {} and {}", emitter.pulse_on,
             emitter.pulse_period);
  });
}

}  // namespace

Emitter read_emitter(ObjectReader& reader, const Scene& scene) {
  reader.about("a source of fluid: a flat profile with outflow in layers at rest density");
  Emitter emitter;
  reader.if_given("name", emitter.name, "for events and --set; must be unique");
  emitter.material = read_material_of_fluid(reader, scene, "of the fluid");
  reader.required("at", emitter.at, as_point, "the centre of its profile");
  reader.optional("direction", emitter.direction, as_direction, "of the flow");
  reader.expect(length(emitter.direction) > 0, "direction", "must not be zero");
  emitter.direction = normalized(emitter.direction);
  reader.optional("speed", emitter.speed, not_negative("m/s"), "of the outflow");
  read_times(reader, emitter);
  reader.if_given("volume", emitter.most_volume, positive(scene.dimensions == 2 ? "m2" : "m3"),
                  "in total, then the flow stops; absent: no limit");
  reader.optional("active", emitter.active, "whether it flows at the start; events can switch it");
  read_profile(reader, emitter);
  return emitter;
}

Sink read_sink(ObjectReader& reader) {
  reader.about("a region that removes fluid");
  Sink sink;
  reader.if_given("name", sink.name, "for events and --set; must be unique");
  read_shape(reader, "shape", "particles inside it are removed", true, sink.shape);
  reader.optional("outside", sink.outside, "removes the particles outside the shape instead");
  reader.optional("active", sink.active, "whether it is active at the start; events can switch it");
  return sink;
}

}  // namespace panta
