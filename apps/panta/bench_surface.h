// panta bench surface: time to build the surface of a million particles.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "panta/core/vec.h"

namespace panta::app {

struct SurfaceRow {
  std::string name;  // of the method, or of the other program
  float cell = 0;    // particle radii
  std::size_t particles = 0, vertices = 0, triangles = 0;
  int threads = 0;
  double seconds = 0;  // the median; on a GPU after a first call, with copies to and from it
  double peak_mb = 0;  // on the device, above the initial use; 0: unknown
  std::string device = "cpu";
};

struct SurfaceBench {
  double particles = 1e6;  // approximate
  int threads = 0;         // 0: all cores
  int repeats = 5;
  bool cuda = false;           // adds rows of the GPU to those of the CPU
  double on_cuda_alone = 1e7;  // an additional set of particles for the GPU only; 0: none
};

// Prints each row when it is measured.
std::vector<SurfaceRow> bench_surface(const SurfaceBench& bench);

std::string as_json(const SurfaceRow& row);

// The same particles by OpenVDB: spheres as a level set, meshed, plain or smooth. Number of
// vertices; 0 if this build has no OpenVDB.
struct MeshSize {
  std::size_t vertices = 0, triangles = 0;
};
MeshSize vdb_spheres(const std::vector<Vec3>& points, float radius, float cell);
MeshSize vdb_smooth_spheres(const std::vector<Vec3>& points, float radius, float reach, float cell);
// Sets the threads of both; false without OpenVDB.
bool limit_vdb_threads(int threads);

}  // namespace panta::app
