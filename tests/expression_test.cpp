// Formulas as text: values, precedence, functions, time, and the columns of errors.
#include "panta/load/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "panta/core/error.h"

namespace panta {
namespace {

const json::Place here = {std::make_shared<const std::string>("f.json"), 3, 10};
const Variables variables = {{"width", 1.5}, {"n_2", 4}};

double constant(const std::string& text) { return evaluate_constant(text, here, variables); }

double formula(const std::string& text, double t) {
  return parse_expression(text, here, variables).value(t);
}

std::string fault(const std::string& text, bool time = false) {
  try {
    if (time) {
      parse_expression(text, here, variables);
    } else {
      constant(text);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Expression, FollowsThePrecedenceOfArithmetic) {
  EXPECT_EQ(constant("1 + 2*3"), 7);
  EXPECT_EQ(constant("(1 + 2)*3"), 9);
  EXPECT_EQ(constant("8/4/2"), 1);
  EXPECT_EQ(constant("5-3-1"), 1);
  EXPECT_EQ(constant("2^3^2"), 512);
  EXPECT_EQ(constant("-2^2"), -4);
  EXPECT_EQ(constant("2^-1"), 0.5);
  EXPECT_EQ(constant("--3"), 3);
  EXPECT_EQ(constant("2*-3"), -6);
  EXPECT_EQ(constant("1.5e-2"), 0.015);
  EXPECT_EQ(constant("width*n_2/2"), 3);
}

TEST(Expression, KnowsFunctions) {
  EXPECT_DOUBLE_EQ(constant("sin(pi/6)"), std::sin(std::numbers::pi / 6));
  EXPECT_DOUBLE_EQ(constant("cos(0) + tan(0.3)"), 1 + std::tan(0.3));
  EXPECT_DOUBLE_EQ(constant("exp(log(7))"), 7);
  EXPECT_EQ(constant("sqrt(abs(-9))"), 3);
  EXPECT_EQ(constant("floor(-1.5)"), -2);
  EXPECT_EQ(constant("min(2, 3) + max(2, 3)"), 5);
  EXPECT_EQ(constant("smoothstep(0, 2, 1)"), 0.5);
  EXPECT_EQ(constant("smoothstep(0, 2, 5) + smoothstep(0, 2, -1)"), 1);
}

TEST(Expression, DependsOnTime) {
  for (const double t : {0.0, 0.3, 2.0}) {
    EXPECT_DOUBLE_EQ(formula("0.1*sin(2*pi*t)", t), 0.1 * std::sin(2 * std::numbers::pi * t));
    EXPECT_DOUBLE_EQ(formula("width*t^2 - t/(1+t)", t), 1.5 * t * t - t / (1 + t));
    EXPECT_DOUBLE_EQ(formula("max(t, 1)*smoothstep(0, 1, t)", t),
                     std::max(t, 1.0) * (t >= 1 ? 1 : t * t * (3 - 2 * t)));
  }
}

TEST(Expression, ConstantsAreFolded) {
  EXPECT_EQ(parse_expression("2*pi*sqrt(4)", here, variables).length, 1);
  EXPECT_EQ(parse_expression("2*pi*t", here, variables).length, 3);
}

TEST(Expression, ScalesAFormula) {
  EXPECT_DOUBLE_EQ(scaled(parse_expression("90*t", here, {}), 2, here).value(0.5), 90);
  EXPECT_EQ(scaled(parse_expression("90", here, {}), 2, here).length, 1);
  EXPECT_EQ(scaled({}, 2, here).value(1), 0);
}

TEST(Expression, ErrorsHaveTheirColumn) {
  EXPECT_NE(fault("1 + ").find("f.json:3:15: in the formula '1 + ': it ends where"),
            std::string::npos)
      << fault("1 + ");
  EXPECT_NE(fault("2*wdth").find("f.json:3:13"), std::string::npos) << fault("2*wdth");
  EXPECT_NE(fault("2*wdth").find("unknown variable 'wdth' (did you mean 'width'?)"),
            std::string::npos);
  const std::pair<const char*, const char*> cases[] = {
      {"", "it ends where"},
      {"(1+2", "')' is missing"},
      {"1 2", "unexpected '2'"},
      {"1 +* 2", "expected a number or name, got '*'"},
      {"sin 3", "'(' is missing after sin"},
      {"min(1)", "min takes 2 values, got 1"},
      {"sin(1, 2)", "sin takes 1 value, got 2"},
      {"1/0", "division by zero"},
      {"1/(width-1.5)", "division by zero"},
      {"sqrt(-1)", "not a finite number"},
      {"log(0)", "not a finite number"},
      {"10^400", "not a finite number"},
      {"2*t", "without '='"},
      {"1e999", "expected a number or name"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_NE(fault(text).find(message), std::string::npos) << fault(text);
  EXPECT_NE(fault("t/0", true).find("division by zero"), std::string::npos);
  EXPECT_NE(fault(std::string(200, '('), true).find("nested too deeply"), std::string::npos);
  EXPECT_NE(fault(std::string(200, '-') + "t", true).find("nested too deeply"), std::string::npos);
  std::string terms = "t";
  for (int k = 0; k < 40; ++k) terms += "+t";
  EXPECT_NE(fault(terms, true).find("too long"), std::string::npos);
  std::string stacked = "t";
  for (int k = 0; k < 20; ++k) stacked = "t+(" + stacked + ")";
  EXPECT_NE(fault(stacked, true).find("nested too deeply"), std::string::npos)
      << fault(stacked, true);
}

TEST(Expression, VariableNamesAreChecked) {
  EXPECT_TRUE(is_variable_name("width"));
  EXPECT_TRUE(is_variable_name("_a1"));
  for (const char* name : {"", "t", "pi", "sin", "1a", "a-b", "a b"})
    EXPECT_FALSE(is_variable_name(name)) << name;
}

}  // namespace
}  // namespace panta
