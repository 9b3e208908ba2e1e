// A composed solid as a program in postfix form: solids push a distance, operations combine the
// last ones. Evaluated on host and device.
//
// Each solid is given in its own frame, centred, with its axis along y, x = rotation * local +
// center; transforms of a composed solid are applied to its solids. The complement of a composition
// is applied to its solids as well (not (a or b) = (not a) and (not b)), so that only solids may be
// inverted.
//
// A point can be queried in two ways:
//   distance  the signed distance and the normal of the nearest surface
//   surfaces  up to three smooth surfaces that bound the free space there: in a concave corner a
//             particle touches each side, not only the nearest
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/geometry/distance.h"
#include "panta/geometry/distance_grid_view.h"
#include "panta/geometry/shape_node.h"

namespace panta {

inline constexpr float far_from_all = 1e6f;  // m

// The surfaces that bound free space at a point, nearest first; at most the nearest `most`.
struct SurfaceSet {
  static constexpr int most = 3;
  int count = 0;
  Distance item[most];

  PANTA_HD void add(const Distance& d) {
    int at = count < most ? count++ : most;
    for (; at > 0 && d.value < item[at - 1].value; --at)
      if (at < most) item[at] = item[at - 1];
    if (at < most) item[at] = d;
  }
};

namespace detail {

PANTA_HD Vec3 along_y(float y) { return {0, y, 0}; }

PANTA_HD Distance slab(float x, float half, const Vec3& axis) {
  return x < 0 ? Distance{-x - half, -axis} : Distance{x - half, axis};
}

// Distance to the side of a cylinder or cone through (radius_low, -half) and (radius_high, half).
PANTA_HD Distance round_side(const Vec3& x, float radius_low, float half, float radius_high) {
  const float radial = sqrtf(x.x * x.x + x.z * x.z);
  const Vec3 out = radial > 0 ? Vec3{x.x / radial, 0, x.z / radial} : Vec3{1, 0, 0};
  const float run = 2 * half, rise = radius_low - radius_high;
  const float inverse = 1.0f / sqrtf(run * run + rise * rise);
  const float value = ((radial - radius_low) * run + (x.y + half) * rise) * inverse;
  return {value, out * (run * inverse) + along_y(rise * inverse)};
}

PANTA_HD Distance box_distance(const Vec3& half, const Vec3& x) {
  const Distance dx = slab(x.x, half.x, {1, 0, 0}), dy = slab(x.y, half.y, {0, 1, 0}),
                 dz = slab(x.z, half.z, {0, 0, 1});
  return intersection(intersection(dx, dy), dz);
}

// To first order in the distance: (|x/r| - 1) |x/r| / |x/r^2|.
PANTA_HD Distance ellipsoid_distance(const Vec3& r, const Vec3& x) {
  const Vec3 p{x.x / r.x, x.y / r.y, x.z / r.z};
  const Vec3 slope{p.x / r.x, p.y / r.y, p.z / r.z};
  const float k = length(p), steep = length(slope);
  const float smallest = minimum(r.x, minimum(r.y, r.z));
  if (!(steep > 0)) return {-smallest, {0, 1, 0}};
  return {maximum(k * (k - 1) / steep, -smallest), slope * (1 / steep)};
}

PANTA_HD Distance capsule_distance(const Vec3& size, const Vec3& x) {
  const Vec3 d = x - along_y(clamp(x.y, -size.y, size.y));
  return {length(d) - size.x, normalized(d, {1, 0, 0})};
}

PANTA_HD Distance torus_distance(const Vec3& size, const Vec3& x) {
  const float radial = sqrtf(x.x * x.x + x.z * x.z);
  const Vec3 ring = radial > 0 ? Vec3{x.x / radial, 0, x.z / radial} : Vec3{1, 0, 0};
  const Vec3 d = x - ring * size.x;
  return {length(d) - size.y, normalized(d)};
}

// Distance in the solid's own frame.
PANTA_HD Distance solid_distance(const ShapeNode& n, const DistanceGridView* grids, const Vec3& x) {
  switch (n.op) {
    case ShapeOp::box:
      return box_distance(n.size, x);
    case ShapeOp::sphere:
      return {length(x) - n.size.x, normalized(x)};
    case ShapeOp::ellipsoid:
      return ellipsoid_distance(n.size, x);
    case ShapeOp::plane:
      return {x.y, {0, 1, 0}};
    case ShapeOp::cylinder:
      return intersection(round_side(x, n.size.x, n.size.y, n.size.x),
                          slab(x.y, n.size.y, {0, 1, 0}));
    case ShapeOp::cone:  // the slanted side may end at the farther end
      return intersection(
          intersection(round_side(x, n.size.x, n.size.y, n.size.z), {x.y - n.size.y, {0, 1, 0}}),
          {-x.y - n.size.y, {0, -1, 0}});
    case ShapeOp::capsule:
      return capsule_distance(n.size, x);
    case ShapeOp::torus:
      return torus_distance(n.size, x);
    default: {
      const Distance d = distance(grids[n.grid], x * (1.0f / n.size.x));
      return {d.value * n.size.x, d.normal};
    }
  }
}

PANTA_HD Vec3 to_own_frame(const ShapeNode& n, const Vec3& x) {
  return transpose(n.rotation) * (x - n.center);
}

// The quadratic-cubic blend of two distances: smaller than both if they differ by less than k. It
// is divided by the gradient's length, so that the result is a distance to first order; this
// correction fades away from the surface, so that the distance is not overestimated.
PANTA_HD Distance smooth_union(const Distance& a, const Distance& b, float k) {
  const Distance &near = a.value < b.value ? a : b, &far = a.value < b.value ? b : a;
  const float h = maximum(k - (far.value - near.value), 0.0f) / k;
  const float w = 0.5f * h * h;
  const Vec3 gradient = near.normal * (1 - w) + far.normal * w;
  const float value = near.value - h * h * h * k * (1.0f / 6.0f);
  const float away = minimum(fabsf(value) * (2 / k), 1.0f);
  const float steep = maximum(length(gradient), 0.5f);
  return {value / (steep + (1 - steep) * away), normalized(gradient, near.normal)};
}

// Never more than the true distance, for any parts.
PANTA_HD Distance combined(ShapeOp op, float blend, const Distance& a, const Distance& b) {
  const bool farther = op == ShapeOp::intersect;
  if (!(blend > 0)) return (a.value > b.value) == farther ? a : b;
  return farther ? inverted(smooth_union(inverted(a), inverted(b), blend))
                 : smooth_union(a, b, blend);
}

// The sides of a hollow solid as separate surfaces, in its own frame.
PANTA_HD SurfaceSet hollow_surfaces(const ShapeNode& n, const DistanceGridView* grids,
                                    const Vec3& x) {
  SurfaceSet set;
  if (n.op == ShapeOp::box) {
    set.add(inverted(slab(x.x, n.size.x, {1, 0, 0})));
    set.add(inverted(slab(x.y, n.size.y, {0, 1, 0})));
    set.add(inverted(slab(x.z, n.size.z, {0, 0, 1})));
  } else if (n.op == ShapeOp::cylinder || n.op == ShapeOp::cone) {
    const float upper = n.op == ShapeOp::cone ? n.size.z : n.size.x;
    set.add(inverted(round_side(x, n.size.x, n.size.y, upper)));
    set.add(inverted(slab(x.y, n.size.y, {0, 1, 0})));
  } else {
    set.add(inverted(solid_distance(n, grids, x)));
  }
  return set;
}

PANTA_HD SurfaceSet solid_surfaces(const ShapeNode& n, const DistanceGridView* grids,
                                   const Vec3& x) {
  const Vec3 local = to_own_frame(n, x);
  SurfaceSet set;
  if (n.inside_out) {
    set = hollow_surfaces(n, grids, local);
  } else {
    set.add(solid_distance(n, grids, local));
  }
  for (int k = 0; k < set.count; ++k) set.item[k].normal = n.rotation * set.item[k].normal;
  return set;
}

// Whether a surface of one part of an intersection bounds the free space of the whole. Tested at
// the surface's nearest point, with the surfaces of the other part taken as flat: the point must
// lie inside the other part. Of two coinciding surfaces one is used.
PANTA_HD bool is_exposed(const Distance& surface, const SurfaceSet& other, bool take_coinciding) {
  float there = 1e30f, cosine = 0;
  for (int k = 0; k < other.count; ++k) {
    const float c = dot(other.item[k].normal, surface.normal);
    const float value = other.item[k].value - c * surface.value;
    if (value < there) there = value, cosine = c;
  }
  const float slack = 0.01f * fabsf(surface.value);
  if (there < -slack || there > slack) return there < 0;
  return cosine > 0.99f ? take_coinciding : cosine > -0.99f;
}

// The exposed surfaces of a part, a bit for each. Seen from inside the part none is exposed. In a
// union all are: a surface that one part hides of another has nearly the same direction, and is
// weighted against it later.
PANTA_HD unsigned exposed(ShapeOp op, const SurfaceSet& part, const SurfaceSet& other,
                          bool take_coinciding) {
  unsigned bits = 0;
  if (!(part.item[0].value > 0)) return bits;
  for (int k = 0; k < part.count; ++k)
    if (op == ShapeOp::unite || is_exposed(part.item[k], other, take_coinciding)) bits |= 1u << k;
  return bits;
}

// The convex edges between surfaces of two parts that are not exposed themselves.
PANTA_HD void add_edges(SurfaceSet& set, const SurfaceSet& a, unsigned exposed_a,
                        const SurfaceSet& b, unsigned exposed_b) {
  if (!(a.item[0].value > 0 && b.item[0].value > 0)) return;
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j) {
      Distance edge;
      if (!(exposed_a >> i & 1) && !(exposed_b >> j & 1) &&
          nearest_on_edge(a.item[i], b.item[j], edge))
        set.add(edge);
    }
}

// In free space the whole is bounded by the exposed surfaces of its parts and by the edges between
// them. If there are none, inside the solid, and in a blend, the combined distance is used.
// Surfaces of a part that are not exposed, such as the flat end of a cavity at the rim of a glass,
// are ignored.
PANTA_HD SurfaceSet combined(ShapeOp op, float blend, const SurfaceSet& a, const SurfaceSet& b) {
  const Distance nearest = combined(op, blend, a.item[0], b.item[0]);
  SurfaceSet set;
  if (!(blend > 0) && nearest.value > 0) {
    const unsigned of_a = exposed(op, a, b, true), of_b = exposed(op, b, a, false);
    for (int k = 0; k < SurfaceSet::most; ++k) {
      if (of_a >> k & 1) set.add(a.item[k]);
      if (of_b >> k & 1) set.add(b.item[k]);
    }
    if (op == ShapeOp::intersect) add_edges(set, a, of_a, b, of_b);
  }
  const bool nothing_near = set.count == 0 && nearest.value > 0 && !(blend > 0);
  if (nothing_near && op == ShapeOp::intersect) {
    set.add({far_from_all, nearest.normal});
  } else if (set.count == 0) {
    set.add(nearest);
  }
  return set;
}

}  // namespace detail

