// The nodes of a shape's program (geometry/shape_program.h).
#pragma once

#include <cstdint>

#include "panta/core/vec.h"

namespace panta {

struct DistanceGridView;

enum class ShapeOp : std::int32_t {
  box,        // size: half extents
  sphere,     // size.x: radius
  ellipsoid,  // size: half axes
  plane,      // y < 0
  cylinder,   // size.x: radius, size.y: half height
  capsule,    // the same, with round ends beyond the half height
  cone,       // size.x: radius below, size.y: half height, size.z: radius above
  torus,      // size.x: ring radius, size.y: tube radius
  grid,       // number `grid`, scaled by size.x
  unite,      // of the last two, `amount`: blend
  intersect,  // of the last two, `amount`: blend
  offset,     // of the last one, `amount`: growth
};

struct ShapeNode {
  ShapeOp op = ShapeOp::box;
  std::int32_t inside_out = 0;
  std::int32_t grid = 0;
  float amount = 0;  // m
  Vec3 size;
  Vec3 center;
  Mat3 rotation;

  bool operator==(const ShapeNode&) const = default;
};

struct ShapeView {
  const ShapeNode* nodes = nullptr;
  int count = 0;
  const DistanceGridView* grids = nullptr;
};

// Largest number of operands on the stack; deeper compositions are refused at construction.
inline constexpr int shape_stack = 8;

}  // namespace panta
