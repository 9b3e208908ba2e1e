// Reads one JSON object of a scene key by key, and describes it. Each key is read once, with its
// target (which contains the default), its check and a line of documentation; a key that no
// function reads is an error that gives the nearest valid key. Defaults are written back into the
// object, so that after reading it is the effective scene.
//
// The same reading functions also describe the scene file (schema.h): a reader made for an
// ObjectInfo finds no key, checks nothing, does not change any target and records the keys that it
// is asked for.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "panta/core/error.h"
#include "panta/core/vec.h"
#include "panta/json/json.h"
#include "panta/load/expression.h"
#include "panta/load/schema.h"
#include "panta/scene/parameters.h"

namespace panta {

inline Number any_number(std::string unit = "") { return {std::move(unit)}; }
inline Number not_negative(std::string unit = "") { return {std::move(unit), 0}; }
inline Number positive(std::string unit = "") {
  return {std::move(unit), 0, std::numeric_limits<double>::infinity(), true};
}

// Meaning of a vector in two dimensions: a point is moved into the plane z = 0, a direction or
// velocity out of the plane is an error, an axis may have any direction. Points and directions may
// be given with two numbers.
struct Vector {
  enum class Kind { point, direction, axis };
  Kind kind = Kind::point;
  std::string unit = {};
  double most = std::numeric_limits<double>::infinity();  // absolute value of each component
};
inline const Vector as_point = {Vector::Kind::point, "m"};
inline const Vector as_direction = {Vector::Kind::direction};
inline const Vector as_velocity = {Vector::Kind::direction, "m/s"};
inline const Vector as_axis = {Vector::Kind::axis};

inline constexpr float radians_per_degree = static_cast<float>(std::numbers::pi / 180);

// Throws Error(usage) "file:line:column: message".
[[noreturn]] void fail_at(const json::Place& place, const std::string& message);

template <class... Args>
[[noreturn]] void fail_at(const json::Place& place, fmt::format_string<Args...> format,
                          Args&&... args) {
  fail_at(place, fmt::format(format, std::forward<Args>(args)...));
}

// Runs a check that does not know the position, and adds the position to its error.
template <class Check>
auto located(const json::Place& place, const Check& check) {
  try {
    return check();
  } catch (const Error& error) {
    throw error.with_context(place.text());
  }
}

class MeshStore;

// A key of a scene file that has no effect.
struct UnusedKey {
  std::string key, path;  // the path of its first occurrence
  json::Place place;
  int count = 1;
};

// Data shared by all readers of one scene.
struct ReadContext {
  int dimensions = 3;
  double spacing = 0;  // m
  Variables variables = {};
  std::shared_ptr<MeshStore> meshes = {};  // those read so far
  int nested_shapes = 0;
  int models = 0;  // expanded so far
  std::string method = {};
  std::vector<UnusedKey> unused = {};  // keys without effect in the method
  Description* description = nullptr;  // set if the scene file is only described
};

class ObjectReader {
 public:
  // `path` is the object's name in messages and --set: "fluids.0.shape", empty for the whole scene.
  ObjectReader(json::Value& object, std::string path, ReadContext& context);

  // Describes the object instead.
  ObjectReader(ObjectInfo& info, ReadContext& context);

