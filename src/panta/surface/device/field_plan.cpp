#include "panta/surface/device/field_plan.h"

#include <omp.h>

#include "panta/core/error_format.h"
#include "panta/surface/anisotropy.h"
#include "panta/surface/colour_field.h"
#include "panta/surface/level_set_force.h"
#include "panta/surface/neighbor_packs.h"

namespace panta {
namespace {

constexpr float smallest_cell = 0.15f, largest_cell = 4;  // spacings

// Default range of a particle, in spacings.
float own_radius(SurfaceMethod method) {
  switch (method) {
    case SurfaceMethod::metaballs:
      return 1.2f;
    case SurfaceMethod::cone:
      return 1.2f;
    case SurfaceMethod::level_set:
      return own_force_radius;
    default:
      return 2;
  }
}

}  // namespace

SurfaceOptions complete_options(const SurfaceOptions& options) {
  if (!(options.cell >= smallest_cell && options.cell <= largest_cell))
    throw Error(ErrorKind::usage, "the surface's cell must be {} to {} spacings, got {}",
                smallest_cell, largest_cell, options.cell);
  if (!(options.radius == 0 || (options.radius >= 1 && options.radius <= 4)))
    throw Error(ErrorKind::usage, "the surface's radius must be 1 to 4 spacings, got {}",
                options.radius);
  SurfaceOptions complete = options;
  if (complete.radius == 0) complete.radius = own_radius(options.method);
  if (complete.threads <= 0) complete.threads = omp_get_num_procs();
  return complete;
}

float iso_value(const SurfaceOptions& options) {
  switch (options.method) {
    case SurfaceMethod::anisotropic:
      return anisotropic_flat_value(options.radius);
    case SurfaceMethod::cone:
      return flat_surface_value<ConeBump>(options.radius, false);
    case SurfaceMethod::metaballs: {
      const float q = particle_radius / options.radius;
      return SmoothBump::bump(q * q);
    }
    case SurfaceMethod::level_set:
      return 0;
    default:
      return flat_surface_value<SmoothBump>(options.radius);
  }
}

FieldPlan plan_field(const SurfaceOptions& options, float spacing, float iso) {
  FieldPlan plan;
  plan.method = options.method;
  plan.lattice = make_lattice(options.cell * spacing, spacing);
  plan.spacing = spacing / plan.lattice.cell;
  plan.radius = options.radius * plan.spacing;
  const bool shaped = options.method == SurfaceMethod::anisotropic;
  plan.range = (shaped ? anisotropic_reach : 1) * plan.radius;
  plan.reach = bins_within(plan.lattice, plan.range);
  plan.iso = iso;
  return plan;
}

}  // namespace panta
