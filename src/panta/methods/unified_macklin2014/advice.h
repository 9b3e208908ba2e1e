// What a user should know about a scene before running it.
#pragma once

#include <string>
#include <vector>

#include "panta/scene/scene.h"

namespace panta::unified {

// By what part the bottom of a liquid of this depth is denser than at rest, about.
//
// With one solve per substep of length dt a liquid is a spring: the pressure of what lies above,
// g depth, is carried by a density error of g depth / c^2, where c = spacing / dt times a number
// that was measured: 7 % at the bottom of forty layers at a spacing of 5 cm and 4 substeps, 2.8 %
// with 6.
double expected_compression(const Scene& scene, double depth);

// Sentences, none where all is well.
std::vector<std::string> advice(const Scene& scene);

}  // namespace panta::unified
