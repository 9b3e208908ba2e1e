#include "panta/io/vtp.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/particle_table.h"
#include "panta/io/vtk_arrays.h"
#include "panta/io/xml.h"
#include "panta/particles/standard_columns.h"

namespace panta {

namespace {

constexpr const char* points_name = "Points";  // of the positions

// Calls visit(column, values) for all shown columns, positions first.
template <class Visitor>
void visit_columns(const ParticleFrame& frame, const Visitor& visit) {
  const auto visit_one = [&](const FrameColumn& column) {
    std::visit([&](const auto& values) { visit(column, values); }, column.values);
  };
  const std::string& position = standard_columns::position().name;
  visit_one(*frame.find(position));
  for (const FrameColumn& column : frame.columns)
    if (column.info.shown && column.info.name != position) visit_one(column);
}

// VTK's default names for six components are in another order.
std::string column_attributes(const ColumnInfo& info) {
  std::string text;
  if (!info.unit.empty()) text += fmt::format(" unit=\"{}\"", xml_escape(info.unit));
  if (info.type != ColumnType::symmetric) return text;
  int component = 0;
  for (const std::string& name : component_names(info.type))
    text += fmt::format(" ComponentName{}=\"{}\"", component++, name);
  return text;
}

std::string header_text(const ParticleFrame& frame) {
  const std::size_t n = frame.size();
  VtkHeader header;
  const std::string time = header.array<double>("TimeValue", 1);
  std::string points, point_data;
  visit_columns(frame, [&]<class T>(const FrameColumn& column, const std::vector<T>&) {
    const std::string attributes = column_attributes(column.info);
    if (points.empty())
      points = header.array<T>(points_name, n, attributes);
    else
      point_data += header.array<T>(column.info.name, n, attributes);
  });
  const std::string connectivity = header.array<std::int32_t>("connectivity", n);
  const std::string offsets = header.array<std::int32_t>("offsets", n);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "<PolyData>\n<FieldData>\n{}</FieldData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n"
      "<Points>\n{}</Points>\n<PointData>\n{}</PointData>\n<Verts>\n{}{}</Verts>\n"
      "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_",
      time, n, n, points, point_data, connectivity, offsets);
}

// first, first + 1, ...
void write_counting_block(OutputFile& file, std::size_t count, std::int32_t first) {
  const std::uint64_t bytes = count * sizeof(std::int32_t);
  file.write(&bytes, sizeof bytes);
  std::vector<std::int32_t> chunk;
  for (std::size_t done = 0; done < count; done += chunk.size()) {
    chunk.resize(std::min<std::size_t>(count - done, 1 << 16));
    for (std::size_t k = 0; k < chunk.size(); ++k)
      chunk[k] = first + static_cast<std::int32_t>(done + k);
    file.write(chunk.data(), chunk.size() * sizeof(std::int32_t));
  }
}

using Attributes = std::map<std::string, std::string>;

struct Tag {
  std::string name;
  std::string parent;  // name of the element that it is in
  Attributes attributes;
};

// The opening tags of a header, in order. Does not support comments and text.
std::vector<Tag> scan_tags(std::string_view header) {
  std::vector<Tag> tags;
  std::vector<std::string> open = {""};
  std::size_t at = 0;
  while ((at = header.find('<', at)) != std::string_view::npos) {
    const std::size_t end = header.find('>', at);
    if (end == std::string_view::npos) break;
    const std::string_view body = header.substr(at + 1, end - at - 1);
    at = end;
    if (body.starts_with('/') && open.size() > 1) open.pop_back();
    if (body.starts_with('/') || body.starts_with('?')) continue;
    Tag tag{std::string(body.substr(0, body.find_first_of(" \n/"))), open.back(), {}};
    for (std::size_t equals = body.find("=\""); equals != std::string_view::npos;
         equals = body.find("=\"", equals + 1)) {
      const std::size_t close = body.find('"', equals + 2);
      if (close == std::string_view::npos) break;
      const std::size_t start = body.find_last_of(" \n", equals) + 1;
      tag.attributes[std::string(body.substr(start, equals - start))] =
          body.substr(equals + 2, close - equals - 2);
    }
    if (!body.ends_with('/')) open.push_back(tag.name);
    tags.push_back(std::move(tag));
  }
  return tags;
}

class VtpReader {
 public:
  explicit VtpReader(const std::string& path) : path_(path), content_(read_binary_file(path)) {
    static constexpr std::string_view marker = "<AppendedData encoding=\"raw\">";
    if (!std::string_view(content_).starts_with("<?xml")) fail("not a VTK XML file");
    const std::size_t at = content_.find(marker);
    const std::size_t underscore = at == std::string::npos ? at : content_.find('_', at);
    if (underscore == std::string::npos)
      fail("no appended raw data: truncated, or not written by panta");
    for (Tag& tag : scan_tags(std::string_view(content_).substr(0, at))) {
      if (tag.name == "DataArray")
        arrays_.push_back(std::move(tag));
      else
        elements_[tag.name] = std::move(tag.attributes);
    }
    data_ = std::string_view(content_).substr(underscore + 1);
    expect("VTKFile", "type", "PolyData");
    expect("VTKFile", "byte_order", "LittleEndian");
    expect("VTKFile", "header_type", "UInt64");
  }

