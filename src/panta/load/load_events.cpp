// Events of a scene file. A change is applied to the scene's JSON, as for --set, and the whole
// scene is read again, so that changes by events are checked like all other values.
#include <algorithm>
#include <utility>

#include "panta/core/suggest.h"
#include "panta/load/load_parts.h"
#include "panta/load/overrides.h"

namespace panta {
namespace {

// Keys that an event can set.
const std::vector<std::string> changeable = {"gravity", "domain",      "materials",
                                             "bodies",  "emitters",    "sinks",
                                             "fields",  "constraints", "solver"};
// Lists whose entries it can start and stop.
const std::vector<std::string> switchable = {"emitters", "sinks", "fields"};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void read_changes(ObjectReader& reader, TimelineEntry& entry) {
  const json::Value* changes = reader.special(
      "set", "values by path", R"({"type": "object"})",
      "new values, for example {\"emitters.tap.speed\": 3, \"gravity\": [0, -1.6, 0]}; entries of "
      "lists are given by name");
  if (!changes) return;
  reader.expect(changes->type == json::Type::object, "set", "must be an object {{...}}, got {}",
                json::describe(*changes));
  for (const json::Member& member : changes->members) {
    const std::string section = member.key.substr(0, member.key.find('.'));
    if (section == "fluids")
      fail_at(member.place, "'{}' has no effect after the start: use \"add\"", member.key);
    if (std::find(changeable.begin(), changeable.end(), section) == changeable.end())
      fail_at(member.place, "'{}' cannot change during a run; these can: {}", member.key,
              joined(changeable));
    entry.changes.push_back({member.key, member.value});
    entry.place = member.place;
  }
}

void read_switch(ObjectReader& reader, const char* key, const char* doc, bool on,
                 TimelineEntry& entry) {
  std::string name;
  if (!reader.if_given(key, name, doc)) return;
  entry.place = reader.place_of(key);
  json::Value value(on);
  value.place = entry.place;
  entry.changes.push_back({name, std::move(value), true});
}

void read_added_constraints(ObjectReader& reader, const Scene& scene, TimelineEntry& entry) {
  const char* const key = "add_constraints";
  if (!reader.describing())
    if (const json::Value* list = reader.value().find(key)) entry.added_constraints = list->items;
  read_constraints(reader, key, "constraints to add", scene.method);
}

void read_removed_constraints(ObjectReader& reader, TimelineEntry& entry) {
  const char* const key = "remove_constraints";
  const json::Value* list =
      reader.special(key, "list of names", R"({"type": "array", "items": {"type": "string"}})",
                     "the names of constraints to remove");
  if (!list) return;
  const auto is_text = [](const json::Value& item) { return item.type == json::Type::string; };
  reader.expect(list->type == json::Type::array && !list->items.empty() &&
                    std::all_of(list->items.begin(), list->items.end(), is_text),
                key, "must be a list of names, got {}", json::describe(*list));
  entry.removed_constraints = list->items;
}

TimelineEntry read_entry(ObjectReader& reader, const Scene& scene) {
  reader.about("a change at a given time");
  TimelineEntry entry;
  entry.place = reader.place();
  reader.required("at", entry.time, not_negative("s"), "time of the change");
  read_changes(reader, entry);
  read_switch(reader, "start", "the name of an emitter, sink or field to switch on", true, entry);
  read_switch(reader, "stop", "the name of one to switch off", false, entry);
  reader.object("add", {"fluid", "fluid to add"},
                [&](ObjectReader& r) { entry.added.push_back(read_fluid(r, scene)); });
  Shape cleared;
  if (read_shape(reader, "remove", "fluid inside this shape is removed", false, cleared))
    entry.cleared.push_back(cleared);
  read_added_constraints(reader, scene, entry);
  read_removed_constraints(reader, entry);
  reader.exactly_one(
      {"set", "start", "stop", "add", "remove", "add_constraints", "remove_constraints"});
  return entry;
}

// "emitters.tap.active" from the name "tap".
std::string switch_path(const json::Value& file, const std::string& name,
                        const json::Place& place) {
  std::vector<std::string> names;
  for (const std::string& section : switchable) {
    const json::Value* list = file.find(section);
    if (!list) continue;
    for (const json::Value& item : list->items) {
      const json::Value* its_name = item.find("name");
      if (!its_name) continue;
      if (its_name->string == name) return section + "." + name + ".active";
      names.push_back(its_name->string);
    }
  }
  fail_at(place, "there is no emitter, sink or field '{}'{}", name, suggestion(name, names));
}

json::Value& constraints_of(json::Value& file) {
  if (json::Value* list = file.find("constraints")) return *list;
  file.members.push_back({"constraints", file.place, json::Value::array({})});
  return file.members.back().value;
}

void remove_constraint(std::vector<json::Value>& constraints, const json::Value& name) {
  std::vector<std::string> names;
  for (auto at = constraints.begin(); at != constraints.end(); ++at) {
    const json::Value* its_name = at->find("name");
    if (!its_name) continue;
    if (its_name->string == name.string) {
      constraints.erase(at);
      return;
    }
    names.push_back(its_name->string);
  }
  fail_at(name.place, "there is no constraint '{}' at that time{}", name.string,
          suggestion(name.string, names));
}

// Applies the changes of an entry to the scene's JSON.
void apply(TimelineEntry& entry, json::Value& file) {
  for (TimelineEntry::Change& change : entry.changes)
    set_at_path(file, change.is_switch ? switch_path(file, change.path, entry.place) : change.path,
                std::move(change.value), entry.place);
  if (entry.added_constraints.empty() && entry.removed_constraints.empty()) return;
  std::vector<json::Value>& constraints = constraints_of(file).items;
  for (const json::Value& name : entry.removed_constraints) remove_constraint(constraints, name);
  constraints.insert(constraints.end(), entry.added_constraints.begin(),
                     entry.added_constraints.end());
}

// Values that a simulation cannot change, however an event sets them.
void expect_same_frame(const Scene& before, const Scene& after, const json::Place& place) {
  const Domain &a = before.domain, &b = after.domain;
  if (before.has_domain != after.has_domain || !(a.min == b.min) || !(a.max == b.max) ||
      a.periodic != b.periodic)
    fail_at(place, "the extent and the periods of the domain cannot change during a run");
  if (before.emitters.size() != after.emitters.size())
    fail_at(place, "the number of emitters cannot change during a run: use \"active\"");
  if (material_names(before) != material_names(after))
    fail_at(place, "the list of materials cannot change during a run");
}

}  // namespace

std::vector<TimelineEntry> read_timeline(ObjectReader& root, const Scene& scene) {
  std::vector<TimelineEntry> timeline;
  root.each_item("events", {"event", "changes at given times"},
                 [&](ObjectReader& r) { timeline.push_back(read_entry(r, scene)); });
  return timeline;
}

std::vector<Event> make_events(std::vector<TimelineEntry> timeline, const Scene& scene,
                               json::Value file, ReadContext& context) {
  std::stable_sort(timeline.begin(), timeline.end(),
                   [](const TimelineEntry& a, const TimelineEntry& b) { return a.time < b.time; });
  std::erase_if(file.members, [](const json::Member& member) { return member.key == "events"; });
  std::vector<Event> events;
  for (TimelineEntry& entry : timeline) {
    Event event;
    event.time = entry.time;
    event.added = std::move(entry.added);
    event.cleared = std::move(entry.cleared);
    if (entry.changes_scene()) {
      apply(entry, file);
      json::Value copy = file;
      std::vector<TimelineEntry> none;
      event.changed = std::make_shared<const Scene>(read_scene(copy, context, none));
      expect_same_frame(scene, *event.changed, entry.place);
    }
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace panta
