// The constants of a scene for the method, computed on the host before the first step.
#pragma once

#include <string>
#include <vector>

#include "panta/methods/viscoelastic_clavet2005/free_surface.h"
#include "panta/methods/viscoelastic_clavet2005/lattice_sums.h"
#include "panta/methods/viscoelastic_clavet2005/params.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"
#include "panta/methods/viscoelastic_clavet2005/units.h"
#include "panta/methods/viscoelastic_clavet2005/viscous_passes.h"
#include "panta/particles/column.h"
#include "panta/scene/scene.h"
#include "panta/solver/particle_setup.h"
#include "panta/viscosity/viscosity_setup.h"

namespace panta::viscoelastic {

struct Setup : ParticleSetup {
  Params params;  // with time_step filled in
  StepByTravel step_length;
  double support = 0;         // m
  double sound_speed = 0;     // m/s, limited by the step
  double cohesion_speed = 0;  // m/s, of the pressures that also attract
  LatticeSums lattice;
  Kernel kernel;
  DensityBounds density_bounds;
  SurfaceLaw surface;
  std::vector<WallLiquid> wall_liquid;
  Substances substances;
  bool unequally_heavy = false;  // liquids of different density
  bool chosen_steps = false;     // time_step is automatic
  // Pushes are corrected for the arrangement of the neighbours (stress.h), walls are mirrors
  // (solver/mirrors.h) and densities are completed at free surfaces (free_surface.h).
  bool corrected = false;
  float start_decay = 0;  // 1/s, of excess densities of new particles (density.h); 0: they count
  bool springs = false;   // some substance has them, now
  ViscositySetup viscosity;
  bool viscous = false, unequally_viscous = false;
  bool sticky = false;  // some wall pulls
  int viscous_passes = 1;
  int spring_passes = 1;
  float springs_borne = 0;             // of one particle, in full
  float most_viscosity = 0;            // largest share of an approach that a pair loses in a pass
  std::vector<std::string> held_back;  // warnings: values above the limits of the step
};

// Some material of the scene has springs.
bool has_springs(const Scene& scene);
// In the scene or after one of its events.
bool ever_has_springs(const Scene& scene);

// Throws Error(usage) for what the method cannot do. `before`: the setup that a running simulation
// has, absent at its start.
Setup make_setup(const Scene& scene, const Setup* before = nullptr);

// MethodInfo::columns and work_memory.
std::vector<ColumnInfo> columns(const Scene* scene);
double work_memory(const Scene& scene);

// Warnings: values above the limits of the step, deep or fast liquids.
std::vector<std::string> advice(const Scene& scene);

}  // namespace panta::viscoelastic
