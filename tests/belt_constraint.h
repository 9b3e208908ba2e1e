// A constraint that is a sum over elements and is defined only in the tests: the second example of
// docs/add-a-constraint.md.
#pragma once

// [type]
#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"

namespace panta::unified {

//   C = sum over links |x_1 - x_0| - l <= 0,   grad_1 of a link = (x_1 - x_0)/|x_1 - x_0|
struct BeltConstraint {
  static constexpr const char* name = "belt";
  static constexpr const char* doc = "keeps a chain of particles from becoming longer";
  static constexpr int element_size = 2;
  static constexpr const char* element_name = "link";

  struct Params : SoftParams {
    double slack = 0;

    template <class V>
    void visit(V&& v) {
      v("slack", slack, Number{"m", 0}, "by how much it may become longer");
      SoftParams::visit(v);
    }
  };
  struct Data {
    double length = 0;
  };

  static Data make(const Params& params, double start_length) {
    return {start_length + params.slack};
  }

  PANTA_HD static bool one_sided(const Data&) { return true; }
  PANTA_HD static float element(const Vec3* x, Vec3* gradient) {
    gradient[1] = normalized(x[1] - x[0]);
    gradient[0] = -gradient[1];
    return length(x[1] - x[0]);
  }
  PANTA_HD static ValueOfSum value(const Data& data, double length, double) {
    return {static_cast<float>(length - data.length), 1.0f};
  }
};

}  // namespace panta::unified
// [type]
