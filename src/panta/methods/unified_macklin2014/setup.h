// The constants of a scene for the method, computed on the host before the first step.
#pragma once

#include <vector>

#include "panta/methods/unified_macklin2014/constraints/contact.h"
#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/methods/unified_macklin2014/params.h"
#include "panta/methods/unified_macklin2014/steps.h"
#include "panta/methods/unified_macklin2014/substances.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/particles/column.h"
#include "panta/scene/scene.h"
#include "panta/solver/particle_setup.h"
#include "panta/viscosity/viscosity_setup.h"

namespace panta::unified {

struct Setup : ParticleSetup {
  Params params;
  SubstepCount counts;
  StepByTravel step_limits;
  int stabilization = 0, contact_iterations = 1;
  double support = 0;  // m
  float search_radius = 0;
  DensityKernel kernel;
  std::vector<WallShare> wall_shares;
  float reference_radius = 0;  // of WallTable
  Substances substances;
  GrainSizes sizes;
  ShockPropagation shock;
  bool filtered = false;                    // some pairs of particles do not touch,
  bool rest_distances = false;              // because they started near each other
  bool liquids = false, contacts = false;   // materials of the scene
  bool mixed = false;                       // liquids and solids
  bool uneven = false;                      // liquids of different density
  bool cohesive = false, adhesive = false;  // a liquid has surface tension, a wall adhesion
  float blunt_normal = 0;                   // of cohesion.h
  ViscositySetup viscosity;
  bool smooth = false;           // some material has XSPH smoothing
  float spin_scale = 0;          // makes the sum of velocities.h a vorticity
  double pressure_per_unit = 0;  // Pa per multiplier and unit of density
};

// Throws Error(usage) for what the method cannot do. `before`: the setup that a running simulation
// has, absent at its start.
Setup make_setup(const Scene& scene, const Setup* before = nullptr);

// MethodInfo::columns and work_memory.
std::vector<ColumnInfo> columns(const Scene* scene);
double work_memory(const Scene& scene);

}  // namespace panta::unified
