// A scene in the method's own terms, worked out on the host before the first step.
#pragma once

#include <vector>

#include "panta/geometry/wall.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/neighbors/grid.h"
#include "panta/scene/scene.h"
#include "panta/sources/sources.h"

namespace panta::sph {

struct Setup {
  Params params;
  int dimensions = 3;
  bool several_fluids = false;
  TensionModel tension = TensionModel::none;  // none where no material has any
  double spacing = 0, support = 0, sound_speed = 0;
  KernelConstants kernel;
  std::vector<WallEntry> wall_table;
  WallList walls;
  Phases phases;
  StepLimits limits;
  GridOptions grid;
  Vec3 gravity;
  std::vector<ForceField> fields;
  EmitterList emitters;
  SinkList sinks;
  Index list_capacity = 0;  // first guess
};

// Throws Error(usage) for what the method cannot do. Where the scene sets no sound speed, it is the
// given one, or if that is 0, chosen for the scene and its events.
Setup make_setup(const Scene& scene, double automatic_sound_speed = 0);

// Throws Error(usage) unless a running simulation of `before` can go on as `after`.
void check_change(const Scene& before, const Scene& after);

// Throws Error(io) if saved particles refer to materials or emitters the scene does not have.
void check_saved(const std::vector<std::uint32_t>& phase, const std::vector<std::uint32_t>& held,
                 const Scene& scene);

// Bytes a particle takes on the device, lists and work space included.
double memory_per_particle(const Scene& scene);

// The fastest flow to expect, m/s: free fall through the fluid's height, speeds of inflow, walls,
// bodies and fields,
// capillary speed at the scale of the spacing (a slower sound would let curved surfaces squeeze
// their outermost particles until drops burst). Ten times this is the default sound speed, which
// keeps density within about one per cent.
double expected_speed(const Scene& scene);

// The error for a simulation that has run away, naming the worst particle.
Error explosion(const StepState& state, double sound_speed, std::uint32_t id, const Vec3& position,
                const Vec3& velocity);

}  // namespace panta::sph
