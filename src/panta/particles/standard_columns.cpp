#include "panta/particles/standard_columns.h"

#include <algorithm>

namespace panta::standard_columns {

const std::vector<ColumnInfo>& all() {
  static const std::vector<ColumnInfo> columns = {
      {.name = "id",
       .type = ColumnType::word,
       .doc = "number of the particle, never used again",
       .shown = true,
       .merge = Merge::heavier},
      {.name = "phase",
       .type = ColumnType::word,
       .doc = "number of the material",
       .shown = true,
       .merge = Merge::heavier},
      {.name = "position",
       .type = ColumnType::vector,
       .unit = "m",
       .doc = "position",
       .shown = true,
       .headings = {"x", "y", "z"}},
      {.name = "velocity",
       .type = ColumnType::vector,
       .unit = "m/s",
       .doc = "at the frame's time",
       .shown = true,
       .headings = {"vx", "vy", "vz"}},
      {.name = "object",
       .type = ColumnType::word,
       .doc = "number of the object that the particle is part of",
       .shown = true,
       .merge = Merge::heavier},
      {.name = "mass", .unit = "kg", .doc = "mass", .shown = true, .merge = Merge::sum},
      {.name = "radius",
       .unit = "m",
       .doc = "half the distance at rest",
       .shown = true,
       .merge = Merge::volume},
      {.name = "held",
       .type = ColumnType::word,
       .doc = "1 + number of the emitter that moves the particle, 0: none",
       .merge = Merge::heavier},
      {.name = "density",
       .unit = "kg/m3",
       .doc = "mass density at the particle",
       .stored = false,
       .saved = false,
       .shown = true},
      {.name = "pressure",
       .unit = "Pa",
       .doc = "pressure at the particle",
       .stored = false,
       .saved = false,
       .shown = true},
      {.name = "normal",
       .type = ColumnType::vector,
       .doc = "outward unit normal at the surface, zero elsewhere",
       .stored = false,
       .saved = false,
       .shown = true,
       .headings = {"nx", "ny", "nz"}},
      {.name = "force",
       .type = ColumnType::vector,
       .unit = "N",
       .doc = "force that a program puts on the particle",
       .merge = Merge::sum},
      {.name = "start",
       .type = ColumnType::vector,
       .unit = "m",
       .doc = "where the particle started",
       .shown = true,
       .merge = Merge::heavier},
  };
  return columns;
}

const ColumnInfo& id() { return all()[0]; }
const ColumnInfo& phase() { return all()[1]; }
const ColumnInfo& position() { return all()[2]; }
const ColumnInfo& velocity() { return all()[3]; }
const ColumnInfo& object() { return all()[4]; }
const ColumnInfo& mass() { return all()[5]; }
const ColumnInfo& radius() { return all()[6]; }
const ColumnInfo& held() { return all()[7]; }
const ColumnInfo& density() { return all()[8]; }
const ColumnInfo& pressure() { return all()[9]; }
const ColumnInfo& normal() { return all()[10]; }
const ColumnInfo& force() { return all()[11]; }
const ColumnInfo& start() { return all()[12]; }

const ColumnInfo* find(const std::string& name) {
  const auto at = std::find_if(all().begin(), all().end(),
                               [&](const ColumnInfo& column) { return column.name == name; });
  return at == all().end() ? nullptr : &*at;
}

}  // namespace panta::standard_columns
