// The constants of a scene for the method, computed on the host before the first step.
#pragma once

#include <vector>

#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/particles/column.h"
#include "panta/scene/scene.h"
#include "panta/solver/particle_setup.h"
#include "panta/viscosity/viscosity_setup.h"

namespace panta::sph {

struct Setup : ParticleSetup {
  Params params;
  bool several_fluids = false;
  TensionModel tension = TensionModel::none;  // none where no material has any
  double support = 0, sound_speed = 0;
  Kept<CalibrationKey, Calibration> calibrations;
  KernelConstants kernel;
  std::vector<WallEntry> wall_table;
  Phases phases;
  ViscositySetup viscosity;
  StepLimits limits;
};

// Throws Error(usage) for what the method cannot do. `before`: the setup that a running simulation
// has, absent at its start. Where the scene sets no sound speed, it is that of the setup before, at
// the start chosen for the scene and its events.
Setup make_setup(const Scene& scene, const Setup* before = nullptr);

// MethodInfo::columns and work_memory.
std::vector<ColumnInfo> columns(const Scene* scene);
double work_memory(const Scene& scene);

}  // namespace panta::sph
