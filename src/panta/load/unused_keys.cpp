// Keys of scene files that have no effect in the scene's method.
#include <algorithm>

#include "panta/load/load_parts.h"

namespace panta {
namespace {

bool uses(const MethodInfo& method, const std::string& key) {
  const auto& keys = method.uses;
  return method.name == key || std::find(keys.begin(), keys.end(), key) != keys.end();
}

// The methods that use a key, as "'sph' or 'unified'"; empty for a key of all methods.
std::string users_of(const std::string& key) {
  std::string names;
  for (const MethodInfo& method : methods())
    if (uses(method, key)) names += (names.empty() ? "'" : " or '") + method.name + "'";
  return names;
}

}  // namespace

void note_unused_key(const ObjectReader& reader, const std::string& key) {
  if (reader.describing()) return;
  std::vector<UnusedKey>& unused = reader.context().unused;
  const auto known = std::find_if(unused.begin(), unused.end(),
                                  [&](const UnusedKey& other) { return other.key == key; });
  if (known != unused.end())
    ++known->count;
  else
    unused.push_back({key, reader.path_of(key), reader.place_of(key)});
}

void note_unused_keys(const ObjectReader& reader) {
  if (reader.describing()) return;
  const MethodInfo& method = find_method(reader.context().method);
  for (const std::string& key : reader.changed())
    if (!uses(method, key) && !users_of(key).empty()) note_unused_key(reader, key);
}

std::vector<std::string> unused_key_messages(const std::vector<UnusedKey>& unused,
                                             const std::string& method) {
  std::vector<std::string> messages;
  for (const UnusedKey& key : unused)
    messages.push_back(
        fmt::format("{}: '{}'{} has no effect in the method '{}': remove it, or use the method {}",
                    key.place.text(), key.path,
                    key.count > 1 ? fmt::format(" (and {} more)", key.count - 1) : "", method,
                    users_of(key.key)));
  return messages;
}

}  // namespace panta
