#include "panta/io/apng.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "panta/core/error_format.h"

namespace panta {

namespace {

void append_u32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}
void append_u16(std::string& out, std::uint32_t value) {
  out += static_cast<char>(value >> 8 & 0xff);
  out += static_cast<char>(value & 0xff);
}

void write_chunk(OutputFile& file, const char* type, const std::string& data) {
  std::string chunk;
  append_u32(chunk, static_cast<std::uint32_t>(data.size()));
  chunk += type;
  chunk += data;
  const auto* checked = reinterpret_cast<const Bytef*>(chunk.data()) + 4;
  append_u32(chunk, static_cast<std::uint32_t>(crc32_z(0, checked, chunk.size() - 4)));
  file.write(chunk);
}

std::uint8_t paeth(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int dl = std::abs(guess - left), du = std::abs(guess - up), dc = std::abs(guess - corner);
  return static_cast<std::uint8_t>(dl <= du && dl <= dc ? left : du <= dc ? up : corner);
}

// Filters one row with each of PNG's five filters; keeps the one with the least sum of magnitudes.
class RowFilter {
 public:
  void append_best(std::string& out, const std::uint8_t* row, const std::uint8_t* above,
                   std::size_t bytes) {
    long best_cost = -1;
    for (int filter = 0; filter < 5; ++filter) {
      trial_.resize(bytes + 1);
      trial_[0] = static_cast<char>(filter);
      long cost = 0;
      for (std::size_t k = 0; k < bytes; ++k) {
        const std::uint8_t left = k >= 3 ? row[k - 3] : 0;
        const std::uint8_t up = above ? above[k] : 0;
        const std::uint8_t corner = above && k >= 3 ? above[k - 3] : 0;
        const auto value = static_cast<signed char>(row[k] - predict(filter, left, up, corner));
        trial_[k + 1] = static_cast<char>(value);
        cost += std::abs(value);
      }
      if (best_cost < 0 || cost < best_cost) {
        best_cost = cost;
        best_.swap(trial_);
      }
    }
    out += best_;
  }

 private:
  static std::uint8_t predict(int filter, std::uint8_t left, std::uint8_t up, std::uint8_t corner) {
    switch (filter) {
      case 1:
        return left;
      case 2:
        return up;
      case 3:
        return static_cast<std::uint8_t>((left + up) / 2);
      case 4:
        return paeth(left, up, corner);
      default:
        return 0;
    }
  }
  std::string trial_, best_;
};

std::string compress_area(const Image& image, int x, int y, int width, int height) {
  const std::size_t bytes = static_cast<std::size_t>(width) * 3;
  std::string filtered;
  filtered.reserve((bytes + 1) * static_cast<std::size_t>(height));
  RowFilter filter;
  for (int row = y; row < y + height; ++row)
    filter.append_best(filtered, image.at(x, row), row > y ? image.at(x, row - 1) : nullptr, bytes);
  uLongf size = compressBound(filtered.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(filtered.data()), filtered.size(), 6);
  out.resize(size);
  return out;
}

// A duration as a fraction of 16-bit numbers: exact for 1/n s, else the best decimal fraction that
// fits.
struct Delay {
  std::uint32_t numerator, denominator;
};
Delay delay_fraction(double seconds) {
  const double rate = std::round(1 / std::max(seconds, 1e-4));
  if (rate >= 1 && std::abs(seconds * rate - 1) < 1e-6)
    return {1, static_cast<std::uint32_t>(rate)};
  std::uint32_t denominator = 10000;
  while (seconds * denominator > 65535 && denominator > 1) denominator /= 10;
  const double numerator = std::round(std::clamp(seconds * denominator, 0.0, 65535.0));
  return {static_cast<std::uint32_t>(numerator), denominator};
}

}  // namespace

AnimatedPng::AnimatedPng(const std::string& path, int width, int height, int frames)
    : path_(path), file_(path), frames_(frames), previous_(width, height) {
  file_.write(std::string_view("\x89PNG\r\n\x1a\n", 8));
  std::string header;
  append_u32(header, static_cast<std::uint32_t>(width));
  append_u32(header, static_cast<std::uint32_t>(height));
  header +=
      std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, deflate, filtered, not interlaced
  write_chunk(file_, "IHDR", header);
  std::string animation;
  append_u32(animation, static_cast<std::uint32_t>(frames));
  append_u32(animation, 0);  // repeat for ever
  write_chunk(file_, "acTL", animation);
}

void AnimatedPng::add(const Image& image, double seconds) {
  if (image.width != previous_.width || image.height != previous_.height || added_ == frames_)
    throw Error(ErrorKind::io, "cannot write '{}': frame {} does not fit the announced {} of {}x{}",
                path_, added_, frames_, previous_.width, previous_.height);
  const Rectangle area =
      added_ == 0 ? Rectangle{0, 0, image.width, image.height} : changed_rectangle(image);
  write_frame_control(area, seconds);
  std::string data;
  if (added_ > 0) append_u32(data, sequence_++);
  data += compress_area(image, area.x, area.y, area.width, area.height);
  write_chunk(file_, added_ == 0 ? "IDAT" : "fdAT", data);
  previous_ = image;
  ++added_;
}

void AnimatedPng::finish() {
  if (added_ != frames_)
    throw Error(ErrorKind::io, "cannot write '{}': {} of {} frames were added", path_, added_,
                frames_);
  write_chunk(file_, "IEND", "");
  file_.close();
}

// The smallest rectangle outside which `image` equals the previous frame; one pixel if the images
// are equal.
AnimatedPng::Rectangle AnimatedPng::changed_rectangle(const Image& image) const {
  const std::size_t row_bytes = image.row_bytes();
  int left = image.width, right = -1, top = -1, bottom = -1;
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* now = image.at(0, y);
    const std::uint8_t* before = previous_.at(0, y);
    if (std::memcmp(now, before, row_bytes) == 0) continue;
    if (top < 0) top = y;
    bottom = y;
    const auto first = std::mismatch(now, now + row_bytes, before).first - now;
    std::size_t last = row_bytes - 1;
    while (now[last] == before[last]) --last;
    left = std::min(left, static_cast<int>(first / 3));
    right = std::max(right, static_cast<int>(last / 3));
  }
  if (bottom < 0) return {0, 0, 1, 1};
  return {left, top, right - left + 1, bottom - top + 1};
}

void AnimatedPng::write_frame_control(const Rectangle& area, double seconds) {
  std::string control;
  append_u32(control, sequence_++);
  for (const int value : {area.width, area.height, area.x, area.y})
    append_u32(control, static_cast<std::uint32_t>(value));
  const Delay delay = delay_fraction(seconds);
  append_u16(control, delay.numerator);
  append_u16(control, delay.denominator);
  control += std::string(2, '\0');  // leave the frame in place; replace what is under the next
  write_chunk(file_, "fcTL", control);
}

}  // namespace panta
