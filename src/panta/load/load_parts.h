// The readers of a scene's parts, one file each. Internal to scene/.
#pragma once

#include "panta/engine/methods.h"
#include "panta/load/object_reader.h"
#include "panta/scene/scene.h"

namespace panta {

// A key with a shape; false if it is absent.
bool read_shape(ObjectReader& owner, const std::string& key, const char* doc, bool required,
                Shape& shape);

// Solids as distance grids: {"mesh": …}, {"hull": …}, {"polygon": …}, {"height_field": …}.
Shape read_mesh_shape(ObjectReader& reader);
Shape read_hull(ObjectReader& reader);
Shape read_polygon(ObjectReader& reader);
Shape read_height_field(ObjectReader& reader);

// "axis" and "degrees" of a rotation.
struct Turn {
  Vec3 axis = {0, 1, 0};
  float degrees = 0;

  Quat rotation() const { return axis_angle(axis, degrees * radians_per_degree); }
};
Turn read_turn(ObjectReader& reader);

// "axis"; in two dimensions the default is the plane's normal, and other values are errors.
void read_axis(ObjectReader& reader, Vec3& axis);

// Each reads one entry of "bodies", with its motion; of "solids", "emitters", "sinks", "fields",
// "probes".
Body read_body(ObjectReader& reader);
Solid read_solid(ObjectReader& reader, const Scene& scene);
Motion read_motion(ObjectReader& reader);
Emitter read_emitter(ObjectReader& reader, const Scene& scene);
Sink read_sink(ObjectReader& reader);
ForceField read_field(ObjectReader& reader);
Probe read_probe(const std::string& name, ObjectReader& reader, const Scene& scene);

// The names of materials, which are the valid values of the owner's key "material".
std::vector<std::string> material_names(const Scene& scene);
int material_index(const Scene& scene, const std::string& name);

// The key "material" of a fluid or an emitter (not of kind solid), or of a solid.
int read_material_of_fluid(ObjectReader& reader, const Scene& scene, const char* doc);
int read_material_of_solid(ObjectReader& reader, const Scene& scene, const char* doc);

// One entry of "materials"; `others`: the names of materials and bodies that it may ignore.
Material read_material(const std::string& name, ObjectReader& reader,
                       const std::vector<std::string>& others);

// One fluid, with checks of its position.
Fluid read_fluid(ObjectReader& reader, const Scene& scene);

// The properties of a solid surface, from the object with these keys.
void read_surface(ObjectReader& reader, Surface& surface);

// Notes keys of a material or surface, read before, that have values other than their defaults and
// no effect in the scene's method: other methods declare them (MethodInfo::uses).
void note_unused_keys(const ObjectReader& reader);

// The same for one given key.
void note_unused_key(const ObjectReader& reader, const std::string& key);

// A message for each of these keys with a remedy.
std::vector<std::string> unused_key_messages(const std::vector<UnusedKey>& unused,
                                             const std::string& method);

// The key "look" of a solid.
void read_look(ObjectReader& reader, Look& look, const char* doc);

// The key "color" for pictures, and the scene's key "camera".
void read_color(ObjectReader& reader, std::optional<Vec3>& color);
void read_camera(ObjectReader& root, CameraSetup& camera);

// The keys "surface" and "images" of "output".
void read_pictures_of_run(ObjectReader& output, Scene& scene);

// The scene's key "domain".
void read_domain(ObjectReader& root, Scene& scene);

// The scene's key "events" as in the file: values to set, constraints and fluid to add or remove.
struct TimelineEntry {
  double time = 0;
  json::Place place;
  struct Change {
    std::string path;  // or, for a switch, the name of the emitter, sink or field
    json::Value value;
    bool is_switch = false;
  };
  std::vector<Change> changes;
  std::vector<json::Value> added_constraints;
  std::vector<json::Value> removed_constraints;  // by name
  std::vector<Fluid> added;
  std::vector<Shape> cleared;

  bool changes_scene() const {
    return !changes.empty() || !added_constraints.empty() || !removed_constraints.empty();
  }
};
std::vector<TimelineEntry> read_timeline(ObjectReader& root, const Scene& scene);

// A whole scene, except that its events are returned in `timeline`.
Scene read_scene(json::Value& value, ReadContext& context, std::vector<TimelineEntry>& timeline);

// Applies the timeline in the order of time to `file`, the scene's JSON before reading, and reads
// the scene again after each change.
std::vector<Event> make_events(std::vector<TimelineEntry> timeline, const Scene& scene,
                               json::Value file, ReadContext& context);

// Keys that are declared parameters; only those given are added to `set`.
void read_parameters(ObjectReader& reader, const std::vector<ParameterInfo>& infos,
                     ParameterSet& set);

// A list of constraints under this key of the scene or of an event, checked against the types that
// methods declare.
std::vector<Constraint> read_constraints(ObjectReader& owner, const char* key, const char* doc,
                                         const std::string& method);

// The scene's key "solver": blocks named after methods, each checked against the parameters that
// its method declares, and keys of the scene's method outside a block. Those of the scene's method
// are stored in Scene::solver.
void read_solver(ObjectReader& root, Scene& scene);

// A file named in the scene, relative to the file that names it.
std::string resolved_file(const std::string& file, const json::Place& place);

}  // namespace panta
