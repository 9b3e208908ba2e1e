#include "panta/io/ply.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "panta/core/file.h"
#include "panta/io/particle_arrays.h"

namespace panta {

static_assert(std::endian::native == std::endian::little, "the file's rows are little endian");

namespace {

constexpr std::string_view opening =
    "ply\nformat binary_little_endian 1.0\ncomment panta particles\ncomment time ";
constexpr std::string_view count_line = "\nelement vertex ";
constexpr std::string_view closing = "end_header\n";

ParticleFrame one_particle() {
  ParticleFrame frame;
  resize_arrays(frame, 1);
  return frame;
}

std::string property_lines() {
  std::string lines = "\n";
  const ParticleFrame particle = one_particle();
  visit_numbers(particle, 0, [&]<class T>(std::string_view name, const T&) {
    lines += fmt::format("property {} {}\n", std::is_same_v<T, float> ? "float" : "uint", name);
  });
  return lines;
}

std::size_t row_bytes() {
  std::size_t bytes = 0;
  const ParticleFrame particle = one_particle();
  visit_numbers(particle, 0, [&]<class T>(std::string_view, const T&) { bytes += sizeof(T); });
  return bytes;
}

// Takes a ply file apart from front to back.
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
    expect(property_lines());
    expect(closing);
    const std::size_t there = content_.size() - at_;
    if (count > there / row_bytes())
      fail(fmt::format("truncated: {} particles are announced, {} are there", count,
                       there / row_bytes()));
    if (there != count * row_bytes()) fail("bytes follow the last particle: the file is damaged");
    resize_arrays(frame, static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < frame.size(); ++i)
      visit_numbers(frame, i, [&]<class T>(std::string_view, T& value) {
        std::memcpy(&value, content_.data() + at_, sizeof value);
        at_ += sizeof value;
      });
    return frame;
  }

 private:
  void expect(std::string_view text) {
    const std::string_view rest = std::string_view(content_).substr(at_);
    if (!rest.starts_with(text)) fail("its header is cut short or not the one that panta writes");
    at_ += text.size();
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
  check_arrays(path, frame);
  OutputFile file(path);
  file.write(fmt::format("{}{}{}{}{}{}", opening, frame.time, count_line, frame.size(),
                         property_lines(), closing));
  constexpr std::size_t particles_at_once = 4096;
  std::string rows;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    visit_numbers(frame, i, [&]<class T>(std::string_view, const T& value) {
      rows.append(reinterpret_cast<const char*>(&value), sizeof value);
    });
    if ((i + 1) % particles_at_once != 0) continue;
    file.write(rows);
    rows.clear();
  }
  file.write(rows);
  file.close();
}

ParticleFrame read_ply(const std::string& path) { return PlyReader(path).read(); }

bool is_particle_ply(std::string_view content) { return content.starts_with(opening); }

}  // namespace panta
