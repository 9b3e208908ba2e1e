// What stands around the particles in the pictures of a run: the solid bodies, where they are at a
// time, and the floor.
#pragma once

#include <vector>

#include "panta/render/free_matter.h"
#include "panta/render/outline.h"
#include "panta/render/sphere_raster.h"
#include "panta/render/trace.h"
#include "panta/scene/scene.h"

namespace panta {

// A body as it is drawn, where the scene puts it before it moves.
struct StageBody {
  Prop prop;
  Motion motion;
  Look look;    // not automatic
  bool hollow;  // its matter is around the shape
  std::optional<Vec3> color;
};

// The bodies from a time on: events may change them.
struct StageSet {
  double from = 0;
  std::vector<StageBody> bodies;
};

struct Stage {
  Bounds extent;  // what the camera should show
  std::vector<StageSet> sets;
  std::vector<StageBody> free_solids;  // as Scene::solids, each in the frame of its shape
  bool has_floor = false;
  float floor = 0;      // m, height
  float grid_step = 1;  // m, of the lines on the floor
  float particle_radius = 0.01f;
  float detail = 0.01f;  // m, over which shadows are soft
};

// Bodies where they are in one picture, by their look.
struct Props {
  std::vector<Prop> solid, glass, outlined;
};

// The edges of the domain where it has walls that stand; a floor alone shows where it is anyway.
std::vector<Segment> domain_outline(const Scene& scene);

Stage make_stage(const Scene& scene, const Bounds& particles);
const StageSet& set_at(const Stage& stage, double time);
Props props_at(const Stage& stage, double time);
void add_free_solids(const Stage& stage, const std::vector<PlacedSolid>& solids, Props& props);

// Codes for SurfaceBuffer::surface beyond the particles.
constexpr std::int32_t floor_surface = -2;
constexpr std::int32_t solid_surface(std::size_t k) { return -3 - static_cast<std::int32_t>(k); }
constexpr std::size_t solid_index(std::int32_t surface) {
  return static_cast<std::size_t>(-3 - surface);
}

// Put solids, or the floor, into the buffer where they are nearer than what it holds.
void add_solids(const std::vector<Prop>& solids, const View& view, SurfaceBuffer& buffer,
                int threads);
void add_floor(const Stage& stage, const View& view, SurfaceBuffer& buffer, int threads);

}  // namespace panta
