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

constexpr std::size_t most_nested = 16, most_files = 1000;

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

// Reads a file and the files that it includes.
class IncludeReader {
 public:
  json::Value parse(std::string_view text, const std::string& source) {
    json::Value value = json::parse(text, source);
    if (value.type != json::Type::object) return value;
    const auto at =
        std::find_if(value.members.begin(), value.members.end(),
                     [](const json::Member& member) { return member.key == "include"; });
    if (at == value.members.end()) return value;
    const json::Value list = std::move(at->value);
    value.members.erase(at);
    if (list.type != json::Type::array)
      fail_at(list.place, "'include' must be a list of file names, got {}", json::describe(list));
    chain_.push_back(resolved_file(source, {}));
    json::Value base = json::Value::object();
    for (const json::Value& name : list.items)
      base = merged_files(std::move(base), parse_included(name));
    chain_.pop_back();
    return merged_files(std::move(base), std::move(value));
  }

 private:
  json::Value parse_included(const json::Value& name) {
    if (name.type != json::Type::string)
      fail_at(name.place, "'include' must be a list of file names, got {}", json::describe(name));
    const std::string path = resolved_file(name.string, name.place);
    if (std::find(chain_.begin(), chain_.end(), path) != chain_.end())
      fail_at(name.place, "files include each other: {}", chain_text(chain_, path));
    if (chain_.size() >= most_nested)
      fail_at(name.place, "files are included more than {} deep", most_nested);
    if (++files_ > most_files)
      fail_at(name.place, "more than {} files are included, counting each time", most_files);
    const std::string text = located(name.place, [&] {
      expect_regular_file(path);
      return read_scene_text(path);
    });
    bytes_ += text.size();
    if (bytes_ > most_scene_text)
      fail_at(name.place, "the included files together are longer than {} bytes", most_scene_text);
    return parse(text, path);
  }

  std::vector<std::string> chain_;  // of the files being read
  std::size_t files_ = 0, bytes_ = 0;
};

void add_files(const json::Value& value, std::vector<std::string>& files) {
  if (value.place.line > 0 && value.place.source &&
      std::find(files.begin(), files.end(), *value.place.source) == files.end())
    files.push_back(*value.place.source);
  for (const json::Value& item : value.items) add_files(item, files);
  for (const json::Member& member : value.members) add_files(member.value, files);
}

}  // namespace

std::string read_scene_text(const std::string& path) {
  return read_binary_file(path, most_scene_text);
}

std::vector<std::string> files_of(const json::Value& effective) {
  std::vector<std::string> files;
  add_files(effective, files);
  return files;
}

json::Value parse_with_includes(std::string_view text, const std::string& source) {
  return IncludeReader().parse(text, source);
}

}  // namespace panta
