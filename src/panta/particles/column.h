// Columns: the attributes of particles, each declared once. Storage, sorting, emission,
// checkpoints, frames, files, probes, statistics and pictures all read this declaration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace panta {

enum class ColumnType {
  scalar,     // float
  vector,     // three floats
  symmetric,  // symmetric 3 x 3 matrix: xx, yy, zz, xy, xz, yz
  word        // 32-bit unsigned integer
};

// The numbers that one value has.
constexpr int component_count(ColumnType type) {
  return type == ColumnType::vector ? 3 : type == ColumnType::symmetric ? 6 : 1;
}

// The value of a particle that two others merge into. A particle that splits divides a sum and a
// volume equally among its children; they have copies of its other values.
enum class Merge {
  none,     // that of a new particle
  sum,      // the sum of both
  mean,     // the mean, weighted by mass; of words rounded to a whole number
  heavier,  // that of the heavier one; of two equal ones that with the smaller id
  volume    // a length such that volumes (areas in 2-D) add up
};

struct ColumnInfo {
  std::string name;
  ColumnType type = ColumnType::scalar;
  std::string unit = {};  // SI; empty for a pure number
  std::string doc = {};
  std::vector<float> initial = {};  // of a new particle; empty: zero. Words: one whole number
  bool stored = true;               // false: computed for each frame
  bool saved = true;                // in checkpoints
  bool shown = false;               // in frames and files
  bool sorted = true;  // false: each step computes it anew after its sort, so that the sort within
                       // a step need not move it
  Merge merge = Merge::mean;
  std::string packed_in = {};  // a scalar in the fourth component of this vector column
  // Headings of its components in tables; empty: NAME, or NAME_x, NAME_y, ...
  std::vector<std::string> headings = {};
};

// "scalar", "vector", "symmetric" or "word".
const char* type_name(ColumnType type);

// What the components of a value are called: x, y, z; xx, yy, ...; one empty name for a single
// number.
const std::vector<std::string>& component_names(ColumnType type);

// The headings of a column's components in tables (CSV, PLY).
std::vector<std::string> headings_of(const ColumnInfo& info);

}  // namespace panta
