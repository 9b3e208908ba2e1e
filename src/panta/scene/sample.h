// Fills fluids with particles: a regular lattice of pitch `spacing` per fluid, with a particle at
// the centre of each cell.
//
// The lattice is centred in the bounding box of the fluid's shape after that box is cut by the
// domain's walls and periods, so that a box whose sides are multiples of the spacing gets particles
// half a spacing from its faces. It takes every whole cell that fits the box and keeps those whose
// centre is in the shape and clear of all bodies; curved shapes in three dimensions keep a number
// that fits their volume (geometry/sample_volume.h). Along a periodic axis that a fluid fills, the
// lattice must continue across the border: its pitch is stretched slightly to divide the period; a
// larger stretch is an error. In two dimensions there is one layer, at z = 0.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "panta/geometry/bounds.h"
#include "panta/scene/scene.h"

namespace panta {

struct SampledParticles {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<std::uint32_t> phase;   // index into Scene::materials
  std::vector<std::uint32_t> object;  // index over fluids, emitters, then solids with their copies
  std::size_t size() const { return position.size(); }
};

struct Lattice {
  Vec3d first;  // the point with the smallest coordinates
  Vec3d pitch;
  std::array<std::int64_t, 3> count = {};  // points along each axis; all 0 outside the domain
  double fill = 1;  // approximate fraction of the points that lie in the shape

  Vec3 point(std::int64_t i, std::int64_t j, std::int64_t k) const;
  double estimated_points() const;
};

// Least distance in spacings between particles of fluids and solids, and of fluids that are added
// to a running simulation.
inline constexpr double least_separation = 0.75;

// The fraction of its bounds that a shape fills down to a depth below its surface (m), from coarse
// sampling.
inline constexpr double whole_depth = 1e30;
double fill_share(const Shape& shape, const ShapeBounds& bounds, int dimensions,
                  double depth = whole_depth);

// Throws Error(usage) if the spacing does not fit a periodic axis.
Lattice fluid_lattice(const Scene& scene, const Fluid& fluid);

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
