// The list of methods: adding one is one line here and one in device_sources.cmake.
#include "panta/engine/methods.h"

#include <algorithm>

#include "panta/core/error.h"
#include "panta/core/suggest.h"
#include "panta/engine/devices.h"
#include "panta/engine/simulation.h"
#include "panta/methods/sph_mueller2003/method.h"
#include "panta/methods/unified_macklin2014/method.h"
#include "panta/methods/viscoelastic_clavet2005/method.h"

namespace panta {

namespace {

using Factory = std::unique_ptr<Solver> (*)(const Scene&, const DeviceOptions&);

struct Method {
  MethodInfo info;
  Factory on_cpu, on_cuda;
};

#ifdef PANTA_HAS_CUDA
#define PANTA_FACTORIES(make) make<Cpu>, make<Cuda>
#else
#define PANTA_FACTORIES(make) make<Cpu>, nullptr
#endif

const std::vector<Method>& method_table() {
  static const std::vector<Method> table = {
      {sph::method_info(), PANTA_FACTORIES(sph::make_solver)},
      {unified::method_info(), PANTA_FACTORIES(unified::make_solver)},
      {viscoelastic::method_info(), PANTA_FACTORIES(viscoelastic::make_solver)},
  };
  return table;
}

const Method& find_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& m : method_table()) {
    if (m.info.name == name) return m;
    names.push_back(m.info.name);
  }
  throw Error(ErrorKind::usage, "unknown method '{}'{}", name, suggestion(name, names));
}

std::optional<Obstacle> find_kind(const Scene& scene, MaterialKind kind, const char* what,
                                  const char* adjective) {
  for (const Material& material : scene.materials)
    if (material.kind == kind)
      return Obstacle{what, fmt::format("material '{}' is {}", material.name, adjective)};
  return std::nullopt;
}

std::optional<Obstacle> grains(const Scene& scene, const MethodInfo& method) {
  if (!method.liquids_only) return std::nullopt;
  return find_kind(scene, MaterialKind::granular, "grains", "granular");
}

std::optional<Obstacle> solids(const Scene& scene, const MethodInfo& method) {
  if (!method.liquids_only) return std::nullopt;
  if (const auto found = find_kind(scene, MaterialKind::solid, "solids", "solid")) return found;
  if (scene.solids.empty()) return std::nullopt;
  return Obstacle{"solids", "the scene has 'solids'"};
}

std::optional<Obstacle> ignored_contacts(const Scene& scene, const MethodInfo& method) {
  if (!method.liquids_only) return std::nullopt;
  for (const Material& material : scene.materials)
    if (!material.ignores.empty())
      return Obstacle{"ignored contacts", fmt::format("material '{}' ignores '{}'", material.name,
                                                      material.ignores.front())};
  return std::nullopt;
}

std::optional<Obstacle> free_bodies(const Scene& scene, const MethodInfo& method) {
  if (method.free_bodies) return std::nullopt;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (scene.bodies[k].free) return Obstacle{"free bodies", fmt::format("'bodies.{}' is free", k)};
  return std::nullopt;
}

std::optional<Obstacle> constraints(const Scene& scene, const MethodInfo& method) {
  for (std::size_t k = 0; k < scene.constraints.size(); ++k) {
    const std::string& type = scene.constraints[k].type;
    if (std::none_of(method.constraints.begin(), method.constraints.end(),
                     [&](const ConstraintInfo& info) { return info.name == type; }))
      return Obstacle{"constraints", fmt::format("'constraints.{}' is of type '{}'", k, type)};
  }
  return std::nullopt;
}

// What some methods cannot represent, in the order in which a scene is searched for it.
using FindObstacle = std::optional<Obstacle> (*)(const Scene&, const MethodInfo&);
constexpr FindObstacle obstacles[] = {grains, solids, ignored_contacts, free_bodies, constraints};

void check_material_parameters(const Scene& scene) {
  for (const Material& material : scene.materials)
    for (const auto& [method, set] : material.methods) {
      try {
        check_parameters(find_method(method).material_parameters, set);
      } catch (const Error& error) {
        throw error.with_context(fmt::format("material '{}', '{}'", material.name, method));
      }
    }
}

}  // namespace

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> infos = [] {
    std::vector<MethodInfo> out;
    for (const Method& m : method_table()) out.push_back(m.info);
    return out;
  }();
  return infos;
}

const MethodInfo& find_method(const std::string& name) { return find_entry(name).info; }

std::optional<Obstacle> find_obstacle(const Scene& scene, const MethodInfo& method) {
  for (const FindObstacle find : obstacles)
    if (std::optional<Obstacle> found = find(scene, method)) {
      for (const MethodInfo& other : methods())
        if (!find(scene, other)) found->able.push_back(other.name);
      return found;
    }
  return std::nullopt;
}

void check_contents(const Scene& scene) {
  const MethodInfo& method = find_method(scene.method);
  if (const std::optional<Obstacle> found = find_obstacle(scene, method)) {
    std::string remedy;
    for (const std::string& able : found->able)
      remedy += (remedy.empty() ? ": use '" : " or '") + able + "'";
    throw Error(ErrorKind::usage, "the method '{}' has no {}, and {}{}", method.name, found->what,
                found->where, remedy);
  }
  check_material_parameters(scene);
}

std::unique_ptr<Simulation> make_simulation(const Scene& scene, const DeviceOptions& options,
                                            const Log& log) {
  const Method& method = find_entry(scene.method);
  check_contents(scene);
  const DeviceKind device = choose_device(options.device);
  log.detail("method {} on {}", method.info.name, describe_device(device));
  const Factory make = device == DeviceKind::cuda ? method.on_cuda : method.on_cpu;
  return std::make_unique<Simulation>(scene, make(scene, options));
}

}  // namespace panta
