// The parts of a type of constraint between named particles. A type is a struct of static
// members in a file of its own and has a place in the list of registered.h;
// docs/add-a-constraint.md shows the steps. There are two kinds.
//
// Both kinds have
//
//   name, doc   what scenes call it, and a line of text
//   Params      its scene keys, declared once (scene/parameters.h); derives from SoftParams
//   Data        what one constraint keeps on the device; without padding, as it is saved bytewise
//   flaw        (optional) the error in such Data, or null
//   one_sided   false: C = 0 is kept; true: C <= 0, it acts only where C > 0
//
// A SizedConstraint ties a fixed number of particles:
//
//   size        the particles it ties
//   make        Data from Params and the places where the particles start
//   make_now    (optional, instead of make where there is one) Data from Params, the places where
//               the particles are when the constraint begins, and that time (s)
//   value       C at the places x and the time (s), and its gradient by each place
//
// A SummedConstraint ties any number of particles by a sum over elements, such as triangles:
// C = f(sum_e c_e). It must not depend on where the whole is, only on places relative to each
// other: elements see places relative to one of the constraint's particles.
//
//   element_size   the particles of an element
//   element_name   what messages call an element
//   element        c_e at the places x of an element's particles, and its gradient by each place
//   element_flaw   (optional) the error in the elements, given the ids of all of them and the
//                  places of all particles by id; empty without error
//   make           Data from Params and the sum at the places where the particles start
//   value          C and dC/dsum at this sum and time (s)
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <type_traits>

#include "panta/core/vec.h"
#include "panta/scene/parameters.h"

namespace panta::unified {

// Compliance of a constraint: a force F stretches C by compliance * F at rest. Damping is the force
// per speed of C that damps vibrations of a compliant one. Where C is a length the units are m/N
// and N s/m.
struct Softness {
  float compliance = 0;
  float damping = 0;
};

struct SoftUnits {
  const char* compliance = "m/N";
  const char* compliance_doc = "elongation per force; 0: as stiff as the iterations allow";
  const char* damping = "N s/m";
};

struct SoftParams {
  double compliance = 0;
  double damping = 0;

  template <class V>
  void visit(V&& v, const SoftUnits& units = {}) {
    v("compliance", compliance, Number{units.compliance, 0, 1e9}, units.compliance_doc);
    v("damping", damping, Number{units.damping, 0, 1e9},
      "resistance per rate of change, if the compliance is not 0");
  }
  Softness softness() const {
    return {static_cast<float>(compliance), static_cast<float>(damping)};
  }
};

// C of a SummedConstraint, and its derivative by the sum.
struct ValueOfSum {
  float value = 0, slope = 0;
};

namespace detail {
// Reads every byte: no constant expression where some are padding.
template <class Data>
constexpr bool every_byte_is_set() {
  int sum = 0;
  for (const unsigned char byte : std::bit_cast<std::array<unsigned char, sizeof(Data)>>(Data{}))
    sum += byte;
  return sum >= 0;
}
}  // namespace detail

template <class Data>
concept WithoutPadding = std::is_trivially_copyable_v<Data> && requires {
  typename std::bool_constant<detail::every_byte_is_set<Data>()>;
};

template <class T>
concept DescribedConstraint = std::derived_from<typename T::Params, SoftParams> &&
    WithoutPadding<typename T::Data> && requires(const typename T::Data& data) {
  { T::name } -> std::convertible_to<const char*>;
  { T::doc } -> std::convertible_to<const char*>;
  { T::one_sided(data) } -> std::same_as<bool>;
};

template <class T>
concept SizedConstraint = DescribedConstraint<T> &&
    requires(const typename T::Params& params, const typename T::Data& data, const Vec3* x,
             Vec3* g) {
  { T::size } -> std::convertible_to<int>;
  { T::make(params, x) } -> std::same_as<typename T::Data>;
  { T::value(data, x, 0.0, g) } -> std::same_as<float>;
};

template <class T>
concept SummedConstraint = DescribedConstraint<T> &&
    requires(const typename T::Params& params, const typename T::Data& data, const Vec3* x,
             Vec3* g) {
  { T::element_size } -> std::convertible_to<int>;
  { T::element_name } -> std::convertible_to<const char*>;
  { T::element(x, g) } -> std::same_as<float>;
  { T::make(params, 0.0) } -> std::same_as<typename T::Data>;
  { T::value(data, 0.0, 0.0) } -> std::same_as<ValueOfSum>;
};

template <class T>
concept ConstraintType = SizedConstraint<T> || SummedConstraint<T>;

template <ConstraintType... T>
struct ConstraintTypes {};

}  // namespace panta::unified
