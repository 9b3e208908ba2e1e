// Evaluating variables and the formulas that use them.
#include "panta/load/variables.h"

#include "panta/load/object_reader.h"

namespace panta {

void evaluate_expressions(json::Value& value, const Variables& variables) {
  if (value.type == json::Type::string && value.string.starts_with('=')) {
    json::Place place = value.place;
    if (place.line > 0) ++place.column;
    const std::string_view formula = std::string_view(value.string).substr(1);
    value.number = evaluate_constant(formula, place, variables);
    value.type = json::Type::number;
    value.string.clear();
  }
  for (json::Value& item : value.items) evaluate_expressions(item, variables);
  for (json::Member& member : value.members) evaluate_expressions(member.value, variables);
}

Variables evaluate_variables(json::Value& object) {
  if (object.type != json::Type::object)
    fail_at(object.place, "'variables' must be an object {{...}}, got {}", json::describe(object));
  Variables variables;
  for (json::Member& member : object.members) {
    if (!is_variable_name(member.key))
      fail_at(member.place, "'{}' cannot be the name of a variable", member.key);
    evaluate_expressions(member.value, variables);
    if (member.value.type != json::Type::number)
      fail_at(member.value.place, "'variables.{}' must be a number or a text \"=formula\", got {}",
              member.key, json::describe(member.value));
    variables[member.key] = member.value.number;
  }
  return variables;
}

}  // namespace panta
