// Applying "path=value" assignments to a JSON value.
#include "panta/load/overrides.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "panta/core/error.h"
#include "panta/core/suggest.h"
#include "panta/load/object_reader.h"

namespace panta {
namespace {

void set_place(json::Value& value, const json::Place& place) {
  value.place = place;
  for (json::Value& item : value.items) set_place(item, place);
  for (json::Member& member : value.members) {
    member.place = place;
    set_place(member.value, place);
  }
}

std::vector<std::string> split_path(const std::string& path, const json::Place& place) {
  std::vector<std::string> keys;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    if (dot == start) fail_at(place, "expected path=value, got '{}'", path);
    keys.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  return keys;
}

// A text that begins like JSON must be JSON; other text may be a plain word.
json::Value parse_value(const std::string& text, const json::Place& place) {
  json::Value value;
  try {
    value = json::parse(text, *place.source);
  } catch (const Error&) {
    if (std::string_view("[{\"0123456789").find(text[0]) != std::string_view::npos)
      fail_at(place, "'{}' is not a JSON value", text);
    value = json::Value(text);
  }
  set_place(value, place);
  return value;
}

json::Value& list_entry(json::Value& list, const std::string& key, const json::Place& place) {
  std::vector<std::string> names;
  for (json::Value& item : list.items) {
    const json::Value* name = item.find("name");
    if (!name || name->type != json::Type::string) continue;
    if (name->string == key) return item;
    names.push_back(name->string);
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error != std::errc() || end != key.data() + key.size())
    fail_at(place, "'{}' must be the number of a list entry, counted from 0, or its name{}", key,
            suggestion(key, names));
  if (index >= list.items.size())
    fail_at(place, "entry {} does not exist: the list has {}", index, list.items.size());
  return list.items[index];
}

json::Value& child(json::Value& parent, const std::string& key, const json::Place& place) {
  if (parent.type == json::Type::array) return list_entry(parent, key, place);
  if (parent.type != json::Type::object)
    fail_at(place, "'{}' cannot be set inside {}", key, json::describe(parent));
  if (json::Value* found = parent.find(key)) return *found;
  json::Value created = json::Value::object();
  created.place = place;
  parent.members.push_back({key, place, std::move(created)});
  return parent.members.back().value;
}

// Blocks of methods are objects, parameters are not.
void erase_parameter(json::Value& object, const std::string& key) {
  std::erase_if(object.members, [&](const json::Member& member) {
    return member.key == key && member.value.type != json::Type::object;
  });
}

}  // namespace

void remove_other_form(json::Value& scene, const std::string& method,
                       const std::vector<std::string>& path) {
  json::Value* solver = path.size() > 1 && path[0] == "solver" ? scene.find("solver") : nullptr;
  if (!solver) return;
  json::Value* block = solver->find(method);
  if (path[1] != method && block) erase_parameter(*block, path[1]);
  if (path[1] == method && path.size() > 2) erase_parameter(*solver, path[2]);
}

void set_at_path(json::Value& root, const std::string& path, json::Value value,
                 const json::Place& place) {
  const std::vector<std::string> keys = split_path(path, place);
  if (const json::Value* method = root.find("method"))
    remove_other_form(root, method->string, keys);
  json::Value* target = &root;
  for (const std::string& key : keys) target = &child(*target, key, place);
  *target = std::move(value);
}

void apply_override(json::Value& root, const std::string& assignment) {
  const json::Place place{std::make_shared<const std::string>("--set " + assignment), 0, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) fail_at(place, "expected path=value");
  if (equals + 1 == assignment.size()) fail_at(place, "no value after '='");
  set_at_path(root, assignment.substr(0, equals), parse_value(assignment.substr(equals + 1), place),
              place);
}

}  // namespace panta
