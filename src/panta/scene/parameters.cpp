// Checks of values against their declarations.
#include "panta/scene/parameters.h"

#include <cmath>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"

namespace panta {
namespace {

struct TypeName {
  const char* operator()(bool) const { return "true or false"; }
  const char* operator()(double) const { return "a number"; }
  const char* operator()(const std::string&) const { return "a name"; }
  const char* operator()(const Vec3d&) const { return "a vector"; }
};

struct ValueText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return fmt::format("'{}'", value); }
  std::string operator()(const Vec3d& v) const {
    return fmt::format("({}, {}, {})", v.x, v.y, v.z);
  }
};

}  // namespace

std::string range_text(const Number& range) {
  const char* at_least = range.above_min ? ">" : ">=";
  if (std::isinf(range.min) && std::isinf(range.max)) return "any number";
  if (std::isinf(range.max)) return fmt::format("{} {}", at_least, range.min);
  if (std::isinf(range.min)) return fmt::format("<= {}", range.max);
  if (range.above_min) return fmt::format("> {} and <= {}", range.min, range.max);
  return fmt::format("between {} and {}", range.min, range.max);
}

std::string parameter_text(const ParameterValue& value) { return std::visit(ValueText{}, value); }

bool in_range(const Number& range, double value) {
  return std::isfinite(value) && value <= range.max &&
         (range.above_min ? value > range.min : value >= range.min);
}

void check_number(const std::string& name, const Number& range, double value) {
  if (!std::isfinite(value)) throw Error(ErrorKind::usage, "'{}' must be a finite number", name);
  if (!in_range(range, value))
    throw Error(ErrorKind::usage, "'{}' must be {}, got {}", name, range_text(range), value);
}

void check_choice(const std::string& name, const std::vector<std::string>& choices,
                  const std::string& value) {
  for (const std::string& choice : choices)
    if (choice == value) return;
  throw Error(ErrorKind::usage, "'{}' cannot be '{}'{}", name, value, suggestion(value, choices));
}

void check_parameter(const ParameterInfo& info, const ParameterValue& value) {
  if (value.index() != info.default_value.index())
    throw Error(ErrorKind::usage, "'{}' must be {}, got {}", info.name,
                std::visit(TypeName{}, info.default_value), parameter_text(value));
  if (const auto* number = std::get_if<double>(&value))
    check_number(info.name, info.range, *number);
  if (const auto* name = std::get_if<std::string>(&value))
    check_choice(info.name, info.choices, *name);
}

void check_parameters(const std::vector<ParameterInfo>& infos, const ParameterSet& set) {
  for (const auto& [name, value] : set) {
    const ParameterInfo* declared = nullptr;
    for (const ParameterInfo& info : infos)
      if (info.name == name) declared = &info;
    if (!declared)
      throw Error(ErrorKind::usage, "unknown parameter '{}'{}", name,
                  suggestion(name, parameter_names(infos)));
    check_parameter(*declared, value);
  }
}

std::vector<std::string> parameter_names(const std::vector<ParameterInfo>& infos) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : infos) names.push_back(info.name);
  return names;
}

}  // namespace panta
