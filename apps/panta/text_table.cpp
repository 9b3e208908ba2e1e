// Layout of tables of text.
#include "text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "panta/core/visible_text.h"

namespace panta::app {

std::string text_table(const std::vector<TextRow>& table, const std::string& indent) {
  std::vector<TextRow> rows = table;
  for (TextRow& row : rows)
    for (std::string& cell : row) cell = visible_text(cell);  // each on its line
  std::vector<std::size_t> width;
  for (const TextRow& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  }
  std::string text;
  for (const TextRow& row : rows) {
    std::string line = indent;
    for (std::size_t k = 0; k < row.size(); ++k) line += fmt::format("{:<{}}  ", row[k], width[k]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace panta::app
