// Parameters, each declared once. A method's params struct has one member function
//
//   template <class V> void visit(V&& v) {
//     v("stiffness", stiffness, Number{"m2/s2", 0, 1e9}, "state equation, eq. 12");
//     v("velocity", velocity, Number{"m/s"}, "a vector: a direction with a length");
//     v("adaptive", adaptive, "choose the step from the CFL conditions");
//     v("surface_tension", tension, Choice{"cohesion", "mueller2003"}, "which force");
//   }
//
// and everything else is derived from it: scene keys, checks, defaults, `panta info`, the reference
// page. A number whose default is out of its range has no default: if absent, its value is
// computed.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

using ParameterValue = std::variant<bool, double, std::string, Vec3d>;
using ParameterSet = std::map<std::string, ParameterValue>;

struct Number {
  std::string unit;  // SI, empty for a pure number
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;  // min itself is excluded
};

// The names of an enum's values, in the order of their numbers.
struct Choice {
  std::vector<std::string> names;
  Choice(std::initializer_list<std::string> list) : names(list) {}
  explicit Choice(std::vector<std::string> list) : names(std::move(list)) {}
};

struct ParameterInfo {
  std::string name;
  ParameterValue default_value;
  Number range;                      // numbers; of vectors the unit
  std::vector<std::string> choices;  // names only
  std::string doc;
};

namespace detail {

struct Describe {
  std::vector<ParameterInfo>& out;
  void operator()(const char* name, double& value, const Number& range, const char* doc) {
    out.push_back({name, value, range, {}, doc});
  }
  void operator()(const char* name, Vec3d& value, const Number& unit, const char* doc) {
    out.push_back({name, value, unit, {}, doc});
  }
  void operator()(const char* name, bool& value, const char* doc) {
    out.push_back({name, value, {}, {}, doc});
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(const char* name, E& value, const Choice& choice, const char* doc) {
    out.push_back({name, choice.names.at(static_cast<std::size_t>(value)), {}, choice.names, doc});
  }
};

}  // namespace detail

template <class Params>
std::vector<ParameterInfo> describe_parameters() {
  Params params;
  std::vector<ParameterInfo> out;
  params.visit(detail::Describe{out});
  return out;
}

std::vector<std::string> parameter_names(const std::vector<ParameterInfo>& infos);

// "> 0", "between 0 and 1", …
std::string range_text(const Number& range);

// The value in the syntax of scene files.
std::string parameter_text(const ParameterValue& value);

bool in_range(const Number& range, double value);

// Throw a usage Error with the name `name` unless the value is in range, or one of the choices.
void check_number(const std::string& name, const Number& range, double value);
void check_choice(const std::string& name, const std::vector<std::string>& choices,
                  const std::string& value);

// Throws a usage Error unless `value` matches the declaration.
void check_parameter(const ParameterInfo& info, const ParameterValue& value);

// Throws a usage Error, with the nearest valid name, unless every entry matches its declaration.
void check_parameters(const std::vector<ParameterInfo>& infos, const ParameterSet& set);

namespace detail {

struct Assign {
  const ParameterSet& set;
  template <class T>
  const T* find(const char* name) const {
    const auto it = set.find(name);
    return it == set.end() ? nullptr : &std::get<T>(it->second);
  }
  void operator()(const char* name, double& value, const Number&, const char*) {
    if (const auto* v = find<double>(name)) value = *v;
  }
  void operator()(const char* name, Vec3d& value, const Number&, const char*) {
    if (const auto* v = find<Vec3d>(name)) value = *v;
  }
  void operator()(const char* name, bool& value, const char*) {
    if (const auto* v = find<bool>(name)) value = *v;
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(const char* name, E& value, const Choice& choice, const char*) {
    if (const auto* v = find<std::string>(name))
      for (std::size_t k = 0; k < choice.names.size(); ++k)
        if (choice.names[k] == *v) value = static_cast<E>(k);
  }
};

}  // namespace detail

// The params struct with its defaults, overridden by `set`, which is checked first.
template <class Params>
Params make_parameters(const ParameterSet& set) {
  check_parameters(describe_parameters<Params>(), set);
  Params params;
  params.visit(detail::Assign{set});
  return params;
}

}  // namespace panta
