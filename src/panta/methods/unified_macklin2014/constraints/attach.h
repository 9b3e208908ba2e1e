// A particle held at a point, which may move at a constant velocity.
//
//   C = |x - p(t)|,   p(t) = p + u t,   grad C = (x - p)/|x - p|
//
// A constraint that is added during a run holds the particle where it is then.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"

namespace panta::unified {

struct AttachConstraint {
  static constexpr const char* name = "attach";
  static constexpr const char* doc =
      "holds particles at their positions when it begins to act, or moves them from there";
  static constexpr int size = 1;

  struct Params : SoftParams {
    Vec3d velocity;

    template <class V>
    void visit(V&& v) {
      v("velocity", velocity, Number{"m/s"}, "velocity of the point that holds a particle");
      SoftParams::visit(v);
    }
  };
  struct Data {
    Vec3 point, velocity;  // m, at time 0; m/s
  };

  static Data make(const Params& params, const Vec3* start) { return make_now(params, start, 0); }
  static Data make_now(const Params& params, const Vec3* now, double time) {
    return {to_float(to_double(now[0]) - params.velocity * time), to_float(params.velocity)};
  }

  PANTA_HD static bool one_sided(const Data&) { return false; }
  PANTA_HD static float value(const Data& data, const Vec3* x, double time, Vec3* gradient) {
    // In double, so that the point moves uniformly at late times.
    const Vec3 at = to_float(to_double(data.point) + to_double(data.velocity) * time);
    const Vec3 away = x[0] - at;
    gradient[0] = normalized(away, {0, 0, 0});
    return length(away);
  }
};

}  // namespace panta::unified
