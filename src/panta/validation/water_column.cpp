#include "panta/validation/water_column.h"

#include <algorithm>
#include <cmath>

namespace panta::validation {

double surface_level(std::vector<float> heights, double per_layer, double spacing) {
  const auto half_layer = static_cast<std::ptrdiff_t>(std::llround(per_layer) / 2);
  const auto middle = heights.end() - std::max<std::ptrdiff_t>(half_layer, 1);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle + spacing / 2;
}

LayerProfile layer_profile(const ParticleFrame& frame, double spacing, double height) {
  const std::size_t bins = static_cast<std::size_t>(height / spacing);
  std::vector<double> y(bins), pressure(bins), density(bins), n(bins);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const auto bin = static_cast<std::size_t>(frame.position()[i].y / spacing);
    if (bin >= bins) continue;
    y[bin] += frame.position()[i].y, ++n[bin];
    pressure[bin] += frame.pressure()[i], density[bin] += frame.density()[i];
  }
  LayerProfile profile;
  for (std::size_t b = 0; b < bins; ++b) {
    if (n[b] == 0) continue;
    profile.y.push_back(y[b] / n[b]);
    profile.pressure.push_back(pressure[b] / n[b]);
    profile.density.push_back(density[b] / n[b]);
  }
  return profile;
}

}  // namespace panta::validation
