// Reaction of the wall forces on particles, for walls that are free bodies.
//
// For methods whose walls exert a pressure (SPH). The sum over the particles near a body is the
// integral of the pressure over the wetted surface, which includes buoyancy and drag. A method
// passes
//
//   struct Force {
//     PANTA_HD bool near(Index i) const;                        whether particle i is near a body
//     template <class Visit> PANTA_HD void each(Index i, const Visit& visit) const;
//   };
//
// visit(body, point, force on the particle in N) per surface, and visit.without_moment(body, force)
// for a force that does not turn the body.
//
// Sums go over fixed chunks of particles, then over chunks, as in coupling.h.
#pragma once

#include "panta/bodies/coupling.h"

namespace panta {

// One team per chunk.
template <class Force>
struct SumWallForces {
  Force force;
  const FreeBodyState* ends;
  int bodies;
  Index particles;
  StepGate gate;
  double* chunk_hits;
  BodySum* sums;  // by chunk and body; only of chunks with particles near a body

  template <class Team>
  PANTA_HD void operator()(Index chunk, const Team& team) const {
    const ParticleChunk part = ParticleChunk::of(chunk, particles);
    const double found =
        part.count_hits(team, gate, chunk_hits, [&](Index i) { return force.near(i); });
    if (!(found > 0)) return;
    for (int b = 0; b < bodies; ++b)
      part.sum_up(team, bodies, b, sums, [&](BodySum& sum, Index i) {
        if (force.near(i)) add(sum, b, i);
      });
  }

 private:
  // Adds the forces on one body.
  struct Adder {
    BodySum& sum;
    int body;
    Vec3d place;
    double dt;

    PANTA_HD void operator()(int b, const Vec3& point, const Vec3& newton) const {
      if (b != body) return;
      const Vec3d moment = cross(to_double(point) - place, to_double(newton) * dt);
      for (int axis = 0; axis < 3; ++axis) sum.value[3 + axis] += moment[axis];
      without_moment(b, newton);
      sum.value[6] += 1;
    }
    PANTA_HD void without_moment(int b, const Vec3& newton) const {
      if (b != body) return;
      for (int axis = 0; axis < 3; ++axis) sum.value[axis] += to_double(newton)[axis] * dt;
    }
  };

  PANTA_HD void add(BodySum& sum, int b, Index i) const {
    force.each(i, Adder{sum, b, ends[b].place, gate.state->dt});
  }
};

}  // namespace panta
