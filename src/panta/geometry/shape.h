// Primitive solids and their signed distances (negative inside), on host and device.
#pragma once

#include "panta/core/vec.h"

namespace panta {

enum class ShapeType { box, sphere, plane, cylinder };

struct Shape {
  ShapeType type = ShapeType::box;
  Vec3 a;  // box: minimum; sphere: centre; plane: a point on it; cylinder: one end's centre
  Vec3 b;  // box: maximum; plane: unit normal, out of the solid; cylinder: other end's centre
  float radius = 0;  // sphere, cylinder

  static Shape box(Vec3 minimum, Vec3 maximum) { return {ShapeType::box, minimum, maximum, 0}; }
  static Shape sphere(Vec3 centre, float radius) { return {ShapeType::sphere, centre, {}, radius}; }
  static Shape plane(Vec3 point, Vec3 normal) {
    return {ShapeType::plane, point, normalized(normal), 0};
  }
  static Shape cylinder(Vec3 from, Vec3 to, float radius) {
    return {ShapeType::cylinder, from, to, radius};
  }
};

struct Distance {
  float value = 0;  // signed, negative inside the solid
  Vec3 normal;      // its gradient: out of the solid
};

// The sharp-edged combination of two distances: inside where both are.
PANTA_HD Distance intersection(const Distance& a, const Distance& b) {
  if (a.value > 0 && b.value > 0) {  // nearest point lies on the common edge
    const Vec3 away = a.normal * a.value + b.normal * b.value;
    const float l = length(away);
    return {l, away * (1.0f / l)};
  }
  return a.value > b.value ? a : b;
}

PANTA_HD Distance slab_distance(float x, float lo, float hi, const Vec3& axis) {
  return x - lo < hi - x ? Distance{lo - x, -axis} : Distance{x - hi, axis};
}

PANTA_HD Distance distance(const Shape& s, const Vec3& x) {
  switch (s.type) {
    case ShapeType::box: {
      const Distance dx = slab_distance(x.x, s.a.x, s.b.x, {1, 0, 0});
      const Distance dy = slab_distance(x.y, s.a.y, s.b.y, {0, 1, 0});
      const Distance dz = slab_distance(x.z, s.a.z, s.b.z, {0, 0, 1});
      return intersection(intersection(dx, dy), dz);
    }
    case ShapeType::sphere: {
      const Vec3 d = x - s.a;
      return {length(d) - s.radius, normalized(d)};
    }
    case ShapeType::plane:
      return {dot(x - s.a, s.b), s.b};
    case ShapeType::cylinder: {
      const Vec3 along = s.b - s.a;
      const float height = length(along);
      const Vec3 axis = along * (1.0f / height);
      const float t = dot(x - s.a, axis);
      const Vec3 radial = (x - s.a) - axis * t;
      const Vec3 any = fabsf(axis.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
      const Distance side{length(radial) - s.radius,
                          normalized(radial, normalized(cross(axis, any)))};
      return intersection(side, slab_distance(t, 0, height, axis));
    }
  }
  return {};
}

}  // namespace panta
