// Free solids filled with particles.
//
// A solid's lattice has the pitch `spacing` and stands in the frame of its shape; copies are turned
// and moved with their lattice, so that all have the same particles. A particle knows the signed
// distance to the surface of its solid at its own place and which way is out.
//
// The lattice is centred in the shape's bounds, along the sides of its first box or of the only
// primitive it consists of, else along the axes; what is thinner than a spacing keeps the layer
// through its middle. Particles are the points inside; of a shell those nearer to the surface than
// a spacing. In two dimensions there is one layer, at z = 0.
#pragma once

#include "panta/scene/sample.h"

namespace panta {

// One body: its particles are [first, first + count) of the arrays below.
struct SolidBody {
  int solid = 0;  // index into Scene::solids
  std::size_t first = 0, count = 0;
  Vec3 centre;  // of mass, where it starts
  Pose pose;    // from the frame of the solid's shape to where it starts
};

struct SolidParticles {
  SampledParticles particles;     // velocities with spin
  std::vector<SolidBody> bodies;  // solid after solid, copy after copy
  std::vector<Vec4> surface;      // unit vector outwards, as the body starts, and the signed
                                  // distance (m), negative inside
};

// Throws Error(usage) for a solid that holds no particle or stands in a wall.
SolidParticles sample_solids(const Scene& scene);

// About how many particles a solid's copies have together, without the work.
double estimate_solid_particles(const Scene& scene, const Solid& solid);

// The fluids' particles, then the solids', in the order of their ids at the start. Fluids leave out
// what is inside a solid or too close to one of its particles.
SampledParticles sample_scene(const Scene& scene, const SolidParticles& solids);
SampledParticles sample_scene(const Scene& scene);

}  // namespace panta
