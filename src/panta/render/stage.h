// The static surroundings in the pictures of a run: bodies, at their poses at a time, and the
// floor.
#pragma once

#include <span>
#include <vector>

#include "panta/frame/body_pose.h"
#include "panta/render/free_matter.h"
#include "panta/render/outline.h"
#include "panta/render/sphere_raster.h"
#include "panta/render/trace.h"
#include "panta/scene/scene.h"

namespace panta {

// A body to draw, at its pose in the scene before it moves.
struct StageBody {
  DrawnBody drawn;
  Motion motion;
  Look look;    // resolved, never automatic
  bool hollow;  // its material is outside of the shape
  std::optional<Vec3> color;
  int free_number = -1;  // index among the scene's free bodies; -1: it is not free
};

// The bodies from a time on; events may change them.
struct StageSet {
  double from = 0;
  std::vector<StageBody> bodies;
};

struct Stage {
  Bounds extent;  // region that the camera should show
  std::vector<StageSet> sets;
  std::vector<StageBody> free_solids;  // as Scene::solids, each in the frame of its shape
  bool has_floor = false;
  float floor = 0;      // m, height
  float grid_step = 1;  // m, of the lines on the floor
  float particle_radius = 0.01f;
  float detail = 0.01f;  // m, length scale of soft shadows
};

// The bodies of one picture, at their poses, by their look.
struct DrawnBodies {
  std::vector<DrawnBody> solid, glass, outlined;
};

// The edges of the domain if it has upright walls; a floor alone needs no outline.
std::vector<Segment> domain_outline(const Scene& scene);

// `particles`: their extent over the run; `free`: the poses of its free bodies, frame by frame.
using BodyTrack = std::span<const std::vector<BodyPose>>;
Stage make_stage(const Scene& scene, const Bounds& particles, BodyTrack free = {});
const StageSet& set_at(const Stage& stage, double time);

// The pose of a body in a picture. `free`: the poses of the free bodies in the frame
// (ParticleFrame::bodies); if empty, they are at their poses in the scene.
Placement place_of(const StageBody& body, double time, std::span<const BodyPose> free);
DrawnBodies drawn_bodies_at(const Stage& stage, double time, std::span<const BodyPose> free = {});
void add_free_solids(const Stage& stage, const std::vector<PlacedSolid>& solids,
                     DrawnBodies& drawn_bodies);

// Codes for SurfaceBuffer::surface beyond the particles.
constexpr std::int32_t floor_surface = -2;
constexpr std::int32_t solid_surface(std::size_t k) { return -3 - static_cast<std::int32_t>(k); }
constexpr std::size_t solid_index(std::int32_t surface) {
  return static_cast<std::size_t>(-3 - surface);
}

// Draw solids, or the floor, into the buffer where they are nearer than its content.
void add_solids(const std::vector<DrawnBody>& solids, const View& view, SurfaceBuffer& buffer,
                int threads);
void add_floor(const Stage& stage, const View& view, SurfaceBuffer& buffer, int threads);

}  // namespace panta
