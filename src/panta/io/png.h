// Still images: 8-bit RGB PNG through libpng.
#pragma once

#include <string>

#include "panta/io/image.h"

namespace panta {

void write_png(const std::string& path, const Image& image);
Image read_png(const std::string& path);

}  // namespace panta
