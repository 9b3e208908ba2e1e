#include "panta/io/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "panta/core/file.h"
#include "panta/io/xml.h"

namespace panta {

namespace {

constexpr std::array<const char*, 7> palette = {"#1f6fb4", "#d1583c", "#2f9e6e", "#8a5fb8",
                                                "#c79a1e", "#3aa6b9", "#b0457e"};
constexpr const char* ink = "#2b2f36";
constexpr const char* reference_ink = "#3c4048";

// One axis: data values to pixels, with its ticks.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double pixel_low, double pixel_high)
      : log_(logarithmic), pixel_low_(pixel_low), pixel_high_(pixel_high) {
    if (!(low <= high)) low = high = scale(1);
    const double padding = high > low ? 0.04 * (high - low) : std::max(0.5, 0.1 * std::abs(low));
    low_ = low - padding;
    high_ = high + padding;
    step_ = log_ ? std::max(1.0, std::round((high_ - low_) / 6)) : nice_step((high_ - low_) / 6);
  }

  double scale(double value) const { return log_ ? std::log10(value) : value; }
  bool shows(double value) const { return std::isfinite(scale(value)); }
  double pixel(double value) const { return pixel_of_scaled(scale(value)); }

  struct Tick {
    double pixel;
    std::string label;
  };
  std::vector<Tick> ticks() const {
    std::vector<Tick> out;
    const bool few_decades = log_ && high_ - low_ < 2.5;
    const auto first = static_cast<std::int64_t>(std::floor(low_ / step_));
    const auto last = static_cast<std::int64_t>(std::ceil(high_ / step_));
    for (std::int64_t k = first; k <= last; ++k) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor > 1 && !few_decades) break;
        const double at = static_cast<double>(k) * step_ + (log_ ? std::log10(factor) : 0);
        const double rounding = 1e-9 * (high_ - low_);
        if (at < low_ - rounding || at > high_ + rounding) continue;
        out.push_back({pixel_of_scaled(at), fmt::format("{:.4g}", log_ ? std::pow(10.0, at) : at)});
      }
    }
    return out;
  }

 private:
  // 1, 2 or 5 times a power of ten, at least `rough`.
  static double nice_step(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    return 10 * power;
  }
  double pixel_of_scaled(double scaled) const {
    return pixel_low_ + (scaled - low_) / (high_ - low_) * (pixel_high_ - pixel_low_);
  }

  bool log_;
  double pixel_low_, pixel_high_;
  double low_ = 0, high_ = 1;  // scaled
  double step_ = 1;
};

struct Range {
  double low = INFINITY, high = -INFINITY;
};

Range scaled_range(const Plot& plot, std::vector<double> Series::*values, bool logarithmic) {
  Range range;
  for (const Series& series : plot.series) {
    for (const double value : series.*values) {
      const double scaled = logarithmic ? std::log10(value) : value;
      if (!std::isfinite(scaled)) continue;
      range.low = std::min(range.low, scaled);
      range.high = std::max(range.high, scaled);
    }
  }
  return range;
}

bool has_line(SeriesStyle style) {
  return style == SeriesStyle::line || style == SeriesStyle::line_and_markers ||
         style == SeriesStyle::dashed;
}
bool has_markers(SeriesStyle style) {
  return style == SeriesStyle::markers || style == SeriesStyle::line_and_markers ||
         style == SeriesStyle::reference;
}

std::string text_element(double x, double y, const std::string& text, const char* anchor, int size,
                         const char* more = "") {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" "
      "fill=\"{}\"{}>{}</text>\n",
      x, y, anchor, size, ink, more, xml_escape(text));
}

class Painter {
 public:
  explicit Painter(const Plot& plot)
      : plot_(plot),
        left_(76),
        right_(plot.width - 24),
        top_(plot.title.empty() ? 22 : 50),
        bottom_(plot.height - 58),
        x_(make_axis(&Series::x, plot.x_log, left_, right_)),
        y_(make_axis(&Series::y, plot.y_log, bottom_, top_)) {}

