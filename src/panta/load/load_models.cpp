// Finding and evaluating models.
#include "panta/load/load_models.h"

#include <algorithm>
#include <filesystem>

#include "panta/core/file.h"
#include "panta/core/suggest.h"
#include "panta/load/bundled_scenes.h"
#include "panta/load/include.h"
#include "panta/load/variables.h"

namespace panta {
namespace {

namespace fs = std::filesystem;

constexpr int most_models = 10000;

std::vector<fs::path> model_folders(const json::Place& place) {
  std::vector<fs::path> folders;
  if (place.line > 0) {
    std::error_code error;
    fs::path folder = fs::absolute(*place.source, error).lexically_normal().parent_path();
    for (; !error && folder.has_relative_path(); folder = folder.parent_path())
      folders.push_back(folder / "models");
  }
  const std::string bundled = bundled_scenes_folder();
  if (!bundled.empty()) folders.push_back(fs::path(bundled) / "models");
  return folders;
}

// The file of a model; if there is none, the error gives the nearest name.
std::string find_model(const std::string& name, const json::Place& place) {
  std::vector<std::string> names;
  for (const fs::path& folder : model_folders(place)) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() != ".json") continue;
      if (entry.path().stem() == name) return entry.path().string();
      names.push_back(entry.path().stem().string());
    }
  }
  fail_at(place, "there is no model '{}'{}", name, suggestion(name, names));
}

void set_parameters(json::Value& variables, const json::Value& parameters) {
  if (parameters.type != json::Type::object)
    fail_at(parameters.place, "'parameters' must be an object {{...}}, got {}",
            json::describe(parameters));
  std::vector<std::string> names;
  for (const json::Member& member : variables.members) names.push_back(member.key);
  for (const json::Member& member : parameters.members) {
    json::Value* variable = variables.find(member.key);
    if (!variable)
      fail_at(member.place, "unknown parameter '{}'{}", member.key, suggestion(member.key, names));
    *variable = member.value;
  }
}

// Checks that a model file has a shape and no unknown keys; "description" is ignored.
void check_model_keys(const json::Value& model) {
  const std::vector<std::string> known = {"description", "variables", "shape"};
  for (const json::Member& member : model.members)
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      fail_at(member.place, "unknown key '{}' of a model{}", member.key,
              suggestion(member.key, known));
  if (!model.find("shape"))
    fail_at(model.place, "'shape' is missing: a model is an object with a shape");
}

}  // namespace

void expand_model(json::Value& shape, ReadContext& context) {
  const json::Value* name = shape.find("model");
  if (!name) return;
  if (name->type != json::Type::string)
    fail_at(name->place, "'model' must be text in quotes, got {}", json::describe(*name));
  if (++context.models > most_models)
    fail_at(name->place, "the scene has more than {} models, counting those in models",
            most_models);
  const std::string path = find_model(name->string, name->place);
  const std::string text = located(name->place, [&] {
    expect_regular_file(path);
    return read_scene_text(path);
  });
  json::Value model = json::parse(text, path);
  check_model_keys(model);
  json::Value* solid = model.find("shape");
  json::Value variables = json::Value::object();
  if (const json::Value* declared = model.find("variables")) variables = *declared;
  if (const json::Value* given = shape.find("parameters")) set_parameters(variables, *given);
  evaluate_expressions(*solid, evaluate_variables(variables));

  json::Value expanded = json::Value::object();
  expanded.place = shape.place;
  json::Value parts = json::Value::array({*solid});
  parts.place = name->place;
  expanded.add("union", std::move(parts));
  for (json::Member& member : shape.members)
    if (member.key != "model" && member.key != "parameters")
      expanded.members.push_back(std::move(member));
  shape = std::move(expanded);
}

void declare_model(ObjectReader& reader) {
  reader.special("model", "name", R"({"type": "string"})",
                 "a shape from a file of its own: models/NAME.json");
  const json::Value* parameters =
      reader.special("parameters", "numbers by name", R"({"type": "object"})",
                     "of the model: other values for its variables");
  reader.expect(!parameters, "parameters", "are for a 'model', and there is none");
}

}  // namespace panta
