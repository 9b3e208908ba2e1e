// Numbers from a frame's columns, chosen by name: used by probes, colours and tables.
#pragma once

#include <string>
#include <vector>

#include "panta/frame/particle_frame.h"

namespace panta {

// The column of that name; else Error(usage) that lists the columns of the frame.
const FrameColumn& find_column(const ParticleFrame& frame, const std::string& name);

// The names of a frame's columns with `shown`.
std::vector<std::string> column_names(const ParticleFrame& frame);

// Name of a derived component in scenes and options, besides x, y, ...: the length of a vector, and
// sqrt(sum over i, j of s_ij^2) of a symmetric matrix.
inline constexpr const char* length_component = "length";

// One number of every particle: a component of a column.
class ColumnNumbers {
 public:
  // `component`: x, y, ..., xx, ... or "length"; empty for the value of a scalar or word, and the
  // length of others. Error(usage) where the column has no such component.
  ColumnNumbers(const FrameColumn& column, const std::string& component = {});

  double operator[](std::size_t i) const;

 private:
  const FrameColumn* column_;
  int component_;  // -1: the length
};

// One number per particle that users choose by name: "speed", a column, or a component of one as in
// velocity_x. For a vector its length is used.
class ParticleQuantity {
 public:
  explicit ParticleQuantity(std::string name) : name_(std::move(name)) {}

  static constexpr const char* speed = "speed";

  const std::string& name() const { return name_; }
  bool is_speed() const { return name_ == speed; }

  // The quantity in a frame; else Error(usage) that lists the quantities of the frame.
  const ColumnInfo& column(const ParticleFrame& frame) const { return choose(frame).column->info; }
  ColumnNumbers numbers(const ParticleFrame& frame) const;

 private:
  struct Choice {
    const FrameColumn* column;
    std::string component;
  };
  Choice choose(const ParticleFrame& frame) const;

  std::string name_;
};

}  // namespace panta
