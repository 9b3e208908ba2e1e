// Surface meshes as binary PLY. Vertex properties have the names that Blender, MeshLab and Houdini
// use; a row of floats contains all properties of one vertex, in their order.
#include <array>
#include <bit>
#include <cstring>

#include "panta/core/file.h"
#include "panta/io/surface_file.h"

#include <fmt/format.h>

namespace panta {

static_assert(std::endian::native == std::endian::little, "the file's rows are little endian");

namespace {

constexpr std::size_t rows_at_once = 1 << 14;

struct Columns {
  std::array<const char*, 3> names;
  const float* values;
  std::size_t count;  // names, and floats of each vertex
};

std::vector<Columns> columns_of(const SurfaceMesh& mesh) {
  static_assert(sizeof(Vec3) == 3 * sizeof(float));
  const auto floats = [](const std::vector<Vec3>& list) {
    return reinterpret_cast<const float*>(list.data());
  };
  std::vector<Columns> columns = {{{"x", "y", "z"}, floats(mesh.position), 3}};
  if (!mesh.normal.empty()) columns.push_back({{"nx", "ny", "nz"}, floats(mesh.normal), 3});
  if (!mesh.velocity.empty()) columns.push_back({{"vx", "vy", "vz"}, floats(mesh.velocity), 3});
  if (!mesh.value.empty()) columns.push_back({{"value"}, mesh.value.data(), 1});
  return columns;
}

void write_vertices(OutputFile& file, const std::vector<Columns>& columns, std::size_t count) {
  std::vector<float> rows;
  for (std::size_t v = 0; v < count; ++v) {
    for (const Columns& c : columns)
      rows.insert(rows.end(), c.values + v * c.count, c.values + (v + 1) * c.count);
    if ((v + 1) % rows_at_once != 0 && v + 1 != count) continue;
    file.write(rows.data(), rows.size() * sizeof(float));
    rows.clear();
  }
}

void write_triangles(OutputFile& file, const std::vector<Triangle>& triangles) {
  constexpr std::size_t face_bytes = 1 + sizeof(Triangle);
  std::string rows;
  for (std::size_t t = 0; t < triangles.size(); t += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, triangles.size() - t);
    rows.assign(count * face_bytes, '\3');  // corners of a face
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(&rows[k * face_bytes + 1], triangles[t + k].data(), sizeof(Triangle));
    file.write(rows);
  }
}

}  // namespace

void write_surface_ply(const std::string& path, const SurfaceMesh& mesh, double time) {
  const std::vector<Columns> columns = columns_of(mesh);
  std::string header = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment panta surface\ncomment time {}\n"
      "element vertex {}\n",
      time, mesh.position.size());
  for (const Columns& c : columns)
    for (std::size_t k = 0; k < c.count; ++k)
      header += fmt::format("property float {}\n", c.names[k]);
  header += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                        mesh.triangles.size());
  OutputFile file(path);
  file.write(header);
  write_vertices(file, columns, mesh.position.size());
  write_triangles(file, mesh.triangles);
  file.close();
}

}  // namespace panta
