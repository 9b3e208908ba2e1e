#include "panta/render/stage.h"

#include <cmath>

#include "panta/frame/body_places.h"
#include "panta/geometry/bounds.h"
#include "panta/render/outline.h"

namespace panta {

namespace {

constexpr float drawn_radius = 0.6f;          // of a particle, in spacings
constexpr float largest_empty_share = 3.0f;   // a domain wider than this times its fluid is cropped
constexpr float largest_body_share = 10.0f;   // a wider body is shown near the fluid only
constexpr float largest_drawn_share = 20.0f;  // a shape wider than this times the picture is cut
constexpr float finest_shadow = 0.0025f;      // of the extent's diagonal

// 1, 2 or 5 times a power of ten near `length`.
float round_length(float length) {
  const float power = std::pow(10.0f, std::floor(std::log10(std::max(length, 1e-6f))));
  const float factor = length / power;
  return power * (factor < 1.5f ? 1.0f : factor < 3.5f ? 2.0f : factor < 7.5f ? 5.0f : 10.0f);
}

Bounds grown(const Bounds& box, float by) {
  const Vec3 margin = Vec3{1, 1, 1} * by;
  return {box.min - margin, box.max + margin};
}

Bounds shared(const Bounds& a, const Bounds& b) {
  Bounds both;
  for (int k = 0; k < 3; ++k) {
    both.min[k] = std::max(a.min[k], b.min[k]);
    both.max[k] = std::min(a.max[k], b.max[k]);
    if (both.min[k] > both.max[k]) return {};
  }
  return both;
}

// The poses of a body at sampled times of the run, or in its frames; empty: its pose in the scene.
std::vector<Placement> places_of(const Body& body, int free_number, double duration,
                                 BodyTrack free) {
  constexpr int moments = 64;
  std::vector<Placement> places;
  for (const std::vector<BodyPose>& frame : free)
    if (const BodyPose* pose = pose_in(frame, free_number))
      places.push_back({pose->position, pose->rotation});
  if (body.motion.moves())
    for (int k = 0; k <= moments; ++k)
      places.push_back(place_at(body.motion, duration * k / moments));
  return places;
}

// The bounding box of a moving box.
Bounds swept(const Bounds& box, const std::vector<Placement>& places) {
  if (places.empty()) return box;
  Bounds all;
  for (const Placement& there : places)
    for (int corner = 0; corner < 8; ++corner)
      all.include(rotation(there.rotation) * box.corner(corner) + to_float(there.position));
  return all;
}

bool is_bounded(const Shape& shape) { return shape_bounds(shape).finite(); }

bool is_unbounded_primitive(const Shape& shape) { return shape.primitive() && !is_bounded(shape); }

Look resolved_look(const Body& body) {
  if (body.look != Look::automatic) return body.look;
  return body.hollow || is_unbounded_primitive(body.shape) ? Look::outline : Look::solid;
}

// In two dimensions bodies are as thin as the layer of particles.
Shape drawn_shape(const Shape& shape, int dimensions, float depth) {
  constexpr float far = 1e6f;
  if (dimensions == 3) return shape;
  return intersect(shape, Shape::box({-far, -far, -depth}, {far, far, depth}));
}

// Infinite or very large shapes are cut to the region around the picture. Shapes without an outline
// are drawn as glass instead.
StageBody staged(const Body& body, const Shape& shape, const Bounds& extent) {
  StageBody out{{body.shape, {}, 0}, body.motion, resolved_look(body), body.hollow, body.color};
  if (out.look == Look::outline) {
    if (is_unbounded_primitive(body.shape) || !shape_outline(body.shape, extent).empty())
      return out;
    out.look = Look::glass;
  }
  out.drawn.shape = shape;
  if (body.color) out.drawn.color = from_scene_color(*body.color);
  const ShapeBounds all = shape_bounds(shape);
  if (!all.finite() || length(all.max - all.min) > largest_drawn_share * extent.diagonal()) {
    const Bounds cut = grown(extent, 0.25f * extent.diagonal());
    out.drawn.shape = intersect(shape, Shape::box(cut.min, cut.max));
  }
  const Bounds bounds = surface_bounds(out.drawn.shape);
  out.drawn.center = bounds.center();
  out.drawn.radius = 0.5f * bounds.diagonal();
  return out;
}

bool has_upright_walls(const Scene& scene) {
  if (!scene.has_domain) return false;
  for (const Side side : {minus_x, plus_x, plus_y, minus_z, plus_z})
    if (scene.domain.walls[side]) return true;
  return false;
}

// The region that the camera should show: the particles, and the domain and bodies if they are not
// much larger.
Bounds shown_extent(const Scene& scene, const Bounds& particles, float particle_radius,
                    BodyTrack free) {
  Bounds extent, vicinity;
  float fluid_size = std::numeric_limits<float>::infinity();
  if (!particles.empty()) {
    extent = grown(particles, particle_radius);
    fluid_size = extent.diagonal();
    vicinity = grown(extent, fluid_size);
  }
  const Bounds domain{to_float(scene.domain.min), to_float(scene.domain.max)};
  if (has_upright_walls(scene) && domain.diagonal() < largest_empty_share * fluid_size)
    extent.include(domain);
  const auto include = [&](const Body& body, int free_number) {
    if (body.hidden() || !is_bounded(body.shape)) return;
    const Shape shape = drawn_shape(body.shape, scene.dimensions, particle_radius);
    const Bounds bounds =
        swept(surface_bounds(shape), places_of(body, free_number, scene.duration, free));
    const bool is_huge = bounds.diagonal() > largest_body_share * fluid_size;
    const Bounds shown = is_huge ? shared(bounds, vicinity) : bounds;
    if (!shown.empty()) extent.include(shown);
  };
  const auto include_all = [&](const std::vector<Body>& bodies) {
    const std::vector<int> numbers = free_numbers(bodies);
    for (std::size_t k = 0; k < bodies.size(); ++k) include(bodies[k], numbers[k]);
  };
  include_all(scene.bodies);
  for (const Event& event : scene.events)
    if (event.changed) include_all(event.changed->bodies);
  if (extent.empty()) extent = {{-1, -1, -1}, {1, 1, 1}};
  if (scene.has_domain && scene.domain.walls[minus_y])
    extent.min.y = std::max(extent.min.y, domain.min.y);
  return extent;
}

StageSet make_set(double from, const Scene& scene, const Stage& stage) {
  StageSet set{from, {}};
  const std::vector<int> numbers = free_numbers(scene.bodies);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const Body& body = scene.bodies[k];
    if (body.hidden() || body.shape.empty()) continue;
    const Shape shape = drawn_shape(body.shape, scene.dimensions, stage.particle_radius);
    set.bodies.push_back(staged(body, shape, stage.extent));
    set.bodies.back().free_number = numbers[k];
  }
  return set;
}

}  // namespace

