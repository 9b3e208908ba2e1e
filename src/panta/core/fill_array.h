// A functor for launch() that sets the elements of an array to a value.
#pragma once

#include "panta/core/launch.h"

namespace panta {

template <class T>
struct FillArray {
  T* values;
  T value;
  PANTA_HD void operator()(Index i) const { values[i] = value; }
};

}  // namespace panta
