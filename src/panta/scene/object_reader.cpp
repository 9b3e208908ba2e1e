// The conversions and checks behind ObjectReader: each error names the place, the path and the
// remedy.
#include "panta/scene/object_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace panta {
namespace {

void expect_type(const json::Value& value, const std::string& path, json::Type type,
                 const char* name) {
  if (value.type != type)
    fail_at(value.place, "'{}' must be {}, got {}", path, name, json::describe(value));
}

// Positions, velocities and the like end up as floats.
void expect_float(const json::Value& value, const std::string& path) {
  if (std::abs(value.number) > std::numeric_limits<float>::max())
    fail_at(value.place, "'{}' is too large: {}", path, value.number);
}

}  // namespace

void fail_at(const json::Place& place, const std::string& message) {
  throw Error(ErrorKind::usage, "{}: {}", place.text(), message);
}

ObjectReader::ObjectReader(json::Value& object, std::string path, int dimensions)
    : object_(object), path_(std::move(path)), dimensions_(dimensions) {
  expect_type(object_, path_.empty() ? "the scene" : path_, json::Type::object, "an object {...}");
}

bool ObjectReader::is_known(const std::string& key) const {
  return std::find(known_.begin(), known_.end(), key) != known_.end();
}

json::Value* ObjectReader::find(const std::string& key) {
  if (!is_known(key)) known_.push_back(key);
  return object_.find(key);
}

json::Value& ObjectReader::require(const std::string& key) {
  if (json::Value* value = find(key)) return *value;
  const std::string misspelt = nearest_name(key, unread_keys());
  fail_at(object_.place, "'{}' is missing{}", path_of(key),
          misspelt.empty() ? "" : fmt::format(" (is '{}' a misspelling of it?)", misspelt));
}

const json::Place& ObjectReader::place_of(const std::string& key) const {
  const json::Value* value = object_.find(key);
  return value ? value->place : object_.place;
}

std::vector<std::string> ObjectReader::unread_keys() const {
  std::vector<std::string> keys;
  for (const json::Member& member : object_.members)
    if (!is_known(member.key)) keys.push_back(member.key);
  return keys;
}

void ObjectReader::finish() {
  for (const json::Member& member : object_.members)
    if (!is_known(member.key))
      fail_at(member.place, "unknown {} '{}'{}", noun_, path_of(member.key),
              suggestion(member.key, known_));
  for (json::Member& member : defaults_) object_.members.push_back(std::move(member));
  defaults_.clear();
}

bool ObjectReader::object(const std::string& key, const ReadObject& read) {
  json::Value* value = find(key);
  if (!value) return false;
  ObjectReader child(*value, path_of(key), dimensions_);
  read(child);
  child.finish();
  return true;
}

void ObjectReader::section(const std::string& key, const ReadObject& read) {
  if (!find(key)) {
    json::Value empty = json::Value::object();
    empty.place = object_.place;
    object_.members.push_back({key, object_.place, std::move(empty)});
  }
  object(key, read);
}

void ObjectReader::each_item(const std::string& key, const ReadObject& read) {
  json::Value* list = find(key);
  if (!list) return;
  expect_type(*list, path_of(key), json::Type::array, "a list [...]");
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    ObjectReader child(list->items[k], fmt::format("{}.{}", path_of(key), k), dimensions_);
    read(child);
    child.finish();
  }
}

void ObjectReader::each_member(const std::string& key, const ReadNamed& read) {
  json::Value* parent = find(key);
  if (!parent) return;
  expect_type(*parent, path_of(key), json::Type::object, "an object {...}");
  for (json::Member& member : parent->members) {
    ObjectReader child(member.value, path_of(key) + "." + member.key, dimensions_);
    read(member.key, child);
    child.finish();
  }
}

std::vector<std::string> ObjectReader::names(const json::Value& list, const std::string& path,
                                             const std::vector<std::string>& valid) const {
  expect_type(list, path, json::Type::array, "a list of names");
  std::vector<std::string> result;
  for (const json::Value& item : list.items) {
    std::string name;
    convert(item, path, name, valid);
    if (std::find(result.begin(), result.end(), name) != result.end())
      fail_at(item.place, "'{}' names '{}' twice", path, name);
    result.push_back(name);
  }
  return result;
}

void ObjectReader::convert(const json::Value& value, const std::string& path, double& target,
                           const Number& range) const {
  expect_type(value, path, json::Type::number, "a number");
  located(value.place, [&] { check_number(path, range, value.number); });
  target = value.number;
}

void ObjectReader::convert(const json::Value& value, const std::string& path, float& target,
                           const Number& range) const {
  double number = 0;
  convert(value, path, number, range);
  expect_float(value, path);
  target = static_cast<float>(number);
}

void ObjectReader::convert(const json::Value& value, const std::string& path, int& target,
                           const Number& range) const {
  double number = 0;
  convert(value, path, number, range);
  if (number != std::floor(number) || std::abs(number) > std::numeric_limits<int>::max())
    fail_at(value.place, "'{}' must be a whole number, got {}", path, number);
  target = static_cast<int>(number);
}

void ObjectReader::convert(const json::Value& value, const std::string& path, bool& target) const {
  expect_type(value, path, json::Type::boolean, "true or false");
  target = value.boolean;
}

void ObjectReader::convert(const json::Value& value, const std::string& path,
                           std::string& target) const {
  expect_type(value, path, json::Type::string, "text in quotes");
  target = value.string;
}

void ObjectReader::convert(const json::Value& value, const std::string& path, std::string& target,
                           const std::vector<std::string>& choices) const {
  convert(value, path, target);
  located(value.place, [&] { check_choice(path, choices, target); });
}

void ObjectReader::convert(const json::Value& value, const std::string& path, Vec3d& target,
                           VectorKind kind) const {
  const std::size_t count = value.items.size();
  const bool flat = dimensions_ == 2 && kind != VectorKind::axis;
  if (value.type != json::Type::array || !(count == 3 || (flat && count == 2)))
    fail_at(value.place, "'{}' must be a list of {} numbers, got {}", path, flat ? "2 or 3" : "3",
            json::describe(value));
  target = {};
  for (std::size_t k = 0; k < count; ++k) {
    const std::string entry = fmt::format("{}.{}", path, k);
    convert(value.items[k], entry, target[static_cast<int>(k)]);
    expect_float(value.items[k], entry);
  }
  if (!flat) return;
  if (kind == VectorKind::direction && target.z != 0)
    fail_at(value.place, "'{}' points out of the plane of a scene with 2 dimensions", path);
  target.z = 0;
}

void ObjectReader::convert(const json::Value& value, const std::string& path, Vec3& target,
                           VectorKind kind) const {
  Vec3d wide;
  convert(value, path, wide, kind);
  target = to_float(wide);
}

// The shortest decimal text of the float: 0.1f becomes 0.1, not 0.10000000149.
json::Value ObjectReader::to_json(float value) const {
  return json::Value(std::strtod(fmt::format("{}", value).c_str(), nullptr));
}

}  // namespace panta
