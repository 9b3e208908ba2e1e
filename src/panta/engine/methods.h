// The list of methods.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panta/solver/method_info.h"

namespace panta {

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
