// A parser by recursive descent, one function for each level of precedence:
//   sum     = product {("+" | "-") product}
//   product = sign {("*" | "/") sign}
//   sign    = "-" sign | power
//   power   = atom ["^" sign]
//   atom    = number | name | function "(" sum {"," sum} ")" | "(" sum ")"
// It emits postfix code; an operation on constants alone is replaced by its value.
#include "panta/load/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"

namespace panta {
namespace {

struct Function {
  const char* name;
  FormulaOp op;
  int arguments;
};

constexpr std::array<Function, 11> functions = {{{"sin", FormulaOp::sine, 1},
                                                 {"cos", FormulaOp::cosine, 1},
                                                 {"tan", FormulaOp::tangent, 1},
                                                 {"exp", FormulaOp::exponential, 1},
                                                 {"log", FormulaOp::logarithm, 1},
                                                 {"sqrt", FormulaOp::square_root, 1},
                                                 {"abs", FormulaOp::absolute, 1},
                                                 {"floor", FormulaOp::floor, 1},
                                                 {"min", FormulaOp::minimum, 2},
                                                 {"max", FormulaOp::maximum, 2},
                                                 {"smoothstep", FormulaOp::smooth_step, 3}}};

constexpr int most_nested = 64;

int operand_count(FormulaOp op) {
  for (const Function& function : functions)
    if (function.op == op) return function.arguments;
  if (op == FormulaOp::constant || op == FormulaOp::time) return 0;
  return op == FormulaOp::negate ? 1 : 2;
}

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

const Function* find_function(std::string_view name) {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

// The largest number of values on the stack of the program.
int stack_depth(const Expression& program) {
  int depth = 0, most = 0;
  for (int k = 0; k < program.length; ++k) {
    depth += 1 - operand_count(program.op[k]);
    most = std::max(most, depth);
  }
  return most;
}

class Parser {
 public:
  Parser(std::string_view text, const json::Place& place, const Variables& variables,
         bool time_allowed)
      : text_(text), place_(place), variables_(variables), time_allowed_(time_allowed) {}

  Expression parse() {
    sum();
    skip_blanks();
    if (at_ < text_.size()) fail(at_, fmt::format("unexpected '{}'", text_[at_]));
    return program_;
  }

 private:
  // Position in the file: the column within the text's line, plus one for its opening quote.
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    json::Place place = place_;
    if (place.line > 0) place.column += 1 + static_cast<int>(at);
    throw Error(ErrorKind::usage, "{}: in the formula '{}': {}", place.text(), text_, message);
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void sum() {
    if (++nested_ > most_nested) fail(at_, "nested too deeply");
    product();
    for (;;) {
      const std::size_t at = at_;
      if (take('+')) {
        product(), emit(FormulaOp::add, at);
      } else if (take('-')) {
        product(), emit(FormulaOp::subtract, at);
      } else {
        break;
      }
    }
    --nested_;
  }

  void product() {
    sign();
    for (;;) {
      const std::size_t at = at_;
      if (take('*')) {
        sign(), emit(FormulaOp::multiply, at);
      } else if (take('/')) {
        sign(), emit(FormulaOp::divide, at);
      } else {
        return;
      }
    }
  }

  void sign() {
    const std::size_t at = at_;
    if (!take('-')) return power();
    if (++nested_ > most_nested) fail(at, "nested too deeply");
    sign(), emit(FormulaOp::negate, at);
    --nested_;
  }

  void power() {
    atom();
    const std::size_t at = at_;
    if (take('^')) sign(), emit(FormulaOp::power, at);
  }

  void atom() {
    if (take('(')) {
      sum();
      if (!take(')')) fail(at_, "')' is missing");
      return;
    }
    skip_blanks();
    if (at_ >= text_.size()) fail(at_, "it ends where a number or name should stand");
    if (starts_name(text_[at_])) return name();
    number();
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value))
      fail(at_, fmt::format("expected a number or name, got '{}'", text_[at_]));
    at_ += static_cast<std::size_t>(end - begin);
    constant(value);
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (const Function* function = find_function(name)) return call(*function, begin);
    if (name == "pi") return constant(std::numbers::pi);
    if (name == "t" && time_allowed_) return emit(FormulaOp::time, begin);
    if (name == "t")
      fail(begin, "the time t is for the formulas of a motion, which stand without '='");
    const auto variable = variables_.find(name);
    if (variable == variables_.end())
      fail(begin, fmt::format("unknown variable '{}'{}", name, suggestion(name, known_names())));
    constant(variable->second);
  }

