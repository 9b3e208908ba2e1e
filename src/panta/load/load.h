// Scene files: JSON with comments -> Scene, with every key checked. The first error is an
// Error(usage) "file:line:column: 'path.to.key' …" with the nearest valid name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "panta/json/json.h"
#include "panta/scene/scene.h"

namespace panta {

// `overrides` are "path=value" assignments as in --set, applied in order after included files are
// merged and before formulas are evaluated. `effective` receives the complete scene: files
// included, formulas evaluated, models expanded, paths absolute, every default given. `unused`
// receives a message for each key that has no effect in the scene's method.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {},
                 json::Value* effective = nullptr, std::vector<std::string>* unused = nullptr);

// The same from text; `filename` is for messages, and files are relative to it.
Scene parse_scene(std::string_view text, const std::string& filename,
                  const std::vector<std::string>& overrides = {}, json::Value* effective = nullptr,
                  std::vector<std::string>* unused = nullptr);

// The files that an effective scene was read from: the scene, included files and models.
std::vector<std::string> files_of(const json::Value& effective);

// Warnings about a scene: events and emitters after its end, …
std::vector<std::string> scene_warnings(const Scene& scene);

}  // namespace panta
