// Position-based friction of the unified method, compared with the damping of older position-based
// dynamics; and the momentum conservation of the ways to average contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "device_list.h"

namespace panta {
namespace {

constexpr float degree = 0.0174532925f, steepness = 32 * degree;

class UnifiedFrictionModelTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

Scene sand() {
  Scene scene;
  scene.method = "unified";
  scene.spacing = 0.02;
  Material material;
  material.name = "sand";
  material.density = 1600;
  material.kind = MaterialKind::granular;
  scene.materials = {material};
  scene.solver["friction"] = 0.7;
  scene.solver["static_friction"] = 1.0;
  return scene;
}

// A ridge of sand on a rough floor, a slice of it along z.
Scene ridge(const std::string& model) {
  Scene scene = sand();
  const Vec3 top{0, 0.2f, 0};
  const float s = std::sin(steepness), c = std::cos(steepness);
  const Shape wedge = intersect(Shape::plane(top, {s, c, 0}), Shape::plane(top, {-s, c, 0}));
  scene.fluids = {{0, intersect(wedge, Shape::box({-0.5f, 0, 0}, {0.5f, 0.2f, 0.08f}))}};
  scene.fluids[0].jitter = 0.1f;
  scene.has_domain = true;
  scene.domain.min = {-1, 0, 0};
  scene.domain.max = {1, 1, 0.08};
  scene.domain.walls = {false, false, true, false, false, false};
  scene.domain.periodic = {false, false, true};
  scene.domain.surfaces[minus_y].friction = 1;
  scene.solver["substeps"] = 12.0;
  scene.solver["friction_model"] = model;
  return scene;
}

// Slope in degrees of the triangle with the same centre of mass and the same mean |x|, which are at
// a third of its height and of its half width.
double slope(const ParticleFrame& frame) {
  double height = 0, width = 0;
  for (const Vec3& x : frame.position()) {
    height += x.y;
    width += std::abs(x.x);
  }
  return std::atan(height / width) / degree;
}

double settled_slope(const std::string& model, const DeviceOptions& options) {
  const auto sim = make_simulation(ridge(model), options);
  sim->advance_to(1.5);
  return slope(sim->snapshot());
}

TEST_P(UnifiedFrictionModelTest, HeapStandsOnlyWithPositionFriction) {
  const double held = settled_slope("positions", options);
  const double damped = settled_slope("velocities", options);
  EXPECT_GT(held, 24);
  EXPECT_LT(damped, 0.5 * held);
}

// Two clouds of grains that collide in free space.
double lost_momentum(const std::string& averaging, const DeviceOptions& options, double* energy) {
  Scene scene = sand();
  scene.gravity = {};
  const auto blob = [](float x) { return Shape::sphere({x, 0, 0}, 0.1f); };
  scene.fluids = {{0, blob(-0.12f), {1, 0.2f, 0}}, {0, blob(0.12f), {-1, 0, 0.1f}}};
  scene.fluids[0].jitter = scene.fluids[1].jitter = 0.2f;
  scene.solver["averaging"] = averaging;
  if (averaging == "global") scene.solver["contact_relaxation"] = 0.25;
  const auto sim = make_simulation(scene, options);
  const auto momentum = [&] {
    Vec3d sum;
    for (const Vec3& v : sim->snapshot().velocity()) sum += to_double(v);
    return sum;
  };
  const auto motion = [&] {
    double sum = 0;
    for (const Vec3& v : sim->snapshot().velocity()) sum += dot(v, v);
    return sum;
  };
  const Vec3d before = momentum();
  const double first = motion();
  sim->advance_to(0.3);
  *energy = motion() / first;
  return length(momentum() - before) / double(sim->size());
}

TEST_P(UnifiedFrictionModelTest, SymmetricAndGlobalAveragingKeepMomentum) {
  double energy[3];
  const double local = lost_momentum("local", options, energy);
  const double global = lost_momentum("global", options, energy + 1);
  const double symmetric = lost_momentum("symmetric", options, energy + 2);
  EXPECT_GT(local, 1e-3);
  EXPECT_LT(global, 2e-6);
  EXPECT_LT(symmetric, 2e-6);
  for (const double left : energy) EXPECT_LT(left, 1);
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedFrictionModelTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
