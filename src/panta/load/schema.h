// What the scene file can hold, as data. The functions that read a scene (load_*.cpp) declare each
// key once, with its target, check and a line of text; run over nothing, they leave the description
// below, from which the JSON schema and the reference page are made.
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
  std::string object;         // the name of the object it holds, where it does
};

struct ObjectInfo {
  std::string name;  // "fluid", "shape_box"
  std::string doc;
  std::vector<KeyInfo> keys;
  std::vector<std::string> exactly_one;  // of these keys must be given
  std::vector<std::string> or_keys_of;   // the keys of one of these objects are valid here too

  // Objects of several kinds: the key that tells them apart, and for each of its values the object
  // that has the further keys.
  struct Kind {
    std::string value, object;
  };
  std::string kind_key;
  std::vector<Kind> kinds;
};

// The first is the scene itself; stays in place while it grows.
using Description = std::deque<ObjectInfo>;

const ObjectInfo& find_object(const Description& description, const std::string& name);

// Everything a scene file may hold.
Description describe_scene();

// The JSON schema (draft 7), by which editors complete and check scene files.
std::string scene_schema();

// The reference page, in Markdown.
std::string scene_reference();

}  // namespace panta
