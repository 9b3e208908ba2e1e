#include "panta/surface/run_surfaces.h"

#include <map>
#include <set>

#include "panta/core/error_format.h"
#include "panta/core/scalar_math.h"
#include "panta/frame/particle_frame.h"
#include "panta/frame/particle_objects.h"
#include "panta/scene/scene.h"
#include "panta/surface/clamp_to_solids.h"
#include "panta/surface/clean_mesh.h"
#include "panta/surface/finish_mesh.h"
#include "panta/surface/mesh_attributes.h"
#include "panta/surface/mesh_normals.h"

namespace panta {

namespace {

constexpr float lowest_triangle = 1e-4f;  // cells: after settling, lower triangles are removed
constexpr float attribute_radius = 2;     // spacings over which particles' velocities are averaged

bool all_finite(const Vec3& x) { return is_finite(x.x) && is_finite(x.y) && is_finite(x.z); }

void add_liquids(const Scene& scene, std::set<std::uint32_t>& found) {
  const auto add = [&](int material) {
    const auto phase = static_cast<std::uint32_t>(material);
    if (is_liquid(scene, phase)) found.insert(phase);
  };
  for (const Fluid& fluid : scene.fluids) add(fluid.material);
  for (const Emitter& emitter : scene.emitters) add(emitter.material);
  for (const Event& event : scene.events)
    for (const Fluid& fluid : event.added) add(fluid.material);
}

}  // namespace

RunSurfaceOptions wanted_surface(const Scene& scene) {
  const SurfaceOutput wanted = scene.surface_output.value_or(SurfaceOutput{});
  RunSurfaceOptions options;
  options.surface.method = wanted.method;
  options.surface.cell = wanted.cell;
  options.smoothing_passes = wanted.smooth;
  return options;
}

bool is_liquid(const Scene& scene, std::uint32_t phase) {
  return scene.materials[phase].kind == MaterialKind::liquid;
}

std::vector<std::uint32_t> liquids_of(const Scene& scene) {
  std::set<std::uint32_t> found;
  add_liquids(scene, found);
  for (const Event& event : scene.events)
    if (event.changed) add_liquids(*event.changed, found);
  return {found.begin(), found.end()};
}

class RunSurfaces::Maker {
 public:
  Maker(const Scene& scene, const RunSurfaceOptions& options);
  // Shares the immutable data of `other`.
  explicit Maker(const Maker& other) : Maker(other.scene_, other.options_, other.solids_) {}

  std::vector<LiquidSurface> make(const ParticleFrame& frame, std::span<const float> values);
  std::size_t left_out() const { return left_out_; }

 private:
  // The solids from a time on; events may change them.
  struct SolidSet {
    double from = 0;
    SolidClamp clamp;
  };

  Maker(const Scene& scene, const RunSurfaceOptions& options,
        std::shared_ptr<const std::vector<SolidSet>> solids);
  std::map<std::uint32_t, LiquidParticles> split(const ParticleFrame& frame,
                                                 std::span<const float> values);
  SurfaceMesh make_mesh(std::uint32_t phase, const LiquidParticles& liquid,
                        const ParticleFrame& frame);
  void finish(SurfaceMesh& mesh, const ParticleFrame& frame) const;
  const SolidClamp* solids_at(double time) const;  // null: there are none

  const Scene& scene_;
  RunSurfaceOptions options_;
  std::shared_ptr<const std::vector<SolidSet>> solids_;
  std::map<std::uint32_t, Reconstruction> reconstructions_;
  std::size_t left_out_ = 0;
};

RunSurfaces::Maker::Maker(const Scene& scene, const RunSurfaceOptions& options,
                          std::shared_ptr<const std::vector<SolidSet>> solids)
    : scene_(scene), options_(options), solids_(std::move(solids)) {
  for (const std::uint32_t phase : liquids_of(scene))
    reconstructions_.try_emplace(phase, options.surface);
}

RunSurfaces::Maker::Maker(const Scene& scene, const RunSurfaceOptions& options)
    : Maker(scene, options, nullptr) {
  auto solids = std::make_shared<std::vector<SolidSet>>();
  if (options.flat_at_walls) {
    solids->push_back({0, SolidClamp(scene)});
    for (const Event& event : scene.events)
      if (event.changed) solids->push_back({event.time, SolidClamp(*event.changed)});
  }
  solids_ = std::move(solids);
}

// A frame at the time of an event contains the state before the event.
const SolidClamp* RunSurfaces::Maker::solids_at(double time) const {
  const SolidClamp* found = nullptr;
  for (const SolidSet& set : *solids_)
    if (!found || set.from < time) found = &set.clamp;
  return found && !found->empty() ? found : nullptr;
}

std::map<std::uint32_t, LiquidParticles> RunSurfaces::Maker::split(const ParticleFrame& frame,
                                                                   std::span<const float> values) {
  std::map<std::uint32_t, LiquidParticles> liquids;
  for (const std::uint32_t phase : liquids_of(scene_)) liquids[phase];
  const ParticleSizes::DefaultSizes usual(scene_);
  const ParticleSizes sizes(frame, usual);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (frame.phase()[i] >= scene_.materials.size())
      throw Error(ErrorKind::io, "particle {} is of material number {}, the scene has {}",
                  frame.id()[i], frame.phase()[i], scene_.materials.size());
    if (!is_liquid(scene_, frame.phase()[i])) continue;
    if (!all_finite(frame.position()[i]) || !all_finite(frame.velocity()[i])) {
      ++left_out_;
      continue;
    }
    LiquidParticles& liquid = liquids[frame.phase()[i]];
    liquid.position.push_back(frame.position()[i]);
    liquid.velocity.push_back(frame.velocity()[i]);
    if (!values.empty()) liquid.value.push_back(values[i]);
    if (!sizes.all_equal()) liquid.size.push_back(sizes[i]);
  }
  return liquids;
}

