// Properties of a method, for the engine, scene files and documentation.
#pragma once

#include <string>
#include <vector>

#include "panta/scene/constraint_info.h"

namespace panta {

struct Scene;

struct MethodInfo {
  std::string name;  // in scene files
  std::string title;
  std::vector<ParameterInfo> parameters;
  double (*memory_per_particle)(const Scene&);   // bytes on the device
  std::vector<ConstraintInfo> constraints = {};  // types between named particles
  bool liquids_only = false;                     // supports neither grains nor free solids
  std::vector<std::string> (*advice)(const Scene&) = nullptr;  // expected problems of a scene
  bool free_bodies = false;                                    // supports free bodies
  bool own_masses = false;                                     // supports the column "mass"
  std::vector<ParameterInfo> material_parameters = {};         // of Material::methods[name]
};

}  // namespace panta
