// Rays through solids that are given by their signed distance.
//
// A ray is followed in steps of most of the distance to the surface (blends may overstate it), a
// change of sign in a step is a crossing. For a whole picture the walk is first done for tiles of
// pixels: while the distance at a tile's middle exceeds the tile's width there, none of its rays
// has touched the solid, and each can start from there; most tiles miss it altogether.
#pragma once

#include <vector>

#include "panta/geometry/shape.h"
#include "panta/render/camera.h"

namespace panta {

// A box around the solid's surface, tighter than what its parts promise. Of a bounded solid.
Bounds surface_bounds(const Shape& shape);

// Follows one ray from crossing to crossing.
class SurfaceWalk {
 public:
  SurfaceWalk(const Shape& shape, const View::Ray& ray, float from, float to, float accuracy);

  bool starts_inside() const { return starts_inside_; }

  // Goes on to the next crossing; false if there is none.
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

// A solid and a ball around it.
struct Prop {
  Shape shape;
  Vec3 center;
  float radius = 0;
};

// A solid made ready for all rays of a view.
class TracedSolid {
 public:
  TracedSolid(const Prop& prop, const View& view, int threads);

  // Depth where the pixel's ray first meets the solid, infinite if it misses.
  float first_hit(int x, int y, const View::Ray& ray) const;

  // Calls visit(depth) at the crossings nearer than `limit`, in order.
  template <class Visit>
  void each_crossing(int x, int y, const View::Ray& ray, float limit, const Visit& visit) const {
    const Span span = span_of(x, y, ray);
    if (!(span.from < span.to)) return;
    SurfaceWalk walk(prop_.shape, ray, span.from, std::min(span.to, limit), accuracy_);
    while (walk.next()) visit(walk.depth());
  }

  const Shape& shape() const { return prop_.shape; }

 private:
  struct Span {
    float from, to;  // depths between which the ray may meet the solid
  };
  Span through_ball(const View::Ray& ray, float radius) const;
  Span span_of(int x, int y, const View::Ray& ray) const;
  float tile_start(const View& view, int x, int y) const;

  Prop prop_;
  float accuracy_;
  int tiles_across_;
  std::vector<float> start_;  // of each tile, infinite where it misses
};

std::vector<TracedSolid> trace_all(const std::vector<Prop>& props, const View& view, int threads);

}  // namespace panta
