// An 8-bit RGB picture in memory, rows from top to bottom.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace panta {

using Rgb = std::array<std::uint8_t, 3>;

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;

  Image() = default;
  Image(int w, int h, Rgb fill = {0, 0, 0}) : width(w), height(h) {
    rgb.resize(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3);
    for (std::size_t k = 0; k < rgb.size(); ++k) rgb[k] = fill[k % 3];
  }
  std::uint8_t* at(int x, int y) { return rgb.data() + offset(x, y); }
  const std::uint8_t* at(int x, int y) const { return rgb.data() + offset(x, y); }
  Rgb pixel(int x, int y) const { return {at(x, y)[0], at(x, y)[1], at(x, y)[2]}; }
  std::size_t row_bytes() const { return static_cast<std::size_t>(width) * 3; }

 private:
  std::size_t offset(int x, int y) const {
    return static_cast<std::size_t>(y) * row_bytes() + static_cast<std::size_t>(x) * 3;
  }
};

}  // namespace panta
