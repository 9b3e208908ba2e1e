// Frames as tables with one number per field, the form of CSV and PLY files, and functions shared
// by all particle formats.
#pragma once

#include <string>
#include <vector>

#include "panta/frame/particle_frame.h"

namespace panta {

// A component of a column of a frame.
struct TableField {
  std::string heading;
  bool is_word = false;    // else a float
  std::size_t column = 0;  // of ParticleFrame::columns
  int component = 0;
};

// The fields of all shown columns.
std::vector<TableField> table_fields(const ParticleFrame& frame);

// The address of particle 0's number; particle i is i times field_stride() bytes after it.
const std::byte* field_data(const ParticleFrame& frame, const TableField& field);
std::byte* field_data(ParticleFrame& frame, const TableField& field);
std::size_t field_stride(const ParticleFrame& frame, const TableField& field);

// Error(io) unless every column has a value for every particle and a name valid in all formats.
void check_columns(const std::string& path, const ParticleFrame& frame);

// A heading of a file, and whether its numbers are words.
struct Heading {
  std::string name;
  bool is_word = false;
  bool may_be_float = false;  // integers in a text file, which may also be floats
};

// The standard column that has this heading; null if there is none.
const ColumnInfo* standard_column_of(const std::string& heading);

// A column of a file that is not a standard column.
ColumnInfo unknown_column(const std::string& name, ColumnType type, const std::string& unit = {});

// Adds the columns for the headings of a file to a new frame, and returns a field for each heading:
// headings of standard columns, NAME_x, NAME_y, NAME_z for a vector, NAME_xx ... for a symmetric
// matrix, all others for a scalar or a word. Error(io) if positions are missing or headings
// contradict each other.
std::vector<TableField> add_columns(const std::string& path, const std::vector<Heading>& headings,
                                    ParticleFrame& frame);

// Sets the ids 0, 1, ... for particles of a file without ids.
void number_particles(ParticleFrame& frame);

}  // namespace panta
