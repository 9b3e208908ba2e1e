// Forces on particles that a program sets (column "force"), applied once per completed step:
// v += F dt / m.
#pragma once

#include "panta/core/field.h"
#include "panta/particles/particle_mass.h"
#include "panta/step/step_state.h"

namespace panta {

template <class D>
struct ApplyForces {
  StepGate gate;
  Field4View<D> velocity, force;
  ParticleMass mass;
  const std::uint32_t* occupied;
  const std::uint32_t* held;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *occupied || (held && held[i])) return;
    const float per_mass = static_cast<float>(gate.state->dt) / mass(i);
    velocity.set_xyz(i, velocity.xyz(i) + force.xyz(i) * per_mass);
  }
};

}  // namespace panta
