#include "panta/frame/column_values.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/particles/standard_columns.h"

namespace panta {

namespace {

constexpr int whole_length = -1;

int component_number(const ColumnInfo& info, const std::string& component) {
  const bool single = component_count(info.type) == 1;
  if (component.empty() || (component == length_component && !single))
    return single ? 0 : whole_length;
  const std::vector<std::string>& names = component_names(info.type);
  const auto found = std::find(names.begin(), names.end(), component);
  if (single || found == names.end())
    throw Error(ErrorKind::usage, "the column '{}' is a {} and has no component '{}'", info.name,
                type_name(info.type), component);
  return static_cast<int>(found - names.begin());
}

}  // namespace

const FrameColumn& find_column(const ParticleFrame& frame, const std::string& name) {
  if (const FrameColumn* column = frame.find(name)) return *column;
  std::string known;
  for (const std::string& other : column_names(frame)) known += (known.empty() ? "" : ", ") + other;
  throw Error(ErrorKind::usage, "the particles have no column '{}': there are {}", name, known);
}

std::vector<std::string> column_names(const ParticleFrame& frame) {
  std::vector<std::string> names;
  for (const FrameColumn& column : frame.columns)
    if (column.info.shown) names.push_back(column.info.name);
  return names;
}

ColumnNumbers::ColumnNumbers(const FrameColumn& column, const std::string& component)
    : column_(&column), component_(component_number(column.info, component)) {}

double ColumnNumbers::operator[](std::size_t i) const {
  if (component_ != whole_length) return column_->component(i, component_);
  const int count = component_count(column_->info.type);
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    const double value = column_->component(i, k);
    sum += (k < 3 ? 1 : 2) * value * value;  // xy, xz and yz count for two entries of the matrix
  }
  return std::sqrt(sum);
}

ParticleQuantity::Choice ParticleQuantity::choose(const ParticleFrame& frame) const {
  if (is_speed()) return {&find_column(frame, standard_columns::velocity().name), length_component};
  if (const FrameColumn* column = frame.find(name_)) return {column, {}};
  const std::size_t end = name_.rfind('_');
  if (end != std::string::npos)
    if (const FrameColumn* column = frame.find(name_.substr(0, end)))
      return {column, name_.substr(end + 1)};
  std::string known = speed;
  for (const std::string& name : column_names(frame)) known += ", " + name;
  throw Error(ErrorKind::usage,
              "the particles have no '{}': there are {}, and components of vectors as in "
              "velocity_x",
              name_, known);
}

ColumnNumbers ParticleQuantity::numbers(const ParticleFrame& frame) const {
  const Choice choice = choose(frame);
  return {*choice.column, choice.component};
}

}  // namespace panta
