// Small labels in pictures, from a built-in 5x7 bitmap font.
#pragma once

#include <string_view>

#include "panta/io/image.h"

namespace panta {

constexpr int glyph_height = 7;

// Width of a text in pixels; each dot of the font is `scale` pixels wide.
int text_width(std::string_view text, int scale);

// Draws with the upper left corner at (x, y), clipped to the picture.
void draw_text(Image& image, int x, int y, std::string_view text, int scale, Rgb color);

}  // namespace panta
