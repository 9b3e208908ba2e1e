#include "panta/render/scene_geometry.h"

#include <omp.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "panta/geometry/shape_mesh.h"

namespace panta {

namespace {

constexpr float mesh_cells = 300;      // per extent of the picture
constexpr float free_mesh_cells = 96;  // per extent of a free solid
constexpr float hollow_wall = 0.012f;  // of walls around a hollow shape, relative to the extent
constexpr float glass_depth = 0.1f;    // of the extent: path until light has the glass's colour
constexpr float liquid_depth = 0.5f;   // the same of liquids
constexpr float darkest = 2e-3f;       // least transmission of a channel at that depth
constexpr float glass_index = 1.5f;
constexpr LinearColor glass_color = {0.80f, 0.93f, 0.88f};

// Muted, so that liquids are more prominent.
LinearColor solid_color(std::size_t k) {
  static constexpr std::array<Rgb, 6> colors = {{{218, 206, 192},
                                                 {164, 178, 192},
                                                 {196, 164, 140},
                                                 {176, 186, 164},
                                                 {206, 188, 146},
                                                 {184, 168, 182}}};
  return from_srgb(colors[k % colors.size()]);
}

// Absorption such that light has this colour after a path of `depth`.
Vec3 absorption_for(const LinearColor& color, float depth) {
  Vec3 absorption;
  for (int k = 0; k < 3; ++k)
    absorption[k] = -std::log(std::clamp(color[k], darkest, 1.0f)) / depth;
  return absorption;
}

// Limits the threads of parallel loops during its lifetime.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads) : before_(omp_get_max_threads()) {
    omp_set_num_threads(threads);
  }
  ~ThreadLimit() { omp_set_num_threads(before_); }

 private:
  int before_;
};

// Shapes without grids are equal if their programs are equal.
bool same_shape(const Shape& a, const Shape& b) {
  if (a.nodes().size() != b.nodes().size() || a.grids() != b.grids()) return false;
  return std::memcmp(a.nodes().data(), b.nodes().data(), a.nodes().size() * sizeof(ShapeNode)) == 0;
}

Vec3 turned(const Vec3& v, const Vec3& axis, float degrees) {
  return rotation(axis_angle(axis, degrees * std::numbers::pi_v<float> / 180)) * v;
}

}  // namespace

SceneGeometryMaker::SceneGeometryMaker(const Scene& scene, const Bounds& extent, int threads,
                                       BodyTrack free)
    : stage_(make_stage(scene, extent, free)), free_(scene) {
  const ThreadLimit limit(threads);
  for (const StageSet& set : stage_.sets) {
    SetDrawn all;
    for (std::size_t k = 0; k < set.bodies.size(); ++k) all.push_back(drawn(set.bodies[k], k));
    sets_.push_back(std::move(all));
  }
  for (const StageBody& solid : stage_.free_solids) free_meshes_.push_back(free_mesh(solid));
  domain_ = domain_outline(scene);
}

SceneGeometryMaker::Drawn SceneGeometryMaker::drawn(const StageBody& body, std::size_t k) const {
  Drawn out;
  if (body.look == Look::outline) return out;
  out.mesh = mesh_of(body);
  if (body.look == Look::glass)
    out.appearance = glass(body.color ? from_scene_color(*body.color) : glass_color);
  else
    out.appearance.color = body.color ? from_scene_color(*body.color) : solid_color(k);
  return out;
}

// The cell depends on the solid's own size, because all its copies share the mesh.
std::shared_ptr<const SurfaceMesh> SceneGeometryMaker::free_mesh(const StageBody& solid) const {
  if (solid.look == Look::outline || solid.look == Look::hidden) return nullptr;
  const float cell =
      std::min(stage_.extent.diagonal() / mesh_cells, 2 * solid.drawn.radius / free_mesh_cells);
  return std::make_shared<const SurfaceMesh>(mesh_shape(solid.drawn.shape, cell));
}

Appearance SceneGeometryMaker::glass(const LinearColor& color) const {
  return {Finish::clear,
          {},
          absorption_for(color, glass_depth * stage_.extent.diagonal()),
          glass_index};
}

// Many events do not change a body's shape: its mesh is then reused.
std::shared_ptr<const SurfaceMesh> SceneGeometryMaker::mesh_of(const StageBody& body) const {
  for (std::size_t set = 0; set < sets_.size(); ++set)
    for (std::size_t k = 0; k < sets_[set].size(); ++k) {
      const StageBody& earlier = stage_.sets[set].bodies[k];
      if (sets_[set][k].mesh && earlier.hollow == body.hollow && earlier.look == body.look &&
          same_shape(earlier.drawn.shape, body.drawn.shape))
        return sets_[set][k].mesh;
    }
  const float size = stage_.extent.diagonal();
  Shape shape = body.drawn.shape;
  if (body.look == Look::glass && body.hollow)
    shape = subtract(offset(shape, hollow_wall * size), shape);
  const float cell = std::max(size, 2 * body.drawn.radius) / mesh_cells;
  return std::make_shared<const SurfaceMesh>(mesh_shape(shape, cell));
}