  bool has(const std::string& element) const { return elements_.contains(element); }
  std::size_t point_count() { return number(elements_["Piece"]["NumberOfPoints"], "points"); }
  std::size_t polygon_count() { return number(elements_["Piece"]["NumberOfPolys"], "polygons"); }

  // The arrays of an element, in the order of the file.
  std::vector<Attributes> arrays_in(const std::string& element) const {
    std::vector<Attributes> found;
    for (const Tag& tag : arrays_)
      if (tag.parent == element) found.push_back(tag.attributes);
    return found;
  }

  template <class T>
  void read(const std::string& element, const std::string& name, std::size_t count, T* out) {
    for (Tag& tag : arrays_)
      if (tag.parent == element && tag.attributes["Name"] == name)
        return read(tag.attributes, count, out);
    fail(fmt::format("the array '{}' is missing", name));
  }

  template <class T>
  void read(Attributes& array, std::size_t count, T* out) {
    const std::string name = array["Name"];
    const std::string components = std::to_string(VtkType<T>::components);
    if (array["type"] != VtkType<T>::name || array["NumberOfComponents"] != components)
      fail(fmt::format("the array '{}' is {} x {}, not {} x {}", name, array["type"],
                       array["NumberOfComponents"], VtkType<T>::name, components));
    const std::uint64_t offset = number(array["offset"], "offset");
    std::uint64_t bytes = 0;
    if (offset > data_.size() || data_.size() - offset < sizeof bytes) truncated(name);
    std::memcpy(&bytes, data_.data() + offset, sizeof bytes);
    const std::uint64_t rest = data_.size() - offset - sizeof bytes;
    if (count > rest / sizeof(T) || bytes > rest) truncated(name);
    if (bytes != count * sizeof(T))
      fail(fmt::format("the array '{}' has {} bytes, not {}", name, bytes, count * sizeof(T)));
    if (bytes > 0) std::memcpy(out, data_.data() + offset + sizeof bytes, bytes);
  }

  // Checked before allocation: a damaged header may claim more than the file can contain.
  void check_count(const std::string& array, std::size_t count) {
    if (count > data_.size() / sizeof(Vec3)) truncated(array);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::io, "cannot read '{}': {}", path_, what);
  }

 private:
  [[noreturn]] void truncated(const std::string& name) const {
    fail(fmt::format("truncated: the array '{}' is cut short", name));
  }
  void expect(const std::string& element, const std::string& key, const std::string& value) {
    const std::string found = elements_[element][key];
    if (found != value) fail(fmt::format("{} is '{}', not '{}'", key, found, value));
  }
  std::uint64_t number(const std::string& text, const char* what) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("bad number of {} '{}'", what, text));
    return value;
  }

  std::string path_;
  std::string content_;
  std::string_view data_;
  std::map<std::string, Attributes> elements_;
  std::vector<Tag> arrays_;
};

