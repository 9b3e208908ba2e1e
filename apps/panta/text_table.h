// Tables of text for the terminal.
#pragma once

#include <string>
#include <vector>

namespace panta::app {

using TextRow = std::vector<std::string>;

// One line per row, each beginning with `indent`. Columns are as wide as their widest entry, two
// spaces apart; a row may have fewer entries than others.
std::string text_table(const std::vector<TextRow>& rows, const std::string& indent = "");

}  // namespace panta::app