SceneGeometry SceneGeometryMaker::at(double time, std::span<const BodyPose> free) const {
  const StageSet& set = set_at(stage_, time);
  const SetDrawn& all = sets_[static_cast<std::size_t>(&set - stage_.sets.data())];
  SceneGeometry geometry;
  geometry.lines = domain_;
  for (std::size_t k = 0; k < set.bodies.size(); ++k) {
    const Placement there = place_of(set.bodies[k], time, free);
    const Mat3 turn = rotation(there.rotation);
    const Vec3 position = to_float(there.position);
    if (all[k].mesh) {
      if (!all[k].mesh->empty())
        geometry.solids.push_back({all[k].mesh, turn, position, all[k].appearance});
      continue;
    }
    const Shape shape = set.bodies[k].drawn.shape.rotated(there.rotation).moved(position);
    const std::vector<Segment> outline = shape_outline(shape, stage_.extent);
    geometry.lines.insert(geometry.lines.end(), outline.begin(), outline.end());
  }
  return geometry;
}

SceneGeometry SceneGeometryMaker::at(const ParticleFrame& frame,
                                     const std::vector<LinearColor>& colors) const {
  SceneGeometry geometry = at(frame.time, frame.bodies);
  add_free_solids(frame, geometry);
  add_balls(frame, colors, geometry);
  return geometry;
}

void SceneGeometryMaker::add_free_solids(const ParticleFrame& frame,
                                         SceneGeometry& geometry) const {
  for (const PlacedSolid& solid : free_.solids(frame)) {
    const StageBody& body = stage_.free_solids[solid.solid];
    const std::shared_ptr<const SurfaceMesh>& mesh = free_meshes_[solid.solid];
    if (mesh) {
      Appearance look;
      look.color = solid.color;
      if (body.look == Look::glass) look = glass(solid.color);
      geometry.solids.push_back({mesh, rotation(solid.rotation), solid.position, look});
      continue;
    }
    const Shape shape = body.drawn.shape.rotated(solid.rotation).moved(solid.position);
    const std::vector<Segment> outline = shape_outline(shape, stage_.extent);
    geometry.lines.insert(geometry.lines.end(), outline.begin(), outline.end());
  }
}

void SceneGeometryMaker::add_balls(const ParticleFrame& frame,
                                   const std::vector<LinearColor>& colors,
                                   SceneGeometry& geometry) const {
  const FrameMatter matter(free_, frame);
  for (const ParticleRole role : {ParticleRole::grain, ParticleRole::lump}) {
    BallSet balls{{}, free_.radius(role), {}, Finish::matte};
    for (std::size_t k = 0; k < frame.size(); ++k) {
      if (matter.role(k) != role) continue;
      balls.center.push_back(frame.position()[k]);
      balls.color.push_back(colors.empty() ? matter.color(k) : colors[k]);
      balls.size.push_back(matter.size(k));
    }
    if (!balls.center.empty()) geometry.balls.push_back(std::move(balls));
  }
}

Appearance liquid_appearance(const Material& material, std::uint32_t phase, const Bounds& extent) {
  Appearance out;
  out.color = material.color ? from_scene_color(*material.color) : phase_color(phase);
  out.finish = material.clarity == Clarity::clear ? Finish::clear : Finish::glossy;
  out.refraction = static_cast<float>(material.refraction);
  const float depth = material.color_depth > 0 ? static_cast<float>(material.color_depth)
                                               : liquid_depth * extent.diagonal();
  out.absorption = absorption_for(out.color, std::max(depth, 1e-6f));
  return out;
}

namespace {

// A turntable keeps its distance: the largest that any view of the extent needs.
Camera turning_camera(const CameraSetup& setup, const Bounds& extent, int width, int height,
                      double time) {
  constexpr int sides = 12;
  const auto fitted = [&](float azimuth) {
    return frame_to_fit(extent, 3, width, height, {azimuth, setup.elevation, setup.fov});
  };
  float distance = 0;
  for (int k = 0; k < sides; ++k) {
    const Camera camera = fitted(360.0f * static_cast<float>(k) / sides);
    distance = std::max(distance, length(camera.eye - camera.target));
  }
  Camera camera = fitted(setup.azimuth + setup.turn * static_cast<float>(time));
  const Vec3 back = normalized(camera.eye - camera.target);
  camera.target = extent.center();
  camera.eye = camera.target + back * distance;
  return camera;
}

}  // namespace

Camera camera_at(const CameraSetup& setup, const Bounds& extent, int dimensions, int width,
                 int height, double time) {
  Camera camera = setup.turn != 0 && !setup.eye && dimensions == 3
                      ? turning_camera(setup, extent, width, height, time)
                      : frame_to_fit(extent, dimensions, width, height,
                                     {setup.azimuth, setup.elevation, setup.fov});
  const Vec3 target = setup.target.value_or(camera.target);
  if (dimensions == 2) {
    camera.eye += target - camera.target;
    camera.orthographic_height /= setup.zoom;
  } else if (setup.eye) {
    camera.eye =
        target + turned(*setup.eye - target, setup.up, setup.turn * static_cast<float>(time));
  } else {
    camera.eye = target + (camera.eye - camera.target) * (1 / setup.zoom);
  }
  camera.target = target;
  camera.up = setup.up;
  return camera;
}

}  // namespace panta
