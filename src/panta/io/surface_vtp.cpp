// Surface meshes as VTK XML PolyData: triangles as polygons, the vertices' arrays as point data.
#include <limits>

#include "panta/core/error_format.h"
#include "panta/io/surface_file.h"
#include "panta/io/vtk_arrays.h"

namespace panta {

namespace {

template <class T>
std::string point_array(VtkHeader& header, const char* name, const std::vector<T>& values) {
  return values.empty() ? "" : header.array<T>(name, values.size());
}

std::string header_text(const SurfaceMesh& mesh) {
  const std::size_t triangles = mesh.triangles.size();
  VtkHeader header;
  const std::string time = header.array<double>("TimeValue", 1);
  const std::string points = header.array<Vec3>("Points", mesh.position.size());
  std::string point_data = point_array(header, "Normals", mesh.normal);
  point_data += point_array(header, "velocity", mesh.velocity);
  point_data += point_array(header, "value", mesh.value);
  const std::string connectivity = header.array<std::int32_t>("connectivity", 3 * triangles);
  const std::string offsets = header.array<std::int32_t>("offsets", triangles);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "<PolyData>\n<FieldData>\n{}</FieldData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n"
      "<Points>\n{}</Points>\n<PointData{}>\n{}</PointData>\n<Polys>\n{}{}</Polys>\n"
      "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_",
      time, mesh.position.size(), triangles, points,
      mesh.normal.empty() ? "" : " Normals=\"Normals\"", point_data, connectivity, offsets);
}

template <class T>
void write_array(OutputFile& file, const std::vector<T>& values) {
  write_vtk_block(file, values.data(), values.size() * sizeof(T));
}

}  // namespace

void write_surface_vtp(const std::string& path, const SurfaceMesh& mesh, double time) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (mesh.position.size() > most || mesh.triangles.size() > most / 3)
    throw Error(ErrorKind::io,
                "cannot write '{}': {} triangles are too many for this format; choose ply", path,
                mesh.triangles.size());
  OutputFile file(path);
  file.write(header_text(mesh));
  write_vtk_block(file, &time, sizeof time);
  write_array(file, mesh.position);
  if (!mesh.normal.empty()) write_array(file, mesh.normal);
  if (!mesh.velocity.empty()) write_array(file, mesh.velocity);
  if (!mesh.value.empty()) write_array(file, mesh.value);
  write_array(file, mesh.triangles);
  std::vector<std::int32_t> ends(mesh.triangles.size());
  for (std::size_t t = 0; t < ends.size(); ++t) ends[t] = static_cast<std::int32_t>(3 * (t + 1));
  write_array(file, ends);
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.close();
}

}  // namespace panta
