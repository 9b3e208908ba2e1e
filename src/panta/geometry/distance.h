// Signed distance to a solid at a point, and how two of them combine.
#pragma once

#include <functional>

#include "panta/core/vec.h"

namespace panta {

struct Distance {
  float value = 0;  // signed, negative inside the solid
  Vec3 normal;      // its gradient: out of the solid
};

// A solid on the host, whatever it is made of.
using DistanceFunction = std::function<Distance(const Vec3&)>;

// Outside the solid seen from inside it.
PANTA_HD Distance inverted(const Distance& d) { return {-d.value, -d.normal}; }

// Inside where both are. Outside, the nearest point may lie on the common edge: with flat sides of
// normals n1, n2 the edge is reached by d = alpha n1 + beta n2, and it is the nearest where alpha
// and beta are both positive.
PANTA_HD Distance intersection(const Distance& a, const Distance& b) {
  if (a.value > 0 || b.value > 0) {
    const float c = dot(a.normal, b.normal);
    const float sine2 = 1.0f - c * c;
    const float alpha = a.value - c * b.value, beta = b.value - c * a.value;
    if (sine2 > 1e-6f && alpha > 0 && beta > 0) {
      const Vec3 away = (a.normal * alpha + b.normal * beta) * (1.0f / sine2);
      const float l = length(away);
      return {l, away * (1.0f / l)};
    }
  }
  return a.value > b.value ? a : b;
}

}  // namespace panta
