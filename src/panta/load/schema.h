// The content of scene files as data. The functions that read a scene (load_*.cpp) declare each key
// once, with its target, check and a line of documentation; in describing mode they produce the
// description below, from which the JSON schema and the reference page are made.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "panta/json/json.h"

namespace panta {

struct KeyInfo {
  std::string name;
  std::string doc;
  bool required = false;
  std::string type;           // in words: "number, > 0"
  std::string unit;           // SI, empty for none
  json::Value default_value;  // null: none
  json::Value schema;         // of its value
  std::string object;         // the name of the object that it contains, if any
};

struct ObjectInfo {
  std::string name;  // "fluid", "shape_box"
  std::string doc;
  std::vector<KeyInfo> keys;
  std::vector<std::string> exactly_one;  // of these keys exactly one must be given
  std::vector<std::string> or_keys_of;   // the keys of one of these objects are valid here too

  // Objects of several kinds: the key that selects the kind, and for each of its values the object
  // with the further keys.
  struct Kind {
    std::string value, object;
  };
  std::string kind_key;
  std::vector<Kind> kinds;
};

// The first entry is the scene itself; references stay valid while it grows.
using Description = std::deque<ObjectInfo>;

const ObjectInfo& find_object(const Description& description, const std::string& name);

// All keys of a scene file.
Description describe_scene();

// The JSON schema (draft 7), which editors use to complete and check scene files.
std::string scene_schema();

// The reference page, in Markdown.
std::string scene_reference();

}  // namespace panta