  ReadContext& context() const { return context_; }
  int dimensions() const { return context_.dimensions; }
  bool describing() const { return info_ != nullptr; }
  const json::Place& place() const { return object_.place; }
  const std::string& path() const { return path_; }
  std::string path_of(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  // The documentation of this kind of object, for the description.
  void about(const char* text);

  // The object itself; it may be replaced only before any key is read.
  json::Value& value() { return object_; }

  // Sets the value of a given key in the effective scene.
  void rewrite(const std::string& key, const std::string& text);

  // The position of the key's value, for later errors; the object's position if it is absent.
  const json::Place& place_of(const std::string& key) const;

  // Reads into `target`, which contains the default. `check` is a Number for numbers, the valid
  // names for text, a Choice for enums, a Vector for vectors; flags and free text have none. True
  // if the key is given.
  template <class T, class Check>
  bool optional(const std::string& key, T& target, const Check& check, const char* doc) {
    declare(key, doc, false, type_of(target, check), to_json(target, check));
    const json::Value usual = to_json(target, check);
    if (read_if_given(key, target, check)) {
      if (!describing() && json::dump(to_json(target, check)) != json::dump(usual))
        changed_.push_back(key);
      return true;
    }
    defaults_.push_back({key, {}, to_json(target, check)});
    return false;
  }
  // The same without a default: `target` is not set if the key is absent.
  template <class T, class Check>
  bool if_given(const std::string& key, T& target, const Check& check, const char* doc) {
    declare(key, doc, false, type_of(target, check));
    return read_if_given(key, target, check);
  }
  template <class T, class Check>
  void required(const std::string& key, T& target, const Check& check, const char* doc) {
    declare(key, doc, true, type_of(target, check));
    if (!describing()) convert(require(key), path_of(key), target, check);
  }
  template <class T>
  bool optional(const std::string& key, T& target, const char* doc) {
    return optional(key, target, Unchecked{}, doc);
  }
  template <class T>
  bool if_given(const std::string& key, T& target, const char* doc) {
    return if_given(key, target, Unchecked{}, doc);
  }
  template <class T>
  void required(const std::string& key, T& target, const char* doc) {
    required(key, target, Unchecked{}, doc);
  }

  // A key with a value of another form, read by the caller; null if absent. `type` describes it in
  // words and `schema` in JSON. If the key is absent, its default is written if there is one.
  json::Value* special(const std::string& key, const char* type, const char* schema,
                       const char* doc, bool required = false, json::Value default_value = {});

  // Nested objects, read by `read` and then checked for unknown keys. `name` is the kind of object
  // in the description. Absent ones are skipped, but an absent section is read as an empty object.
  struct Child {
    std::string name;
    const char* doc;
    bool required = false;
  };
  using ReadObject = std::function<void(ObjectReader&)>;
  using ReadNamed = std::function<void(const std::string& name, ObjectReader&)>;
  bool object(const std::string& key, const Child& child, const ReadObject& read);
  void section(const std::string& key, const Child& child, const ReadObject& read);
  bool each_item(const std::string& key, const Child& child, const ReadObject& read);
  void one_or_more(const std::string& key, const Child& child, const ReadObject& read);
  void each_member(const std::string& key, const Child& child, const ReadNamed& read);

  // Objects of several kinds, distinguished by the name under `key`: reads the keys of that kind
  // and returns its number.
  struct Kind {
    const char* name;
    const char* doc;
    ReadObject read;
  };
  std::size_t kind(const std::string& key, const char* doc, const std::vector<Kind>& kinds);

  // Exactly one of these keys must be given. Call it after all keys were read.
  void exactly_one(const std::vector<std::string>& keys);

  // For the description: the keys of one of these objects may be given here directly, without a
  // nested object.
  void or_keys_of(const std::vector<std::string>& objects);

  // Keys of the format that this version does not support: they must be absent or empty.
  void reserve(const std::vector<std::string>& keys);

  // Throws "'path.key' problem" at the position of the key unless `good`; an empty key means the
  // object.
  template <class... Args>
  void expect(bool good, const std::string& key, fmt::format_string<Args...> problem,
              Args&&... args) const {
    if (!good && !describing()) fail(key, fmt::format(problem, std::forward<Args>(args)...));
  }

  // Values inside a special one.
  Vec3 vector(const json::Value& value, const std::string& path, const Vector& kind) const;
  float number(const json::Value& value, const std::string& path) const;
  Expression formula(const json::Value& value, const std::string& path) const;

  // A list of names, each one of `valid`.
  std::vector<std::string> names(const json::Value& list, const std::string& path,
                                 const std::vector<std::string>& valid) const;

  // The word for an unknown key in messages: "parameter" instead of "key".
  void set_noun(std::string noun) { noun_ = std::move(noun); }

  // The keys read by optional() so far whose values differ from their defaults.
  const std::vector<std::string>& changed() const { return changed_; }

  // Throws for a key that was not read, then writes the defaults.
  void finish();

 private:
  struct Unchecked {};
  struct TypeInfo {
    std::string text, unit;
    json::Value schema;
  };

  json::Value* find(const std::string& key);
  json::Value& require(const std::string& key);
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;
  void declare(const std::string& key, const char* doc, bool required, TypeInfo type,
               json::Value default_value = {});
  void declare_child(const std::string& key, const Child& child, const char* type,
                     const char* schema, const ReadObject& read);
  void describe_object(const std::string& name, const char* doc, const ReadObject& read);
  void describe_kinds(const std::string& key, const std::vector<Kind>& kinds);
  std::vector<std::string> unread_keys() const;
  bool is_known(const std::string& key) const;

  template <class T, class Check>
  bool read_if_given(const std::string& key, T& target, const Check& check) {
    json::Value* value = find(key);
    if (value) convert(*value, path_of(key), target, check);
    return value != nullptr;
  }

  void convert(const json::Value&, const std::string& path, double&, const Number&) const;
  void convert(const json::Value&, const std::string& path, float&, const Number&) const;
  void convert(const json::Value&, const std::string& path, int&, const Number&) const;
  void convert(const json::Value&, const std::string& path, bool&, Unchecked) const;
  void convert(const json::Value&, const std::string& path, std::string&, Unchecked) const;
  void convert(const json::Value&, const std::string& path, std::string&,
               const std::vector<std::string>& choices) const;
  void convert(const json::Value&, const std::string& path, Vec3d&, const Vector&) const;
  void convert(const json::Value&, const std::string& path, Vec3&, const Vector&) const;
  void convert(const json::Value&, const std::string& path, Expression&, const Number&) const;
  template <class E>
  requires std::is_enum_v<E>
  void convert(const json::Value& value, const std::string& path, E& target,
               const Choice& choice) const {
    std::string name;
    convert(value, path, name, choice.names);
    for (std::size_t k = 0; k < choice.names.size(); ++k)
      if (choice.names[k] == name) target = static_cast<E>(k);
  }

  static TypeInfo type_of(double, const Number& range);
  static TypeInfo type_of(float, const Number& range) { return type_of(0.0, range); }
  static TypeInfo type_of(int, const Number& range);
  static TypeInfo type_of(bool, Unchecked);
  static TypeInfo type_of(const std::string&, Unchecked);
  static TypeInfo type_of(const std::string&, const std::vector<std::string>& choices);
  static TypeInfo type_of(const Vec3d&, const Vector& vector);
  static TypeInfo type_of(const Vec3&, const Vector& vector) { return type_of(Vec3d{}, vector); }
  static TypeInfo type_of(const Expression&, const Number& range);
  template <class E>
  requires std::is_enum_v<E>
  static TypeInfo type_of(E, const Choice& choice) { return type_of(std::string(), choice.names); }

  static json::Value to_json(double value) { return json::Value(value); }
  static json::Value to_json(float value);
  static json::Value to_json(int value) { return json::Value(static_cast<double>(value)); }
  static json::Value to_json(bool value) { return json::Value(value); }
  static json::Value to_json(const std::string& value) { return json::Value(value); }
  template <class F>
  static json::Value to_json(const Vec3T<F>& value) {
    return json::Value::array({to_json(value.x), to_json(value.y), to_json(value.z)});
  }
  template <class T, class Check>
  static json::Value to_json(const T& value, const Check&) {
    return to_json(value);
  }
  template <class E>
  requires std::is_enum_v<E>
  static json::Value to_json(E value, const Choice& choice) {
    return json::Value(choice.names.at(static_cast<std::size_t>(value)));
  }

  json::Value nothing_;  // the object of a describing reader
  json::Value& object_;
  std::string path_;
  ReadContext& context_;
  ObjectInfo* info_ = nullptr;
  std::string noun_ = "key";
  std::vector<std::string> known_, changed_;
  std::vector<json::Member> defaults_;
};

}  // namespace panta
