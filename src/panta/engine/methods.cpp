// The list of methods: adding one is one line here and one in device_sources.cmake.
#include "panta/engine/methods.h"

#include <algorithm>
#include <deque>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"
#include "panta/engine/devices.h"
#include "panta/engine/simulation.h"
#include "panta/methods/sph_mueller2003/method.h"
#include "panta/methods/unified_macklin2014/method.h"
#include "panta/methods/viscoelastic_clavet2005/method.h"

namespace panta {

namespace {

#ifdef PANTA_HAS_CUDA
#define PANTA_FACTORIES(make) make<Cpu>, make<Cuda>
#else
#define PANTA_FACTORIES(make) make<Cpu>, nullptr
#endif

struct MethodList {
  std::deque<MethodEntry> entries;  // references stay valid when others are added
  std::vector<MethodInfo> infos;

  void add(const MethodEntry& entry) {
    entries.push_back(entry);
    infos.push_back(entry.info);
  }
};

MethodList built_in_methods() {
  const MethodEntry table[] = {
      {sph::method_info(), PANTA_FACTORIES(sph::make_solver)},
      {unified::method_info(), PANTA_FACTORIES(unified::make_solver)},
      {viscoelastic::method_info(), PANTA_FACTORIES(viscoelastic::make_solver)},
  };
  MethodList list;
  for (const MethodEntry& entry : table) list.add(entry);
  return list;
}

MethodList& method_list() {
  static MethodList list = built_in_methods();
  return list;
}

const MethodEntry& find_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_list().entries) {
    if (entry.info.name == name) return entry;
    names.push_back(entry.info.name);
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

// Parts of a scene that some methods do not support, in search order.
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

void add_method(const MethodEntry& entry) {
  for (const MethodInfo& known : methods())
    if (known.name == entry.info.name)
      throw Error(ErrorKind::usage, "there is a method '{}' already", known.name);
  method_list().add(entry);
}

const std::vector<MethodInfo>& methods() { return method_list().infos; }

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
  const MethodEntry& method = find_entry(scene.method);
  check_contents(scene);
  DeviceKind device = choose_device(options.device);
  if (device == DeviceKind::cuda && !method.on_cuda) {
    if (options.device == "cuda")
      throw Error(ErrorKind::device, "the method '{}' runs on the CPU only; choose --device cpu",
                  method.info.name);
    device = DeviceKind::cpu;
  }
  log.detail("method " + method.info.name + " on " + describe_device(device));
  const MakeSolver make = device == DeviceKind::cuda ? method.on_cuda : method.on_cpu;
  return std::make_unique<Simulation>(scene, make(scene, options));
}

}  // namespace panta
