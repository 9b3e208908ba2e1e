// Picture files and plots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/io/apng.h"
#include "panta/io/png.h"
#include "panta/io/svg_plot.h"

namespace panta {
namespace {

using PictureFileTest = FileTest;

// --- pictures --------------------------------------------------------------------------------

Image test_image(int width, int height, int seed) {
  Image image(width, height, {10, 20, 30});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        image.at(x, y)[c] = static_cast<std::uint8_t>(x * 3 + y * 5 + c * 50 + seed);
  return image;
}

TEST_F(PictureFileTest, PngReadsBack) {
  const Image image = test_image(33, 17, 0);
  write_png(path("a.png"), image);
  const Image back = read_png(path("a.png"));
  EXPECT_EQ(back.width, 33);
  EXPECT_EQ(back.height, 17);
  EXPECT_EQ(back.rgb, image.rgb);
  write_text_file(path("bad.png"), "no picture");
  error_message(ErrorKind::io, [&] { read_png(path("bad.png")); });
}

struct Chunk {
  std::string type, data;
};

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + k));
  return value;
}

std::vector<Chunk> png_chunks(const std::string& bytes) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < bytes.size();) {
    const std::uint32_t length = big_endian(bytes, at);
    chunks.push_back({bytes.substr(at + 4, 4), bytes.substr(at + 8, length)});
    at += 12 + length;
  }
  return chunks;
}

TEST_F(PictureFileTest, AnimatedPngHoldsEveryFrame) {
  std::vector<Image> images = {test_image(20, 12, 0), test_image(20, 12, 7)};
  images.push_back(images[1]);  // nothing changes
  images.push_back(images[1]);
  images[3].at(4, 5)[1] ^= 1;  // one pixel changes
  AnimatedPng animation(path("a.png"), 20, 12, 4);
  for (const Image& image : images) animation.add(image, 1.0 / 60);
  animation.finish();

  // Viewers that do not know animation see the first frame; libpng checks its checksums.
  EXPECT_EQ(read_png(path("a.png")).rgb, images[0].rgb);

  std::vector<std::uint32_t> sequence;
  std::vector<std::string> controls;
  std::string order;
  for (const Chunk& chunk : png_chunks(read_binary_file(path("a.png")))) {
    order += chunk.type + " ";
    if (chunk.type == "acTL") {
      EXPECT_EQ(big_endian(chunk.data, 0), 4u);
    }
    if (chunk.type == "fcTL") controls.push_back(chunk.data);
    if (chunk.type == "fcTL" || chunk.type == "fdAT") sequence.push_back(big_endian(chunk.data, 0));
  }
  EXPECT_EQ(order, "IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT fcTL fdAT IEND ");
  for (std::uint32_t k = 0; k < sequence.size(); ++k) EXPECT_EQ(sequence[k], k);
  ASSERT_EQ(controls.size(), 4u);
  const auto area = [&](std::size_t frame) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t at = 4; at <= 16; at += 4) numbers.push_back(big_endian(controls[frame], at));
    return numbers;
  };
  EXPECT_EQ(area(0), (std::vector<std::uint32_t>{20, 12, 0, 0}));
  EXPECT_EQ(area(2), (std::vector<std::uint32_t>{1, 1, 0, 0}));
  EXPECT_EQ(area(3), (std::vector<std::uint32_t>{1, 1, 4, 5}));
  EXPECT_EQ(controls[0].substr(20, 4), std::string("\0\1\0\74", 4));  // 1/60 s
}

TEST_F(PictureFileTest, AnimatedPngChecksTheNumberOfFrames) {
  AnimatedPng animation(path("a.png"), 4, 4, 2);
  animation.add(Image(4, 4), 0.1);
  error_message(ErrorKind::io, [&] { animation.finish(); });
  error_message(ErrorKind::io, [&] { animation.add(Image(5, 4), 0.1); });
}

// --- plots -----------------------------------------------------------------------------------

// Every element is closed in order, and ampersands occur only in entities.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = xml.find("?>") + 2;
  while ((at = xml.find('<', at)) != std::string::npos) {
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end;
  }
  EXPECT_TRUE(open.empty());
  for (std::size_t k = xml.find('&'); k != std::string::npos; k = xml.find('&', k + 1)) {
    const std::string entity = xml.substr(k, xml.find(';', k) - k);
    EXPECT_TRUE(entity == "&amp" || entity == "&lt" || entity == "&gt" || entity == "&quot")
        << entity;
  }
}

TEST_F(PictureFileTest, SvgPlotIsWellFormed) {
  Plot plot;
  plot.title = "a < b & \"c\"";
  plot.x_label = "t [s]";
  plot.y_label = "x [m]";
  plot.series = {{"line", {0, 1, 2, 3}, {0, 1, NAN, 9}},
                 {"theory", {0, 3}, {0, 9}, SeriesStyle::dashed},
                 {"experiment", {0, 1, 2}, {0.1, 1.2, 3.8}, SeriesStyle::reference}};
  const std::string svg = svg_text(plot);
  expect_well_formed(svg);
  expect_contains(svg, "a &lt; b &amp; &quot;c&quot;");
  expect_contains(svg, "stroke-dasharray");
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  write_svg(path("a.svg"), plot);
  EXPECT_EQ(read_binary_file(path("a.svg")), svg);
}

TEST_F(PictureFileTest, SvgPlotHandlesInvalidData) {
  Plot plot;
  expect_well_formed(svg_text(plot));
  plot.series = {{"one point", {2}, {2}, SeriesStyle::markers}, {"empty", {}, {}}};
  expect_well_formed(svg_text(plot));
  plot.series = {{"convergence", {0.01, 0.1, 1}, {1e-6, 1e-3, 0}}};
  plot.x_log = plot.y_log = true;
  const std::string svg = svg_text(plot);
  expect_well_formed(svg);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace panta
