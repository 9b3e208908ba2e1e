// A type of constraint defined only in the tests: the example of docs/add-a-constraint.md.
#pragma once

// [type]
#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"

namespace panta::unified {

//   C = h - y <= 0,   grad C = (0, -1, 0)
struct StayAboveConstraint {
  static constexpr const char* name = "stay_above";
  static constexpr const char* doc = "keeps particles above a height";
  static constexpr int size = 1;

  struct Params : SoftParams {
    double height = 0;

    template <class V>
    void visit(V&& v) {
      v("height", height, Number{"m"}, "they stay above it");
      SoftParams::visit(v);
    }
  };
  struct Data {
    float height = 0;
  };

  static Data make(const Params& params, const Vec3*) {
    return {static_cast<float>(params.height)};
  }

  PANTA_HD static bool one_sided(const Data&) { return true; }
  PANTA_HD static float value(const Data& data, const Vec3* x, double, Vec3* gradient) {
    gradient[0] = {0, -1, 0};
    return data.height - x[0].y;
  }
};

}  // namespace panta::unified
// [type]

#include "panta/methods/unified_macklin2014/constraints/attach.h"
#include "panta/methods/unified_macklin2014/constraints/distance.h"

namespace panta::unified {

// [list]
using OneMoreType = ConstraintTypes<DistanceConstraint, AttachConstraint, StayAboveConstraint>;
// [list]

}  // namespace panta::unified
