// The conversions and checks of ObjectReader: each error gives the position, the path and the
// remedy. The description is in object_description.cpp.
#include "panta/load/object_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"

namespace panta {
namespace {

void expect_type(const json::Value& value, const std::string& path, json::Type type,
                 const char* name) {
  if (value.type != type)
    fail_at(value.place, "'{}' must be {}, got {}", path, name, json::describe(value));
}

// Positions, velocities and similar values are stored as floats.
void expect_float(const json::Value& value, const std::string& path) {
  if (std::abs(value.number) > std::numeric_limits<float>::max())
    fail_at(value.place, "'{}' is too large: {}", path, value.number);
}

}  // namespace

void fail_at(const json::Place& place, const std::string& message) {
  throw Error(ErrorKind::usage, "{}: {}", place.text(), message);
}

ObjectReader::ObjectReader(json::Value& object, std::string path, ReadContext& context)
    : object_(object), path_(std::move(path)), context_(context) {
  expect_type(object_, path_.empty() ? "the scene" : path_, json::Type::object, "an object {...}");
}

ObjectReader::ObjectReader(ObjectInfo& info, ReadContext& context)
    : nothing_(json::Value::object()), object_(nothing_), context_(context), info_(&info) {}

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

void ObjectReader::rewrite(const std::string& key, const std::string& text) {
  if (json::Value* value = object_.find(key)) value->string = text;
}

void ObjectReader::fail(const std::string& key, const std::string& problem) const {
  fail_at(place_of(key), "'{}' {}", key.empty() ? path_ : path_of(key), problem);
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

json::Value* ObjectReader::special(const std::string& key, const char* type, const char* schema,
                                   const char* doc, bool required, json::Value default_value) {
  if (describing())
    declare(key, doc, required, {type, "", json::parse(schema, "schema")}, default_value);
  json::Value* value = required && !describing() ? &require(key) : find(key);
  if (!value && default_value.type != json::Type::null)
    defaults_.push_back({key, {}, std::move(default_value)});
  return value;
}

bool ObjectReader::object(const std::string& key, const Child& child, const ReadObject& read) {
  declare_child(key, child, "object", R"(@)", read);
  json::Value* value = child.required && !describing() ? &require(key) : find(key);
  if (!value) return false;
  ObjectReader reader(*value, path_of(key), context_);
  read(reader);
  reader.finish();
  return true;
}

void ObjectReader::section(const std::string& key, const Child& child, const ReadObject& read) {
  if (!find(key) && !describing()) {
    json::Value empty = json::Value::object();
    empty.place = object_.place;
    object_.members.push_back({key, object_.place, std::move(empty)});
  }
  object(key, child, read);
}

bool ObjectReader::each_item(const std::string& key, const Child& child, const ReadObject& read) {
  declare_child(key, child, "list", R"({"type": "array", "items": @})", read);
  json::Value* list = child.required && !describing() ? &require(key) : find(key);
  if (!list) return false;
  expect_type(*list, path_of(key), json::Type::array, "a list [...]");
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    ObjectReader reader(list->items[k], fmt::format("{}.{}", path_of(key), k), context_);
    read(reader);
    reader.finish();
  }
  return true;
}

void ObjectReader::one_or_more(const std::string& key, const Child& child, const ReadObject& read) {
  const json::Value* value = object_.find(key);
  if (value && value->type == json::Type::array) {
    each_item(key, child, read);
  } else if (value) {
    object(key, child, read);
  } else {
    find(key);
    declare_child(key, child, "object or list", R"({"anyOf": [@, {"type": "array", "items": @}]})",
                  read);
  }
}

void ObjectReader::each_member(const std::string& key, const Child& child, const ReadNamed& read) {
  declare_child(key, child, "object by name", R"({"type": "object", "additionalProperties": @})",
                [&](ObjectReader& reader) { read("", reader); });
  json::Value* parent = find(key);
  if (!parent) return;
  expect_type(*parent, path_of(key), json::Type::object, "an object {...}");
  for (json::Member& member : parent->members) {
    ObjectReader reader(member.value, path_of(key) + "." + member.key, context_);
    read(member.key, reader);
    reader.finish();
  }
}

std::size_t ObjectReader::kind(const std::string& key, const char* doc,
                               const std::vector<Kind>& kinds) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  std::string name;
  required(key, name, names, doc);
  if (describing()) return describe_kinds(key, kinds), 0;
  const auto number =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  kinds[number].read(*this);
  return number;
}

