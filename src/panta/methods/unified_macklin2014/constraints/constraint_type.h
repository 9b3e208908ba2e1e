// What a type of constraint between named particles consists of. A type is a struct of static
// members in a file of its own and has a place in the list of registered.h;
// docs/add-a-constraint.md shows the steps.
//
//   name, doc   what scenes call it, and a line of text
//   size        the particles it ties
//   Params      its scene keys, declared once (scene/parameters.h); derives from SoftParams
//   Data        what one constraint keeps on the device
//   make        Data from Params and the places where the particles start
//   make_now    (optional, instead of make where there is one) Data from Params, the places where
//               the particles are when the constraint begins, and that time (s)
//   flaw        (optional) what is wrong with such Data, null where nothing is
//   one_sided   false: C = 0 is kept; true: C <= 0, it acts only where C > 0
//   value       C at the places x and the time (s), and its gradient by each place
#pragma once

#include <concepts>

#include "panta/core/vec.h"
#include "panta/scene/parameters.h"

namespace panta::unified {

// How far a constraint gives way. A force F stretches C by compliance * F at rest; damping is the
// force per speed of C that takes out vibrations of a compliant one.
struct Softness {
  float compliance = 0;  // m/N
  float damping = 0;     // N s/m
};

struct SoftParams {
  double compliance = 0;
  double damping = 0;

  template <class V>
  void visit(V&& v) {
    v("compliance", compliance, Number{"m/N", 0, 1e9},
      "how far a newton stretches it; 0: as stiff as the iterations allow");
    v("damping", damping, Number{"N s/m", 0, 1e9},
      "resistance to stretching quickly, where the compliance is not 0");
  }
  Softness softness() const {
    return {static_cast<float>(compliance), static_cast<float>(damping)};
  }
};

template <class T>
concept ConstraintType = std::derived_from<typename T::Params, SoftParams> &&
    requires(const typename T::Params& params, const typename T::Data& data, const Vec3* x,
             Vec3* g) {
  { T::name } -> std::convertible_to<const char*>;
  { T::doc } -> std::convertible_to<const char*>;
  { T::size } -> std::convertible_to<int>;
  { T::make(params, x) } -> std::same_as<typename T::Data>;
  { T::one_sided(data) } -> std::same_as<bool>;
  { T::value(data, x, 0.0, g) } -> std::same_as<float>;
};

template <ConstraintType... T>
struct ConstraintTypes {};

}  // namespace panta::unified
