// The part of a method's setup that is the same for all methods, worked out on the host.
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
  Index list_capacity = 0;      // first guess
  double usual_step = 0.01;     // s; only for deciding how often the host looks at the device
  double highest_speed = 1e30;  // m/s; faster particles end the run as an explosion
  std::string remedy;           // what a user can do against an explosion
  bool order_matters = false;   // sums depend on the order of particles that a step leaves
  // Of solves that StepKit::convergence records; absent: the method solves nothing.
  std::optional<OnFailure> on_failure = {};

  Space space() const { return {grid.period, grid.period_origin, dimensions}; }
};

// For a method that feels particles and walls within `support`, m. Geometry that is the same
// `before` is taken from there.
ParticleSetup make_particle_setup(const Scene& scene, double support,
                                  const ParticleSetup* before = nullptr);

// Free bodies, once the walls of the setup are made and the longest step (s) is known.
void set_free_bodies(ParticleSetup& setup, const Scene& scene, double longest_step,
                     const ParticleSetup* before);

// How many particles of a full lattice lie within a distance, in spacings.
double expected_neighbors(double ratio, int dimensions);

// Throws Error(usage) unless a running simulation of `before` can go on as `after`.
void check_change(const Scene& before, const Scene& after);

// Throws Error(io) if saved particles refer to materials or emitters the scene does not have.
void check_saved(const std::vector<std::uint32_t>& phase, const std::vector<std::uint32_t>& held,
                 const Scene& scene);

}  // namespace panta
