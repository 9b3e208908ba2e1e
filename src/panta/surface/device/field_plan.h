// What a surface's field is made of, in cells of its lattice: all that CPU and devices have to
// agree on before they sum it.
#pragma once

#include "panta/surface/reconstruct.h"
#include "panta/surface/tile_grid.h"

namespace panta {

struct FieldPlan {
  SurfaceMethod method = SurfaceMethod::anisotropic;
  SurfaceLattice lattice;
  float spacing = 0;  // of particles
  float radius = 0;   // of round blobs
  float felt = 0;     // how far from a particle its blob can reach
  int reach = 0;      // the same in bins
  float iso = 0;      // the field's value at the surface
};

// The options with what the user left open filled in. Error(usage) for options that cannot be.
SurfaceOptions complete_options(const SurfaceOptions& options);

// For complete options: the field's value at a flat surface; for a level set none is needed.
float iso_value(const SurfaceOptions& options);

// For complete options; `spacing` in m.
FieldPlan plan_field(const SurfaceOptions& options, float spacing, float iso);

}  // namespace panta