  void call(const Function& function, std::size_t begin) {
    int count = 0;
    if (!take('(')) fail(at_, fmt::format("'(' is missing after {}", function.name));
    do {
      sum(), ++count;
    } while (take(','));
    if (!take(')')) fail(at_, "')' is missing");
    if (count != function.arguments)
      fail(begin, fmt::format("{} takes {} value{}, got {}", function.name, function.arguments,
                              function.arguments == 1 ? "" : "s", count));
    emit(function.op, begin);
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    names.emplace_back("pi");
    if (time_allowed_) names.emplace_back("t");
    for (const Function& function : functions) names.emplace_back(function.name);
    for (const auto& [name, value] : variables_) names.push_back(name);
    return names;
  }

  void constant(double value) {
    emit(FormulaOp::constant, at_);
    program_.number[program_.length - 1] = value;
  }

  void emit(FormulaOp op, std::size_t at) {
    const int operands = operand_count(op);
    bool constants = operands > 0;
    for (int k = 0; k < operands; ++k)
      constants = constants && program_.op[program_.length - 1 - k] == FormulaOp::constant;
    if (op == FormulaOp::divide && program_.op[program_.length - 1] == FormulaOp::constant &&
        program_.number[program_.length - 1] == 0)
      fail(at, "division by zero");
    if (program_.length == Expression::max_length) fail(at, "it is too long");
    program_.op[program_.length++] = op;
    if (stack_depth(program_) > Expression::max_stack) fail(at, "nested too deeply");
    if (constants) fold(operands, at);
  }

  // Replaces the last operation and its constant operands by the result.
  void fold(int operands, std::size_t at) {
    Expression part;
    const int first = program_.length - 1 - operands;
    for (int k = first; k < program_.length; ++k) {
      part.op[part.length] = program_.op[k];
      part.number[part.length++] = program_.number[k];
    }
    const double value = part.value(0);
    if (!std::isfinite(value)) fail(at, "the result is not a finite number");
    program_.length = first + 1;
    program_.op[first] = FormulaOp::constant;
    program_.number[first] = value;
  }

  std::string_view text_;
  const json::Place& place_;
  const Variables& variables_;
  bool time_allowed_;
  std::size_t at_ = 0;
  int nested_ = 0;
  Expression program_;
};

}  // namespace

Expression parse_expression(std::string_view text, const json::Place& place,
                            const Variables& variables) {
  return Parser(text, place, variables, true).parse();
}

double evaluate_constant(std::string_view text, const json::Place& place,
                         const Variables& variables) {
  return Parser(text, place, variables, false).parse().value(0);
}

Expression scaled(const Expression& formula, double factor, const json::Place& place) {
  if (formula.empty()) return formula;  // zero times a factor
  if (formula.length == 1 && formula.op[0] == FormulaOp::constant) {
    Expression result = formula;
    result.number[0] *= factor;
    return result;
  }
  Expression result = formula;
  if (result.length + 2 > Expression::max_length ||
      stack_depth(formula) + 1 > Expression::max_stack)
    throw Error(ErrorKind::usage, "{}: the formula is too long", place.text());
  result.number[result.length] = factor;
  result.op[result.length++] = FormulaOp::constant;
  result.op[result.length++] = FormulaOp::multiply;
  return result;
}

bool is_variable_name(std::string_view name) {
  if (name.empty() || !starts_name(name[0]) || name == "t" || name == "pi") return false;
  for (const char c : name)
    if (!continues_name(c)) return false;
  return !find_function(name);
}

}  // namespace panta
