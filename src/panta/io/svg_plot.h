// Line and scatter plots as SVG, for validation studies.
//
//   Plot plot{.title = "Dam break front", .x_label = "t [s]", .y_label = "x [m]"};
//   plot.series.push_back({"SPH", times, fronts});
//   plot.series.push_back({"experiment", data_t, data_x, SeriesStyle::reference});
//   write_svg("front.svg", plot);
#pragma once

#include <string>
#include <vector>

namespace panta {

enum class SeriesStyle {
  line,
  markers,  // filled dots
  line_and_markers,
  dashed,     // a theoretical curve
  reference,  // open circles: measured or published data
};

struct Series {
  std::string name = {};
  std::vector<double> x = {}, y = {};  // points that are not finite break the line
  SeriesStyle style = SeriesStyle::line;
};

struct Plot {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<Series> series = {};
  bool x_log = false, y_log = false;
  int width = 720, height = 480;
};

std::string svg_text(const Plot& plot);
void write_svg(const std::string& path, const Plot& plot);

}  // namespace panta
