// All accelerations of a particle except those by its neighbours.
#pragma once

#include "panta/fields/force_field.h"

namespace panta {

struct Surroundings {
  Vec3 gravity;
  const ForceField* fields = nullptr;
  int field_count = 0;

  // The mean over a step of length dt.
  PANTA_HD Vec3 acceleration(const Vec3& x, const Vec3& v, float time, float dt) const {
    return gravity + fields_acceleration(fields, field_count, x, v, time, dt);
  }
};

}  // namespace panta
