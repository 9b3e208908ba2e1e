// Liquid filled into containers up to a level.
#include "panta/scene/filled_region.h"

#include <gtest/gtest.h>

#include <numbers>

#include "panta/core/error.h"
#include "panta/scene/sample.h"

namespace panta {
namespace {

Scene scene_with(const Shape& container, double spacing) {
  Scene scene;
  scene.spacing = spacing;
  scene.materials = {{}};
  Body body;
  body.shape = container;
  scene.bodies = {body};
  return scene;
}

Shape cup(float thickness, float radius = 0.1f) {
  return subtract(Shape::cylinder({0, 0, 0}, {0, 0.3f, 0}, radius + thickness),
                  Shape::cylinder({0, thickness, 0}, {0, 0.4f, 0}, radius));
}

double filled_volume(Scene scene, const Vec3& point, double level) {
  scene.fluids = {{0, filled_region(scene, point, level), {}}};
  return static_cast<double>(sample_fluids(scene).size()) * std::pow(scene.spacing, 3);
}

std::string error_of(const Scene& scene, const Vec3& point, double level) {
  try {
    filled_region(scene, point, level);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(FilledRegion, CupsHaveTheirVolumeUpToTheLevel) {
  for (const double spacing : {0.02, 0.01, 0.007})
    for (const float thickness : {0.05f, 0.02f, 0.005f}) {
      const double volume = std::numbers::pi * 0.01 * (0.2 - double{thickness});
      EXPECT_NEAR(filled_volume(scene_with(cup(thickness), spacing), {0, 0.1f, 0}, 0.2) / volume, 1,
                  thickness < 0.5 * spacing ? 0.06 : 0.025)
          << spacing << " " << thickness;
    }
}

TEST(FilledRegion, HollowBodiesAreContainers) {
  Scene scene = scene_with(Shape::sphere({0, 0, 0}, 0.1f), 0.01);
  scene.bodies[0].hollow = true;
  const double half = 2 * std::numbers::pi / 3 * 1e-3;
  EXPECT_NEAR(filled_volume(scene, {0, -0.05f, 0}, 0) / half, 1, 0.015);
}

TEST(FilledRegion, MovedContainersAndOtherDirectionsOfGravity) {
  Scene scene = scene_with(cup(0.02f).rotated(axis_angle({0, 0, 1}, 0.5f * 3.14159265f)), 0.01);
  scene.bodies[0].motion.keys = {{0, {1, 0, 0}, {}}};
  scene.gravity = {9.81, 0, 0};  // its opening points along -x
  const double volume = std::numbers::pi * 0.01 * 0.18;
  EXPECT_NEAR(filled_volume(scene, {0.9f, 0, 0}, -0.8) / volume, 1, 0.025);
}

TEST(FilledRegion, WallsOfTheDomainAndThinPartitionsHoldLiquid) {
  Scene scene = scene_with(Shape::box({0.49f, 0, 0}, {0.493f, 1, 1}), 0.02);
  scene.has_domain = true;
  scene.domain.min = {0, 0, 0};
  scene.domain.max = {1, 1, 0.2};
  scene.domain.walls = {true, true, true, false, true, true};
  EXPECT_NEAR(filled_volume(scene, {0.1f, 0.1f, 0.1f}, 0.3) / (0.49 * 0.3 * 0.2), 1, 0.04);
  EXPECT_EQ(error_of(scene, {0.1f, 0.1f, 0.1f}, 1.2).find("the liquid would run out at"), 0u);
}

TEST(FilledRegion, PlaneContainers) {
  Scene scene = scene_with(Shape::sphere({0, 0, 0}, 0.2f), 0.01);
  scene.bodies[0].hollow = true;
  scene.dimensions = 2;
  scene.fluids = {{0, filled_region(scene, {0, -0.1f, 0}, 0), {}}};
  EXPECT_NEAR(static_cast<double>(sample_fluids(scene).size()) * 1e-4 / (std::numbers::pi * 0.02),
              1, 0.02);
}

TEST(FilledRegion, WhatCannotBeFilledIsAnError) {
  const Scene scene = scene_with(cup(0.02f), 0.02);
  EXPECT_EQ(error_of(scene, {0, 0.01f, 0}, 0.2), "the point lies in a body or outside the domain");
  EXPECT_EQ(error_of(scene, {0, 0.25f, 0}, 0.2), "the point must be below the level 0.2");
  EXPECT_EQ(error_of(scene, {0, 0.1f, 0}, 0.4).find("the liquid would run out at"), 0u);
  EXPECT_EQ(error_of(scene, {3, 0.1f, 0}, 0.4), "the point lies outside of what can hold liquid");
  Scene empty = scene;
  empty.bodies.clear();
  EXPECT_EQ(error_of(empty, {0, 0.1f, 0}, 0.4),
            "nothing holds the liquid: there is no body and no domain");
}

}  // namespace
}  // namespace panta
