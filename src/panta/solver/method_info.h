// Properties of a method, for the engine, scene files and documentation.
#pragma once

#include <string>
#include <vector>

#include "panta/particles/column.h"
#include "panta/scene/constraint_info.h"

namespace panta {

struct Scene;

struct MethodInfo {
  std::string name;  // in scene files
  std::string title;
  std::vector<ParameterInfo> parameters;
  // The columns of its particles beside those of every method (solver/common_columns.h): those that
  // the scene needs at the start; null: all that a scene may need.
  std::vector<ColumnInfo> (*columns)(const Scene*);
  double (*work_memory)(const Scene&);  // bytes per particle on the device beside the columns
  std::vector<ConstraintInfo> constraints = {};  // types between named particles
  bool liquids_only = false;                     // supports neither grains nor free solids
  std::vector<std::string> (*advice)(const Scene&) = nullptr;  // expected problems of a scene
  bool free_bodies = false;                                    // supports free bodies
  bool own_masses = false;                                     // supports the column "mass"
  std::vector<ParameterInfo> material_parameters = {};         // of Material::methods[name]
  // The keys of materials and surfaces in scene files that it uses and that are not for all
  // methods. A key that only other methods list here has no effect, which is reported.
  std::vector<std::string> uses = {};
};

}  // namespace panta
