// Layout of parameter tables.
#include "parameter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace panta::app {
namespace {

constexpr std::size_t columns = 5;
using Row = std::array<std::string, columns>;

std::string allowed_values(const ParameterInfo& info) {
  if (std::holds_alternative<bool>(info.default_value)) return "true | false";
  if (!info.choices.empty()) return fmt::format("{}", fmt::join(info.choices, " | "));
  return range_text(info.range);
}

Row table_row(const ParameterInfo& info, const ParameterSet& set) {
  const auto given = set.find(info.name);
  const ParameterValue& value = given == set.end() ? info.default_value : given->second;
  return {info.name, parameter_text(value), info.range.unit, allowed_values(info), info.doc};
}

}  // namespace

std::string parameter_table(const std::vector<ParameterInfo>& parameters, const ParameterSet& set) {
  std::vector<Row> rows = {{"parameter", "value", "unit", "allowed", "meaning"}};
  for (const ParameterInfo& info : parameters) rows.push_back(table_row(info, set));
  std::array<std::size_t, columns> width = {};
  for (const Row& row : rows)
    for (std::size_t k = 0; k < columns; ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < columns; ++k) line += fmt::format("  {:<{}}", row[k], width[k]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace panta::app
