// What a method tells about itself to the engine, to scene files and to documents.
#pragma once

#include <string>
#include <vector>

#include "panta/scene/constraint_info.h"
#include "panta/scene/scene.h"

namespace panta {

struct MethodInfo {
  std::string name;  // in scene files
  std::string title;
  std::vector<ParameterInfo> parameters;
  double (*memory_per_particle)(const Scene&);                 // bytes on the device
  std::vector<ConstraintInfo> constraints = {};                // types between named particles
  bool liquids_only = false;                                   // neither grains nor free solids
  std::vector<std::string> (*advice)(const Scene&) = nullptr;  // about a scene, before it is run
  bool free_bodies = false;                                    // moves Scene::bodies that are free
  bool own_masses = false;                              // particles may have the column "mass"
  std::vector<ParameterInfo> material_parameters = {};  // of Material::methods[name]
};

}  // namespace panta