std::vector<Segment> domain_outline(const Scene& scene) {
  if (!has_upright_walls(scene)) return {};
  return box_outline({to_float(scene.domain.min), to_float(scene.domain.max)});
}

Stage make_stage(const Scene& scene, const Bounds& particles, BodyTrack free) {
  Stage stage;
  stage.particle_radius = drawn_radius * static_cast<float>(scene.spacing);
  stage.extent = shown_extent(scene, particles, stage.particle_radius, free);
  stage.sets.push_back(make_set(0, scene, stage));
  for (const Event& event : scene.events)
    if (event.changed) stage.sets.push_back(make_set(event.time, *event.changed, stage));
  for (const Solid& solid : scene.solids) {
    const Shape shape = drawn_shape(solid.shape, scene.dimensions, stage.particle_radius);
    Body body{solid.shape};
    body.look = solid.look;
    stage.free_solids.push_back(staged(body, shape, stage.extent));
  }
  stage.has_floor = scene.dimensions == 3 && scene.gravity.y < 0;
  stage.floor = stage.extent.min.y;
  stage.grid_step = round_length(stage.extent.diagonal() / 10);
  stage.detail = std::max(stage.particle_radius, finest_shadow * stage.extent.diagonal());
  return stage;
}

const StageSet& set_at(const Stage& stage, double time) {
  const StageSet* set = &stage.sets.front();
  for (const StageSet& later : stage.sets)
    if (later.from <= time) set = &later;
  return *set;
}

namespace {

DrawnBody placed(DrawnBody drawn, const Quat& turn, const Vec3& position) {
  drawn.shape = drawn.shape.rotated(turn).moved(position);
  drawn.center = rotation(turn) * drawn.center + position;
  return drawn;
}

void add(DrawnBody&& drawn, Look look, DrawnBodies& drawn_bodies) {
  auto& list = look == Look::solid   ? drawn_bodies.solid
               : look == Look::glass ? drawn_bodies.glass
                                     : drawn_bodies.outlined;
  list.push_back(std::move(drawn));
}

}  // namespace

Placement place_of(const StageBody& body, double time, std::span<const BodyPose> free) {
  return place_of(body.motion, body.free_number, time, free);
}

DrawnBodies drawn_bodies_at(const Stage& stage, double time, std::span<const BodyPose> free) {
  DrawnBodies drawn_bodies;
  for (const StageBody& body : set_at(stage, time).bodies) {
    if (!body.motion.moves() && body.free_number < 0) {
      add(DrawnBody(body.drawn), body.look, drawn_bodies);
      continue;
    }
    const Placement there = place_of(body, time, free);
    add(placed(body.drawn, there.rotation, to_float(there.position)), body.look, drawn_bodies);
  }
  return drawn_bodies;
}

void add_free_solids(const Stage& stage, const std::vector<PlacedSolid>& solids,
                     DrawnBodies& drawn_bodies) {
  for (const PlacedSolid& solid : solids) {
    const StageBody& body = stage.free_solids[solid.solid];
    DrawnBody drawn = placed(body.drawn, solid.rotation, solid.position);
    drawn.color = solid.color;
    add(std::move(drawn), body.look, drawn_bodies);
  }
}

void add_solids(const std::vector<DrawnBody>& solids, const View& view, SurfaceBuffer& buffer,
                int threads) {
  const std::vector<TracedSolid> traced = trace_all(solids, view, threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int y = 0; y < buffer.height; ++y) {
    for (std::size_t k = 0; k < traced.size(); ++k) {
      const PixelRange& pixels = traced[k].pixels();
      if (y < pixels.y0 || y >= pixels.y1) continue;
      for (int x = pixels.x0; x < pixels.x1; ++x) {
        const std::size_t at = buffer.index(x, y);
        const float depth = traced[k].first_hit(x, y, view.world_ray(x, y));
        if (depth < buffer.depth[at]) {
          buffer.depth[at] = depth;
          buffer.surface[at] = solid_surface(k);
        }
      }
    }
  }
}

void add_floor(const Stage& stage, const View& view, SurfaceBuffer& buffer, int threads) {
  if (!stage.has_floor) return;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int y = 0; y < buffer.height; ++y) {
    for (int x = 0; x < buffer.width; ++x) {
      const View::Ray ray = view.world_ray(x, y);
      const float depth = (stage.floor - ray.origin.y) / ray.direction.y;
      const std::size_t at = buffer.index(x, y);
      if (depth > 0 && depth < buffer.depth[at]) {
        buffer.depth[at] = depth;
        buffer.surface[at] = floor_surface;
      }
    }
  }
}

}  // namespace panta
