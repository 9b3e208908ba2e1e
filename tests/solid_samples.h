// Scenes with one free solid, and checks of the depths and normals of its particles.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "panta/load/load.h"
#include "panta/scene/sample_solids.h"

namespace panta {

inline Material wood() {
  Material material;
  material.name = "wood";
  material.kind = MaterialKind::solid;
  return material;
}

inline Scene scene_with(const Shape& shape, double spacing = 0.1) {
  Scene scene;
  scene.method = "unified";
  scene.spacing = spacing;
  scene.materials = {{}, wood()};
  scene.solids.resize(1);
  scene.solids[0].name = "crate";
  scene.solids[0].material = 1;
  scene.solids[0].shape = shape;
  return scene;
}

inline Shape load_rabbit() {
  const std::string text =
      R"({"method": "sph", "spacing": 0.01, "bodies": [{"shape": {"model": "rabbit"}}]})";
  return parse_scene(text, PANTA_SOURCE_DIR "/scenes/test.json").bodies.at(0).shape;
}

inline void expect_unit_normals(const SolidParticles& solids) {
  for (const Vec4& s : solids.surface) EXPECT_NEAR(length(s.xyz()), 1, 1e-4f);
}

// Compares every particle's depth and normal with those of `truth`; if two sides are equally near,
// either is right, so the test is that the normal leads to the surface by the shortest way.
inline void expect_depths(const SolidParticles& solids,
                          const std::function<float(const Vec3&)>& truth, float accuracy) {
  expect_unit_normals(solids);
  for (std::size_t i = 0; i < solids.surface.size(); ++i) {
    const Vec3 x = solids.particles.position[i];
    const Vec4 s = solids.surface[i];
    EXPECT_NEAR(s.w, truth(x), accuracy);
    EXPECT_NEAR(truth(x - s.xyz() * s.w), 0, 2 * accuracy) << "the way out ends elsewhere";
  }
}

}  // namespace panta
