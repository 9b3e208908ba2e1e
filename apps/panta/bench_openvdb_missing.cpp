// Replacement in a build without OpenVDB: no reference.
#include "bench_surface.h"

namespace panta::app {

MeshSize vdb_spheres(const std::vector<Vec3>&, float, float) { return {}; }
MeshSize vdb_smooth_spheres(const std::vector<Vec3>&, float, float, float) { return {}; }
bool limit_vdb_threads(int) { return false; }

}  // namespace panta::app
