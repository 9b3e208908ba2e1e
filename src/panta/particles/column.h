// Columns: the attributes of particles, each declared once. Storage, sorting, emission,
// checkpoints, frames, files, probes, statistics and pictures all use this declaration.
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

// The number of components of one value.
constexpr int component_count(ColumnType type) {
  return type == ColumnType::vector ? 3 : type == ColumnType::symmetric ? 6 : 1;
}

// The rule for the value of a merged particle. A particle that splits divides a sum and a volume
// equally among its children; other values are copied to them.
enum class Merge {
  none,     // that of a new particle
  sum,      // the sum of both
  mean,     // mean weighted by mass; words are rounded to an integer
  heavier,  // that of the heavier particle; if equal, of the smaller id
  volume    // a length such that volumes (areas in 2-D) add up
};

struct ColumnInfo {
  std::string name;
  ColumnType type = ColumnType::scalar;
  std::string unit = {};  // SI; empty for a pure number
  std::string doc = {};
  std::vector<float> initial = {};  // of a new particle; empty: zero. Words: one integer
  bool stored = true;               // false: computed for each frame
  bool saved = true;                // in checkpoints
  bool shown = false;               // in frames and files
  bool sorted = true;  // false: each step computes it after its sort, so the sort need not move it
  Merge merge = Merge::mean;
  std::string packed_in = {};  // a scalar in the fourth component of this vector column
  // Headings of its components in tables; empty: NAME, or NAME_x, NAME_y, ...
  std::vector<std::string> headings = {};
};

// Bytes per particle of these columns: on a device (two copies of columns that are sorted, none of
// computed ones), in a frame and in a checkpoint.
struct ColumnBytes {
  double device = 0, frame = 0, checkpoint = 0;
};
ColumnBytes bytes_of(const std::vector<ColumnInfo>& columns);

// "scalar", "vector", "symmetric" or "word".
const char* type_name(ColumnType type);

// Names of the components of a value: x, y, z; xx, yy, ...; one empty name for a single number.
const std::vector<std::string>& component_names(ColumnType type);

// The headings of a column's components in tables (CSV, PLY).
std::vector<std::string> headings_of(const ColumnInfo& info);

}  // namespace panta
