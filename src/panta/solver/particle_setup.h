// The part of a method's setup that is the same for all methods, computed on the host.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panta/bodies/free_body_list.h"
#include "panta/linear/convergence_report.h"
#include "panta/neighbors/grid.h"
#include "panta/scene/material_mass.h"
#include "panta/scene/scene.h"
#include "panta/sources/sources.h"
#include "panta/step/space.h"
#include "panta/walls/wall.h"

namespace panta {

struct ParticleSetup {
  double spacing = 0;  // m
  int dimensions = 3;
  GridOptions grid;
  WallList walls;
  Vec3 gravity;
  std::vector<ForceField> fields;
  EmitterList emitters;
  SinkList sinks;
  FreeBodyList bodies;
  Index list_capacity = 0;      // initial length of neighbour lists
  double usual_step = 0.01;     // s; estimate, for the number of steps between reads by the host
  double highest_speed = 1e30;  // m/s; faster particles end the run as an explosion
  std::string remedy;           // advice to the user in the message about an explosion
  bool order_matters = false;   // sums depend on the order of particles after a step
  // How to treat failed solves that StepKit::convergence records; absent: the method solves
  // nothing, and its steps contain no loops (core/loop.h).
  std::optional<OnFailure> on_failure = {};

  Space space() const { return {grid.period, grid.period_origin, dimensions}; }
};

// For a method whose particles interact within `support`, m. Geometry that is unchanged since
// `before` is reused.
ParticleSetup make_particle_setup(const Scene& scene, double support,
                                  const ParticleSetup* before = nullptr);

// Adds the free bodies. Call it after the walls of the setup are made; longest_step in s.
void set_free_bodies(ParticleSetup& setup, const Scene& scene, double longest_step,
                     const ParticleSetup* before);

// The number of particles of a full lattice within a distance, in spacings.
double expected_neighbors(double ratio, int dimensions);

// Throws Error(usage) unless a running simulation of `before` can continue as `after`.
void check_change(const Scene& before, const Scene& after);

// Throws Error(io) if saved particles refer to materials or emitters that the scene does not have.
void check_saved(const std::vector<std::uint32_t>& phase, const std::vector<std::uint32_t>& held,
                 const Scene& scene);

}  // namespace panta
