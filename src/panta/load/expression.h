// Formulas as text: numbers, + - * / ^, parentheses, the functions sin cos tan exp log sqrt abs
// floor min max smoothstep(low, high, x), pi, the scene's variables and, where it makes sense, the
// time t. What is constant is computed while reading.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "panta/core/expression.h"
#include "panta/json/json.h"

namespace panta {

using Variables = std::map<std::string, double>;

// A formula of the time t (s). `place` is where the text stands in its file; throws Error(usage)
// with the column of the fault.
Expression parse_expression(std::string_view text, const json::Place& place,
                            const Variables& variables);

// The value of a formula without t.
double evaluate_constant(std::string_view text, const json::Place& place,
                         const Variables& variables);

// `formula` times a number.
Expression scaled(const Expression& formula, double factor, const json::Place& place);

// Whether a variable may be called so: letters, digits and _, no function, not t or pi.
bool is_variable_name(std::string_view name);

}  // namespace panta
