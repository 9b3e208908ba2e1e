// Ray marching through solids that are given by their signed distance.
//
// A ray advances in steps of most of the distance to the surface (blends may overestimate it); a
// change of sign in a step is a crossing. For a whole picture the march is first done for tiles of
// pixels: while the distance at a tile's middle exceeds the tile's width there, none of its rays
// has touched the solid, so each ray can start there; most tiles miss the solid completely.
#pragma once

#include <vector>

#include "panta/geometry/shape.h"
#include "panta/render/camera.h"
#include "panta/render/color.h"

namespace panta {

// A box around the solid's surface, tighter than shape_bounds. For a bounded solid.
Bounds surface_bounds(const Shape& shape);

// The solid as a distance grid if it has so many parts that a lookup is faster than evaluation;
// edges become blunt by about a hundredth of its size. For a bounded solid.
Shape prepared_for_tracing(const Shape& shape);

// Follows one ray from crossing to crossing.
class SurfaceWalk {
 public:
  SurfaceWalk(const Shape& shape, const View::Ray& ray, float from, float to, float accuracy);

  bool starts_inside() const { return starts_inside_; }

  // Advances to the next crossing; false if there is none.
  bool next();
  float depth() const { return crossing_; }

 private:
  float value_at(float depth) const {
    return distance(shape_, ray_.origin + ray_.direction * depth).value;
  }

  const Shape& shape_;
  View::Ray ray_;
  float inverse_speed_;  // of depth per metre
  float depth_, last_, accuracy_;
  float value_;
  bool starts_inside_;
  float crossing_ = 0;
};

// A solid and its bounding ball.
struct DrawnBody {
  Shape shape;
  Vec3 center;
  float radius = 0;
  LinearColor color = {0.70f, 0.62f, 0.53f};  // if it is not glass
};

// A solid prepared for all rays of a view.
class TracedSolid {
 public:
  TracedSolid(const DrawnBody& drawn, const View& view, int threads);

  // Depth where the pixel's ray first meets the solid, infinite if it misses.
  float first_hit(int x, int y, const View::Ray& ray) const;

  // Calls visit(depth) at the crossings nearer than `limit`, in order.
  template <class Visit>
  void each_crossing(int x, int y, const View::Ray& ray, float limit, const Visit& visit) const {
    const Span span = span_of(x, y, ray);
    if (!(span.from < span.to)) return;
    SurfaceWalk walk(body_.shape, ray, span.from, std::min(span.to, limit), accuracy_);
    while (walk.next()) visit(walk.depth());
  }

  const Shape& shape() const { return body_.shape; }
  const PixelRange& pixels() const { return pixels_; }  // that may show it

 private:
  struct Span {
    float from, to;  // depths between which the ray may meet the solid
  };
  Span through_ball(const View::Ray& ray, float radius) const;
  Span span_of(int x, int y, const View::Ray& ray) const;
  float tile_start(const View& view, int x, int y) const;

  DrawnBody body_;
  float accuracy_;
  PixelRange pixels_;  // whole tiles, within the picture
  int tiles_across_ = 0;
  std::vector<float> start_;  // by tile, infinite if it misses the solid
};

std::vector<TracedSolid> trace_all(const std::vector<DrawnBody>& drawn_bodies, const View& view,
                                   int threads);

}  // namespace panta
