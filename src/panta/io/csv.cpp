#include "panta/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "panta/core/file.h"
#include "panta/io/particle_arrays.h"

namespace panta {

namespace {

std::string heading() {
  ParticleFrame particle;
  resize_arrays(particle, 1);
  std::string line = "time";
  visit_numbers(particle, 0,
                [&](std::string_view name, auto) { line += fmt::format(",{}", name); });
  return line;
}

class CsvReader {
 public:
  explicit CsvReader(const std::string& path) : path_(path), content_(read_binary_file(path)) {}

  ParticleFrame read() {
    if (next_line() != heading())
      fail(fmt::format("its first line is not the particle columns '{}'", heading()));
    ParticleFrame frame;
    const std::string_view rows = std::string_view(content_).substr(at_);
    if (!rows.empty() && rows.back() != '\n') fail("truncated: the last line is cut short");
    resize_arrays(frame, static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n')));
    for (std::size_t i = 0; i < frame.size(); ++i) {
      std::string_view line = next_line();
      take_number(line, "time", frame.time);
      visit_numbers(frame, i, [&](std::string_view name, auto& value) {
        if (!line.starts_with(',')) fail(fmt::format("'{}' is missing", name));
        line.remove_prefix(1);
        take_number(line, name, value);
      });
      if (!line.empty()) fail(fmt::format("'{}' follows the last column", line));
    }
    return frame;
  }

 private:
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
  std::size_t at_ = 0;
  int line_ = 0;
};

}  // namespace

void write_csv(const std::string& path, const ParticleFrame& frame) {
  check_arrays(path, frame);
  OutputFile file(path);
  file.write(heading() + "\n");
  const std::string time = fmt::format("{}", frame.time);
  fmt::memory_buffer line;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    line.clear();
    line.append(time);
    visit_numbers(frame, i, [&](std::string_view, const auto& value) {
      fmt::format_to(std::back_inserter(line), ",{}", value);
    });
    line.push_back('\n');
    file.write(line.data(), line.size());
  }
  file.close();
}

ParticleFrame read_csv(const std::string& path) { return CsvReader(path).read(); }

}  // namespace panta
