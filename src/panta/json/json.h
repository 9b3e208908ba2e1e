// JSON with // and /* */ comments. Every value and key stores its position in the text, so that an
// error found long after reading can still name file, line and column.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace panta::json {

// Position of a value: "file:line:column", or the source only where line is 0 (an option of the
// command line).
struct Place {
  std::shared_ptr<const std::string> source;
  int line = 0, column = 0;

  std::string text() const;
};

enum class Type { null, boolean, number, string, array, object };

struct Member;

struct Value {
  Type type = Type::null;
  bool boolean = false;
  double number = 0;
  std::string string;
  std::vector<Value> items;     // of an array
  std::vector<Member> members;  // of an object, in the order of the file
  Place place;

  Value() = default;
  explicit Value(bool value);
  explicit Value(double value);
  explicit Value(std::string value);
  explicit Value(const char* value);
  static Value array(std::vector<Value> items);
  static Value object();

  // The member of that name, or null.
  Value* find(std::string_view key);
  const Value* find(std::string_view key) const;

  // Appends a member to an object.
  void add(std::string key, Value value);

  // A list or an object without entries.
  bool empty() const;
};

struct Member {
  std::string key;
  Place place;  // of the key
  Value value;
};

// Deeper nesting is an error.
inline constexpr int max_depth = 64;

// Throws Error(usage) "source:line:column: what is wrong".
Value parse(std::string_view text, const std::string& source);

// Pretty text that reads back to the same value; short lists and objects stay on one line.
std::string dump(const Value& value);

// "a list", "a number 3", …: for messages about wrong types.
std::string describe(const Value& value);

}  // namespace panta::json
