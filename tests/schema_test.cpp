// The JSON schema and the reference page: the committed files are current, and scenes conform to
// them.
#include "panta/load/schema.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "panta/core/file.h"
#include "panta/load/load.h"

namespace panta {
namespace {

namespace fs = std::filesystem;

const std::string source_folder = PANTA_SOURCE_DIR;

// The definition of the object in a key's values, with references resolved.
const json::Value& resolved(const json::Value& root, const json::Value& schema) {
  if (schema.find("properties")) return schema;
  const json::Value* at = &schema;
  for (const char* wrapper : {"allOf", "anyOf"})
    if (const json::Value* list = at->find(wrapper)) at = &list->items.at(0);
  if (const json::Value* reference = at->find("$ref"))
    return *root.find("definitions")
                ->find(reference->string.substr(std::string("#/definitions/").size()));
  return *at;
}

// The possible kinds of object of a value, if there are several: solvers.
std::vector<const json::Value*> kinds_of(const json::Value& root, const json::Value& schema) {
  std::vector<const json::Value*> kinds;
  if (const json::Value* list = schema.find("anyOf"))
    for (const json::Value& kind : list->items)
      if (resolved(root, kind).find("properties")) kinds.push_back(&kind);
  return kinds;
}

// Compares a scene's values with the schema and collects the keys that are not in it.
void collect_unknown(const json::Value& root, const json::Value& schema, const json::Value& value,
                     const std::string& path, std::vector<std::string>& unknown) {
  const json::Value* at = &resolved(root, schema);
  if (const auto kinds = kinds_of(root, *at); kinds.size() > 1) {
    std::vector<std::string> fewest;  // for the kind that fits best
    for (const json::Value* kind : kinds) {
      std::vector<std::string> found;
      collect_unknown(root, *kind, value, path, found);
      if (kind == kinds[0] || found.size() < fewest.size()) fewest = found;
    }
    unknown.insert(unknown.end(), fewest.begin(), fewest.end());
    return;
  }
  if (const json::Value* kinds = at->find("oneOf"); kinds && !at->find("properties")) {
    for (const json::Value& kind : kinds->items) {
      const json::Value& candidate = resolved(root, kind);
      const json::Value* name = candidate.find("properties")->find("type")->find("const");
      if (name->string == value.find("type")->string) at = &candidate;
    }
  }
  const json::Value* items = at->find("items");
  for (std::size_t k = 0; items && k < value.items.size(); ++k)
    collect_unknown(root, *items, value.items[k], path + "." + std::to_string(k), unknown);
  const json::Value* properties = at->find("properties");
  const json::Value* others = at->find("additionalProperties");
  for (const json::Member& member : value.members) {
    const json::Value* known = properties ? properties->find(member.key) : nullptr;
    if (!known && others && others->type == json::Type::object) known = others;
    if (known) {
      collect_unknown(root, *known, member.value, path + "." + member.key, unknown);
    } else if (properties) {
      unknown.push_back(path + "." + member.key);
    }
  }
}

std::vector<std::string> unknown_keys(const std::string& scene, const std::string& name) {
  const json::Value schema = json::parse(scene_schema(), "schema");
  std::vector<std::string> unknown;
  collect_unknown(schema, schema, json::parse(scene, name), name, unknown);
  return unknown;
}

std::string example_scene() {
  const std::string page = scene_reference(), begin = "```json\n";
  const std::size_t at = page.find(begin) + begin.size();
  return page.substr(at, page.find("```", at) - at);
}

TEST(Schema, CommittedFilesMatchTheProgram) {
  EXPECT_TRUE(read_binary_file(source_folder + "/docs/scene.schema.json") == scene_schema())
      << "run: panta info --schema > docs/scene.schema.json";
  EXPECT_TRUE(read_binary_file(source_folder + "/docs/scene.md") == scene_reference())
      << "run: panta info --reference > docs/scene.md";
}

TEST(Schema, BundledScenesUseOnlyItsKeys) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder + "/scenes")) {
    const bool is_model = entry.path().parent_path().filename() == "models";
    if (entry.path().extension() != ".json" || is_model) continue;
    const std::string path = entry.path().string();
    EXPECT_EQ(unknown_keys(read_binary_file(path), path), std::vector<std::string>());
    ++count;
  }
  EXPECT_GT(count, 5);
}

TEST(Schema, FindsUnknownKeys) {
  EXPECT_EQ(
      unknown_keys(R"({"spacin": 1, "domain": {"mi": 1}, "materials": {"a": {"b": 1}},
      "fields": [{"type": "drag", "axis": 1}]})",
                   "s"),
      (std::vector<std::string>{"s.spacin", "s.domain.mi", "s.materials.a.b", "s.fields.0.axis"}));
}

TEST(Schema, TheExampleOfTheReferencePageIsAScene) {
  const Scene scene = parse_scene(example_scene(), "example.json");
  EXPECT_EQ(scene.emitters.size(), 1u);
  EXPECT_EQ(scene.events.size(), 4u);
  EXPECT_EQ(unknown_keys(example_scene(), "s"), std::vector<std::string>());
}

// After reading, a scene has every default, and so nearly every key.
TEST(Schema, EffectiveScenesUseOnlyItsKeys) {
  json::Value effective;
  parse_scene(example_scene(), "example.json", {}, &effective);
  EXPECT_EQ(unknown_keys(json::dump(effective), "s"), std::vector<std::string>());
}

TEST(Schema, DescribesKeys) {
  const json::Value schema = json::parse(scene_schema(), "schema");
  const json::Value& spacing = *schema.find("properties")->find("spacing");
  EXPECT_EQ(spacing.find("exclusiveMinimum")->number, 0);
  EXPECT_NE(spacing.find("description")->string.find("(m)"), std::string::npos);
  const json::Value& output =
      *schema.find("definitions")->find("output")->find("properties")->find("particles");
  EXPECT_EQ(output.find("default")->string, "vtp");
  EXPECT_EQ(output.find("enum")->items.size(), 4u);
}

}  // namespace
}  // namespace panta
