// Merging included files.
#include "panta/load/include.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "panta/core/file.h"
#include "panta/load/load.h"
#include "panta/load/load_parts.h"
#include "panta/load/overrides.h"

namespace panta {
namespace {

constexpr std::size_t most_nested = 16;

bool is_list_of_objects(const json::Value& value) {
  return value.type == json::Type::array &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const json::Value& item) { return item.type == json::Type::object; });
}

// Merges `over` into `base`; values of `over` have priority.
json::Value merged(json::Value base, json::Value over) {
  if (is_list_of_objects(base) && is_list_of_objects(over)) {
    base.items.insert(base.items.end(), std::make_move_iterator(over.items.begin()),
                      std::make_move_iterator(over.items.end()));
    base.place = over.place;
    return base;
  }
  if (base.type != json::Type::object || over.type != json::Type::object) return over;
  for (json::Member& member : over.members) {
    json::Value* below = base.find(member.key);
    if (below) {
      *below = merged(std::move(*below), std::move(member.value));
    } else {
      base.members.push_back(std::move(member));
    }
  }
  base.place = over.place;
  return base;
}

// The same for whole files.
json::Value merged_files(json::Value base, json::Value over) {
  const json::Value* method = over.find("method") ? over.find("method") : base.find("method");
  const json::Value* solver = over.find("solver");
  if (method && solver)
    for (const json::Member& member : solver->members) {
      remove_other_form(base, method->string, {"solver", member.key});
      for (const json::Member& inner : member.value.members)
        remove_other_form(base, method->string, {"solver", member.key, inner.key});
    }
  return merged(std::move(base), std::move(over));
}

std::string chain_text(const std::vector<std::string>& chain, const std::string& last) {
  std::string text;
  for (const std::string& file : chain) text += file + " -> ";
  return text + last;
}

json::Value parse_file(std::string_view text, const std::string& source,
                       std::vector<std::string>& chain);

json::Value parse_included(const json::Value& name, std::vector<std::string>& chain) {
  if (name.type != json::Type::string)
    fail_at(name.place, "'include' must be a list of file names, got {}", json::describe(name));
  const std::string path = resolved_file(name.string, name.place);
  if (std::find(chain.begin(), chain.end(), path) != chain.end())
    fail_at(name.place, "files include each other: {}", chain_text(chain, path));
  if (chain.size() >= most_nested)
    fail_at(name.place, "files are included more than {} deep", most_nested);
  const std::string text = located(name.place, [&] { return read_binary_file(path); });
  return parse_file(text, path, chain);
}

json::Value parse_file(std::string_view text, const std::string& source,
                       std::vector<std::string>& chain) {
  json::Value value = json::parse(text, source);
  if (value.type != json::Type::object) return value;
  const auto at = std::find_if(value.members.begin(), value.members.end(),
                               [](const json::Member& member) { return member.key == "include"; });
  if (at == value.members.end()) return value;
  const json::Value list = std::move(at->value);
  value.members.erase(at);
  if (list.type != json::Type::array)
    fail_at(list.place, "'include' must be a list of file names, got {}", json::describe(list));
  chain.push_back(resolved_file(source, {}));
  json::Value base = json::Value::object();
  for (const json::Value& name : list.items)
    base = merged_files(std::move(base), parse_included(name, chain));
  chain.pop_back();
  return merged_files(std::move(base), std::move(value));
}

void add_files(const json::Value& value, std::vector<std::string>& files) {
  if (value.place.line > 0 && value.place.source &&
      std::find(files.begin(), files.end(), *value.place.source) == files.end())
    files.push_back(*value.place.source);
  for (const json::Value& item : value.items) add_files(item, files);
  for (const json::Member& member : value.members) add_files(member.value, files);
}

}  // namespace

std::vector<std::string> files_of(const json::Value& effective) {
  std::vector<std::string> files;
  add_files(effective, files);
  return files;
}

json::Value parse_with_includes(std::string_view text, const std::string& source) {
  std::vector<std::string> chain;
  return parse_file(text, source, chain);
}

}  // namespace panta
