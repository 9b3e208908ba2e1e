// Parameters in a scene file, checked against what the methods declare.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "panta/core/suggest.h"
#include "panta/load/load_parts.h"

namespace panta {
namespace {

// Reads one declared parameter; only keys that the scene gives are added to the set.
struct ReadParameter {
  ObjectReader& reader;
  const ParameterInfo& info;
  ParameterSet& set;

  void operator()(bool value) const {
    keep(reader.optional(info.name, value, info.doc.c_str()), value);
  }
  void operator()(double value) const {
    const bool has_default = in_range(info.range, value);
    keep(has_default ? reader.optional(info.name, value, info.range, info.doc.c_str())
                     : reader.if_given(info.name, value, info.range, info.doc.c_str()),
         value);
  }
  void operator()(Vec3d value) const {
    const Vector kind{Vector::Kind::direction, info.range.unit};
    keep(reader.optional(info.name, value, kind, info.doc.c_str()), value);
  }
  void operator()(std::string value) const {
    keep(reader.optional(info.name, value, info.choices, info.doc.c_str()), value);
  }

 private:
  template <class T>
  void keep(bool given, const T& value) const {
    if (given) set[info.name] = value;
  }
};

bool has_parameter(const MethodInfo& method, const std::string& name) {
  return std::any_of(method.parameters.begin(), method.parameters.end(),
                     [&](const ParameterInfo& info) { return info.name == name; });
}

// A key of `solver` outside the blocks must be a parameter of the scene's method.
void check_flat_key(const json::Member& member, const MethodInfo& method) {
  if (has_parameter(method, member.key)) return;
  std::vector<std::string> known = parameter_names(method.parameters);
  std::string elsewhere;
  for (const MethodInfo& other : methods()) {
    known.push_back(other.name);
    if (has_parameter(other, member.key))
      elsewhere +=
          fmt::format("{}'solver.{}.{}'", elsewhere.empty() ? "" : " or ", other.name, member.key);
  }
  if (!elsewhere.empty())
    fail_at(member.place, "'solver.{}' is not a parameter of the method '{}': write {}", member.key,
            method.name, elsewhere);
  fail_at(member.place, "unknown parameter 'solver.{}'{}", member.key,
          suggestion(member.key, known));
}

bool is_block(const json::Member& member) {
  return std::any_of(methods().begin(), methods().end(),
                     [&](const MethodInfo& method) { return method.name == member.key; });
}

// Keys outside the blocks are checked at their positions and then moved to the block of the scene's
// method, which every effective scene has. So the effective scene can be run with any method.
void fill_block(ObjectReader& reader, const MethodInfo& method) {
  std::vector<json::Member>& members = reader.value().members;
  ParameterSet checked;
  for (const json::Member& member : members)
    if (!is_block(member)) check_flat_key(member, method);
  for (const ParameterInfo& info : method.parameters)
    if (reader.value().find(info.name))
      std::visit(ReadParameter{reader, info, checked}, info.default_value);
  const auto first_flat = std::stable_partition(members.begin(), members.end(), is_block);
  const std::vector<json::Member> flat(first_flat, members.end());
  members.erase(first_flat, members.end());
  if (!reader.value().find(method.name)) {
    json::Value empty = json::Value::object();
    empty.place = reader.place();
    members.push_back({method.name, reader.place(), std::move(empty)});
  }
  json::Value& block = *reader.value().find(method.name);
  for (const json::Member& member : flat) {
    if (block.find(member.key))
      fail_at(member.place, "'solver.{}' is also given as 'solver.{}.{}': remove one", member.key,
              method.name, member.key);
    block.members.push_back(member);
  }
}

}  // namespace

void read_parameters(ObjectReader& reader, const std::vector<ParameterInfo>& infos,
                     ParameterSet& set) {
  for (const ParameterInfo& info : infos)
    std::visit(ReadParameter{reader, info, set}, info.default_value);
}

static void read_blocks(ObjectReader& solver, Scene& scene) {
  std::vector<std::string> blocks;
  for (const MethodInfo& method : methods()) {
    const std::string doc = "parameters of the method " + method.name;
    blocks.push_back("solver_" + method.name);
    solver.object(method.name, {blocks.back(), doc.c_str()}, [&](ObjectReader& block) {
      block.set_noun("parameter");
      ParameterSet set;
      read_parameters(block, method.parameters, set);
      if (method.name == scene.method) scene.solver = std::move(set);
    });
  }
  solver.or_keys_of(blocks);
}

void read_solver(ObjectReader& root, Scene& scene) {
  root.section("solver",
               {"solver",
                "parameters of methods, in blocks named after them; only the block of the method "
                "in use has an effect"},
               [&](ObjectReader& solver) {
                 if (!solver.describing()) fill_block(solver, find_method(scene.method));
                 read_blocks(solver, scene);
               });
}

}  // namespace panta
