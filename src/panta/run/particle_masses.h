// The masses of a frame's particles: the column "mass" if there is one, else the method's mass for
// a particle of the material.
#pragma once

#include "panta/engine/simulation.h"
#include "panta/particles/standard_columns.h"

namespace panta {

class ParticleMasses {
 public:
  ParticleMasses(const Simulation& simulation, const ParticleFrame& frame)
      : simulation_(simulation),
        frame_(frame),
        own_(frame.scalars(standard_columns::mass().name)) {}

  double operator[](std::size_t i) const {
    return own_.empty() ? simulation_.particle_mass(frame_.phase()[i]) : double(own_[i]);
  }
  // At rest.
  double volume(std::size_t i) const {
    return (*this)[i] / simulation_.rest_density(frame_.phase()[i]);
  }

 private:
  const Simulation& simulation_;
  const ParticleFrame& frame_;
  const std::vector<float>& own_;
};

}  // namespace panta
