// The readers of a scene's parts, one file each. Internal to scene/.
#pragma once

#include "panta/engine/methods.h"
#include "panta/load/object_reader.h"
#include "panta/scene/scene.h"

namespace panta {

// A key that holds a shape; false where it is absent.
bool read_shape(ObjectReader& owner, const std::string& key, const char* doc, bool required,
                Shape& shape);

// Solids made of meshes: {"mesh": …}, {"hull": …}, {"height_field": …}.
Shape read_mesh_shape(ObjectReader& reader);
Shape read_hull(ObjectReader& reader);
Shape read_height_field(ObjectReader& reader);

// "axis" and "degrees" of a rotation.
struct Turn {
  Vec3 axis = {0, 1, 0};
  float degrees = 0;

  Quat rotation() const { return axis_angle(axis, degrees * radians_per_degree); }
};
Turn read_turn(ObjectReader& reader);

// "axis", with the plane's normal as default in two dimensions, where no other is possible.
void read_axis(ObjectReader& reader, Vec3& axis);

// One entry of "bodies", with its motion; of "solids", "emitters", "sinks", "fields", "probes".
Body read_body(ObjectReader& reader);
Solid read_solid(ObjectReader& reader, const Scene& scene);
Motion read_motion(ObjectReader& reader);
Emitter read_emitter(ObjectReader& reader, const Scene& scene);
Sink read_sink(ObjectReader& reader);
ForceField read_field(ObjectReader& reader);
Probe read_probe(const std::string& name, ObjectReader& reader, const Scene& scene);

// The names of materials, of which the owner's key "material" holds one.
std::vector<std::string> material_names(const Scene& scene);
int material_index(const Scene& scene, const std::string& name);

// The key "material" of a fluid or an emitter, which flow, or of a solid, which does not.
int read_material_of_fluid(ObjectReader& reader, const Scene& scene, const char* doc);
int read_material_of_solid(ObjectReader& reader, const Scene& scene, const char* doc);

// One entry of "materials"; `others`: the names of materials and bodies that it may ignore.
Material read_material(const std::string& name, ObjectReader& reader,
                       const std::vector<std::string>& others);

// One fluid, with the checks of where it lies.
Fluid read_fluid(ObjectReader& reader, const Scene& scene);

// The properties of a solid surface, from the object that has them as keys.
void read_surface(ObjectReader& reader, Surface& surface);

// The key "look" of what is solid.
void read_look(ObjectReader& reader, Look& look, const char* doc);

// The key "color" of what pictures show, and the scene's key "camera".
void read_color(ObjectReader& reader, std::optional<Vec3>& color);
void read_camera(ObjectReader& root, CameraSetup& camera);

// The keys "surface" and "images" of "output".
void read_pictures_of_run(ObjectReader& output, Scene& scene);

// The scene's key "domain".
void read_domain(ObjectReader& root, Scene& scene);

// The scene's key "events", as it stands in the file: what is to be set, constraints and fluid that
// come or go.
struct TimelineEntry {
  double time = 0;
  json::Place place;
  struct Change {
    std::string path;  // or, for a switch, the name of what is switched
    json::Value value;
    bool is_switch = false;
  };
  std::vector<Change> changes;
  std::vector<json::Value> added_constraints;
  std::vector<json::Value> removed_constraints;  // their names
  std::vector<Fluid> added;
  std::vector<Shape> cleared;

  bool changes_scene() const {
    return !changes.empty() || !added_constraints.empty() || !removed_constraints.empty();
  }
};
std::vector<TimelineEntry> read_timeline(ObjectReader& root, const Scene& scene);

// A whole scene except that its events are left in `timeline`.
Scene read_scene(json::Value& value, ReadContext& context, std::vector<TimelineEntry>& timeline);

// Applies the timeline in the order of time to `file`, the scene's JSON as it was before reading,
// and reads the scene anew after each change.
std::vector<Event> make_events(std::vector<TimelineEntry> timeline, const Scene& scene,
                               json::Value file, ReadContext& context);

// Keys that are declared parameters; only those given go into `set`.
void read_parameters(ObjectReader& reader, const std::vector<ParameterInfo>& infos,
                     ParameterSet& set);

// A list of constraints under this key of the scene or of an event, against the types that methods
// declare.
std::vector<Constraint> read_constraints(ObjectReader& owner, const char* key, const char* doc,
                                         const std::string& method);

// The scene's key "solver": blocks named after methods, each against the parameters that its method
// declares, and keys of the method in use outside a block. Those of the method in use go into
// Scene::solver.
void read_solver(ObjectReader& root, Scene& scene);

// A file that the scene names, relative to the file that names it.
std::string resolved_file(const std::string& file, const json::Place& place);

}  // namespace panta