// The column of an array of particles; standard columns have their declared type, whatever the file
// says: reading compares the types.
ColumnInfo column_of(Attributes& array, const VtpReader& reader) {
  const std::string &name = array["Name"], &type = array["type"],
                    &components = array["NumberOfComponents"];
  if (const ColumnInfo* standard = standard_columns::find(name)) return *standard;
  const std::string& unit = array["unit"];
  if (type == "UInt32" && components == "1") return unknown_column(name, ColumnType::word, unit);
  for (const ColumnType known : {ColumnType::scalar, ColumnType::vector, ColumnType::symmetric})
    if (type == "Float32" && components == std::to_string(component_count(known)))
      return unknown_column(name, known, unit);
  reader.fail(
      fmt::format("the array '{}' is {} x {}: particles have Float32 x 1, 3 or 6, and UInt32 x 1",
                  name, type, components));
}

}  // namespace

void write_vtp(const std::string& path, const ParticleFrame& frame) {
  const std::size_t n = frame.size();
  if (n >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ErrorKind::io, "cannot write '{}': {} particles are too many for one file", path,
                n);
  check_columns(path, frame);
  OutputFile file(path);
  file.write(header_text(frame));
  write_vtk_block(file, &frame.time, sizeof frame.time);
  visit_columns(frame, [&]<class T>(const FrameColumn&, const std::vector<T>& values) {
    write_vtk_block(file, values.data(), n * sizeof(T));
  });
  write_counting_block(file, n, 0);
  write_counting_block(file, n, 1);
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.close();
}

ParticleFrame read_vtp(const std::string& path) {
  VtpReader reader(path);
  ParticleFrame frame;
  const std::size_t n = reader.point_count();
  reader.check_count(points_name, n);
  std::vector<Attributes> point_data = reader.arrays_in("PointData");
  std::set<std::string> names = {standard_columns::position().name};
  for (Attributes& array : point_data) {
    const ColumnInfo info = column_of(array, reader);
    if (!names.insert(info.name).second)
      reader.fail(fmt::format("the array '{}' is there twice", info.name));
    frame.require(info);
  }
  frame.resize(n);
  number_particles(frame);
  if (!reader.arrays_in("FieldData").empty()) reader.read("FieldData", "TimeValue", 1, &frame.time);
  reader.read("Points", points_name, n, frame.position().data());
  for (Attributes& array : point_data)
    std::visit([&](auto& values) { reader.read(array, n, values.data()); },
               frame.find(array["Name"])->values);
  std::vector<std::int32_t> cells(n);
  for (Attributes& array : reader.arrays_in("Verts")) reader.read(array, n, cells.data());
  return frame;
}

std::optional<TriangleMesh> read_vtp_triangles(const std::string& path) {
  VtpReader reader(path);
  if (!reader.has("Polys")) return {};
  const std::size_t points = reader.point_count(), triangles = reader.polygon_count();
  reader.check_count(points_name, points);
  reader.check_count("connectivity", triangles);
  TriangleMesh mesh;
  mesh.vertices.resize(points);
  reader.read("Points", points_name, points, mesh.vertices.data());
  std::vector<std::int32_t> corners(3 * triangles), ends(triangles);
  reader.read("Polys", "connectivity", corners.size(), corners.data());
  reader.read("Polys", "offsets", ends.size(), ends.data());
  mesh.triangles.resize(triangles);
  for (std::size_t t = 0; t < triangles; ++t) {
    if (ends[t] != static_cast<std::int64_t>(3 * (t + 1)))
      reader.fail(fmt::format("polygon {} is not a triangle", t));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t corner = corners[3 * t + k];
      if (corner < 0 || static_cast<std::size_t>(corner) >= points)
        reader.fail(
            fmt::format("triangle {} has corner {}, but there are {} points", t, corner, points));
      mesh.triangles[t][k] = static_cast<std::uint32_t>(corner);
    }
  }
  return mesh;
}

}  // namespace panta
