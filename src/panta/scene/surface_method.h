// The methods of surface reconstruction (surface/reconstruct.h).
#pragma once

#include <string>
#include <vector>

namespace panta {

enum class SurfaceMethod {
  anisotropic,  // Yu and Turk 2013: smooth flat surfaces, intact thin sheets
  colour,       // Mueller et al. 2003: the smoothed colour field
  follow,       // the same field, meshed as there: from surface particles, cell by cell
  cone,         // Clavet et al. 2005: the root of summed squares of cones
  metaballs,    // round and fast, for previews
  level_set     // Premoze et al. 2003: a moving, smoothed front
};
inline const std::vector<std::string> surface_method_names = {
    "anisotropic", "colour", "follow", "cone", "metaballs", "level_set"};

}  // namespace panta