void ObjectReader::exactly_one(const std::vector<std::string>& keys) {
  if (describing()) info_->exactly_one = keys;
  if (describing() || !unread_keys().empty()) return;
  std::string list, given;
  int count = 0;
  for (const std::string& key : keys) {
    list += (list.empty() ? "" : ", ") + key;
    if (!object_.find(key)) continue;
    given += (given.empty() ? "" : " and ") + key;
    ++count;
  }
  if (count == 1) return;
  fail("", fmt::format("must have one of {}, got {}", list, count == 0 ? "none" : given));
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

void ObjectReader::reserve(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const json::Value* value = find(key);
    expect(!value || value->empty(), key, "is not supported by this version");
  }
}

Vec3 ObjectReader::vector(const json::Value& value, const std::string& path,
                          const Vector& kind) const {
  Vec3 target;
  convert(value, path, target, kind);
  return target;
}

float ObjectReader::number(const json::Value& value, const std::string& path) const {
  float target = 0;
  convert(value, path, target, Number{});
  return target;
}

Expression ObjectReader::formula(const json::Value& value, const std::string& path) const {
  Expression target;
  convert(value, path, target, Number{});
  return target;
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

void ObjectReader::convert(const json::Value& value, const std::string& path, bool& target,
                           Unchecked) const {
  expect_type(value, path, json::Type::boolean, "true or false");
  target = value.boolean;
}

void ObjectReader::convert(const json::Value& value, const std::string& path, std::string& target,
                           Unchecked) const {
  expect_type(value, path, json::Type::string, "text in quotes");
  target = value.string;
}

void ObjectReader::convert(const json::Value& value, const std::string& path, std::string& target,
                           const std::vector<std::string>& choices) const {
  convert(value, path, target, Unchecked{});
  located(value.place, [&] { check_choice(path, choices, target); });
}

void ObjectReader::convert(const json::Value& value, const std::string& path, Vec3d& target,
                           const Vector& vector) const {
  const std::size_t count = value.items.size();
  const bool flat = dimensions() == 2 && vector.kind != Vector::Kind::axis;
  if (value.type != json::Type::array || !(count == 3 || (flat && count == 2)))
    fail_at(value.place, "'{}' must be a list of {} numbers, got {}", path, flat ? "2 or 3" : "3",
            json::describe(value));
  target = {};
  for (std::size_t k = 0; k < count; ++k) {
    const std::string entry = fmt::format("{}.{}", path, k);
    convert(value.items[k], entry, target[static_cast<int>(k)],
            Number{"", -vector.most, vector.most});
    expect_float(value.items[k], entry);
  }
  if (!flat) return;
  if (vector.kind == Vector::Kind::direction && target.z != 0)
    fail_at(value.place, "'{}' points out of the plane of a scene with 2 dimensions", path);
  target.z = 0;
}

void ObjectReader::convert(const json::Value& value, const std::string& path, Vec3& target,
                           const Vector& vector) const {
  Vec3d wide;
  convert(value, path, wide, vector);
  target = to_float(wide);
}

// A number, or a formula of the time.
void ObjectReader::convert(const json::Value& value, const std::string& path, Expression& target,
                           const Number&) const {
  if (value.type == json::Type::string) {
    target = parse_expression(value.string, value.place, context_.variables);
    return;
  }
  if (value.type != json::Type::number)
    fail_at(value.place, "'{}' must be a number or a formula of t in quotes, got {}", path,
            json::describe(value));
  target = {};
  if (value.number == 0) return;  // the same as an empty formula
  target.length = 1;
  target.number[0] = value.number;
}

}  // namespace panta
