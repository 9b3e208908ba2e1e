// ObjectReader as describer: it records the keys that it is asked for.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

#include "panta/load/object_reader.h"

namespace panta {
namespace {

json::Value names_schema(const std::vector<std::string>& names) {
  json::Value list = json::Value::array({});
  for (const std::string& name : names) list.items.emplace_back(name);
  json::Value schema = json::Value::object();
  schema.add("enum", std::move(list));
  return schema;
}

// A number, or a text "=formula".
json::Value number_schema(const char* type, const Number& range) {
  json::Value schema = json::Value::object();
  schema.add("type", json::Value::array({json::Value(type), json::Value("string")}));
  if (std::isfinite(range.min))
    schema.add(range.above_min ? "exclusiveMinimum" : "minimum", json::Value(range.min));
  if (std::isfinite(range.max)) schema.add("maximum", json::Value(range.max));
  schema.add("pattern", json::Value("^="));
  return schema;
}

std::string with_range(const char* type, const Number& range) {
  if (std::isinf(range.min) && std::isinf(range.max)) return type;
  return fmt::format("{}, {}", type, range_text(range));
}

std::string replaced_all(std::string text, char mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, 1, by);
    at += by.size();
  }
  return text;
}

}  // namespace

ObjectReader::TypeInfo ObjectReader::type_of(double, const Number& range) {
  return {with_range("number", range), range.unit, number_schema("number", range)};
}

ObjectReader::TypeInfo ObjectReader::type_of(int, const Number& range) {
  return {with_range("whole number", range), range.unit, number_schema("integer", range)};
}

ObjectReader::TypeInfo ObjectReader::type_of(bool, Unchecked) {
  return {"true or false", "", json::parse(R"({"type": "boolean"})", "schema")};
}

ObjectReader::TypeInfo ObjectReader::type_of(const std::string&, Unchecked) {
  return {"text", "", json::parse(R"({"type": "string"})", "schema")};
}

// Without choices: names defined in another part of the scene.
ObjectReader::TypeInfo ObjectReader::type_of(const std::string&,
                                             const std::vector<std::string>& choices) {
  if (choices.empty()) return {"name", "", json::parse(R"({"type": "string"})", "schema")};
  std::string text;
  for (const std::string& choice : choices) text += (text.empty() ? "" : ", ") + choice;
  return {text, "", names_schema(choices)};
}

ObjectReader::TypeInfo ObjectReader::type_of(const Vec3d&, const Vector& vector) {
  if (vector.most == std::numeric_limits<double>::infinity())
    return {"vector", vector.unit, json::parse(R"({"$ref": "#/definitions/vector"})", "schema")};
  return {fmt::format("vector, components from {} to {}", -vector.most, vector.most), vector.unit,
          json::parse(fmt::format(R"({{"allOf": [{{"$ref": "#/definitions/vector"}},
                                      {{"items": {{"minimum": {}, "maximum": {}}}}}]}})",
                                  -vector.most, vector.most),
                      "schema")};
}

ObjectReader::TypeInfo ObjectReader::type_of(const Expression&, const Number& range) {
  return {"number or formula of t", range.unit,
          json::parse(R"({"type": ["number", "string"]})", "schema")};
}

void ObjectReader::about(const char* text) {
  if (describing()) info_->doc = text;
}

void ObjectReader::or_keys_of(const std::vector<std::string>& objects) {
  if (describing()) info_->or_keys_of = objects;
}

void ObjectReader::declare(const std::string& key, const char* doc, bool required, TypeInfo type,
                           json::Value default_value) {
  if (describing())
    info_->keys.push_back({key, doc, required, std::move(type.text), std::move(type.unit),
                           std::move(default_value), std::move(type.schema), ""});
}

// In `schema`, @ is replaced by the child's own schema.
void ObjectReader::declare_child(const std::string& key, const Child& child, const char* type,
                                 const char* schema, const ReadObject& read) {
  if (!describing()) return;
  const std::string reference = fmt::format(R"({{"$ref": "#/definitions/{}"}})", child.name);
  declare(key, child.doc, child.required,
          {type, "", json::parse(replaced_all(schema, '@', reference), "schema")});
  info_->keys.back().object = child.name;
  describe_object(child.name, child.doc, read);
}

void ObjectReader::describe_object(const std::string& name, const char* doc,
                                   const ReadObject& read) {
  Description& description = *context_.description;
  for (const ObjectInfo& known : description)
    if (known.name == name) return;
  ObjectInfo& info = description.emplace_back();
  info.name = name;
  info.doc = doc;
  ObjectReader reader(info, context_);
  read(reader);
}

void ObjectReader::describe_kinds(const std::string& key, const std::vector<Kind>& kinds) {
  info_->kind_key = key;
  for (const Kind& kind : kinds) {
    const std::string name = info_->name + "_" + kind.name;
    info_->kinds.push_back({kind.name, name});
    describe_object(name, kind.doc, kind.read);
  }
}

// The shortest decimal text of the float: 0.1f becomes 0.1, not 0.10000000149.
json::Value ObjectReader::to_json(float value) {
  return json::Value(std::strtod(fmt::format("{}", value).c_str(), nullptr));
}

}  // namespace panta
