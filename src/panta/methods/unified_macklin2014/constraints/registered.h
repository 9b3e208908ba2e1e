// The types of constraints between named particles, in the order in which they are solved:
// attachments come last, so that attached particles end at their points.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/attach.h"
#include "panta/methods/unified_macklin2014/constraints/distance.h"
#include "panta/methods/unified_macklin2014/constraints/volume.h"
#include "panta/scene/constraint_info.h"

namespace panta::unified {

using RegisteredConstraints =
    ConstraintTypes<DistanceConstraint, VolumeConstraint, AttachConstraint>;

// Their names and parameters for scene files.
template <ConstraintType T>
ConstraintInfo describe_constraint() {
  const std::vector<ParameterInfo> parameters = describe_parameters<typename T::Params>();
  if constexpr (SummedConstraint<T>)
    return {T::name, T::doc, T::element_size, T::element_name, parameters};
  else
    return {T::name, T::doc, T::size, "", parameters};
}
template <class... T>
std::vector<ConstraintInfo> describe_constraints(ConstraintTypes<T...>) {
  return {describe_constraint<T>()...};
}

}  // namespace panta::unified
