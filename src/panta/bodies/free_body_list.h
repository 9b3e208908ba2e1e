// The free bodies of a scene, prepared on the host.
#pragma once

#include <vector>

#include "panta/bodies/body_contact.h"
#include "panta/walls/wall.h"

namespace panta {

// The input of body_points(), for reuse.
struct BodyPointsKey {
  Shape shape;
  bool flat = false;

  bool operator==(const BodyPointsKey&) const = default;
};

struct FreeBodyList {
  std::vector<FreeBodySpec> specs;
  std::vector<FreeBodyState> states;  // at the start
  std::vector<BodyPair> pairs;
  std::vector<BodyPoint> points;
  int substeps = 1;     // of contacts, per step
  bool sticky = false;  // some bodies attract particles
  Kept<BodyPointsKey, std::vector<BodyPoint>> kept_points;
};

// `walls`: of the same scene. `longest_step`: s, upper limit of the steps; contacts are solved in
// substeps of 1/240 s or less. The friction between two bodies is the geometric mean of theirs, the
// restitution the larger one. Points of shapes unchanged since `before` are reused. Error(usage)
// for free bodies in a periodic domain.
FreeBodyList make_free_bodies(const Scene& scene, const WallList& walls, double longest_step,
                              const FreeBodyList* before = nullptr);

}  // namespace panta
