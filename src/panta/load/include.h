// Scenes made of several files: "include": ["basin.json", …] at the root of a scene.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "panta/json/json.h"

namespace panta {

// The file merged with all files that it includes. Values of the including file have priority;
// objects are merged key by key, lists of objects are concatenated (included entries first), other
// values are replaced. Every value keeps its position in its file. `source` is the path of the
// text. Throws Error(usage) for files that include each other, and for too many or too long ones.
json::Value parse_with_includes(std::string_view text, const std::string& source);

// The length of a scene's text, and of all files that it includes together.
inline constexpr std::size_t most_scene_text = std::size_t{64} << 20;  // bytes

// The text of a scene, an included file or a model; Error(io) if it is longer.
std::string read_scene_text(const std::string& path);

}  // namespace panta
