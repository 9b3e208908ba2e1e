// The reference page of scene files: an introduction, and tables made from their description.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "panta/load/schema.h"

namespace panta {
namespace {

constexpr const char* introduction = R"(# Scene files

*This page and [scene.schema.json](scene.schema.json) are printed by `panta info --reference` and
`panta info --schema`, from the declarations that also read the files.*

A scene is a JSON file with `//` and `/* */` comments. Units are SI, axes are right-handed with y up.
An unknown key, a wrong type or a value out of range is an error with file, line and column that names
the nearest valid name, and the scene is not run. `panta check SCENE` reads a scene without running it. For an
editor that completes keys and values, put `"$schema": "path/to/scene.schema.json"` at the top.

An example with nearly all kinds of keys:

```json
)";

constexpr const char* example = R"({
  "method": "sph",
  "title": "Fountain",
  "spacing": "=width/40",
  "duration": 4,
  "fps": 30,
  "variables": {"width": 0.4, "half": "=width/2"},
  "domain": {"min": ["=-half", 0, "=-half"], "max": ["=half", 0.6, "=half"], "walls": ["-y"]},
  "materials": {
    "water": {"density": 1000, "viscosity": 0.001, "surface_tension": 0.072},
    "oil": {"density": 900, "viscosity": 0.05, "viscoelastic": {"linear_viscosity": 0.1}}
  },
  "fluids": [
    {"material": "water", "shape": {"box": {"min": [-0.1, 0, -0.1], "max": [0.1, 0.05, 0.1]}}}
  ],
  "bodies": [
    {"name": "bowl", "friction": 0.2,
     "shape": {"difference": [
       {"sphere": {"center": [0, 0.25, 0], "radius": 0.12}},
       {"sphere": {"center": [0, 0.25, 0], "radius": 0.1}},
       {"plane": {"point": [0, 0.25, 0], "normal": [0, -1, 0]}}
     ]}},
    {"name": "stirrer", "shape": {"capsule": {"from": [0, 0, 0], "to": [0, 0.1, 0], "radius": 0.01},
                                  "rotate": {"axis": [1, 0, 0], "degrees": 30},
                                  "translate": [0.05, 0.2, 0]},
     "motion": {"rotate": {"axis": [0, 1, 0], "degrees": "360*t"}}}
  ],
  "emitters": [
    {"name": "tap", "material": "oil", "at": [0, 0.5, 0], "direction": [0, -1, 0], "speed": 1,
     "disc": {"radius": 0.03}, "start": 0.5, "pulse": {"period": 0.4, "on": 0.2}, "volume": 0.001}
  ],
  "sinks": [
    {"name": "edge", "shape": {"box": {"min": [-0.2, -0.1, -0.2], "max": [0.2, 0.6, 0.2]}},
     "outside": true}
  ],
  "fields": [
    {"name": "breeze", "type": "wind", "velocity": [1, 0, 0], "rate": 0.5, "turbulence": 0.4,
     "scale": 0.1, "active": false}
  ],
  "events": [
    {"at": 1, "start": "breeze"},
    {"at": 2, "set": {"emitters.tap.speed": 1.5, "solver.artificial_viscosity": 0.2}},
    {"at": 2.5, "remove": {"sphere": {"center": [0, 0.25, 0], "radius": 0.1}}},
    {"at": 3, "stop": "tap"}
  ],
  "probes": {
    "level": {"type": "height", "at": [0, 0.25, 0], "radius": 0.02},
    "drops": {"type": "count", "material": "oil"}
  },
  "solver": {"sph": {"artificial_viscosity": 0.05}, "viscoelastic": {"time_step": 0.005}},
  "output": {"particles": "vtp"}
}
)";

constexpr const char* rules = R"(```

**Formulas.** Any number may be written as a text that begins with `=`: numbers, `+ - * / ^`, parentheses,
`pi`, the scene's variables (each may use those before it) and the functions `sin cos tan exp log sqrt abs
floor min max smoothstep(low, high, x)`. The formulas of a [motion](#motion) have no `=` and may use the
time `t`. `--set variables.width=0.8` changes a variable from the command line.

**Several files.** `"include": ["basin.json"]` adds the keys of other files. Keys of the file itself have priority;
objects are merged key by key, lists of objects are concatenated (included entries first), other values are replaced.
Files that a scene names are found relative to the file that names them.

**Shapes** compose: `{"difference": [{"box": …}, {"sphere": …}], "blend": 0.01, "rotate": …}`. A model is a
shape in a separate file, `{"description": "…", "variables": {…}, "shape": {…}}`. With
`{"model": "glass", "parameters": {"height": 0.2}}` the file `models/glass.json` is searched beside the scene,
beside its parent folders and among the bundled scenes.

**Names.** An entry with a `name` can be addressed by it in `--set emitters.tap.speed=2` and in events.

**Methods.** Parameters of one method only are written in a block that has the method's name, in
`solver` and in a [material](#material). All blocks are checked, and only those of the scene's method have an
effect, so a scene can have parameters for several methods, and `--set method=unified` runs it with another.
Keys of `solver` outside a block belong to the scene's method: `"solver": {"cfl": 0.3}` is the same as
`"solver": {"sph": {"cfl": 0.3}}` there, and so is `--set solver.cfl=0.3`. `panta scenes --methods` shows
which of the bundled scenes a method can run.

**Two dimensions.** With `"dimensions": 2` everything lies in the plane z = 0, and two numbers make a vector.

In the tables, keys in bold must be given.
)";

std::string heading(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string link_to(std::string name) {
  std::string anchor = name;
  std::replace(anchor.begin(), anchor.end(), '_', '-');
  return fmt::format("[{}](#{})", heading(std::move(name)), anchor);
}

std::string type_text(const KeyInfo& key) {
  if (key.object.empty()) return key.unit.empty() ? key.type : key.type + ", " + key.unit;
  const std::string link = link_to(key.object);
  if (key.type == "list") return "list of " + link;
  if (key.type == "object or list") return link + " or list of these";
  return key.type == "object by name" ? "by name: " + link : link;
}

std::string capitalized(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// Escapes bars, which would end the cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

std::string default_text(const KeyInfo& key) {
  std::string text =
      key.default_value.type == json::Type::null ? "" : json::dump(key.default_value);
  std::erase_if(text, [](char c) { return c == '\n' || c == '"'; });
  return text;
}

std::string key_table(const std::vector<KeyInfo>& keys) {
  if (keys.empty()) return "No further keys.\n";
  std::string text = "| key | value | default | |\n|---|---|---|---|\n";
  for (const KeyInfo& key : keys) {
    const std::string name =
        key.required ? fmt::format("**`{}`**", key.name) : fmt::format("`{}`", key.name);
    text += fmt::format("| {} | {} | {} | {} |\n", name, type_text(key), default_text(key),
                        cell(key.doc));
  }
  return text;
}

std::string section(const ObjectInfo& info) {
  std::string text = fmt::format("\n### {}\n\n{}.\n\n{}", heading(info.name), capitalized(info.doc),
                                 key_table(info.keys));
  if (!info.exactly_one.empty()) {
    std::string list;
    for (const std::string& key : info.exactly_one)
      list += (list.empty() ? "`" : ", `") + key + "`";
    text += fmt::format("\nExactly one of {} must be given.\n", list);
  }
  if (!info.or_keys_of.empty()) {
    text += "\nThe keys of one of these may also stand here, without a block: ";
    for (const std::string& object : info.or_keys_of)
      text += (&object == &info.or_keys_of.front() ? "" : ", ") + link_to(object);
    text += ".\n";
  }
  if (!info.kinds.empty()) {
    text += fmt::format("\nThe other keys depend on `{}`: ", info.kind_key);
    for (const ObjectInfo::Kind& kind : info.kinds)
      text += (&kind == &info.kinds.front() ? "" : ", ") + link_to(kind.object);
    text += ".\n";
  }
  return text;
}

}  // namespace

std::string scene_reference() {
  std::string text = std::string(introduction) + example + rules;
  for (const ObjectInfo& info : describe_scene()) text += section(info);
  return text;
}

}  // namespace panta
