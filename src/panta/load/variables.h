// Variables of a scene or model: "variables": {"width": 1.2, "half": "=width/2"}. Any number may be
// written as a text "=formula" of them.
#pragma once

#include "panta/json/json.h"
#include "panta/load/expression.h"

namespace panta {

// Evaluates the object's members, each from those before it; they become numbers.
Variables evaluate_variables(json::Value& object);

// Replaces every text "=formula" inside the value by its number.
void evaluate_expressions(json::Value& value, const Variables& variables);

}  // namespace panta
