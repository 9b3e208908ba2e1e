#include "panta/geometry/read_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/geometry/mesh_parsing.h"

namespace panta {

namespace mesh_parsing {

namespace {
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
}  // namespace

void fail(const std::string& name, const std::string& problem) {
  throw Error(ErrorKind::io, "{}: {}", name, problem);
}
void fail_at_line(const std::string& name, std::size_t line, const std::string& problem) {
  throw Error(ErrorKind::io, "{}:{}: {}", name, line, problem);
}
void fail_at_byte(const std::string& name, std::size_t byte, const std::string& problem) {
  throw Error(ErrorKind::io, "{}: at byte {}: {}", name, byte, problem);
}

std::string_view next_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

std::optional<double> to_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string in_quotes(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 24 ? "...'" : "'");
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++number_;
  return true;
}

bool fits_float(double value) { return std::abs(value) <= std::numeric_limits<float>::max(); }

Vec3 read_point(std::string_view& rest, const std::string& name, std::size_t line) {
  Vec3 point;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string_view word = next_word(rest);
    const std::optional<double> value = to_number(word);
    if (!value)
      fail_at_line(name, line,
                   word.empty() ? "a vertex needs three coordinates"
                                : in_quotes(word) + " is not a number; a coordinate was expected");
    if (!fits_float(*value))
      fail_at_line(name, line, "the coordinate " + in_quotes(word) + " is not finite");
    point[axis] = static_cast<float>(*value);
  }
  return point;
}

void add_polygon(TriangleMesh& mesh, const std::vector<std::uint32_t>& polygon) {
  for (std::size_t k = 2; k < polygon.size(); ++k)
    mesh.triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
}

void finish(TriangleMesh& mesh, const std::string& name) {
  mesh.source = name;
  if (mesh.triangles.empty()) fail(name, "there are no triangles in this file");
  merge_vertices(mesh);
  if (mesh_volume(mesh) < 0 && inspect_mesh(mesh).closed()) flip_triangles(mesh);
}

}  // namespace mesh_parsing

TriangleMesh read_mesh(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto parse = extension == ".obj"   ? &parse_obj
                     : extension == ".ply" ? &parse_ply
                     : extension == ".stl" ? &parse_stl
                                           : nullptr;
  if (!parse)
    throw Error(ErrorKind::io, "cannot read '{}': meshes end in .obj, .ply or .stl", path);
  return parse(read_binary_file(path), path);
}

}  // namespace panta
