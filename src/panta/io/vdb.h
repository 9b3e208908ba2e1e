// A liquid as OpenVDB volumes (.vdb), for Blender, Houdini and others. Grids by name:
//   surface   signed distance (m) to the liquid's mesh, negative inside, within `half_width` voxels
//             of it; a voxel is a cell of the mesh's lattice
//   density   the fraction of a voxel that is liquid, 0 to about 1: each particle distributes its
//             volume, spacing cubed, over 27 voxels by quadratic B-splines, so that the sum over
//             all voxels is exactly the liquid's volume; a voxel is a spacing wide
//   velocity  m/s on the same voxels, the mean of the particles there with the same weights
// Files appear under their names only when they are complete.
#pragma once

#include <span>
#include <string>

#include "panta/geometry/surface_mesh.h"

namespace panta {

struct VolumeGrids {
  bool level_set = false, density = false, velocity = false;
  bool any() const { return level_set || density || velocity; }
};

struct LiquidVolume {
  const SurfaceMesh* mesh = nullptr;         // for the level set
  std::span<const Vec3> position, velocity;  // of the particles, finite
  float spacing = 0;                         // m
  float cell = 0;                            // m, of the mesh's lattice
  double time = 0;                           // s, kept as metadata
};

inline constexpr float vdb_half_width = 3;  // voxels

// The version of OpenVDB in this build; empty if there is none: then `missing` says which packages
// to install.
std::string openvdb_version(std::string* missing = nullptr);

// Error(usage) where OpenVDB is not built in. `threads`: 0 for all cores.
void write_vdb(const std::string& path, const LiquidVolume& liquid, const VolumeGrids& grids,
               int threads = 0);

}  // namespace panta
