// Light and ground around what a picture shows, as a photographer would set them up: a large soft
// light over the camera's left shoulder, a dimmer one behind on the right that draws the edges of
// glass and water, a bright sky and a floor without an end.
#pragma once

#include "panta/render/final/lit_scene.h"

namespace panta {

// Lights, sky and, unless the scene is flat, a floor at the height of `stage`'s.
void set_up_studio(LitScene& scene, const Stage& stage, const Camera& camera);

// Lines as thin dark rods.
PictureMesh rods(const std::vector<Segment>& lines, float radius);

}  // namespace panta
