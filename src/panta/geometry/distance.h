// Signed distance to a solid at a point, and the combination of two distances.
#pragma once

#include "panta/core/vec.h"

namespace panta {

struct Distance {
  float value = 0;  // signed, negative inside the solid
  Vec3 normal;      // gradient of the distance, out of the solid
};

// Distance to the complement of the solid.
PANTA_HD Distance inverted(const Distance& d) { return {-d.value, -d.normal}; }

// The edge between two flat sides of normals n1, n2 is at the vector d = alpha n1 + beta n2. It is
// nearer than the sides if alpha and beta are both positive. False if it is not, and if the sides
// are nearly parallel.
PANTA_HD bool nearest_on_edge(const Distance& a, const Distance& b, Distance& edge) {
  const float c = dot(a.normal, b.normal);
  const float alpha = a.value - c * b.value, beta = b.value - c * a.value;
  if (!(c > -0.9f && c < 0.999f && alpha > 0 && beta > 0)) return false;
  const Vec3 away = (a.normal * alpha + b.normal * beta) * (1.0f / (1.0f - c * c));
  edge.value = length(away);
  edge.normal = away * (1.0f / edge.value);
  return true;
}

// Inside where both solids are.
PANTA_HD Distance intersection(const Distance& a, const Distance& b) {
  Distance edge;
  if ((a.value > 0 || b.value > 0) && nearest_on_edge(a, b, edge)) return edge;
  return a.value > b.value ? a : b;
}

}  // namespace panta
