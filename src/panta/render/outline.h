// Outlines of the domain and of bodies: thin anti-aliased lines that fade where surfaces hide them.
#pragma once

#include <vector>

#include "panta/geometry/shape.h"
#include "panta/render/sphere_raster.h"

namespace panta {

struct Segment {
  Vec3 from, to;
};

// Boxes as their edges; spheres, cylinders and cones as rings; planes as their intersection with
// the box `extent`. Other and composed shapes have no outline.
std::vector<Segment> shape_outline(const Shape& shape, const Bounds& extent);

std::vector<Segment> box_outline(const Bounds& box);

// Opacity of the lines in each pixel (0 to 1). Parts that lie more than `tolerance` behind the
// buffer's surfaces are drawn faintly.
std::vector<float> draw_lines(const View& view, const std::vector<Segment>& segments,
                              const SurfaceBuffer& buffer, float line_pixels, float tolerance);

}  // namespace panta
