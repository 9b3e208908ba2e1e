#include "panta/load/expression.h"
#include "targets.h"

namespace panta::fuzz {

void fuzz_expression(std::string_view text) {
  const Variables variables = {{"width", 0.5}, {"height", -2}};
  const json::Place place;
  const Expression formula = scaled(parse_expression(text, place, variables), 0.5, place);
  for (const double t : {-1.0, 0.0, 0.25, 1e300}) formula.value(t);
}

}  // namespace panta::fuzz
