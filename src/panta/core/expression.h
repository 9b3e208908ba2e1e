// A formula of time as a short program in postfix form, evaluated on host and device. The text form
// is read by load/expression.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "panta/core/macros.h"

namespace panta {

enum class FormulaOp : std::uint8_t {
  constant,
  time,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  sine,
  cosine,
  tangent,
  exponential,
  logarithm,
  square_root,
  absolute,
  floor,
  minimum,
  maximum,
  smooth_step,  // of (low, high, x): 0 below low, 1 above high, smooth in between
};

struct Expression {
  static constexpr int max_length = 48, max_stack = 12;

  int length = 0;  // an empty program is zero
  FormulaOp op[max_length] = {};
  double number[max_length] = {};  // of a constant

  bool empty() const { return length == 0; }

  PANTA_HD double value(double t) const {
    double stack[max_stack] = {};
    int top = -1;
    for (int k = 0; k < length; ++k) {
      switch (op[k]) {
        case FormulaOp::constant:
          stack[++top] = number[k];
          break;
        case FormulaOp::time:
          stack[++top] = t;
          break;
        case FormulaOp::add:
          --top, stack[top] += stack[top + 1];
          break;
        case FormulaOp::subtract:
          --top, stack[top] -= stack[top + 1];
          break;
        case FormulaOp::multiply:
          --top, stack[top] *= stack[top + 1];
          break;
        case FormulaOp::divide:
          --top, stack[top] /= stack[top + 1];
          break;
        case FormulaOp::power:
          --top, stack[top] = pow(stack[top], stack[top + 1]);
          break;
        case FormulaOp::minimum:
          --top, stack[top] = stack[top] < stack[top + 1] ? stack[top] : stack[top + 1];
          break;
        case FormulaOp::maximum:
          --top, stack[top] = stack[top] > stack[top + 1] ? stack[top] : stack[top + 1];
          break;
        case FormulaOp::smooth_step:
          top -= 2, stack[top] = smooth_step(stack[top], stack[top + 1], stack[top + 2]);
          break;
        default:
          stack[top] = of_one(op[k], stack[top]);
      }
    }
    return top < 0 ? 0.0 : stack[0];
  }

 private:
  PANTA_HD static double smooth_step(double low, double high, double x) {
    const double s = (x - low) / (high - low);
    return !(s > 0) ? 0 : s >= 1 ? 1 : s * s * (3 - 2 * s);
  }
  PANTA_HD static double of_one(FormulaOp op, double x) {
    switch (op) {
      case FormulaOp::negate:
        return -x;
      case FormulaOp::sine:
        return sin(x);
      case FormulaOp::cosine:
        return cos(x);
      case FormulaOp::tangent:
        return tan(x);
      case FormulaOp::exponential:
        return exp(x);
      case FormulaOp::logarithm:
        return log(x);
      case FormulaOp::square_root:
        return sqrt(x);
      case FormulaOp::absolute:
        return x < 0 ? -x : x;
      default:
        return ::floor(x);
    }
  }
};

}  // namespace panta
