// STL: triangles with explicit corners, as text ("solid", "facet", "vertex x y z", ...) or binary
// (80 bytes of any content, a 32-bit count, 50 bytes per triangle: normal, three corners, two
// unused bytes; little endian). The normals are redundant and ignored.
//
// The first word "solid" does not identify text files, because binary files may start with it as
// well; the file size does: in a binary file it follows from the count.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <string>

#include "panta/geometry/mesh_parsing.h"
#include "panta/geometry/read_mesh.h"

namespace panta {

namespace {

using namespace mesh_parsing;

constexpr std::size_t header_bytes = 84, facet_bytes = 50, normal_bytes = 12;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
  return value;
}

std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_binary(std::string_view content) {
  if (content.size() >= header_bytes &&
      content.size() == header_bytes + facet_bytes * std::size_t{little_endian(content, 80)})
    return true;
  std::string_view start = content.substr(0, 512);
  if (start.find('\0') != std::string_view::npos) return true;
  while (!start.empty() && std::isspace(static_cast<unsigned char>(start[0])))
    start.remove_prefix(1);
  return lower(start.substr(0, 5)) != "solid";
}

void read_binary(std::string_view content, const std::string& name, TriangleMesh& mesh) {
  if (content.size() < header_bytes)
    fail_at_byte(name, content.size(), "the file ends within its header of 84 bytes");
  const std::size_t count = little_endian(content, 80);
  const std::size_t held = (content.size() - header_bytes) / facet_bytes;
  if (count > held)
    fail_at_byte(name, content.size(),
                 "the file ends early: it announces " + std::to_string(count) +
                     " triangles and holds " + std::to_string(held) +
                     " (or it is not an STL file)");
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t corners = header_bytes + t * facet_bytes + normal_bytes;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 v;
      for (int axis = 0; axis < 3; ++axis) {
        const std::size_t at = corners + 12 * k + 4 * static_cast<std::size_t>(axis);
        v[axis] = std::bit_cast<float>(little_endian(content, at));
        if (!fits_float(v[axis])) fail_at_byte(name, at, "a coordinate is not finite");
      }
      mesh.vertices.push_back(v);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
}

void read_text(std::string_view content, const std::string& name, TriangleMesh& mesh) {
  Lines lines(content);
  std::vector<std::uint32_t> polygon;
  bool in_loop = false, ended = false;
  for (std::string_view line; lines.next(line);) {
    const std::string keyword = lower(next_word(line).substr(0, 16));
    if (keyword == "outer") {
      in_loop = true;
      polygon.clear();
    } else if (keyword == "vertex") {
      if (!in_loop) fail_at_line(name, lines.number(), "a vertex stands outside of any loop");
      polygon.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
      mesh.vertices.push_back(read_point(line, name, lines.number()));
    } else if (keyword == "endloop") {
      if (!in_loop || polygon.size() < 3)
        fail_at_line(name, lines.number(), "a loop ends that has fewer than three vertices");
      in_loop = false;
      add_polygon(mesh, polygon);
    } else if (keyword == "solid" || keyword == "endsolid") {
      ended = keyword == "endsolid";
    } else if (!keyword.empty() && keyword != "facet" && keyword != "endfacet") {
      fail_at_line(name, lines.number(), in_quotes(keyword) + " is not a keyword of STL");
    }
  }
  if (!ended)
    fail_at_line(name, lines.number(), "the file ends early: its last line is not 'endsolid'");
}

}  // namespace

TriangleMesh parse_stl(std::string_view content, const std::string& name) {
  TriangleMesh mesh;
  if (is_binary(content)) {
    read_binary(content, name, mesh);
  } else {
    read_text(content, name, mesh);
  }
  finish(mesh, name);
  return mesh;
}

}  // namespace panta
