// Two particles at a distance: section 8 of Macklin et al. 2014, edges of cloth and ropes.
//
//   C = |x_1 - x_0| - l,   grad_1 C = n = (x_1 - x_0)/|x_1 - x_0|,   grad_0 C = -n
//
// One-sided (C <= 0) it is a string, which may hang slack.
#pragma once

#include <limits>

#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"

namespace panta::unified {

struct DistanceConstraint {
  static constexpr const char* name = "distance";
  static constexpr const char* doc = "keeps two particles at a distance";
  static constexpr int size = 2;

  struct Params : SoftParams {
    double rest_length = 0;  // 0: as they start
    bool one_sided = false;

    template <class V>
    void visit(V&& v) {
      v("rest_length", rest_length, Number{"m", 0, std::numeric_limits<double>::infinity(), true},
        "the distance; absent: that at which they start");
      v("one_sided", one_sided, "acts only on larger distances, as a string does");
      SoftParams::visit(v);
    }
  };
  struct Data {
    float rest_length = 0;
    bool one_sided = false;
    char unused[3] = {};  // instead of padding
  };

  static Data make(const Params& params, const Vec3* start) {
    const float given = static_cast<float>(params.rest_length);
    return {given > 0 ? given : length(start[1] - start[0]), params.one_sided};
  }
  static const char* flaw(const Data& data) {
    return data.rest_length > 0 ? nullptr : "start at the same place: give a rest_length";
  }

  PANTA_HD static bool one_sided(const Data& data) { return data.one_sided; }
  PANTA_HD static float value(const Data& data, const Vec3* x, double, Vec3* gradient) {
    const Vec3 between = x[1] - x[0];
    gradient[1] = normalized(between);
    gradient[0] = -gradient[1];
    return length(between) - data.rest_length;
  }
};

}  // namespace panta::unified
