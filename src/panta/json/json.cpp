// The value type of json/json.h and its writer; the reader is in json_parse.cpp.
#include "panta/json/json.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "panta/json/json_line.h"

namespace panta::json {

std::string Place::text() const {
  const std::string name = source ? *source : std::string("scene");
  return line == 0 ? name : fmt::format("{}:{}:{}", name, line, column);
}

Value::Value(bool value) : type(Type::boolean), boolean(value) {}
Value::Value(double value) : type(Type::number), number(value) {}
Value::Value(std::string value) : type(Type::string), string(std::move(value)) {}
Value::Value(const char* value) : Value(std::string(value)) {}

Value Value::array(std::vector<Value> items) {
  Value value;
  value.type = Type::array;
  value.items = std::move(items);
  return value;
}

Value Value::object() {
  Value value;
  value.type = Type::object;
  return value;
}

const Value* Value::find(std::string_view key) const {
  for (const Member& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).find(key));
}

void Value::add(std::string key, Value value) {
  members.push_back({std::move(key), place, std::move(value)});
}

bool Value::empty() const {
  return (type == Type::array && items.empty()) || (type == Type::object && members.empty());
}

std::string describe(const Value& value) {
  switch (value.type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return value.boolean ? "true" : "false";
    case Type::number:
      return fmt::format("the number {}", value.number);
    case Type::string:
      return fmt::format("the text '{}'", value.string);
    case Type::array:
      return fmt::format("a list of {}", value.items.size());
    case Type::object:
      return "an object";
  }
  return {};
}

namespace {

std::string scalar_text(const Value& value) {
  switch (value.type) {
    case Type::boolean:
      return value.boolean ? "true" : "false";
    case Type::number:
      return std::isfinite(value.number) ? fmt::format("{}", value.number) : "null";
    case Type::string:
      return json_quote(value.string);
    default:
      return "null";
  }
}

// Calls f(text before the child, child) for each entry of a list or object.
template <class F>
void for_each_child(const Value& value, const F& f) {
  for (const Value& item : value.items) f(std::string(), item);
  for (const Member& member : value.members) f(json_quote(member.key) + ": ", member.value);
}

std::string one_line(const Value& value) {
  if (value.type != Type::array && value.type != Type::object) return scalar_text(value);
  std::string out;
  for_each_child(value, [&](const std::string& key, const Value& child) {
    out += (out.empty() ? "" : ", ") + key + one_line(child);
  });
  return value.type == Type::array ? "[" + out + "]" : "{" + out + "}";
}

constexpr std::size_t line_width = 90;

std::string pretty(const Value& value, std::size_t indent, std::size_t used) {
  const std::string flat = one_line(value);
  const bool root = indent == 0 && value.type == Type::object && !value.members.empty();
  if (!root && used + flat.size() <= line_width) return flat;
  if (value.empty() || (value.type != Type::array && value.type != Type::object)) return flat;
  const bool list = value.type == Type::array;
  const std::string margin(indent + 2, ' ');
  std::string out;
  for_each_child(value, [&](const std::string& key, const Value& child) {
    out += (out.empty() ? "\n" : ",\n") + margin + key;
    out += pretty(child, indent + 2, margin.size() + key.size());
  });
  return (list ? "[" : "{") + out + "\n" + std::string(indent, ' ') + (list ? "]" : "}");
}

}  // namespace

std::string dump(const Value& value) { return pretty(value, 0, 0) + "\n"; }

}  // namespace panta::json
