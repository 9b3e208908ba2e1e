#include "panta/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/particle_table.h"

namespace panta {

namespace {

constexpr std::string_view time_heading = "time";

// Address of a field's numbers. `Byte` is const for reading.
template <class Byte>
struct FieldView {
  const TableField* field;
  Byte* data;
  std::size_t stride;
};

template <class Byte, class Frame>
std::vector<FieldView<Byte>> field_views(Frame& frame, const std::vector<TableField>& fields) {
  std::vector<FieldView<Byte>> views;
  for (const TableField& field : fields)
    views.push_back({&field, field_data(frame, field), field_stride(frame, field)});
  return views;
}

template <class T, class Byte>
T load(const FieldView<Byte>& view, std::size_t i) {
  T value;
  std::memcpy(&value, view.data + i * view.stride, sizeof value);
  return value;
}

// The number format of a field. Floats of columns that are not standard always have a point,
// because columns without a point are read as words.
enum class Print { word, number, with_point };

Print print_of(const TableField& field) {
  if (field.is_word) return Print::word;
  return standard_column_of(field.heading) ? Print::number : Print::with_point;
}

class CsvReader {
 public:
  explicit CsvReader(const std::string& path) : path_(path), content_(read_binary_file(path)) {}

  ParticleFrame read() {
    std::vector<Heading> headings = read_headings();
    const std::string_view rows = std::string_view(content_).substr(at_);
    if (!rows.empty() && rows.back() != '\n') fail("truncated: the last line is cut short");
    find_words(rows, headings);
    ParticleFrame frame;
    const std::vector<TableField> fields = add_columns(path_, headings, frame);
    frame.resize(static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n')));
    number_particles(frame);
    const auto views = field_views<std::byte>(frame, fields);
    for (std::size_t i = 0; i < frame.size(); ++i) read_row(next_line(), i, views, frame.time);
    return frame;
  }

 private:
  std::vector<Heading> read_headings() {
    std::vector<Heading> headings;
    std::string_view line = next_line();
    has_time_ = line.starts_with(time_heading) && line.substr(time_heading.size()).starts_with(',');
    if (has_time_) line.remove_prefix(time_heading.size() + 1);
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(','), line.size());
      headings.push_back({std::string(line.substr(0, end)), false});
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (headings.empty()) fail("its first line names no columns");
    return headings;
  }

  // Standard columns have their declared type; others are words if no number has a point, an
  // exponent or a sign.
  void find_words(std::string_view rows, std::vector<Heading>& headings) const {
    std::vector<bool> is_word;
    for (std::size_t k = 0; k < headings.size(); ++k) {
      const ColumnInfo* standard = standard_column_of(headings[k].name);
      if (!standard && is_word.empty()) is_word = whole_columns(rows, headings.size());
      headings[k].is_word = standard ? standard->type == ColumnType::word : is_word[k];
      headings[k].may_be_float = !standard;
    }
  }

  // The columns that consist of digits only.
  std::vector<bool> whole_columns(std::string_view rows, std::size_t count) const {
    std::vector<bool> whole(count, !rows.empty());
    const std::size_t first = has_time_ ? 1 : 0;
    std::size_t place = 0;
    for (const char c : rows) {
      if (c == ',')
        ++place;
      else if (c == '\n')
        place = 0;
      else if (!(c >= '0' && c <= '9') && place >= first && place - first < count)
        whole[place - first] = false;
    }
    return whole;
  }

  void read_row(std::string_view line, std::size_t i, const std::vector<FieldView<std::byte>>& row,
                double& time) {
    bool first = !has_time_;
    if (has_time_) take_number(line, time_heading, time);
    for (const FieldView<std::byte>& view : row) {
      if (!first && !line.starts_with(','))
        fail(fmt::format("'{}' is missing", view.field->heading));
      if (!first) line.remove_prefix(1);
      first = false;
      if (view.field->is_word)
        take<std::uint32_t>(line, view, i);
      else
        take<float>(line, view, i);
    }
    if (!line.empty()) fail(fmt::format("'{}' follows the last column", line));
  }

  template <class T>
  void take(std::string_view& line, const FieldView<std::byte>& view, std::size_t i) {
    T value{};
    take_number(line, view.field->heading, value);
    std::memcpy(view.data + i * view.stride, &value, sizeof value);
  }
  std::string_view next_line() {
    const std::size_t end = std::min(content_.find('\n', at_), content_.size());
    const std::string_view line = std::string_view(content_).substr(at_, end - at_);
    at_ = std::min(end + 1, content_.size());
    ++line_;
    return line;
  }
  template <class T>
  void take_number(std::string_view& line, std::string_view name, T& value) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc()) fail(fmt::format("'{}' is not a number", name));
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::io, "cannot read '{}', line {}: {}", path_, line_, what);
  }

  std::string path_;
  std::string content_;
  bool has_time_ = false;
  std::size_t at_ = 0;
  int line_ = 0;
};

}  // namespace

void write_csv(const std::string& path, const ParticleFrame& frame) {
  check_columns(path, frame);
  const std::vector<TableField> fields = table_fields(frame);
  const auto views = field_views<const std::byte>(frame, fields);
  std::string heading(time_heading);
  std::vector<Print> prints;
  for (const TableField& field : fields) {
    heading += "," + field.heading;
    prints.push_back(print_of(field));
  }
  OutputFile file(path);
  file.write(heading + "\n");
  const std::string time = fmt::format("{}", frame.time);
  fmt::memory_buffer line;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    line.clear();
    line.append(time);
    for (std::size_t k = 0; k < views.size(); ++k) {
      const auto out = std::back_inserter(line);
      if (prints[k] == Print::word)
        fmt::format_to(out, ",{}", load<std::uint32_t>(views[k], i));
      else if (prints[k] == Print::number)
        fmt::format_to(out, ",{}", load<float>(views[k], i));
      else
        fmt::format_to(out, ",{:#}", load<float>(views[k], i));
    }
    line.push_back('\n');
    file.write(line.data(), line.size());
  }
  file.close();
}

ParticleFrame read_csv(const std::string& path) { return CsvReader(path).read(); }

}  // namespace panta
