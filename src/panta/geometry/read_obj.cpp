// Wavefront OBJ: the lines "v x y z" and "f a b c ...", where a corner is v, v/vt, v//vn or v/vt/vn
// and a negative v counts back from the last vertex so far. All other lines are ignored.
#include <charconv>
#include <limits>

#include "panta/geometry/mesh_parsing.h"
#include "panta/geometry/read_mesh.h"

namespace panta {

namespace {

using namespace mesh_parsing;

struct ObjReader {
  const std::string& name;
  TriangleMesh mesh;
  std::vector<std::size_t> line_of_triangle;  // corners may refer to later vertices
  std::vector<std::uint32_t> polygon;

  std::uint32_t corner(std::string_view word, std::size_t line) const {
    const std::string_view digits = word.substr(0, word.find('/'));
    std::int64_t index = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (problem != std::errc() || end != digits.data() + digits.size())
      fail_at_line(name, line, in_quotes(word) + " is not a vertex index");
    if (index < 0) index += static_cast<std::int64_t>(mesh.vertices.size()) + 1;
    if (index < 1 || index > std::numeric_limits<std::uint32_t>::max())
      fail_at_line(name, line, "there is no vertex " + in_quotes(digits) + "; they count from 1");
    return static_cast<std::uint32_t>(index - 1);
  }

  void read_face(std::string_view rest, std::size_t line) {
    polygon.clear();
    for (std::string_view word = next_word(rest); !word.empty() && word[0] != '#';
         word = next_word(rest))
      polygon.push_back(corner(word, line));
    if (polygon.size() < 3)
      fail_at_line(name, line,
                   "a face needs at least three corners, not " + std::to_string(polygon.size()));
    add_polygon(mesh, polygon);
    line_of_triangle.resize(mesh.triangles.size(), line);
  }

  void check_indices() const {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (const std::uint32_t v : mesh.triangles[t])
        if (v >= mesh.vertices.size())
          fail_at_line(name, line_of_triangle[t],
                       "vertex " + std::to_string(std::uint64_t{v} + 1) +
                           " does not exist; the file has " + std::to_string(mesh.vertices.size()));
  }
};

}  // namespace

TriangleMesh parse_obj(std::string_view content, const std::string& name) {
  ObjReader reader{name, {}, {}, {}};
  Lines lines(content);
  for (std::string_view line; lines.next(line);) {
    const std::string_view keyword = next_word(line);
    if (keyword == "v") {
      reader.mesh.vertices.push_back(read_point(line, name, lines.number()));
    } else if (keyword == "f") {
      reader.read_face(line, lines.number());
    }
  }
  reader.check_indices();
  finish(reader.mesh, name);
  return std::move(reader.mesh);
}

}  // namespace panta
