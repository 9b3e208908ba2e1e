// The collapse of a water column, in the plane, against Martin and Moyce 1952 (Phil. Trans. R. Soc.
// A 244, 312-324): width a = 2.25 in, height 2 a; T = t sqrt(2 g/a), Z = front/a (their table 2);
// tau = t sqrt(g/a), H = height at the wall/2a (table 6). The experiment's diaphragm takes time to
// open: after the raw comparison one time shift is fitted.
//
// The front is the farthest particle, half a spacing beyond its centre. The height at the wall is
// that of the highest particle within two spacings of it, half a spacing above its centre.
#pragma once

#include "panta/validation/study.h"

namespace panta::validation {

// The column in a long tank, of this many particles across; method and its settings are the
// caller's.
Scene martin_moyce_column(int across);

// Lets it collapse and compares; `label` names the simulation in the plots.
StudyResult compare_with_martin_moyce(const Scene& scene, const std::string& study,
                                      const std::string& label, const DeviceOptions& options);

}  // namespace panta::validation
