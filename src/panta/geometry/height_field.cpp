#include "panta/geometry/height_field.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstring>

#include "panta/core/error_format.h"
#include "panta/core/file.h"

namespace panta {

namespace {

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 26;

struct PngSource {
  const std::string& bytes;
  std::size_t at = 0;
};

// libpng's error message, kept until the stack of libpng is left.
struct PngProblem {
  char text[200] = "";
};

void read_bytes(png_structp png, png_bytep out, png_size_t count) {
  auto& source = *static_cast<PngSource*>(png_get_io_ptr(png));
  if (count > source.bytes.size() - source.at) png_error(png, "the file ends early");
  std::memcpy(out, source.bytes.data() + source.at, count);
  source.at += count;
}

void note_problem(png_structp png, png_const_charp text) {
  auto& problem = *static_cast<PngProblem*>(png_get_error_ptr(png));
  std::strncpy(problem.text, text, sizeof problem.text - 1);
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

// Converts everything to 16-bit grey without gamma.
void request_grey(png_structp png, png_infop info) {
  png_set_expand_16(png);
  if (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR)
    png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                        PNG_RGB_TO_GRAY_DEFAULT);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

// Returns whether it succeeded. The caller owns the objects with destructors, because libpng leaves
// by longjmp.
bool decode(png_structp png, png_infop info, PngSource& source, HeightImage& image,
            std::vector<png_byte>& pixels, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, &source, &read_bytes);
  png_read_info(png, info);
  const std::uint64_t width = png_get_image_width(png, info);
  const std::uint64_t height = png_get_image_height(png, info);
  if (width * height > most_pixels) png_error(png, "the image has more than 2^26 pixels");
  request_grey(png, info);
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  if (row_bytes != 2 * width) png_error(png, "the image cannot be converted to grey");
  pixels.resize(row_bytes * height);
  rows.resize(height);
  for (std::size_t r = 0; r < height; ++r) rows[r] = &pixels[r * row_bytes];
  png_read_image(png, rows.data());
  image.columns = static_cast<int>(width);
  image.rows = static_cast<int>(height);
  return true;
}

void check_field(const std::vector<float>& heights, int columns, int rows, const Vec3& lo,
                 const Vec3& hi, float bottom) {
  if (columns < 2 || rows < 2 ||
      heights.size() != static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows))
    throw Error(ErrorKind::usage,
                "a height field of {} columns and {} rows cannot have {} heights; it needs "
                "columns x rows of them, both at least 2",
                columns, rows, heights.size());
  if (!(lo.x < hi.x && lo.z < hi.z))
    throw Error(ErrorKind::usage, "a height field needs a size along x and z, not {} and {}",
                hi.x - lo.x, hi.z - lo.z);
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (!(heights[i] > bottom) || !std::isfinite(heights[i]))
      throw Error(ErrorKind::usage,
                  "the height {} in column {}, row {} of a height field is not above its bottom {}",
                  heights[i], i % static_cast<std::size_t>(columns),
                  i / static_cast<std::size_t>(columns), bottom);
}

// Vertex indices of the outermost grid points, clockwise seen from above.
std::vector<std::uint32_t> rim_of_grid(std::uint32_t columns, std::uint32_t rows) {
  std::vector<std::uint32_t> rim;
  for (std::uint32_t c = 0; c + 1 < columns; ++c) rim.push_back(c);
  for (std::uint32_t r = 0; r + 1 < rows; ++r) rim.push_back(r * columns + columns - 1);
  for (std::uint32_t c = columns - 1; c > 0; --c) rim.push_back((rows - 1) * columns + c);
  for (std::uint32_t r = rows - 1; r > 0; --r) rim.push_back(r * columns);
  return rim;
}

// Walls from the rim down to the bottom, and the bottom as a fan around its middle point.
void close_below(TriangleMesh& mesh, const std::vector<std::uint32_t>& rim, const Vec3& middle) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const auto count = static_cast<std::uint32_t>(rim.size());
  for (const std::uint32_t v : rim)
    mesh.vertices.push_back({mesh.vertices[v].x, middle.y, mesh.vertices[v].z});
  mesh.vertices.push_back(middle);
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t next = (k + 1) % count;
    const std::uint32_t low = first + k, low_next = first + next;
    mesh.triangles.push_back({rim[k], rim[next], low});
    mesh.triangles.push_back({rim[next], low_next, low});
    mesh.triangles.push_back({low, low_next, first + count});
  }
}

}  // namespace

HeightImage read_height_image(const std::string& path) {
  const std::string bytes = read_binary_file(path);
  PngSource source{bytes};
  PngProblem problem;
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &problem, &note_problem, &ignore_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  HeightImage image;
  std::vector<png_byte> pixels;
  std::vector<png_bytep> rows;
  const bool decoded = info && decode(png, info, source, image, pixels, rows);
  png_destroy_read_struct(&png, &info, nullptr);
  if (!decoded)
    throw Error(ErrorKind::io, "cannot read the height image '{}': {}", path, problem.text);
  image.heights.reserve(pixels.size() / 2);
  for (std::size_t i = 0; i < pixels.size(); i += 2)
    image.heights.push_back(static_cast<float>(pixels[i] << 8 | pixels[i + 1]) / 65535.0f);
  return image;
}

TriangleMesh height_field_mesh(const std::vector<float>& heights, int columns, int rows,
                               const Vec3& min_corner, const Vec3& max_corner, float bottom) {
  check_field(heights, columns, rows, min_corner, max_corner, bottom);
  TriangleMesh mesh;
  mesh.source = "height field";
  const auto nx = static_cast<std::uint32_t>(columns), nz = static_cast<std::uint32_t>(rows);
  const Vec3 size = max_corner - min_corner;
  for (std::uint32_t r = 0; r < nz; ++r)
    for (std::uint32_t c = 0; c < nx; ++c)
      mesh.vertices.push_back(
          {min_corner.x + size.x * static_cast<float>(c) / static_cast<float>(nx - 1),
           heights[r * nx + c],
           min_corner.z + size.z * static_cast<float>(r) / static_cast<float>(nz - 1)});
  for (std::uint32_t r = 0; r + 1 < nz; ++r)
    for (std::uint32_t c = 0; c + 1 < nx; ++c) {
      const std::uint32_t v = r * nx + c;
      mesh.triangles.push_back({v, v + nx, v + 1});
      mesh.triangles.push_back({v + 1, v + nx, v + nx + 1});
    }
  const Vec3 middle = (min_corner + max_corner) * 0.5f;
  close_below(mesh, rim_of_grid(nx, nz), {middle.x, bottom, middle.z});
  return mesh;
}

}  // namespace panta
