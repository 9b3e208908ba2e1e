// Reads one JSON object of a scene key by key. Each key is asked for once, with its target (which
// holds the default) and its check; whatever nobody asked for is an error that names the nearest
// key that was. Defaults are written back into the object, so that after reading it is the
// effective scene.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "panta/core/error.h"
#include "panta/core/vec.h"
#include "panta/scene/json.h"
#include "panta/scene/parameters.h"

namespace panta {

inline const Number any_number = {};
inline const Number not_negative = {"", 0};
inline const Number positive = {"", 0, std::numeric_limits<double>::infinity(), true};

// What a vector means where the scene has two dimensions: a point is moved into the plane z = 0, a
// direction or velocity out of the plane is an error, an axis may point anywhere. Points and
// directions may be given with two numbers.
enum class VectorKind { point, direction, axis };

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

class ObjectReader {
 public:
  // `path` is what messages and --set call the object: "fluids.0.shape", empty for the whole scene.
  ObjectReader(json::Value& object, std::string path, int dimensions = 3);

  int dimensions() const { return dimensions_; }
  void set_dimensions(int dimensions) { dimensions_ = dimensions; }
  const json::Place& place() const { return object_.place; }
  const std::string& path() const { return path_; }
  std::string path_of(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  // The value of a key, or null where it is absent; either way the key is now known.
  json::Value* find(const std::string& key);
  json::Value& require(const std::string& key);

  // Where the key's value stands, for errors found later; the object's place where it is absent.
  const json::Place& place_of(const std::string& key) const;

  // Reads into `target`, which holds the default. `check` is a Number for numbers, the valid names
  // for text, a VectorKind for vectors.
  template <class T, class... Check>
  bool optional(const std::string& key, T& target, const Check&... check) {
    if (json::Value* value = find(key)) {
      convert(*value, path_of(key), target, check...);
      return true;
    }
    defaults_.push_back({key, {}, to_json(target)});
    return false;
  }
  template <class T, class... Check>
  void required(const std::string& key, T& target, const Check&... check) {
    convert(require(key), path_of(key), target, check...);
  }

  // Nested objects, read by `read` and then checked for unknown keys. Absent ones are skipped,
  // except that an absent section is read as an empty object.
  using ReadObject = std::function<void(ObjectReader&)>;
  using ReadNamed = std::function<void(const std::string& name, ObjectReader&)>;
  bool object(const std::string& key, const ReadObject& read);
  void section(const std::string& key, const ReadObject& read);
  void each_item(const std::string& key, const ReadObject& read);   // a list of objects
  void each_member(const std::string& key, const ReadNamed& read);  // an object of objects

  // A list of names, each one of `valid`.
  std::vector<std::string> names(const json::Value& list, const std::string& path,
                                 const std::vector<std::string>& valid) const;

  // The keys that are present but were not asked for yet.
  std::vector<std::string> unread_keys() const;

  // What messages call an unknown key: "parameter" instead of "key".
  void set_noun(std::string noun) { noun_ = std::move(noun); }

  // Throws for a key nobody asked for, then writes the defaults.
  void finish();

 private:
  void convert(const json::Value&, const std::string& path, double&, const Number& = {}) const;
  void convert(const json::Value&, const std::string& path, float&, const Number& = {}) const;
  void convert(const json::Value&, const std::string& path, int&, const Number& = {}) const;
  void convert(const json::Value&, const std::string& path, bool&) const;
  void convert(const json::Value&, const std::string& path, std::string&) const;
  void convert(const json::Value&, const std::string& path, std::string&,
               const std::vector<std::string>& choices) const;
  void convert(const json::Value&, const std::string& path, Vec3d&, VectorKind) const;
  void convert(const json::Value&, const std::string& path, Vec3&, VectorKind) const;

  json::Value to_json(double value) const { return json::Value(value); }
  json::Value to_json(float value) const;
  json::Value to_json(int value) const { return json::Value(static_cast<double>(value)); }
  json::Value to_json(bool value) const { return json::Value(value); }
  json::Value to_json(const std::string& value) const { return json::Value(value); }
  template <class F>
  json::Value to_json(const Vec3T<F>& value) const {
    return json::Value::array({to_json(value.x), to_json(value.y), to_json(value.z)});
  }

  bool is_known(const std::string& key) const;

  json::Value& object_;
  std::string path_;
  int dimensions_;
  std::string noun_ = "key";
  std::vector<std::string> known_;
  std::vector<json::Member> defaults_;
};

}  // namespace panta
