// Default lighting and ground of a final picture, as in a photographer's studio: a large soft light
// over the camera's left shoulder, a dimmer one behind on the right for the edges of glass and
// water, a bright sky and an infinite floor.
#pragma once

#include "panta/render/final/lit_scene.h"

namespace panta {

// Adds lights, sky and, unless the scene is flat, a floor at the height of `stage`'s.
void set_up_studio(LitScene& scene, const Stage& stage, const Camera& camera);

// Lines as thin dark rods.
PictureMesh rods(const std::vector<Segment>& lines, float radius);

}  // namespace panta
