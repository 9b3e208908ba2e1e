// The free bodies of a scene, worked out on the host.
#pragma once

#include <vector>

#include "panta/bodies/body_contact.h"
#include "panta/walls/wall.h"

namespace panta {

// What the points of a body are made from.
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
  int substeps = 1;     // of a step, in which bodies touch
  bool sticky = false;  // some pull particles
  Kept<BodyPointsKey, std::vector<BodyPoint>> kept_points;
};

// `walls`: of the same scene. `longest_step`: s, that will be made; contacts are solved in substeps
// of 1/240 s or less. Friction between two bodies is the geometric mean of theirs, restitution the
// larger of the two. What is the same `before` is taken from there. Error(usage) for free bodies in
// a periodic domain.
FreeBodyList make_free_bodies(const Scene& scene, const WallList& walls, double longest_step,
                              const FreeBodyList* before = nullptr);

}  // namespace panta
