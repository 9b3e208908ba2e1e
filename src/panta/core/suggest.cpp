// Nearest names by edit distance (optimal string alignment: Levenshtein plus swaps of neighbours).
#include "panta/core/suggest.h"

#include <algorithm>

namespace panta {

int edit_distance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1 and i of the table of distances between the first i letters of a and j of b.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  int best_distance = std::max(1, static_cast<int>(name.size() + 1) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    // A distance of a whole word means that nothing is similar.
    if (distance >= static_cast<int>(std::max(name.size(), candidate.size()))) continue;
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  if (candidates.empty()) return {};
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return " (did you mean '" + nearest + "'?)";
  std::string list;
  for (const std::string& candidate : candidates) list += (list.empty() ? "" : ", ") + candidate;
  return " (valid: " + list + ")";
}

}  // namespace panta
