// The contacts of a simulation at one time (Simulation::contacts).
#pragma once

#include <cstdint>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

// A contact of a particle with a wall. The particle is a ball of its radius, or of spacing / 2; the
// depth is its penetration. Contacts with a gap of up to a twentieth of a spacing are reported too.
struct WallTouch {
  std::uint32_t particle = 0;  // its id
  int body = 0;                // index into Scene::bodies; -1 - side for a side of the domain
  Vec3 point;                  // of the wall
  Vec3 normal;                 // into the free space
  Vec3 velocity;               // m/s, of the wall there
  float depth = 0;             // m
};

// Two particles of grains or solids at a distance of less than the sum of their radii.
struct PairTouch {
  std::uint32_t first = 0, second = 0;  // ids, the smaller one first
  Vec3 point;                           // half way
  Vec3 normal;                          // from the second to the first
  float depth = 0;                      // m
};

// A particle inside a body that is a trigger.
struct InsideTrigger {
  std::uint32_t particle = 0;  // its id
  int body = 0;                // index into Scene::bodies
};

// All in the order of ids.
struct ContactFrame {
  double time = 0;
  std::vector<WallTouch> walls;
  std::vector<PairTouch> pairs;
  std::vector<InsideTrigger> inside;
};

}  // namespace panta
