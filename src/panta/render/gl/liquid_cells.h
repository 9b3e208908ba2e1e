// Which particles of a liquid can be seen, and the rest gathered by cells: a cell that is full, as
// are all cells around it, lies inside. Only what can be seen has to be drawn one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

struct LiquidCells {
  std::vector<std::uint32_t> seen;  // particles not inside
  std::vector<Vec3> middle;         // of the particles of each cell inside
  std::vector<float> count;         // their number
};

// Positions are finite.
LiquidCells find_cells(const std::vector<Vec3>& position, float spacing);

}  // namespace panta
