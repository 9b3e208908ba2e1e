// Fluids filled with particles: a regular lattice of pitch `spacing` per fluid, made of cells whose
// centres carry the particles.
//
// The lattice is centred in the bounding box of the fluid's shape after that box is cut by the
// domain's walls and periods, so that a box whose sides are multiples of the spacing gets particles
// half a spacing from its faces. It takes every whole cell that fits the box and keeps those whose
// centre is in the shape and clear of all bodies; curved shapes in three dimensions keep as many as
// their volume takes (geometry/sample_volume.h). Along a periodic axis that a fluid fills, the
// lattice must continue across the seam: its pitch is stretched a little to divide the period, and
// it is an error if that takes more than a little. In two dimensions there is one layer, at z = 0.
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
  std::vector<std::uint32_t> phase;  // index into Scene::materials
  std::vector<std::uint32_t>
      object;  // fluids, emitters, then solids with their copies are numbered
  std::size_t size() const { return position.size(); }
};

struct Lattice {
  Vec3d first;  // the point with the lowest coordinates
  Vec3d pitch;
  std::array<std::int64_t, 3> count = {};  // points along each axis; all 0 outside the domain
  double fill = 1;                         // share of the points that lie in the shape, about

  Vec3 point(std::int64_t i, std::int64_t j, std::int64_t k) const;
  double estimated_points() const;
};

// Spacings between particles of fluids and solids, and of fluids that join a running simulation.
inline constexpr double least_separation = 0.75;

// The share of its bounds that a shape fills down to a depth below its surface (m), from a coarse
// look.
inline constexpr double whole_depth = 1e30;
double fill_share(const Shape& shape, const ShapeBounds& bounds, int dimensions,
                  double depth = whole_depth);

// Throws Error(usage) where the spacing does not suit a periodic axis.
Lattice fluid_lattice(const Scene& scene, const Fluid& fluid);

// About how many particles the scene starts with, without the work; bodies are not considered.
double estimate_particles(const Scene& scene);

// Particles of fluids that join a running simulation: those that would come too close to one of the
// particles present are left out. `time` says where moving bodies are. Objects are numbered from 0.
SampledParticles sample_added(const Scene& scene, const std::vector<Fluid>& fluids,
                              const std::vector<Vec3>& present, double time);

// Whether a fluid's particle may start here.
using IsFree = std::function<bool(const Vec3&)>;

// All particles of the scene's fluids, fluid after fluid, x fastest, where it is free; without
// `is_free` everywhere outside bodies. Fluids may share a boundary; of two particles that would lie
// closer than half a spacing there the second is left out. Throws Error(usage) for fluids that
// overlap or hold no particle.
SampledParticles sample_fluids(const Scene& scene, const IsFree& is_free = {});

}  // namespace panta
