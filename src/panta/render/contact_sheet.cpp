#include "panta/render/contact_sheet.h"

#include <algorithm>

#include "panta/render/text.h"

namespace panta {

namespace {

constexpr int max_columns = 4;
constexpr int cell_pixels = 480;  // across
constexpr int gap = 8;
constexpr int label_scale = 2;
constexpr Rgb paper = {255, 255, 255}, label_ink = {70, 76, 86};

}  // namespace

Image shrink(const Image& image, int width, int height) {
  Image out(width, height);
  for (int y = 0; y < height; ++y) {
    const int y0 = y * image.height / height;
    const int y1 = std::max(y0 + 1, (y + 1) * image.height / height);
    for (int x = 0; x < width; ++x) {
      const int x0 = x * image.width / width;
      const int x1 = std::max(x0 + 1, (x + 1) * image.width / width);
      int sum[3] = {0, 0, 0};
      for (int sy = y0; sy < y1; ++sy)
        for (int sx = x0; sx < x1; ++sx)
          for (int c = 0; c < 3; ++c) sum[c] += image.at(sx, sy)[c];
      const int count = (x1 - x0) * (y1 - y0);
      for (int c = 0; c < 3; ++c)
        out.at(x, y)[c] = static_cast<std::uint8_t>((sum[c] + count / 2) / count);
    }
  }
  return out;
}

ContactSheet::ContactSheet(int pictures, int picture_width, int picture_height)
    : columns_(std::clamp(pictures, 1, max_columns)) {
  const int rows = (std::max(pictures, 1) + columns_ - 1) / columns_;
  cell_width_ = std::min(cell_pixels, picture_width);
  cell_height_ = std::max(1, picture_height * cell_width_ / picture_width);
  sheet_ = Image(columns_ * (cell_width_ + gap) + gap, rows * (cell_height_ + gap) + gap, paper);
}

void ContactSheet::add(const Image& picture, const std::string& label) {
  const Image small = shrink(picture, cell_width_, cell_height_);
  const int left = gap + added_ % columns_ * (cell_width_ + gap);
  const int top = gap + added_ / columns_ * (cell_height_ + gap);
  for (int y = 0; y < cell_height_; ++y)
    std::copy_n(small.at(0, y), small.row_bytes(), sheet_.at(left, top + y));
  const int label_top = top + cell_height_ - gap - glyph_height * label_scale;
  draw_text(sheet_, left + gap, label_top, label, label_scale, label_ink);
  ++added_;
}

}  // namespace panta
