#include "panta/io/json_lines.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "panta/core/error.h"

namespace panta::json_lines {

void refuse(const std::string& what) { throw Error(ErrorKind::io, what); }

json::Value parse(std::string_view line, const std::string& name) {
  try {
    return json::parse(line, name);
  } catch (const Error&) {
    refuse("it is not a complete JSON object");
  }
}

const json::Value& member(const json::Value& object, const char* key, json::Type type) {
  const json::Value* value = object.find(key);
  if (!value || value->type != type)
    refuse(fmt::format("'{}' is missing or has the wrong type", key));
  return *value;
}

int frame_number(const json::Value& line) {
  const double number = member(line, "frame", json::Type::number).number;
  if (!(number >= 0 && number <= std::numeric_limits<int>::max()))
    refuse("'frame' is not a frame number");
  return static_cast<int>(number);
}

std::vector<double> numbers(const json::Value& list, const char* key, std::size_t count) {
  if (list.items.size() != count)
    refuse(fmt::format("'{}' has {} entries instead of {}", key, list.items.size(), count));
  std::vector<double> values;
  for (const json::Value& item : list.items) {
    if (item.type != json::Type::number)
      refuse(fmt::format("'{}' has an entry that is not a number", key));
    values.push_back(item.number);
  }
  return values;
}

Quat unit_quaternion(const double* q, const char* key) {
  constexpr double rounding = 1e-3;
  if (!(std::abs(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) - 1) < rounding))
    refuse(fmt::format("'{}' is not a unit quaternion", key));
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
          static_cast<float>(q[3])};
}

}  // namespace panta::json_lines
