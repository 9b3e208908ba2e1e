#include "panta/io/ply.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/particle_table.h"

namespace panta {

static_assert(std::endian::native == std::endian::little, "the file's rows are little endian");

namespace {

constexpr std::string_view opening =
    "ply\nformat binary_little_endian 1.0\ncomment panta particles\ncomment time ";
constexpr std::string_view count_line = "\nelement vertex ";
constexpr std::string_view property_start = "property ";
constexpr std::string_view closing = "end_header\n";
constexpr std::size_t number_bytes = 4;
constexpr std::size_t particles_at_once = 4096;

// Fields that are adjacent in a row of the file and in a column of the frame.
struct Run {
  const TableField* first;
  std::size_t bytes;
};

std::vector<Run> runs_of(const std::vector<TableField>& fields) {
  std::vector<Run> runs;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (k > 0 && fields[k].column == fields[k - 1].column &&
        fields[k].component == fields[k - 1].component + 1)
      runs.back().bytes += number_bytes;
    else
      runs.push_back({&fields[k], number_bytes});
  }
  return runs;
}

template <std::size_t bytes>
void copy_fixed(std::byte* to, std::size_t to_stride, const std::byte* from,
                std::size_t from_stride, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, bytes);
}

// With a size known at compile time each copy takes a few instructions.
void copy_strided(std::byte* to, std::size_t to_stride, const std::byte* from,
                  std::size_t from_stride, std::size_t count, std::size_t bytes) {
  switch (bytes) {
    case number_bytes:
      return copy_fixed<number_bytes>(to, to_stride, from, from_stride, count);
    case 3 * number_bytes:
      return copy_fixed<3 * number_bytes>(to, to_stride, from, from_stride, count);
    default:
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(to + i * to_stride, from + i * from_stride, bytes);
  }
}

// Parses a ply file from front to back.
class PlyReader {
 public:
  explicit PlyReader(const std::string& path) : path_(path), content_(read_binary_file(path)) {}

  ParticleFrame read() {
    if (!content_.starts_with("ply\n")) fail("not a PLY file");
    if (!is_particle_ply(content_)) fail("a PLY file, but no particles written by panta");
    ParticleFrame frame;
    expect(opening);
    frame.time = number<double>("time");
    expect(count_line);
    const auto count = number<std::uint64_t>("number of particles");
    expect("\n");
    const std::vector<TableField> fields = add_columns(path_, read_properties(), frame);
    const std::size_t row = fields.size() * number_bytes;
    const std::size_t there = content_.size() - at_;
    if (count > there / row)
      fail(fmt::format("truncated: {} particles are announced, {} are there", count, there / row));
    if (there != count * row) fail("bytes follow the last particle: the file is damaged");
    frame.resize(static_cast<std::size_t>(count));
    number_particles(frame);
    read_rows(fields, frame);
    return frame;
  }

 private:
  std::vector<Heading> read_properties() {
    std::vector<Heading> headings;
    while (rest().starts_with(property_start)) {
      expect(property_start);
      const bool is_word = rest().starts_with("uint ");
      expect(is_word ? "uint " : "float ");
      const std::size_t end = rest().find('\n');
      if (end == std::string_view::npos) bad_header();
      headings.push_back({std::string(rest().substr(0, end)), is_word});
      at_ += end + 1;
    }
    expect(closing);
    return headings;
  }

  void read_rows(const std::vector<TableField>& fields, ParticleFrame& frame) {
    const auto* rows = reinterpret_cast<const std::byte*>(content_.data() + at_);
    const std::size_t row = fields.size() * number_bytes;
    for (std::size_t first = 0; first < frame.size(); first += particles_at_once) {
      const std::size_t count = std::min(particles_at_once, frame.size() - first);
      std::size_t offset = 0;
      for (const Run& run : runs_of(fields)) {
        const std::size_t stride = field_stride(frame, *run.first);
        copy_strided(field_data(frame, *run.first) + first * stride, stride,
                     rows + first * row + offset, row, count, run.bytes);
        offset += run.bytes;
      }
    }
  }

  std::string_view rest() const { return std::string_view(content_).substr(at_); }
  void expect(std::string_view text) {
    if (!rest().starts_with(text)) bad_header();
    at_ += text.size();
  }
  [[noreturn]] void bad_header() const {
    fail("its header is cut short or not the one that panta writes");
  }
  template <class T>
  T number(const char* what) {
    T value{};
    const char* start = content_.data() + at_;
    const auto [end, error] = std::from_chars(start, content_.data() + content_.size(), value);
    if (error != std::errc()) fail(fmt::format("bad {} in the header", what));
    at_ += static_cast<std::size_t>(end - start);
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::io, "cannot read '{}': {}", path_, what);
  }

  std::string path_;
  std::string content_;
  std::size_t at_ = 0;
};

}  // namespace

void write_ply(const std::string& path, const ParticleFrame& frame) {
  check_columns(path, frame);
  const std::vector<TableField> fields = table_fields(frame);
  const std::vector<Run> runs = runs_of(fields);
  OutputFile file(path);
  file.write(fmt::format("{}{}{}{}\n", opening, frame.time, count_line, frame.size()));
  for (const TableField& field : fields)
    file.write(
        fmt::format("{}{} {}\n", property_start, field.is_word ? "uint" : "float", field.heading));
  file.write(closing);
  const std::size_t row = fields.size() * number_bytes;
  std::vector<std::byte> rows(particles_at_once * row);
  for (std::size_t first = 0; first < frame.size(); first += particles_at_once) {
    const std::size_t count = std::min(particles_at_once, frame.size() - first);
    std::size_t offset = 0;
    for (const Run& run : runs) {
      const std::size_t stride = field_stride(frame, *run.first);
      copy_strided(rows.data() + offset, row, field_data(frame, *run.first) + first * stride,
                   stride, count, run.bytes);
      offset += run.bytes;
    }
    file.write(rows.data(), count * row);
  }
  file.close();
}

ParticleFrame read_ply(const std::string& path) { return PlyReader(path).read(); }

bool is_particle_ply(std::string_view content) { return content.starts_with(opening); }

}  // namespace panta