PANTA_HD Distance distance(const ShapeView& shape, const Vec3& x) {
  Distance stack[shape_stack];
  int top = -1;
  for (int k = 0; k < shape.count; ++k) {
    const ShapeNode& n = shape.nodes[k];
    if (n.op < ShapeOp::unite) {
      Distance d = detail::solid_distance(n, shape.grids, detail::to_own_frame(n, x));
      d.normal = n.rotation * d.normal;
      stack[++top] = n.inside_out ? inverted(d) : d;
    } else if (n.op == ShapeOp::offset) {
      stack[top].value -= n.amount;
    } else {
      --top;
      stack[top] = detail::combined(n.op, n.amount, stack[top], stack[top + 1]);
    }
  }
  return top < 0 ? Distance{1e30f, {0, 1, 0}} : stack[0];
}

PANTA_HD SurfaceSet surfaces(const ShapeView& shape, const Vec3& x) {
  if (shape.count == 1) return detail::solid_surfaces(shape.nodes[0], shape.grids, x);
  SurfaceSet stack[shape_stack];
  int top = -1;
  for (int k = 0; k < shape.count; ++k) {
    const ShapeNode& n = shape.nodes[k];
    if (n.op < ShapeOp::unite) {
      stack[++top] = detail::solid_surfaces(n, shape.grids, x);
    } else if (n.op == ShapeOp::offset) {
      for (int s = 0; s < stack[top].count; ++s) stack[top].item[s].value -= n.amount;
    } else {
      --top;
      stack[top] = detail::combined(n.op, n.amount, stack[top], stack[top + 1]);
    }
  }
  return stack[0];
}

}  // namespace panta
