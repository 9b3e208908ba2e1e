#include "validation_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

namespace panta::app {

namespace {

constexpr const char* introduction =
    "# Validation\n\n"
    "*Printed by `panta validate --report`. Values above the limit beside them are\n"
    "bold. The first lines of each file in `src/panta/validation/` describe its study and its\n"
    "reference.*\n\n";

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

std::string cell(const Check& c) {
  const std::string text = fmt::format("{:.3g}", c.value);
  return c.passed() ? text : "**" + text + "**";
}

// Vertical bars separate cells.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

using Results = std::vector<StudyOnDevice>;

// The rows of a study; results [begin, end) are those of its devices.
std::string table(const Results& results, std::size_t begin, std::size_t end) {
  std::string text = "| quantity | limit |", rule = "|---|---|";
  for (std::size_t k = begin; k < end; ++k) {
    text += " " + results[k].device + " |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  const std::vector<Check>& rows = results[begin].result.checks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string unit = rows[row].unit.empty() ? "" : " " + rows[row].unit;
    text += fmt::format("| {} | {:.3g}{} |", escaped(rows[row].quantity), rows[row].limit, unit);
    for (std::size_t k = begin; k < end; ++k)
      text += row < results[k].result.checks.size()
                  ? " " + cell(results[k].result.checks[row]) + " |"
                  : " |";
    text += "\n";
  }
  return text + "\n";
}

}  // namespace

std::string validation_page(const std::vector<StudyOnDevice>& results, const std::string& folder) {
  std::string page = std::string(introduction) + "Date: " + today() + ".\n\n";
  for (std::size_t begin = 0; begin < results.size();) {
    const StudyResult& study = results[begin].result;
    std::size_t end = begin;
    while (end < results.size() && results[end].result.name == study.name) ++end;
    page += "## " + study.name + "\n\n" + study.title + ".\n\n" + table(results, begin, end);
    for (std::size_t k = begin; k < end; ++k)
      for (const std::string& plot : results[k].plots)
        page += fmt::format("![{} on {}]({})\n", study.title, results[k].device,
                            std::filesystem::relative(plot, folder).generic_string());
    if (!results[begin].plots.empty()) page += "\n";
    begin = end;
  }
  return page;
}

}  // namespace panta::app
