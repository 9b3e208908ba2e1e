// Fills fluids with particles, which together have the volume of the fluid's shape.
//
// Boxes are filled with a lattice that is stretched to fit (fluid_lattice.h). Other shapes take the
// points of a regular lattice of pitch `spacing`, a number that fits their volume
// (geometry/sample_volume.h). Particles inside bodies are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "panta/scene/fluid_lattice.h"

namespace panta {

struct SampledParticles {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<std::uint32_t> phase;   // index into Scene::materials
  std::vector<std::uint32_t> object;  // index over fluids, emitters, then solids with their copies
  std::size_t size() const { return position.size(); }
};

// Least distance in spacings between particles of fluids and solids, and of fluids that are added
// to a running simulation.
inline constexpr double least_separation = 0.75;

// Approximate initial number of particles, without sampling; bodies are ignored.
double estimate_particles(const Scene& scene);

// Particles of fluids that are added to a running simulation; those too close to existing particles
// are skipped. Moving bodies are at their poses at `time`. Objects are numbered from 0.
SampledParticles sample_added(const Scene& scene, const std::vector<Fluid>& fluids,
                              const std::vector<Vec3>& present, double time);

// Whether a fluid's particle may start at this position.
using IsFree = std::function<bool(const Vec3&)>;

// All particles of the scene's fluids, fluid by fluid, x fastest, at free positions; without
// `is_free` everywhere outside bodies. Fluids may share a boundary; of two particles closer than
// half a spacing there the second is removed. Throws Error(usage) for fluids that overlap or
// contain no particle.
SampledParticles sample_fluids(const Scene& scene, const IsFree& is_free = {});

}  // namespace panta
