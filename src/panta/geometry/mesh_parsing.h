// Functions shared by the readers of mesh files: reading lines and words, checking numbers, and
// cleaning up the finished mesh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "panta/geometry/triangle_mesh.h"

namespace panta::mesh_parsing {

[[noreturn]] void fail(const std::string& name, const std::string& problem);
[[noreturn]] void fail_at_line(const std::string& name, std::size_t line,
                               const std::string& problem);
[[noreturn]] void fail_at_byte(const std::string& name, std::size_t byte,
                               const std::string& problem);

// Cuts the next word off the front of `rest`; empty where there is none.
std::string_view next_word(std::string_view& rest);

std::optional<double> to_number(std::string_view word);

// A word of the file, made short and printable for messages.
std::string in_quotes(std::string_view word);

// Reads text line by line and counts the lines.
class Lines {
 public:
  explicit Lines(std::string_view content) : rest_(content) {}
  bool next(std::string_view& line);
  std::size_t number() const { return number_; }        // of the line last read, from 1
  std::string_view remaining() const { return rest_; }  // the text after it

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// The next three words of a line as a point; throws with the line's number.
Vec3 read_point(std::string_view& rest, const std::string& name, std::size_t line);

// Whether a float can represent the coordinate.
bool fits_float(double value);

// Appends the polygon with these corners as a fan of triangles.
void add_polygon(TriangleMesh& mesh, const std::vector<std::uint32_t>& polygon);

// Merges vertices, flips a closed mesh that is inside out, refuses a mesh without triangles.
void finish(TriangleMesh& mesh, const std::string& name);

}  // namespace panta::mesh_parsing
