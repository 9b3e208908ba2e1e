// Formulas as text: numbers, + - * / ^, parentheses, the functions sin cos tan exp log sqrt abs
// floor min max smoothstep(low, high, x), pi, the scene's variables and, where allowed, the time t.
// Constant parts are computed while reading.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "panta/core/expression.h"
#include "panta/json/json.h"

namespace panta {

using Variables = std::map<std::string, double>;

// A formula of the time t (s). `place` is the position of the text in its file; throws Error(usage)
// with the column of the error.
Expression parse_expression(std::string_view text, const json::Place& place,
                            const Variables& variables);

// The value of a formula without t.
double evaluate_constant(std::string_view text, const json::Place& place,
                         const Variables& variables);

// `formula` times a number.
Expression scaled(const Expression& formula, double factor, const json::Place& place);

// Whether the name is valid for a variable: letters, digits and _, not a function, not t or pi.
bool is_variable_name(std::string_view name);

}  // namespace panta
