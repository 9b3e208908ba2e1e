#include "panta/geometry/write_mesh.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <iterator>

#include "panta/core/file.h"

namespace panta {

void write_ply(const std::string& path, const TriangleMesh& mesh) {
  static_assert(sizeof(Vec3) == 12 && sizeof(Triangle) == 12);
  const char* order = std::endian::native == std::endian::little ? "little" : "big";
  OutputFile file(path);
  file.write(
      fmt::format("ply\nformat binary_{}_endian 1.0\n"
                  "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
                  order, mesh.vertices.size(), mesh.triangles.size()));
  file.write(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3));
  constexpr std::size_t face_bytes = 1 + sizeof(Triangle);
  std::string faces(mesh.triangles.size() * face_bytes, '\3');
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    std::memcpy(&faces[t * face_bytes + 1], mesh.triangles[t].data(), sizeof(Triangle));
  file.write(faces);
  file.close();
}

void write_obj(const std::string& path, const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& v : mesh.vertices)
    fmt::format_to(std::back_inserter(text), "v {} {} {}\n", v.x, v.y, v.z);
  for (const Triangle& t : mesh.triangles)
    fmt::format_to(std::back_inserter(text), "f {} {} {}\n", std::uint64_t{t[0]} + 1,
                   std::uint64_t{t[1]} + 1, std::uint64_t{t[2]} + 1);
  OutputFile file(path);
  file.write(text);
  file.close();
}

}  // namespace panta
