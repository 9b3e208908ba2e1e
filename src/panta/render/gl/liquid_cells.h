// Finds the particles of a liquid that may be visible, and gathers the rest by cells: a full cell
// whose neighbours are all full lies inside. Only visible particles have to be drawn one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

struct LiquidCells {
  std::vector<std::uint32_t> seen;  // particles that are not inside
  std::vector<Vec3> middle;         // mean position of the particles of each inside cell
  std::vector<float> count;         // their number
};

// Positions must be finite.
LiquidCells find_cells(const std::vector<Vec3>& position, float spacing);

}  // namespace panta
