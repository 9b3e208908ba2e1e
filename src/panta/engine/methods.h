// The list of methods.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panta/solver/method_info.h"

namespace panta {

class Solver;
struct DeviceOptions;

using MakeSolver = std::unique_ptr<Solver> (*)(const Scene&, const DeviceOptions&);

// A method and its solver factory for each device.
struct MethodEntry {
  MethodInfo info;
  MakeSolver on_cpu = nullptr;
  MakeSolver on_cuda = nullptr;  // null: it runs on the CPU only
};

// Adds a method of a program to the list; Error(usage) if its name is taken. Call it at the start
// of the program: it invalidates references into methods().
void add_method(const MethodEntry& entry);

const std::vector<MethodInfo>& methods();

// Error(usage) for an unknown name, with the nearest known one.
const MethodInfo& find_method(const std::string& name);

// A part of a scene that a method does not support.
struct Obstacle {
  std::string what;                    // in short: "grains"
  std::string where;                   // "material 'sand' is granular"
  std::vector<std::string> able = {};  // the methods that support it
};

// The first one; empty if the method can run the scene.
std::optional<Obstacle> find_obstacle(const Scene& scene, const MethodInfo& method);

// Error(usage) if the scene contains a part that its method does not support (names the methods
// that do), and if a material's parameters of any method are wrong.
void check_contents(const Scene& scene);

}  // namespace panta