  std::string paint() const {
    std::string svg = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        plot_.width, plot_.height);
    svg += frame();
    for (std::size_t k = 0; k < plot_.series.size(); ++k) svg += series(plot_.series[k], color(k));
    svg += legend();
    return svg + "</svg>\n";
  }

 private:
  struct Point {
    double x, y;
    bool shown;
  };

  Axis make_axis(std::vector<double> Series::*values, bool log, double from, double to) const {
    const Range range = scaled_range(plot_, values, log);
    return Axis(range.low, range.high, log, from, to);
  }

  const char* color(std::size_t k) const {
    return plot_.series[k].style == SeriesStyle::reference ? reference_ink
                                                           : palette[k % palette.size()];
  }

  std::vector<Point> points(const Series& series) const {
    std::vector<Point> out;
    for (std::size_t k = 0; k < std::min(series.x.size(), series.y.size()); ++k) {
      const bool shown = x_.shows(series.x[k]) && y_.shows(series.y[k]);
      out.push_back(shown ? Point{x_.pixel(series.x[k]), y_.pixel(series.y[k]), true}
                          : Point{0, 0, false});
    }
    return out;
  }

  // Grid, ticks, labels, title and the border.
  std::string frame() const {
    std::string svg;
    const auto grid_line = [&](double x1, double y1, double x2, double y2) {
      svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#e6e8ec\"/>\n", x1, y1,
                         x2, y2);
    };
    for (const Axis::Tick& tick : x_.ticks()) {
      grid_line(tick.pixel, top_, tick.pixel, bottom_);
      svg += text_element(tick.pixel, bottom_ + 19, tick.label, "middle", 12);
    }
    for (const Axis::Tick& tick : y_.ticks()) {
      grid_line(left_, tick.pixel, right_, tick.pixel);
      svg += text_element(left_ - 8, tick.pixel + 4, tick.label, "end", 12);
    }
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#8d939d\"/>\n",
        left_, top_, right_ - left_, bottom_ - top_);
    const double middle_x = (left_ + right_) / 2, middle_y = (top_ + bottom_) / 2;
    svg += text_element(middle_x, plot_.height - 16, plot_.x_label, "middle", 14);
    svg += text_element(
        0, 0, plot_.y_label, "middle", 14,
        fmt::format(" transform=\"translate(20 {:.1f}) rotate(-90)\"", middle_y).c_str());
    if (!plot_.title.empty())
      svg += text_element(middle_x, 30, plot_.title, "middle", 17, " font-weight=\"600\"");
    return svg;
  }

  std::string line(const std::vector<Point>& line_points, SeriesStyle style,
                   const char* color) const {
    std::string path;
    bool pen_down = false;
    for (const Point& p : line_points) {
      if (p.shown) path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", p.x, p.y);
      pen_down = p.shown;
    }
    return fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" "
        "stroke-linejoin=\"round\"{}/>\n",
        path, color, style == SeriesStyle::dashed ? " stroke-dasharray=\"7 4\"" : "");
  }

  static std::string marker(double x, double y, SeriesStyle style, const char* color) {
    const bool open = style == SeriesStyle::reference;
    return fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"1.4\"/>\n",
        x, y, open ? 4.2 : 3.0, open ? "#ffffff" : color, color);
  }

  std::string series(const Series& series, const char* color) const {
    const std::vector<Point> drawn = points(series);
    std::string svg;
    if (has_line(series.style) && !drawn.empty()) svg += line(drawn, series.style, color);
    if (has_markers(series.style))
      for (const Point& p : drawn)
        if (p.shown) svg += marker(p.x, p.y, series.style, color);
    return svg;
  }

  struct Box {
    double x, y, width, height;
  };

  // The corner that hides the fewest points.
  Box legend_box() const {
    std::size_t longest = 0;
    for (const Series& series : plot_.series) longest = std::max(longest, series.name.size());
    const double width = 52 + 7.2 * static_cast<double>(longest);
    const double height = 10 + 20 * static_cast<double>(plot_.series.size());
    const double far_x = right_ - 10 - width, far_y = bottom_ - 10 - height;
    Box best{};
    std::size_t fewest = SIZE_MAX;
    for (const auto& [x, y] : {std::pair{far_x, top_ + 10}, std::pair{left_ + 10, top_ + 10},
                               std::pair{far_x, far_y}, std::pair{left_ + 10, far_y}}) {
      std::size_t hidden = 0;
      for (const Series& series : plot_.series)
        for (const Point& p : points(series))
          hidden += p.shown && p.x > x && p.x < x + width && p.y > y && p.y < y + height;
      if (hidden < fewest) {
        fewest = hidden;
        best = {x, y, width, height};
      }
    }
    return best;
  }

  std::string legend() const {
    if (plot_.series.empty()) return "";
    const Box box = legend_box();
    std::string svg = fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\" "
        "fill=\"#ffffff\" fill-opacity=\"0.86\" stroke=\"#d4d8de\"/>\n",
        box.x, box.y, box.width, box.height);
    for (std::size_t k = 0; k < plot_.series.size(); ++k) {
      const Series& series = plot_.series[k];
      const double y = box.y + 15 + 20 * static_cast<double>(k);
      if (has_line(series.style))
        svg += line({{box.x + 10, y, true}, {box.x + 36, y, true}}, series.style, color(k));
      if (has_markers(series.style)) svg += marker(box.x + 23, y, series.style, color(k));
      svg += text_element(box.x + 44, y + 4, series.name, "start", 12);
    }
    return svg;
  }

  const Plot& plot_;
  double left_, right_, top_, bottom_;
  Axis x_, y_;
};

}  // namespace

std::string svg_text(const Plot& plot) { return Painter(plot).paint(); }

void write_svg(const std::string& path, const Plot& plot) { write_text_file(path, svg_text(plot)); }

}  // namespace panta
