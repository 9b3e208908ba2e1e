// Parameters of a surface's field, in cells of its lattice, shared by CPU and devices.
#pragma once

#include "panta/surface/reconstruct.h"
#include "panta/surface/tile_grid.h"

namespace panta {

struct FieldPlan {
  SurfaceMethod method = SurfaceMethod::anisotropic;
  SurfaceLattice lattice;
  float spacing = 0;  // of particles
  float radius = 0;   // of round blobs
  float range = 0;    // largest range of a particle's blob
  int reach = 0;      // the same in bins
  float iso = 0;      // the field's value at the surface
};

// The options with defaults filled in. Error(usage) for invalid options.
SurfaceOptions complete_options(const SurfaceOptions& options);

// For complete options: the field's value at a flat surface; not used by a level set.
float iso_value(const SurfaceOptions& options);

// For complete options; `spacing` in m.
FieldPlan plan_field(const SurfaceOptions& options, float spacing, float iso);

}  // namespace panta
