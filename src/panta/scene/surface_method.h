// The ways to find the surface of a liquid (surface/reconstruct.h).
#pragma once

#include <string>
#include <vector>

namespace panta {

enum class SurfaceMethod {
  anisotropic,  // Yu and Turk 2013: flat where the liquid is flat, thin sheets stay whole
  colour,       // Mueller et al. 2003: the smoothed colour field
  follow,       // the same field, meshed as there: from surface particles, cell by cell
  cone,         // Clavet et al. 2005: the root of summed squares of cones
  metaballs,    // round and quick, for a look
  level_set     // Premoze et al. 2003: a front that is driven and smoothed
};
inline const std::vector<std::string> surface_method_names = {
    "anisotropic", "colour", "follow", "cone", "metaballs", "level_set"};

}  // namespace panta
