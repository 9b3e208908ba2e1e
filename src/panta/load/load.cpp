// The top level of a scene file, and the checks that need more than one key.
#include "panta/load/load.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "panta/core/file.h"
#include "panta/io/particle_file.h"
#include "panta/load/include.h"
#include "panta/load/load_parts.h"
#include "panta/load/overrides.h"
#include "panta/load/variables.h"
#include "panta/scene/estimate_emitted.h"
#include "panta/scene/frame_times.h"
#include "panta/scene/sample.h"

namespace panta {
namespace {

constexpr double most_particles = 2e9;
constexpr double most_frames = 1e8;

// Keys that are handled before reading; declared here for the description.
void declare_file_keys(ObjectReader& root) {
  root.special("$schema", "text", R"({"type": "string"})",
               "the address of this schema, for editors");
  const json::Value* include = root.special(
      "include", "list of file names", R"({"type": "array", "items": {"type": "string"}})",
      "scene files to include, relative to this file; keys of this file have priority");
  root.expect(!include, "include", "can only be given in a file");
  root.special("variables", "numbers by name",
               R"({"type": "object", "additionalProperties": {"type": ["number", "string"]}})",
               "numbers for use in formulas: any number may be written as \"=width/2\"");
}

void read_basics(ObjectReader& root, Scene& scene) {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.push_back(method.name);
  root.required("method", scene.method, names, "how the fluid is computed");
  root.context().method = scene.method;
  root.optional("title", scene.title, "for reports");
  root.optional("dimensions", scene.dimensions, Number{"", 2, 3}, "2: all in the plane z = 0");
  root.context().dimensions = scene.dimensions;
  root.required("spacing", scene.spacing, positive("m"),
                "the distance between particles, which sets the resolution");
  root.context().spacing = scene.spacing;
  root.optional("duration", scene.duration, positive("s"), "the time that is simulated");
  root.optional("fps", scene.fps, positive("1/s"), "frames per second that are written");
  root.optional("gravity", scene.gravity, Vector{Vector::Kind::direction, "m/s2"},
                "acceleration of everything");
  root.optional("max_density_error", scene.max_density_error, Number{"", 0.01, 1e6},
                "a run fails if the mean of density / rest density - 1 exceeds this in ten frames "
                "in a row: the liquid has lost its volume");
  root.expect(scene.duration * scene.fps <= most_frames, "duration",
              "times 'fps' gives {:.3g} frames, too many", scene.duration * scene.fps);
}

// The names of materials and bodies, needed before either are read.
std::vector<std::string> names_to_ignore(ObjectReader& root) {
  std::vector<std::string> names;
  if (root.describing()) return names;
  if (const json::Value* materials = root.value().find("materials"))
    for (const json::Member& member : materials->members) names.push_back(member.key);
  if (const json::Value* bodies = root.value().find("bodies"))
    for (const json::Value& body : bodies->items)
      if (const json::Value* name = body.find("name")) names.push_back(name->string);
  return names;
}

void read_contents(ObjectReader& root, Scene& scene, std::vector<TimelineEntry>& timeline) {
  read_domain(root, scene);
  const std::vector<std::string> others = names_to_ignore(root);
  root.each_member("materials", {"material", "what fluids and solids are made of"},
                   [&](const std::string& name, ObjectReader& r) {
                     const Material material = read_material(name, r, others);
                     if (!r.describing()) scene.materials.push_back(material);
                   });
  root.each_item("bodies", {"body", "solids: at rest, with prescribed motion, or free"},
                 [&](ObjectReader& r) { scene.bodies.push_back(read_body(r)); });
  root.each_item("solids", {"solid", "solids that move freely (method unified)"},
                 [&](ObjectReader& r) { scene.solids.push_back(read_solid(r, scene)); });
  const bool given =
      root.each_item("fluids", {"fluid", "fluid at the start"},
                     [&](ObjectReader& r) { scene.fluids.push_back(read_fluid(r, scene)); });
  root.each_item("emitters", {"emitter", "sources of fluid"},
                 [&](ObjectReader& r) { scene.emitters.push_back(read_emitter(r, scene)); });
  root.each_item("sinks", {"sink", "regions that remove fluid"},
                 [&](ObjectReader& r) { scene.sinks.push_back(read_sink(r)); });
  root.each_item("fields", {"field", "forces on everything in their range"},
                 [&](ObjectReader& r) { scene.fields.push_back(read_field(r)); });
  scene.constraints =
      read_constraints(root, "constraints", "constraints between particles", scene.method);
  timeline = read_timeline(root, scene);
  const bool has_contents = !scene.fluids.empty() || !scene.emitters.empty() ||
                            !scene.bodies.empty() || !scene.solids.empty();
  root.expect(has_contents, "fluids", "{}", given ? "is empty: nothing to simulate" : "is missing");
  root.each_member("probes", {"probe", "quantities reported for every frame"},
                   [&](const std::string& name, ObjectReader& r) {
                     scene.probes.push_back(read_probe(name, r, scene));
                   });
}

void read_output(ObjectReader& root, Scene& scene) {
  root.section("output", {"output", "what is written"}, [&](ObjectReader& reader) {
    std::vector<std::string> formats = particle_formats();
    formats.push_back("none");
    reader.optional("particles", scene.particle_format, formats,
                    "the format of the particles of each frame");
    read_pictures_of_run(reader, scene);
  });
}

Scene read_root(ObjectReader& root, std::vector<TimelineEntry>& timeline) {
  Scene scene;
  declare_file_keys(root);
  read_basics(root, scene);
  read_contents(root, scene, timeline);
  root.reserve({"cloths", "ropes"});
  read_solver(root, scene);
  read_camera(root, scene.camera);
  read_output(root, scene);
  return scene;
}

// The names that --set and events use for entries of lists.
void check_names(const json::Value& file) {
  std::map<std::string, json::Place> seen;
  for (const char* section : {"bodies", "solids", "emitters", "sinks", "fields", "constraints"}) {
    const json::Value* list = file.find(section);
    if (!list) continue;
    for (const json::Value& item : list->items) {
      const json::Value* name = item.find("name");
      if (!name) continue;
      if (name->string.empty() || name->string.find('.') != std::string::npos)
        fail_at(name->place, "'{}' cannot be a name: it must not be empty or contain a dot",
                name->string);
      const auto [at, is_new] = seen.emplace(name->string, name->place);
      if (!is_new)
        fail_at(name->place, "the name '{}' is given twice, first at {}", name->string,
                at->second.text());
    }
  }
}

void check_particle_count(const Scene& scene, const json::Value& file) {
  const double count = estimate_particles(scene) + estimate_emitted(scene);
  if (count > most_particles)
    fail_at(file.find("spacing")->place,
            "'spacing' {} gives about {:.3g} particles, more than {:.0e}: use a larger one",
            scene.spacing, count, most_particles);
}

// Replaces formulas by numbers everywhere except in the title.
Variables evaluate_formulas(json::Value& file) {
  Variables variables;
  if (json::Value* given = file.find("variables")) variables = evaluate_variables(*given);
  for (json::Member& member : file.members)
    if (member.key != "title") evaluate_expressions(member.value, variables);
  return variables;
}

// The method first: it decides which parameters are valid as keys of `solver` outside a block.
void apply_overrides(json::Value& file, const std::vector<std::string>& overrides) {
  for (const bool method : {true, false})
    for (const std::string& assignment : overrides)
      if (assignment.starts_with("method=") == method) apply_override(file, assignment);
}

}  // namespace

Scene read_scene(json::Value& value, ReadContext& context, std::vector<TimelineEntry>& timeline) {
  context.models = 0;
  context.unused.clear();
  ObjectReader root(value, "", context);
  const Scene scene = read_root(root, timeline);
  root.finish();
  check_names(value);
  check_particle_count(scene, value);
  located(value.find("method")->place, [&] { check_contents(scene); });
  return scene;
}

Description describe_scene() {
  Description description;
  ReadContext context;
  context.description = &description;
  ObjectInfo& info = description.emplace_back();
  info.name = "scene";
  info.doc = "a scene file";
  ObjectReader root(info, context);
  std::vector<TimelineEntry> timeline;
  read_root(root, timeline);
  return description;
}

Scene parse_scene(std::string_view text, const std::string& filename,
                  const std::vector<std::string>& overrides, json::Value* effective,
                  std::vector<std::string>* unused) {
  json::Value value = parse_with_includes(text, filename);
  apply_overrides(value, overrides);
  ReadContext context;
  context.variables = evaluate_formulas(value);
  const json::Value file = value;
  std::vector<TimelineEntry> timeline;
  Scene scene = read_scene(value, context, timeline);
  if (unused) *unused = unused_key_messages(context.unused, scene.method);
  scene.events = make_events(std::move(timeline), scene, file, context);
  if (effective) *effective = std::move(value);
  return scene;
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides,
                 json::Value* effective, std::vector<std::string>* unused) {
  return parse_scene(read_scene_text(path), path, overrides, effective, unused);
}

namespace {

// Boxes of a few spacings cannot be filled with particles of the right volume.
void warn_of_volumes(const Scene& scene, std::vector<std::string>& warnings) {
  constexpr double worth_mentioning = 0.05;
  for (std::size_t k = 0; k < scene.fluids.size(); ++k) {
    if (!is_plain_box(scene.fluids[k].shape) || !is_liquid(scene, scene.fluids[k])) continue;
    const Lattice lattice = fluid_lattice(scene, scene.fluids[k]);
    const double more = lattice.estimated_points() / lattice.cells - 1;
    if (std::abs(more) > worth_mentioning)
      warnings.push_back(
          fmt::format("the particles of fluids.{} have {:.0f} % {} volume than its shape: use a "
                      "smaller 'spacing', or "
                      "sides that are multiples of it",
                      k, 100 * std::abs(more), more > 0 ? "more" : "less"));
  }
}

}  // namespace

std::vector<std::string> scene_warnings(const Scene& scene) {
  std::vector<std::string> warnings;
  const double end = end_time(scene);
  if (std::abs(end - scene.duration) > 1e-6 * end)
    warnings.push_back(
        fmt::format("the duration of {} s is not a whole number of frames: the run ends with frame "
                    "{}, at {:.6g} s",
                    scene.duration, last_frame(scene), end));
  warn_of_volumes(scene, warnings);
  for (std::size_t k = 0; k < scene.events.size(); ++k)
    if (scene.events[k].time > end)
      warnings.push_back(fmt::format("event {} at {} s comes after the end at {:.6g} s", k,
                                     scene.events[k].time, end));
  for (std::size_t k = 0; k < scene.emitters.size(); ++k)
    if (scene.emitters[k].start >= end)
      warnings.push_back(fmt::format("emitters.{} starts after the end at {:.6g} s", k, end));
  if (const auto advice = find_method(scene.method).advice)
    for (const std::string& sentence : advice(scene)) warnings.push_back(sentence);
  return warnings;
}

}  // namespace panta
