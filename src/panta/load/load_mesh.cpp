// Solids of a scene file that consist of triangles or outlines: meshes from files, convex hulls,
// polygons and ground. Each becomes a distance grid fine enough for the scene's spacing.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "panta/core/file.h"
#include "panta/geometry/convex_hull.h"
#include "panta/geometry/distance_grid.h"
#include "panta/geometry/height_field.h"
#include "panta/geometry/polygon.h"
#include "panta/geometry/read_mesh.h"
#include "panta/load/load_parts.h"

namespace panta {

// Cache of solids by their input: a scene may use one often, and is read once for each of its
// events.
class MeshStore {
 public:
  std::map<std::string, Shape> shapes;
};

namespace {

constexpr double most_cells = 400;  // along the longest side
constexpr std::size_t most_corners = 4000;
constexpr double band_spacings = 4;  // distance from the surface with exact values

struct GridSize {
  float cell, band;  // m

  GridSize(double spacing, double extent)
      : cell(static_cast<float>(std::max(spacing / 2, extent / most_cells))),
        band(static_cast<float>(band_spacings * spacing)) {}
};

Shape grid_shape(const TriangleMesh& mesh, double spacing) {
  const MeshBounds bounds = mesh_bounds(mesh);
  const Vec3 size = bounds.max - bounds.min;
  const GridSize grid(spacing, std::max({size.x, size.y, size.z}));
  return Shape::grid(
      std::make_shared<const DistanceGrid>(make_distance_grid(mesh, grid.cell, grid.band)));
}

// In two dimensions `low` and `high` are not used.
Shape prism_shape(const ObjectReader& reader, const std::vector<Vec3d>& corners, float low,
                  float high) {
  double extent = 0;
  for (const Vec3d& c : corners)
    extent = std::max({extent, std::abs(c.x - corners[0].x), std::abs(c.y - corners[0].y)});
  const bool flat = reader.dimensions() == 2;
  const GridSize grid(reader.context().spacing,
                      flat ? extent : std::max<double>(extent, high - low));
  if (flat) high = grid.cell, low = -high;
  return prism(corners, low, high, flat, grid.cell, grid.band);
}

void expect_solid(ObjectReader& reader, const TriangleMesh& mesh, bool open) {
  reader.expect(!mesh.triangles.empty(), "file", "has no triangles: '{}'", mesh.source);
  const MeshReport report = inspect_mesh(mesh);
  reader.expect(open || report.closed(), "file",
                "is not a closed mesh: '{}' is {}; close it, or set \"open\": true to accept "
                "winding-number inside/outside",
                mesh.source, describe(report));
  reader.expect(open || mesh_volume(mesh) > 0, "file", "has no volume: '{}'", mesh.source);
}

// The shape stored under `key`, created if missing.
template <class Make>
Shape stored(ReadContext& context, const std::string& key, const Make& make) {
  if (!context.meshes) context.meshes = std::make_shared<MeshStore>();
  Shape& shape = context.meshes->shapes[key];
  if (shape.empty()) shape = make();
  return shape;
}

Shape load_mesh_shape(ObjectReader& reader, const std::string& path, float scale, bool open) {
  TriangleMesh mesh = located(reader.place_of("file"), [&] { return read_mesh(path); });
  expect_solid(reader, mesh, open);
  for (Vec3& x : mesh.vertices) x = x * scale;
  return located(reader.place_of("file"),
                 [&] { return grid_shape(mesh, reader.context().spacing); });
}

std::vector<Vec3> read_points(const json::Value& list, const std::string& path,
                              const ObjectReader& reader) {
  std::vector<Vec3> points;
  if (list.type != json::Type::array)
    fail_at(list.place, "'{}' must be a list of points, got {}", path, json::describe(list));
  for (std::size_t k = 0; k < list.items.size(); ++k)
    points.push_back(reader.vector(list.items[k], fmt::format("{}.{}", path, k), as_point));
  return points;
}

// Pairs of x and y.
std::vector<Vec3d> read_corners(const json::Value& list, const std::string& path,
                                const ObjectReader& reader) {
  if (list.type != json::Type::array)
    fail_at(list.place, "'{}' must be a list of corners, got {}", path, json::describe(list));
  if (list.items.size() > most_corners)
    fail_at(list.place, "'{}' has {} corners, at most {} are possible", path, list.items.size(),
            most_corners);
  std::vector<Vec3d> corners;
  for (std::size_t k = 0; k < list.items.size(); ++k) {
    const json::Value& corner = list.items[k];
    const std::string corner_path = fmt::format("{}.{}", path, k);
    if (corner.type != json::Type::array || corner.items.size() != 2)
      fail_at(corner.place, "'{}' must be a list of two numbers, x and y, got {}", corner_path,
              json::describe(corner));
    corners.push_back({reader.number(corner.items[0], corner_path + ".0"),
                       reader.number(corner.items[1], corner_path + ".1"), 0});
  }
  if (corners.size() < 3)
    fail_at(list.place, "'{}' has {} corners: a polygon needs at least 3", path, corners.size());
  if (const auto fault = polygon_fault(corners))
    fail_at(list.items[fault->corner].place, "'{}.{}' {}", path, fault->corner, fault->text);
  return corners;
}

// Rows of heights of equal length.
HeightImage read_rows(const json::Value& rows, const std::string& path,
                      const ObjectReader& reader) {
  HeightImage field;
  if (rows.type != json::Type::array)
    fail_at(rows.place, "'{}' must be a list of rows, got {}", path, json::describe(rows));
  field.rows = static_cast<int>(rows.items.size());
  for (std::size_t j = 0; j < rows.items.size(); ++j) {
    const json::Value& row = rows.items[j];
    const std::string row_path = fmt::format("{}.{}", path, j);
    if (row.type != json::Type::array || row.items.size() != rows.items[0].items.size())
      fail_at(row.place, "'{}' must be a list as long as the first row, got {}", row_path,
              json::describe(row));
    field.columns = static_cast<int>(row.items.size());
    for (std::size_t i = 0; i < row.items.size(); ++i)
      field.heights.push_back(reader.number(row.items[i], fmt::format("{}.{}", row_path, i)));
  }
  return field;
}

// Heights from y = `low` for black to `high` for white.
HeightImage read_image(const ObjectReader& reader, const std::string& path, float low, float high) {
  HeightImage field = located(reader.place_of("image"), [&] { return read_height_image(path); });
  for (float& height : field.heights) height = low + height * (high - low);
  return field;
}

float bottom_below(const HeightImage& field, float width) {
  const auto lowest = std::min_element(field.heights.begin(), field.heights.end());
  return lowest == field.heights.end() ? 0 : *lowest - 0.1f * width;
}

void expect_space(ObjectReader& reader) {
  reader.expect(reader.dimensions() == 3, "", "needs 3 dimensions");
}

}  // namespace

std::string resolved_file(const std::string& file, const json::Place& place) {
  namespace fs = std::filesystem;
  const fs::path folder = place.line > 0 ? fs::path(*place.source).parent_path() : fs::path();
  std::error_code error;
  const fs::path path = fs::absolute(folder / file, error);
  return error ? file : path.lexically_normal().string();
}

Shape read_mesh_shape(ObjectReader& reader) {
  expect_space(reader);
  std::string file;
  float scale = 1;
  bool open = false;
  reader.required("file", file, "an OBJ, PLY or STL file, relative to the scene file");
  reader.optional("scale", scale, positive(), "metres per unit of the file");
  reader.optional("open", open,
                  "accept a mesh with holes: inside means a winding number of at least 1/2");
  if (reader.describing()) return {};
  const std::string path = resolved_file(file, reader.place_of("file"));
  reader.rewrite("file", path);
  located(reader.place_of("file"), [&] { expect_regular_file(path); });
  return stored(reader.context(), fmt::format("{} {} {}", path, scale, open),
                [&] { return load_mesh_shape(reader, path, scale, open); });
}

Shape read_hull(ObjectReader& reader) {
  expect_space(reader);
  const json::Value* list = reader.special(
      "points", "list of points", R"({"type": "array", "items": {"$ref": "#/definitions/vector"}})",
      "at least four, not in a plane", true);
  if (!list) return {};
  const std::vector<Vec3> points = read_points(*list, reader.path_of("points"), reader);
  return stored(reader.context(), json::dump(*list), [&] {
    return located(list->place,
                   [&] { return grid_shape(convex_hull(points), reader.context().spacing); });
  });
}

Shape read_polygon(ObjectReader& reader) {
  float low = 0, high = 0;
  const json::Value* list = reader.special(
      "points", "list of corners",
      R"({"type": "array", "items": {"type": "array", "items": {"type": ["number", "string"]}}})",
      "x and y (m) of the corners in order, either way round; sides must not cross", true);
  const bool extruded = reader.if_given("z_min", low, any_number("m"),
                                        "in three dimensions: where the prism over it begins");
  const bool ends = reader.if_given("z_max", high, any_number("m"), "and where it ends");
  const bool space = reader.dimensions() == 3;
  reader.expect(space || !(extruded || ends), "", "has no z_min and z_max in two dimensions");
  reader.expect(!space || (extruded && ends), "", "needs z_min and z_max in three dimensions");
  reader.expect(!space || low < high, "", "has no volume: z_min must be below z_max");
  if (!list) return {};
  const std::string key = fmt::format("polygon {} {} {}", low, high, json::dump(*list));
  return stored(reader.context(), key, [&] {
    const std::vector<Vec3d> corners = read_corners(*list, reader.path_of("points"), reader);
    return located(list->place, [&] { return prism_shape(reader, corners, low, high); });
  });
}

namespace {

// Ground in a scene with two dimensions: one row of heights.
Shape read_height_profile(ObjectReader& reader, const HeightImage& field, const Vec3& low,
                          const Vec3& high, float bottom) {
  reader.expect(field.rows == 1 && field.columns > 1, "heights",
                "must be one row of at least two heights in two dimensions");
  reader.expect(low.x < high.x, "", "has no area: min must be below max along x");
  const auto lowest = std::min_element(field.heights.begin(), field.heights.end());
  reader.expect(*lowest > bottom, "heights", "must be above the bottom at {} m, got {}", bottom,
                *lowest);
  return located(reader.place(), [&] {
    return prism_shape(reader, height_profile(field.heights, low.x, high.x, bottom), 0, 0);
  });
}

}  // namespace

Shape read_height_field(ObjectReader& reader) {
  Vec3 low, high;
  std::string file;
  float bottom = 0;
  reader.required("min", low, as_point,
                  "the corner of the first height; an image's black is at its y");
  reader.required("max", high, as_point, "the opposite corner; an image's white is at its y");
  const json::Value* rows = reader.special(
      "heights", "list of rows of numbers",
      R"({"type": "array", "items": {"type": "array", "items": {"type": ["number", "string"]}}})",
      "y of the ground (m), rows along x from the z of 'min' to that of 'max'; in two dimensions "
      "one "
      "row");
  const bool image = reader.if_given("image", file, "a PNG file whose brightness is the height");
  const bool has_bottom =
      reader.if_given("bottom", bottom, any_number("m"), "y of the underside; absent: well below");
  reader.exactly_one({"heights", "image"});
  if (!rows && !image) return {};
  if (image) {
    const std::string path = resolved_file(file, reader.place_of("image"));
    reader.rewrite("image", path);
    located(reader.place_of("image"), [&] { expect_regular_file(path); });
  }
  return stored(reader.context(), json::dump(reader.value()), [&] {
    const HeightImage field =
        rows ? read_rows(*rows, reader.path_of("heights"), reader)
             : read_image(reader, resolved_file(file, reader.place_of("image")), low.y, high.y);
    if (!has_bottom) bottom = bottom_below(field, std::max(high.x - low.x, high.z - low.z));
    if (reader.dimensions() == 2) return read_height_profile(reader, field, low, high, bottom);
    return located(reader.place(), [&] {
      return grid_shape(
          height_field_mesh(field.heights, field.columns, field.rows, low, high, bottom),
          reader.context().spacing);
    });
  });
}

}  // namespace panta
