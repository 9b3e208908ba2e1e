// Files of one JSON object per line, each for one frame: functions shared by their readers. All
// functions throw Error(io) without the file's name; their callers add it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "panta/core/vec.h"
#include "panta/json/json.h"

namespace panta::json_lines {

[[noreturn]] void refuse(const std::string& what);

// Parses one complete object; `name` is the file's.
json::Value parse(std::string_view line, const std::string& name);

// A member that must be there, of that type.
const json::Value& member(const json::Value& object, const char* key, json::Type type);

// The number of the line's frame.
int frame_number(const json::Value& line);

// A list of `count` numbers; `key` names it in errors.
std::vector<double> numbers(const json::Value& list, const char* key, std::size_t count);

// Real part first. Must have length one except for rounding.
Quat unit_quaternion(const double* components, const char* key);

}  // namespace panta::json_lines
