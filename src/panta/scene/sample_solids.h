// Fills free solids with particles.
//
// A solid's lattice has the pitch `spacing` and is fixed in the frame of its shape; copies are
// rotated and moved with their lattice, so that all have the same particles. A particle stores the
// signed distance from its position to the surface of its solid, and the outward direction.
//
// The lattice is centred in the shape's bounds, along the sides of its first box or of its only
// primitive, else along the axes; a part thinner than a spacing keeps the layer through its middle.
// Particles are the points inside; of a shell only those nearer to the surface than a spacing. In
// two dimensions there is one layer, at z = 0.
#pragma once

#include "panta/scene/sample.h"

namespace panta {

// One body: its particles are [first, first + count) of the arrays below.
struct SolidBody {
  int solid = 0;  // index into Scene::solids
  std::size_t first = 0, count = 0;
  Vec3 centre;  // of mass, initial position
  Pose pose;    // from the frame of the solid's shape to the initial pose
};

struct SolidParticles {
  SampledParticles particles;     // velocities include spin
  std::vector<SolidBody> bodies;  // solid by solid, copy by copy
  std::vector<Vec4> surface;      // outward unit vector at the start, and signed distance (m)
};

// Throws Error(usage) for a solid that contains no particle or overlaps a wall.
SolidParticles sample_solids(const Scene& scene);

// Approximate number of particles of all copies of a solid, without sampling.
double estimate_solid_particles(const Scene& scene, const Solid& solid);

// The fluids' particles, then the solids', in the order of their initial ids. Fluid particles
// inside a solid or too close to one of its particles are skipped.
SampledParticles sample_scene(const Scene& scene, const SolidParticles& solids);
SampledParticles sample_scene(const Scene& scene);

}  // namespace panta