void RunSurfaces::Maker::finish(SurfaceMesh& mesh, const ParticleFrame& frame) const {
  const int threads = options_.surface.threads;
  FinishOptions finish;
  finish.cell = options_.surface.cell * static_cast<float>(scene_.spacing);
  finish.min_component_triangles = options_.min_component_triangles;
  finish.smoothing_passes = options_.smoothing_passes;
  finish.keep_triangles = options_.keep_triangles;
  finish.threads = threads;
  const SolidClamp* solids = solids_at(frame.time);
  if (!solids) return finish_mesh(mesh, finish);

  ClampOptions clamp;
  clamp.overlap = options_.wall_overlap;
  clamp.threads = threads;
  const auto normals = [&](const VertexRings& rings, NormalWeights weights) {
    return vertex_normals(mesh.position, mesh.triangles, rings, weights, threads);
  };
  const auto rings = [&] { return vertex_rings(mesh.triangles, mesh.position.size(), threads); };
  std::vector<float> mobility =
      solids->move(mesh, normals(rings(), NormalWeights::area), frame.time, clamp, frame.bodies);
  for (float& share : mobility) share = 1 - share;
  finish.normals = false;
  finish_mesh(mesh, finish, mobility);
  VertexRings finished = rings();
  solids->settle(mesh, normals(finished, NormalWeights::area), frame.time, clamp, frame.bodies);
  if (remove_flat_triangles(mesh, lowest_triangle * finish.cell, threads)) finished = rings();
  mesh.normal = normals(finished, NormalWeights::sphere);
}

SurfaceMesh RunSurfaces::Maker::make_mesh(std::uint32_t phase, const LiquidParticles& liquid,
                                          const ParticleFrame& frame) {
  Reconstruction& reconstruction =
      reconstructions_.try_emplace(phase, options_.surface).first->second;
  const auto spacing = static_cast<float>(scene_.spacing);
  SurfaceMesh mesh = reconstruction.make({liquid.position, liquid.velocity, spacing, liquid.size});
  left_out_ += reconstruction.left_out();
  if (mesh.empty()) return {};
  finish(mesh, frame);
  interpolate_attributes(mesh, liquid.position, liquid.velocity, liquid.value,
                         attribute_radius * spacing, options_.surface.threads);
  return mesh;
}

std::vector<LiquidSurface> RunSurfaces::Maker::make(const ParticleFrame& frame,
                                                    std::span<const float> values) {
  left_out_ = 0;
  std::vector<LiquidSurface> surfaces;
  for (auto& [phase, liquid] : split(frame, values)) {
    SurfaceMesh mesh = make_mesh(phase, liquid, frame);
    surfaces.push_back({phase, std::move(mesh), std::move(liquid)});
  }
  return surfaces;
}

RunSurfaces::RunSurfaces(const Scene& scene, const RunSurfaceOptions& options)
    : maker_(std::make_unique<Maker>(scene, options)) {}

RunSurfaces::RunSurfaces(std::unique_ptr<Maker> maker) : maker_(std::move(maker)) {}
RunSurfaces::~RunSurfaces() = default;
RunSurfaces::RunSurfaces(RunSurfaces&&) noexcept = default;

RunSurfaces RunSurfaces::another() const { return RunSurfaces(std::make_unique<Maker>(*maker_)); }

std::vector<LiquidSurface> RunSurfaces::make(const ParticleFrame& frame,
                                             std::span<const float> values) {
  return maker_->make(frame, values);
}

std::size_t RunSurfaces::left_out() const { return maker_->left_out(); }

}  // namespace panta
