// The list of methods: adding one is one line here and one in device_sources.cmake.
#include "panta/engine/methods.h"
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

void check_free_bodies(const Scene& scene, const MethodInfo& method) {
  if (method.free_bodies) return;
  std::string able;
  for (const MethodInfo& other : methods())
    if (other.free_bodies) able += "use '" + other.name + "', or ";
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (scene.bodies[k].free)
      throw Error(
          ErrorKind::usage,
          "the method '{}' does not move bodies, and 'bodies.{}' is free: {}give it a motion",
          method.name, k, able);
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

void check_contents(const Scene& scene) {
  const MethodInfo& method = find_method(scene.method);
  check_free_bodies(scene, method);
  if (!method.liquids_only) return;
  std::string able;
  for (const MethodInfo& other : methods())
    if (!other.liquids_only) able += (able.empty() ? "'" : " or '") + other.name + "'";
  for (const Material& material : scene.materials)
    if (material.kind != MaterialKind::liquid)
      throw Error(ErrorKind::usage,
                  "the method '{}' knows liquids only, and material '{}' is {}: use {}",
                  method.name, material.name,
                  material.kind == MaterialKind::solid ? "solid" : "granular", able);
  for (const Material& material : scene.materials)
    if (!material.ignores.empty())
      throw Error(ErrorKind::usage,
                  "the method '{}' has no 'ignores', which material '{}' has: use {}", method.name,
                  material.name, able);
  if (!scene.solids.empty())
    throw Error(ErrorKind::usage,
                "the method '{}' knows liquids only, and the scene has free solids: use {}",
                method.name, able);
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
