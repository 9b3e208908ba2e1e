// All accelerations of a particle except those by its neighbours.
#pragma once

#include "panta/fields/force_field.h"

namespace panta {

struct Surroundings {
  Vec3 gravity;
  const ForceField* fields = nullptr;
  int field_count = 0;

  PANTA_HD Vec3 acceleration(const Vec3& x, const Vec3& v, float time) const {
    Vec3 a = gravity;
    for (int k = 0; k < field_count; ++k) a += field_acceleration(fields[k], x, v, time);
    return a;
  }
};

}  // namespace panta
