// The list of methods.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panta/solver/method_info.h"
#include "panta/solver/solver.h"

namespace panta {

using MakeSolver = std::unique_ptr<Solver> (*)(const Scene&, const DeviceOptions&);

// A method and what makes its solver on each device.
struct MethodEntry {
  MethodInfo info;
  MakeSolver on_cpu = nullptr;
  MakeSolver on_cuda = nullptr;  // null: it runs on the CPU only
};

// Adds a method of a program to the list; Error(usage) where its name is taken. Call it at the
// start of the program: references into methods() are no longer valid afterwards.
void add_method(const MethodEntry& entry);

const std::vector<MethodInfo>& methods();

// Error(usage) for an unknown name, with the nearest known one.
const MethodInfo& find_method(const std::string& name);

// Something in a scene that a method cannot represent.
struct Obstacle {
  std::string what;                    // in short: "grains"
  std::string where;                   // "material 'sand' is granular"
  std::vector<std::string> able = {};  // the methods that can
};

// The first one; none where the method can run the scene.
std::optional<Obstacle> find_obstacle(const Scene& scene, const MethodInfo& method);

// Error(usage) where the scene holds what its method cannot represent, naming the methods that can,
// and where a material's parameters of any method are wrong.
void check_contents(const Scene& scene);

}  // namespace panta
