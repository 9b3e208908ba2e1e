// Reads one JSON object of a scene key by key, and describes it. Each key is asked for once, with
// its target (which holds the default), its check and a line of text; whatever nobody asked for is
// an error that names the nearest key that was. Defaults are written back into the object, so that
// after reading it is the effective scene.
//
// The same reading functions run over nothing to describe the scene file (schema.h): a reader made
// for an ObjectInfo finds no key, checks nothing, leaves every target as it is and notes what it is
// asked for.
#pragma once

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

// What a vector means where the scene has two dimensions: a point is moved into the plane z = 0, a
// direction or velocity out of the plane is an error, an axis may point anywhere. Points and
// directions may be given with two numbers.
struct Vector {
  enum class Kind { point, direction, axis };
  Kind kind = Kind::point;
  std::string unit = {};
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

// Runs a check that knows nothing of places and adds the place to its error.
template <class Check>
auto located(const json::Place& place, const Check& check) {
  try {
    return check();
  } catch (const Error& error) {
    throw error.with_context(place.text());
  }
}

class MeshStore;

// What all readers of one scene share.
struct ReadContext {
  int dimensions = 3;
  double spacing = 0;  // m
  Variables variables = {};
  std::shared_ptr<MeshStore> meshes = {};  // those read so far
  int nested_shapes = 0;
  Description* description = nullptr;  // receives it where the scene file is only described
};

class ObjectReader {
 public:
  // `path` is what messages and --set call the object: "fluids.0.shape", empty for the whole scene.
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

  // What kind of object this is, for the description.
  void about(const char* text);

  // The object itself; to be replaced only before any key is asked for.
  json::Value& value() { return object_; }

  // What the effective scene shall hold under a key that was given.
  void rewrite(const std::string& key, const std::string& text);

  // Where the key's value stands, for errors found later; the object's place where it is absent.
  const json::Place& place_of(const std::string& key) const;

  // Reads into `target`, which holds the default. `check` is a Number for numbers, the valid names
  // for text, a Choice for enums, a Vector for vectors; flags and free text have none. True where
  // the key is given.
  template <class T, class Check>
  bool optional(const std::string& key, T& target, const Check& check, const char* doc) {
    declare(key, doc, false, type_of(target, check), to_json(target, check));
    if (read_if_given(key, target, check)) return true;
    defaults_.push_back({key, {}, to_json(target, check)});
    return false;
  }
  // The same without a default to be written: an absent key means there is no such thing.
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

  // A key with a value of its own kind, read by the caller; null where absent. `type` says in words
  // and `schema` in JSON what it may be. An absent key's default is written where there is one.
  json::Value* special(const std::string& key, const char* type, const char* schema,
                       const char* doc, bool required = false, json::Value default_value = {});

  // Nested objects, read by `read` and then checked for unknown keys. `name` is what the
  // description calls the kind of object. Absent ones are skipped, except that an absent section is
  // read as an empty object.
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

  // Objects of several kinds, told apart by the name under `key`: reads the keys of the kind that
  // is named and returns its number.
  struct Kind {
    const char* name;
    const char* doc;
    ReadObject read;
  };
  std::size_t kind(const std::string& key, const char* doc, const std::vector<Kind>& kinds);

  // Of these keys one must be given. To be called after all keys were asked for.
  void exactly_one(const std::vector<std::string>& keys);

  // Instead of in a nested object, the keys of one of these objects may also stand here; for the
  // description.
  void or_keys_of(const std::vector<std::string>& objects);

  // Keys that the format has and this version lacks: they must be absent or empty.
  void reserve(const std::vector<std::string>& keys);

  // Throws "'path.key' problem" at the place of the key unless `good`; an empty key stands for the
  // object.
  template <class... Args>
  void expect(bool good, const std::string& key, fmt::format_string<Args...> problem,
              Args&&... args) const {
    if (!good && !describing()) fail(key, fmt::format(problem, std::forward<Args>(args)...));
  }

  // Values within a special one.
  Vec3 vector(const json::Value& value, const std::string& path, const Vector& kind) const;
  float number(const json::Value& value, const std::string& path) const;
  Expression formula(const json::Value& value, const std::string& path) const;

  // A list of names, each one of `valid`.
  std::vector<std::string> names(const json::Value& list, const std::string& path,
                                 const std::vector<std::string>& valid) const;

  // What messages call an unknown key: "parameter" instead of "key".
  void set_noun(std::string noun) { noun_ = std::move(noun); }

  // Throws for a key nobody asked for, then writes the defaults.
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

  json::Value nothing_;  // the object of a reader that describes
  json::Value& object_;
  std::string path_;
  ReadContext& context_;
  ObjectInfo* info_ = nullptr;
  std::string noun_ = "key";
  std::vector<std::string> known_;
  std::vector<json::Member> defaults_;
};

}  // namespace panta
