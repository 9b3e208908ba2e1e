// Columns with the same meaning in every method. A method stores or computes those that it needs.
#pragma once

#include "panta/particles/column.h"

namespace panta::standard_columns {

// Always present.
const ColumnInfo& id();
const ColumnInfo& phase();
const ColumnInfo& position();
const ColumnInfo& velocity();

// Optional.
const ColumnInfo& object();  // index into the table of objects; absent: all belong to the first
const ColumnInfo& mass();    // absent: the mass of the material
const ColumnInfo& radius();  // absent: half the spacing
const ColumnInfo& held();    // 1 + the emitter that moves the particle, 0: none
const ColumnInfo& density();
const ColumnInfo& pressure();
const ColumnInfo& normal();
const ColumnInfo& force();  // external force set by a program
const ColumnInfo& start();  // where materials have a rest distance

// All of them, in the order above; null for another name.
const std::vector<ColumnInfo>& all();
const ColumnInfo* find(const std::string& name);

}  // namespace panta::standard_columns
