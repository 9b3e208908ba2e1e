// A body-force field as data; fields/force_field.h has the formulas.
#pragma once

#include "panta/core/vec.h"

namespace panta {

enum class FieldType { swirl, hand, uniform, drag, wind };

struct PathKey {
  float time = 0;
  Vec3 position;
};

struct ForceField {
  static constexpr int max_keys = 16;
  static constexpr float everywhere = 1e30f;

  FieldType type = FieldType::swirl;
  bool active = true;
  bool flat = false;      // wind: in two dimensions
  Vec3 center;            // swirl: a point on the axis; uniform, drag, wind: of the range
  Vec3 axis = {0, 1, 0};  // swirl: unit axis
  Vec3 vector;            // uniform: m/s2; wind: m/s, its mean velocity
  float radius = 1;       // m, range
  float rate = 0;         // swirl: rad/s, target angular speed; drag, wind: 1/s
  float strength = 0;     // swirl: 1/s, rate of approach; hand: m/s2, pull to the centre
  float drag = 0;         // hand: 1/s, rate of approach to its velocity
  float turbulence = 0;   // wind: m/s, root mean square
  float scale = 1;        // wind: m, size of the eddies
  float start = 0, stop = everywhere;  // s, active between
  int keys = 0;  // hand: number of path points; linear, constant beyond the ends
  PathKey path[max_keys];
};

}  // namespace panta
