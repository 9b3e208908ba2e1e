// Frames as tables with one number per field, the form of CSV and PLY files, and what all particle
// files have in common.
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

// The fields of all columns that are shown.
std::vector<TableField> table_fields(const ParticleFrame& frame);

// The number of particle 0; that of particle i is i times field_stride() bytes behind it.
const std::byte* field_data(const ParticleFrame& frame, const TableField& field);
std::byte* field_data(ParticleFrame& frame, const TableField& field);
std::size_t field_stride(const ParticleFrame& frame, const TableField& field);

// Error(io) unless every column has a value for every particle and a name that all files can hold.
void check_columns(const std::string& path, const ParticleFrame& frame);

// A heading of a file, and whether the numbers below it are words.
struct Heading {
  std::string name;
  bool is_word = false;
  bool may_be_float = false;  // whole numbers in a text, which floats may be as well
};

// The standard column that has this heading; null if there is none.
const ColumnInfo* standard_column_of(const std::string& heading);

// A column that a file has and that is no standard one.
ColumnInfo unknown_column(const std::string& name, ColumnType type, const std::string& unit = {});

// Adds the columns that the headings of a file stand for to a new frame, and returns a field for
// each heading: headings of standard columns, NAME_x, NAME_y, NAME_z for a vector, NAME_xx ... for
// a symmetric matrix, all others for a scalar or a word. Error(io) where positions are missing or
// headings contradict each other.
std::vector<TableField> add_columns(const std::string& path, const std::vector<Heading>& headings,
                                    ParticleFrame& frame);

// Particles of a file without ids get those from 0 on.
void number_particles(ParticleFrame& frame);

}  // namespace panta
