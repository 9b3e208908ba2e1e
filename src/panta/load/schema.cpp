// The JSON schema of scene files, made from their description.
#include "panta/load/schema.h"

#include <fmt/format.h>

#include <utility>

#include "panta/core/error_format.h"

namespace panta {
namespace {

json::Value words(const std::vector<std::string>& list) {
  json::Value value = json::Value::array({});
  for (const std::string& word : list) value.items.emplace_back(word);
  return value;
}

json::Value key_schema(const KeyInfo& key) {
  const std::string unit = key.unit.empty() ? "" : fmt::format(" ({})", key.unit);
  json::Value schema = json::Value::object();
  schema.add("description", json::Value(key.doc + unit));
  if (key.default_value.type != json::Type::null) schema.add("default", key.default_value);
  // Other keywords beside $ref would be ignored.
  if (key.schema.find("$ref")) {
    schema.add("allOf", json::Value::array({key.schema}));
  } else {
    for (const json::Member& member : key.schema.members) schema.add(member.key, member.value);
  }
  return schema;
}

json::Value object_schema(const std::string& doc, const std::vector<KeyInfo>& keys,
                          const std::vector<std::string>& exactly_one) {
  json::Value properties = json::Value::object();
  std::vector<std::string> required;
  for (const KeyInfo& key : keys) {
    properties.add(key.name, key_schema(key));
    if (key.required) required.push_back(key.name);
  }
  json::Value schema = json::Value::object();
  schema.add("type", json::Value("object"));
  schema.add("description", json::Value(doc));
  schema.add("properties", std::move(properties));
  schema.add("additionalProperties", json::Value(false));
  if (!required.empty()) schema.add("required", words(required));
  if (exactly_one.empty()) return schema;
  json::Value choices = json::Value::array({});
  for (const std::string& key : exactly_one) {
    json::Value choice = json::Value::object();
    choice.add("required", words({key}));
    choices.items.push_back(std::move(choice));
  }
  schema.add("oneOf", std::move(choices));
  return schema;
}

json::Value reference_to(const std::string& name) {
  json::Value reference = json::Value::object();
  reference.add("$ref", json::Value("#/definitions/" + name));
  return reference;
}

// Objects of several kinds: one of these, each with the common keys and its own.
void add_kinds(json::Value& definitions, const Description& description, const ObjectInfo& info) {
  json::Value any = json::Value::object();
  any.add("description", json::Value(info.doc));
  any.add("oneOf", json::Value::array({}));
  for (const ObjectInfo::Kind& kind : info.kinds) {
    const ObjectInfo& own = find_object(description, kind.object);
    std::vector<KeyInfo> keys = info.keys;
    for (KeyInfo& key : keys)
      if (key.name == info.kind_key) {
        key.schema = json::Value::object();
        key.schema.add("const", json::Value(kind.value));
      }
    keys.insert(keys.end(), own.keys.begin(), own.keys.end());
    definitions.add(kind.object, object_schema(own.doc, keys, own.exactly_one));
    any.find("oneOf")->items.push_back(reference_to(kind.object));
  }
  definitions.add(info.name, std::move(any));
}

// An object that may also have the keys of one of several others.
void add_alternatives(json::Value& definitions, const Description& description,
                      const ObjectInfo& info) {
  json::Value any = json::Value::object();
  any.add("description", json::Value(info.doc));
  any.add("anyOf", json::Value::array({}));
  for (const std::string& name : info.or_keys_of) {
    std::vector<KeyInfo> keys = info.keys;
    const std::vector<KeyInfo>& own = find_object(description, name).keys;
    keys.insert(keys.end(), own.begin(), own.end());
    any.find("anyOf")->items.push_back(object_schema(info.doc, keys, {}));
  }
  definitions.add(info.name, std::move(any));
}

// Required keys of a scene may also be in an included file.
json::Value in_this_or_included_files(json::Value required) {
  json::Value here = json::Value::object(), elsewhere = json::Value::object();
  here.add("required", std::move(required));
  elsewhere.add("required", words({"include"}));
  return json::Value::array({here, elsewhere});
}

constexpr const char* vector_schema = R"({
  "description": "x, y, z; in two dimensions x, y will do",
  "type": "array", "items": {"type": ["number", "string"]}, "minItems": 2, "maxItems": 3})";

}  // namespace

const ObjectInfo& find_object(const Description& description, const std::string& name) {
  for (const ObjectInfo& info : description)
    if (info.name == name) return info;
  throw Error(ErrorKind::usage, "the scene file has no object '{}'", name);
}

std::string scene_schema() {
  const Description description = describe_scene();
  json::Value definitions = json::Value::object();
  definitions.add("vector", json::parse(vector_schema, "schema"));
  for (std::size_t k = 1; k < description.size(); ++k) {
    const ObjectInfo& info = description[k];
    if (!info.kinds.empty()) {
      add_kinds(definitions, description, info);
    } else if (!info.or_keys_of.empty()) {
      add_alternatives(definitions, description, info);
    } else if (!definitions.find(info.name)) {
      definitions.add(info.name, object_schema(info.doc, info.keys, info.exactly_one));
    }
  }
  json::Value schema = json::Value::object();
  schema.add("$schema", json::Value("http://json-schema.org/draft-07/schema#"));
  schema.add("title", json::Value("Panta scene"));
  const ObjectInfo& root = description.front();
  for (json::Member& member : object_schema(root.doc, root.keys, root.exactly_one).members)
    if (member.key == "required") {
      schema.add("anyOf", in_this_or_included_files(std::move(member.value)));
    } else {
      schema.members.push_back(std::move(member));
    }
  schema.add("definitions", std::move(definitions));
  return json::dump(schema);
}

}  // namespace panta
