// Layout of parameter tables.
#include "parameter_table.h"

#include <fmt/format.h>

#include "text_table.h"

namespace panta::app {
namespace {

std::string allowed_values(const ParameterInfo& info) {
  if (std::holds_alternative<bool>(info.default_value)) return "true | false";
  if (!info.choices.empty()) return fmt::format("{}", fmt::join(info.choices, " | "));
  return range_text(info.range);
}

// A number whose default is out of its range has no default.
std::string default_text(const ParameterInfo& info) {
  const double* number = std::get_if<double>(&info.default_value);
  return number && !in_range(info.range, *number) ? "" : parameter_text(info.default_value);
}

TextRow table_row(const ParameterInfo& info, const ParameterSet& set) {
  const auto given = set.find(info.name);
  return {info.name, given == set.end() ? default_text(info) : parameter_text(given->second),
          info.range.unit, allowed_values(info), info.doc};
}

}  // namespace

std::string parameter_table(const std::vector<ParameterInfo>& parameters, const ParameterSet& set) {
  std::vector<TextRow> rows = {{"parameter", "value", "unit", "allowed", "meaning"}};
  for (const ParameterInfo& info : parameters) rows.push_back(table_row(info, set));
  return text_table(rows, "  ");
}

}  // namespace panta::app
