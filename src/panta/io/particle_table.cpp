#include "panta/io/particle_table.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "panta/core/error_format.h"
#include "panta/particles/standard_columns.h"

namespace panta {

namespace {

constexpr std::size_t number_bytes = 4;
static_assert(sizeof(float) == number_bytes && sizeof(std::uint32_t) == number_bytes);

bool is_plain_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  });
}

const char* number_name(bool is_word) { return is_word ? "uint" : "float"; }

// Converts the headings of a file to columns.
class HeadingReader {
 public:
  HeadingReader(const std::string& path, const std::vector<Heading>& headings)
      : path_(path), headings_(headings) {
    for (std::size_t k = 0; k < headings.size(); ++k)
      if (!places_.emplace(headings[k].name, k).second)
        fail(fmt::format("'{}' is there twice", headings[k].name));
  }

  std::vector<TableField> add_to(ParticleFrame& frame) {
    for (const std::string& heading : headings_of(standard_columns::position()))
      if (!places_.contains(heading))
        fail(fmt::format("it has no positions: '{}' is missing", heading));
    std::vector<TableField> fields(headings_.size());
    for (const Heading& heading : headings_) {
      if (!fields[places_[heading.name]].heading.empty()) continue;
      const ColumnInfo info = column_of(heading);
      if (!names_.insert(info.name).second) fail(fmt::format("'{}' is there twice", info.name));
      frame.require(info);
      add_fields(frame, info, fields);
    }
    return fields;
  }

 private:
  ColumnInfo column_of(const Heading& heading) const {
    const ColumnInfo* standard = standard_column_of(heading.name);
    if (standard && has_all(headings_of(*standard))) return *standard;
    for (const ColumnType type : {ColumnType::vector, ColumnType::symmetric})
      if (const auto name = base_name(heading.name, type))
        if (const ColumnInfo info = unknown_column(*name, type); has_all(headings_of(info)))
          return info;
    return unknown_column(heading.name, heading.is_word ? ColumnType::word : ColumnType::scalar);
  }

  // NAME from the heading NAME_x.
  static std::optional<std::string> base_name(const std::string& heading, ColumnType type) {
    for (const std::string& component : component_names(type))
      if (heading.size() > component.size() + 1 && heading.ends_with("_" + component))
        return heading.substr(0, heading.size() - component.size() - 1);
    return {};
  }
  bool has_all(const std::vector<std::string>& names) const {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return places_.contains(name); });
  }

  void add_fields(const ParticleFrame& frame, const ColumnInfo& info,
                  std::vector<TableField>& fields) {
    std::size_t column = 0;
    while (frame.columns[column].info.name != info.name) ++column;
    const bool is_word = info.type == ColumnType::word;
    int component = 0;
    for (const std::string& name : headings_of(info)) {
      const std::size_t place = places_.at(name);
      const Heading& heading = headings_[place];
      if (heading.is_word != is_word && !(heading.may_be_float && !is_word))
        fail(fmt::format("'{}' is {}, not {}", name, number_name(!is_word), number_name(is_word)));
      fields[place] = {name, is_word, column, component++};
    }
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::io, "cannot read '{}': {}", path_, what);
  }

  const std::string& path_;
  const std::vector<Heading>& headings_;
  std::map<std::string, std::size_t> places_;  // of headings
  std::set<std::string> names_;                // of columns
};

}  // namespace

std::vector<TableField> table_fields(const ParticleFrame& frame) {
  std::vector<TableField> fields;
  for (std::size_t k = 0; k < frame.columns.size(); ++k) {
    const ColumnInfo& info = frame.columns[k].info;
    if (!info.shown) continue;
    int component = 0;
    for (const std::string& heading : headings_of(info))
      fields.push_back({heading, info.type == ColumnType::word, k, component++});
  }
  return fields;
}

const std::byte* field_data(const ParticleFrame& frame, const TableField& field) {
  const FrameColumn& column = frame.columns[field.column];
  if (column.size() == 0) return nullptr;
  return column.bytes() + number_bytes * static_cast<std::size_t>(field.component);
}

std::byte* field_data(ParticleFrame& frame, const TableField& field) {
  return const_cast<std::byte*>(field_data(std::as_const(frame), field));
}

std::size_t field_stride(const ParticleFrame& frame, const TableField& field) {
  return number_bytes *
         static_cast<std::size_t>(component_count(frame.columns[field.column].info.type));
}

void check_columns(const std::string& path, const ParticleFrame& frame) {
  for (const FrameColumn& column : frame.columns) {
    if (!column.info.shown) continue;
    if (column.size() != frame.size())
      throw Error(ErrorKind::io, "cannot write '{}': {} values of {} for {} particles", path,
                  column.size(), column.info.name, frame.size());
    for (const std::string& heading : headings_of(column.info))
      if (!is_plain_name(heading))
        throw Error(ErrorKind::io,
                    "cannot write '{}': a column is called '{}', but only letters, digits, '_', "
                    "'-' and '.' may be in a name",
                    path, heading);
  }
}

const ColumnInfo* standard_column_of(const std::string& heading) {
  for (const ColumnInfo& info : standard_columns::all()) {
    const std::vector<std::string> headings = headings_of(info);
    if (std::find(headings.begin(), headings.end(), heading) != headings.end()) return &info;
  }
  return nullptr;
}

ColumnInfo unknown_column(const std::string& name, ColumnType type, const std::string& unit) {
  return {.name = name, .type = type, .unit = unit, .stored = false, .saved = false, .shown = true};
}

std::vector<TableField> add_columns(const std::string& path, const std::vector<Heading>& headings,
                                    ParticleFrame& frame) {
  return HeadingReader(path, headings).add_to(frame);
}

void number_particles(ParticleFrame& frame) { std::iota(frame.id().begin(), frame.id().end(), 0u); }

}  // namespace panta
