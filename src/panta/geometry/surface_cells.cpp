#include "panta/geometry/surface_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "panta/core/error_format.h"

namespace panta {

namespace {

constexpr int halvings = 4;  // from a block to a cell
constexpr double most_blocks = 5e6;

struct CellSearch {
  const DistanceFunction& distance;
  SurfaceCells found;

  void visit(const Vec3& centre, float half, int levels) {
    const float d = distance(centre).value;
    if (std::abs(d) > half * std::sqrt(3.0f)) {
      if (d < 0) found.inside_volume += std::pow(2.0 * half, 3);
      return;
    }
    if (levels == 0) {
      found.centre.push_back(centre);
      found.distance.push_back(d);
      return;
    }
    const float quarter = 0.5f * half;
    for (int child = 0; child < 8; ++child)
      visit(centre + Vec3{child & 1 ? quarter : -quarter, child & 2 ? quarter : -quarter,
                          child & 4 ? quarter : -quarter},
            quarter, levels - 1);
  }
};

}  // namespace

SurfaceCells find_surface_cells(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                                float size) {
  const float block = size * static_cast<float>(1 << halvings);
  std::array<int, 3> blocks;
  double all_blocks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double count = std::max(1.0, std::ceil((double{max[axis]} - double{min[axis]}) / block));
    all_blocks *= count;
    if (!(all_blocks <= most_blocks))
      throw Error(ErrorKind::usage,
                  "cells of {} m are too small for a solid of {} m; use a larger spacing", size,
                  max[axis] - min[axis]);
    blocks[static_cast<std::size_t>(axis)] = static_cast<int>(count);
  }
  const auto count = static_cast<int>(all_blocks);
  std::vector<SurfaceCells> parts(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic)
  for (int b = 0; b < count; ++b) {
    const int i = b % blocks[0], j = b / blocks[0] % blocks[1], k = b / blocks[0] / blocks[1];
    const Vec3 place{static_cast<float>(i) + 0.5f, static_cast<float>(j) + 0.5f,
                     static_cast<float>(k) + 0.5f};
    CellSearch search{distance, {}};
    search.visit(min + place * block, 0.5f * block, halvings);
    parts[static_cast<std::size_t>(b)] = std::move(search.found);
  }
  SurfaceCells cells;
  cells.size = size;
  for (const SurfaceCells& part : parts) {
    cells.inside_volume += part.inside_volume;
    cells.centre.insert(cells.centre.end(), part.centre.begin(), part.centre.end());
    cells.distance.insert(cells.distance.end(), part.distance.begin(), part.distance.end());
  }
  return cells;
}

double solid_volume(const SurfaceCells& cells) {
  double share = 0;
  for (const float d : cells.distance) share += std::clamp(0.5 - double{d} / cells.size, 0.0, 1.0);
  return cells.inside_volume + share * std::pow(double{cells.size}, 3);
}

}  // namespace panta
