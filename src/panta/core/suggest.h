// "Did you mean …?": the nearest valid name to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace panta {

// Edits (insert, delete, replace, swap of neighbours) that turn a into b.
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `name`, empty if none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// " (did you mean 'x'?)" or " (valid: a, b, c)".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace panta
