// Ground from heights on a regular grid, as a closed solid.
#pragma once

#include <string>
#include <vector>

#include "panta/geometry/triangle_mesh.h"

namespace panta {

struct HeightImage {
  int columns = 0, rows = 0;
  std::vector<float> heights;  // 0 (black) to 1 (white), row after row from the top
};

// A PNG of 8 or 16 bits per channel, without gamma correction; colours become grey. Error(io).
HeightImage read_height_image(const std::string& path);

// The solid between the plane y = bottom and the surface y = height on a grid of columns along x by
// rows along z from min_corner to max_corner; column fastest. Error(usage) if the numbers are
// inconsistent or a height is not above the bottom.
TriangleMesh height_field_mesh(const std::vector<float>& heights, int columns, int rows,
                               const Vec3& min_corner, const Vec3& max_corner, float bottom);

}  // namespace panta
