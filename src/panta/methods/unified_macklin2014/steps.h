// The time T between two searches and the number n of substeps, unless the scene sets them.
//
// A substep that solves its constraints k times by Jacobi iteration leaves a column of height D too
// dense at its bottom, by the share
//
//   e = 1.5 D g dt^2 / spacing^2,   dt = T / (n sqrt(k))
//
// (an upper bound for water at rest between 8 and 64 layers, measured errors are half of it; the
// iteration is a spring of stiffness 1/dt^2, so that e is the static compression of the column and
// c = spacing / (1.22 dt) the speed of sound). An e of 2 % asks for
//
//   dt = spacing sqrt(0.02 / (1.5 D g)),   T = n dt
//
// at any spacing, and makes sound seven times as fast as long waves. Without sides of the domain,
// whose images keep liquid from becoming dense at walls, the factor is 2.05 instead of 1.5. Faster
// liquid shortens T during the run, to a quarter at most: particles move by at most a fifth of a
// spacing in a substep, which keeps c above 4 times their speed.
//
// Not done: shorter steps while liquid is too dense. The spring becomes stiffer while it is
// compressed, which adds energy: a tank of uneven masses exploded, and dam breaks became denser,
// not less dense.
//
// Grains without liquids: the same formula, with 2.05, D of all grains, poured ones
// too (grain_depth.h), and e = 0.65 %, in the plane 1.1 %, because force chains are several times
// as strong as the mean force: a cylinder of 14 layers that has collapsed has an overlap of 8.6 %
// at e = 0.8 %, of 5.4 % at 0.47 %; columns in the plane of at most 3.6 % at 0.8 %. Overlaps go
// with dt^2. T is at most 4 dt, and so short that the fastest (expected_speed.h) moves at most 0.7
// spacings between searches, though not below a quarter of that; it does not change while the
// simulation runs. Bodies alone keep T = 1/120 s.
#pragma once

#include "panta/methods/unified_macklin2014/params.h"
#include "panta/scene/scene.h"
#include "panta/step/step_state.h"

namespace panta::unified {

inline constexpr double overlap_of_grains = 0.05;  // largest one that chosen steps allow

bool has_liquids(const Scene& scene);

// `params` with automatic values (0) of time_step and substeps replaced.
Params with_steps(const Scene& scene, Params params);

// For parameters with steps; `given`: as the scene says.
StepByTravel step_limits(const Scene& scene, const Params& params, const Params& given);

// Pair forces of surface tension are explicit: the shortest wave of the surface, two spacings long,
// has omega^2 = sigma k^3 / rho, and steps must resolve it.
double longest_step_of_tension(const Material& material, double spacing);

// e above, for parameters with steps and a liquid of this depth.
double expected_compression(const Scene& scene, const Params& params, double depth);

// The largest overlap of grains at rest, as a share of a spacing, for parameters with steps; 0
// where there are liquids or no grains.
double expected_overlap(const Scene& scene, const Params& params);

}  // namespace panta::unified
