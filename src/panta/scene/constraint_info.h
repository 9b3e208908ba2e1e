// A method's declaration of its types of constraints between named particles, so that the reader of
// scene files does not depend on the method.
#pragma once

#include <string>
#include <vector>

#include "panta/scene/parameters.h"

namespace panta {

struct ConstraintInfo {
  std::string name;
  std::string doc;
  int size = 1;         // number of particles of one constraint, or of one element
  std::string element;  // name of an element; empty: no elements
  std::vector<ParameterInfo> parameters;
};

}  // namespace panta
