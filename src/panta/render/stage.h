// What stands around the particles in every picture of a run: the solid bodies and the floor.
#pragma once

#include <vector>

#include "panta/render/sphere_raster.h"
#include "panta/scene/scene.h"

namespace panta {

struct Stage {
  Bounds extent;              // what the camera should show
  std::vector<Shape> solids;  // bodies drawn as solid matter; the others are outlined only
  bool has_floor = false;
  float floor = 0;      // m, height
  float grid_step = 1;  // m, of the lines on the floor
  float particle_radius = 0.01f;
};

// Codes for SurfaceBuffer::surface beyond the particles.
constexpr std::int32_t floor_surface = -2;
constexpr std::int32_t solid_surface(std::size_t k) { return -3 - static_cast<std::int32_t>(k); }
constexpr std::size_t solid_index(std::int32_t surface) {
  return static_cast<std::size_t>(-3 - surface);
}

Stage make_stage(const Scene& scene, const Bounds& particles);

// Put the bodies, or the floor, into the buffer where they are nearer than what it holds.
void add_solids(const Stage& stage, const View& view, SurfaceBuffer& buffer, int threads);
void add_floor(const Stage& stage, const View& view, SurfaceBuffer& buffer, int threads);

}  // namespace panta
