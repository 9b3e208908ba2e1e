// What a method tells of its types of constraints between named particles, so that scene files can
// be read without knowing the method.
#pragma once

#include <string>
#include <vector>

#include "panta/scene/parameters.h"

namespace panta {

struct ConstraintInfo {
  std::string name;
  std::string doc;
  int size = 1;         // the particles that one constraint ties, or one element of it
  std::string element;  // what an element is called; empty: constraints do not consist of elements
  std::vector<ParameterInfo> parameters;
};

}  // namespace panta
