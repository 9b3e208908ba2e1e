// The studies of the SPH method.
#pragma once

#include "panta/validation/study.h"

namespace panta::validation {

StudyResult sph_momentum(const DeviceOptions&, StudySize);      // conserved to rounding
StudyResult sph_viscosity(const DeviceOptions&, StudySize);     // never adds kinetic energy
StudyResult sph_hydrostatic(const DeviceOptions&, StudySize);   // water at rest stays at rest
StudyResult sph_poiseuille(const DeviceOptions&, StudySize);    // channel flow from rest
StudyResult sph_couette(const DeviceOptions&, StudySize);       // a lid that starts to slide
StudyResult sph_taylor_green(const DeviceOptions&, StudySize);  // decaying vortices
StudyResult sph_drop(const DeviceOptions&, StudySize);       // oscillation of a drop in the plane
StudyResult sph_laplace(const DeviceOptions&, StudySize);    // pressure inside a drop
StudyResult sph_dam_break(const DeviceOptions&, StudySize);  // Martin and Moyce's experiment

}  // namespace panta::validation
