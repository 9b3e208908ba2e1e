#include "panta/io/png.h"

#include <png.h>

#include "panta/core/error_format.h"
#include "panta/core/file.h"

namespace panta {

void write_png(const std::string& path, const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  const bool encoded =
      png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) != 0;
  if (!encoded) throw Error(ErrorKind::io, "cannot write '{}': {}", path, png.message);
  bytes.resize(size);
  write_text_file(path, bytes);
}

Image read_png(const std::string& path) {
  const std::string bytes = read_binary_file(path);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  Image image;
  bool decoded = png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) != 0;
  if (decoded) {
    png.format = PNG_FORMAT_RGB;
    image = Image(static_cast<int>(png.width), static_cast<int>(png.height));
    decoded = png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) != 0;
  }
  if (!decoded) {
    const std::string reason = png.message;
    png_image_free(&png);
    throw Error(ErrorKind::io, "cannot read '{}': {}", path, reason);
  }
  return image;
}

}  // namespace panta
