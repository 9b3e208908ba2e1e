// Scenes made of several files: "include": ["basin.json", …] at the root of a scene.
#pragma once

#include <string>
#include <string_view>

#include "panta/json/json.h"

namespace panta {

// The file merged with all files that it includes. Values of the including file have priority;
// objects are merged key by key, lists of objects are concatenated (included entries first), other
// values are replaced. Every value keeps its position in its file. `source` is the path of the
// text. Throws Error(usage) for files that include each other.
json::Value parse_with_includes(std::string_view text, const std::string& source);

}  // namespace panta
