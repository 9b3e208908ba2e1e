// Free solids filled with particles: counts, depths and normals against closed forms, copies, spin,
// thin shapes, and forbidden overlaps.
#include "panta/scene/sample_solids.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "file_test_fixture.h"
#include "solid_samples.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;

double volume_share(const Scene& scene, double volume) {
  return static_cast<double>(sample_solids(scene).particles.size()) * std::pow(scene.spacing, 3) /
         volume;
}

std::string sample_error(const Scene& scene) {
  return error_message(ErrorKind::usage, [&] { sample_scene(scene); });
}

TEST(SampleSolids, BoxOfWholeCellsHasAParticlePerCell) {
  const Scene scene = scene_with(Shape::box({0, 0, 0}, {0.4f, 0.3f, 0.2f}));
  const SolidParticles solids = sample_solids(scene);
  ASSERT_EQ(solids.particles.size(), 24u);
  ASSERT_EQ(solids.bodies.size(), 1u);
  EXPECT_EQ(solids.bodies[0].count, 24u);
  EXPECT_NEAR(length(solids.bodies[0].centre - Vec3{0.2f, 0.15f, 0.1f}), 0, 1e-6f);
  EXPECT_NEAR(length(solids.particles.position[0] - Vec3{0.05f, 0.05f, 0.05f}), 0, 1e-6f);
  EXPECT_EQ(solids.particles.phase, std::vector<std::uint32_t>(24, 1));
  EXPECT_EQ(estimate_particles(scene), 24);
}

TEST(SampleSolids, RotatedBoxRotatesItsLattice) {
  const Quat turn = axis_angle({1, 2, 3}, 0.7f);
  Shape box = Shape::box({0, 0, 0}, {0.4f, 0.3f, 0.2f}).rotated(turn, {0.1f, 0.1f, 0.1f});
  const SolidParticles solids = sample_solids(scene_with(box));
  EXPECT_EQ(solids.particles.size(), 24u);
  expect_depths(
      solids, [&](const Vec3& x) { return distance(box, x).value; }, 1e-5f);
  const std::vector<Vec4>& surface = solids.surface;
  EXPECT_TRUE(std::all_of(surface.begin(), surface.end(),
                          [](const Vec4& s) { return std::abs(s.w + 0.05f) < 1e-5f; }));
  // A composed solid takes the frame of its first box.
  const Shape both =
      unite(Shape::box({0, 0, 0}, {0.4f, 0.2f, 0.2f}), Shape::box({0, 0, 0}, {0.2f, 0.4f, 0.2f}));
  EXPECT_EQ(sample_solids(scene_with(both.rotated(turn))).particles.size(), 24u);
}

// Lattice points in a ball with a cell centre or a corner at the origin.
std::size_t lattice_points_in_ball(double radius, double offset) {
  std::size_t count = 0;
  for (double x = offset - 20; x < 20; ++x)
    for (double y = offset - 20; y < 20; ++y)
      for (double z = offset - 20; z < 20; ++z) count += x * x + y * y + z * z < radius * radius;
  return count;
}

TEST(SampleSolids, ParticlesAreThePointsInside) {
  for (const double radius : {2.0, 3.1, 5.0, 7.9}) {
    const Shape ball = Shape::sphere({0.3f, 0, 7}, static_cast<float>(radius * 0.1));
    const double offset = std::lround(2 * radius) % 2 ? 0 : 0.5;
    EXPECT_EQ(sample_solids(scene_with(ball)).particles.size(),
              lattice_points_in_ball(radius, offset));
  }
}

TEST(SampleSolids, ParticlesFillTheVolume) {
  EXPECT_NEAR(volume_share(scene_with(Shape::sphere({0, 0, 0}, 1)), 4 * pi / 3), 1, 0.02);
  EXPECT_NEAR(volume_share(scene_with(Shape::cylinder({0, 0, 0}, {1, 0, 0}, 0.5f)), pi / 4), 1,
              0.02);
}

TEST(SampleSolids, RabbitHasItsVolumeAtEverySize) {
  const Shape rabbit = load_rabbit();
  // Reference: a fine lattice of the distance's sign, independent of the sampler.
  const ShapeBounds bounds = shape_bounds(rabbit);
  const double fine = 0.003;
  double volume = 0;
  for (double x = bounds.min.x + 0.3 * fine; x < bounds.max.x; x += fine)
    for (double y = bounds.min.y + 0.4 * fine; y < bounds.max.y; y += fine)
      for (double z = bounds.min.z + 0.6 * fine; z < bounds.max.z; z += fine)
        volume += (distance(rabbit, to_float({x, y, z})).value < 0) * std::pow(fine, 3);
  EXPECT_NEAR(volume_share(scene_with(rabbit, 0.01), volume), 1, 0.03);
  EXPECT_NEAR(volume_share(scene_with(rabbit, 0.02), volume), 1, 0.06);
  EXPECT_NEAR(volume_share(scene_with(rabbit, 0.04), volume), 1, 0.15);
  const SolidParticles solids = sample_solids(scene_with(rabbit, 0.01));
  expect_unit_normals(solids);
  for (std::size_t i = 0; i < solids.surface.size(); ++i) {
    const Vec3 x = solids.particles.position[i];
    const Vec4 s = solids.surface[i];
    // The model's own distance is a bound, and exact enough at the surface.
    EXPECT_LE(s.w, 0.1f * distance(rabbit, x).value + 0.002f);
    EXPECT_NEAR(distance(rabbit, x - s.xyz() * s.w).value, 0, 0.002f);
  }
}

TEST(SampleSolids, ShellIsOneSpacingDeep) {
  Scene scene = scene_with(Shape::box({0, 0, 0}, {0.5f, 0.5f, 0.5f}));
  scene.solids[0].filling = Filling::shell;
  EXPECT_EQ(sample_solids(scene).particles.size(), 125u - 27u);
  EXPECT_NEAR(estimate_particles(scene), 98, 25);
  scene.solids[0].shape = Shape::sphere({0, 0, 0}, 1);
  const SolidParticles solids = sample_solids(scene);
  for (const Vec4& s : solids.surface) {
    EXPECT_LE(s.w, 1e-4f);
    EXPECT_GE(s.w, -0.1002f);
  }
  const double layer = 4 * pi / 3 * (1 - std::pow(0.9, 3));
  EXPECT_NEAR(volume_share(scene, layer), 1, 0.1);
}

TEST(SampleSolids, ThinShapesKeepTheLayerThroughTheirMiddle) {
  EXPECT_EQ(sample_solids(scene_with(Shape::box({0, 0, 0}, {0.4f, 0.01f, 0.3f}))).bodies[0].count,
            12u);
  EXPECT_EQ(sample_solids(scene_with(Shape::box({0, 0, 0}, {0.4f, 0, 0.3f}))).bodies[0].count, 12u);
  EXPECT_EQ(sample_solids(scene_with(Shape::box({0, 0, 0}, {0.01f, 0.5f, 0.01f}))).bodies[0].count,
            5u);
  const Shape tilted = Shape::cylinder({0, 0, 0}, {0.3f, 0.4f, 0}, 0.02f);
  EXPECT_EQ(sample_solids(scene_with(tilted)).bodies[0].count, 5u);
  for (const float radius : {0.01f, 0.05f, 0.076f, 0.08f, 0.086f}) {
    const SolidParticles single = sample_solids(scene_with(Shape::sphere({1, 2, 3}, radius)));
    ASSERT_EQ(single.particles.size(), 1u);
    EXPECT_NEAR(length(single.bodies[0].centre - Vec3{1, 2, 3}), 0, 1e-6f);
    EXPECT_NEAR(single.surface[0].w, -radius, 1e-6f);
    expect_unit_normals(single);
  }
}

TEST(SampleSolids, CopiesAreMovedByThePitch) {
  Scene scene = scene_with(Shape::box({0, 0, 0}, {0.2f, 0.2f, 0.2f}));
  scene.solids[0].copies = {2, 3, 4};
  scene.solids[0].pitch = {0.5f, 1, -2};
  const SolidParticles solids = sample_solids(scene);
  ASSERT_EQ(solids.bodies.size(), 24u);
  ASSERT_EQ(solids.particles.size(), 192u);
  EXPECT_EQ(estimate_particles(scene), 192);
  for (std::size_t b = 0; b < 24; ++b) {
    const Vec3 shift{0.5f * static_cast<float>(b % 2), static_cast<float>(b / 2 % 3),
                     -2 * static_cast<float>(b / 6)};
    EXPECT_EQ(solids.bodies[b].first, 8 * b);
    EXPECT_NEAR(length(solids.bodies[b].centre - shift - Vec3{0.1f, 0.1f, 0.1f}), 0, 1e-6f);
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_NEAR(
          length(solids.particles.position[8 * b + i] - shift - solids.particles.position[i]), 0,
          1e-5f);
  }
}

TEST(SampleSolids, RandomTurnsAreUniformRotationsAboutTheCentre) {
  Scene scene = scene_with(Shape::box({0, 0, 0}, {0.4f, 0.2f, 0.1f}));
  scene.solids[0].copies = {20, 20, 10};
  scene.solids[0].pitch = {1, 1, 1};
  scene.solids[0].random_turns = true;
  const SolidParticles solids = sample_solids(scene);
  Vec3d mean;
  Vec3d squares;
  double trace = 0;
  for (std::size_t b = 0; b < 4000; ++b) {
    const SolidBody& body = solids.bodies[b];
    const Vec3 shift{static_cast<float>(b % 20), static_cast<float>(b / 20 % 20),
                     static_cast<float>(b / 400)};
    EXPECT_NEAR(length(body.centre - shift - Vec3{0.2f, 0.1f, 0.05f}), 0, 1e-5f);
    EXPECT_NEAR(determinant(body.pose.rotation), 1, 1e-5f);
    for (std::size_t i = 0; i < body.count; ++i) {
      const Vec3 own = body.pose.to_own(solids.particles.position[body.first + i]);
      const Vec3 normal = transpose(body.pose.rotation) * solids.surface[body.first + i].xyz();
      const float depth = distance(scene.solids[0].shape, own).value;
      EXPECT_NEAR(depth, solids.surface[body.first + i].w, 1e-5f);
      EXPECT_NEAR(distance(scene.solids[0].shape, own - normal * depth).value, 0, 1e-5f);
    }
    const Vec3d axis = to_double(body.pose.rotation * Vec3{1, 0, 0});
    mean += axis;
    squares += Vec3d{axis.x * axis.x, axis.y * axis.y, axis.z * axis.z};
    for (int k = 0; k < 3; ++k) trace += body.pose.rotation.row[k][k];
  }
  // Of uniform rotations the mean of each component is 0 and of each square 1/3, the mean trace 0.
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(mean[k] / 4000, 0, 0.03);
    EXPECT_NEAR(squares[k] / 4000, 1.0 / 3, 0.02);
  }
  EXPECT_NEAR(trace / 4000, 0, 0.06);
}

TEST(SampleSolids, SpinGivesTheAngularMomentumOfTheBody) {
  const Vec3 side{0.6f, 0.4f, 0.2f};
  Scene scene = scene_with(Shape::box({1, 2, 3}, Vec3{1, 2, 3} + side), 0.02);
  scene.solids[0].velocity = {1, 2, -1};
  scene.solids[0].spin = {0.5f, -2, 3};
  const SolidParticles solids = sample_solids(scene);
  const SolidBody& body = solids.bodies[0];
  Vec3d momentum, angular;
  for (std::size_t i = 0; i < solids.particles.size(); ++i) {
    const Vec3d v = to_double(solids.particles.velocity[i]);
    momentum += v;
    angular += cross(to_double(solids.particles.position[i] - body.centre), v);
    EXPECT_NEAR(
        length(body.pose.velocity_at(solids.particles.position[i]) - solids.particles.velocity[i]),
        0, 1e-5f);
  }
  const double n = static_cast<double>(solids.particles.size());
  EXPECT_NEAR(length(momentum * (1 / n) - Vec3d{1, 2, -1}), 0, 1e-5);
  // I = m (b^2 + c^2) / 12 of a box.
  for (int k = 0; k < 3; ++k) {
    const double b = side[(k + 1) % 3], c = side[(k + 2) % 3];
    const double expected = (b * b + c * c) / 12 * scene.solids[0].spin[k];
    EXPECT_NEAR(angular[k] / n, expected, 0.02 * std::abs(expected));
  }
}

TEST(SampleSolids, DoesNotDependOnTheNumberOfThreads) {
  Scene scene = scene_with(load_rabbit(), 0.015);
  scene.solids[0].copies = {2, 1, 1};
  scene.solids[0].pitch = {1, 0, 0};
  scene.solids[0].random_turns = true;
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const SolidParticles one = sample_solids(scene);
  omp_set_num_threads(3);
  const SolidParticles three = sample_solids(scene);
  omp_set_num_threads(before);
  EXPECT_EQ(one.particles.position, three.particles.position);
  ASSERT_EQ(one.surface.size(), three.surface.size());
  for (std::size_t i = 0; i < one.surface.size(); ++i) {
    EXPECT_EQ(one.surface[i].xyz(), three.surface[i].xyz());
    EXPECT_EQ(one.surface[i].w, three.surface[i].w);
  }
}

TEST(SampleSolids, InTwoDimensionsThereIsOneLayer) {
  const Shape disc = Shape::sphere({0.5f, 0.5f, 0}, 0.3f);
  const Shape wide = Shape::box({0, 0, -1e6f}, {0.6f, 0.4f, 1e6f});
  Scene scene = scene_with(disc, 0.02);
  scene.dimensions = 2;
  const SolidParticles round = sample_solids(scene);
  EXPECT_NEAR(static_cast<double>(round.particles.size()) * 4e-4 / (0.09 * pi), 1, 0.02);
  expect_depths(
      round,
      [](const Vec3& x) {
        return length(x - Vec3{0.5f, 0.5f, 0}) - 0.3f;
      },
      1e-5f);
  scene.solids[0].shape = subtract(wide, Shape::sphere({0.6f, 0.4f, 0}, 0.2f));
  scene.solids[0].random_turns = true;
  const SolidParticles bitten = sample_solids(scene);
  EXPECT_NEAR(static_cast<double>(bitten.particles.size()) * 4e-4 / (0.24 - 0.01 * pi), 1, 0.02);
  expect_unit_normals(bitten);
  const auto truth = [](const Vec3& x) {
    return -std::min({x.x, x.y, 0.6f - x.x, 0.4f - x.y, length(x - Vec3{0.6f, 0.4f, 0}) - 0.2f});
  };
  for (std::size_t i = 0; i < bitten.surface.size(); ++i) {
    EXPECT_EQ(bitten.particles.position[i].z, 0);
    EXPECT_EQ(bitten.surface[i].z, 0);
    EXPECT_NEAR(bitten.surface[i].w,
                truth(bitten.bodies[0].pose.to_own(bitten.particles.position[i])), 2e-3f);
  }
}

TEST(SampleSolids, SolidsInWallsAndBodiesAreRefused) {
  Scene scene = scene_with(Shape::box({0, -0.04f, 0}, {0.4f, 0.36f, 0.4f}));
  scene.has_domain = true;
  scene.domain.min = {-1, 0, -1};
  scene.domain.max = {2, 2, 2};
  scene.domain.walls[minus_y] = true;
  EXPECT_EQ(sample_solids(scene).particles.size(), 64u);
  scene.solids[0].shape = Shape::box({0, -0.06f, 0}, {0.4f, 0.34f, 0.4f});
  expect_contains(
      sample_error(scene),
      "solids.0 ('crate') reaches more than half a spacing beyond the domain's wall -y: "
      "move it inside");
  scene.domain.walls[minus_y] = false;
  EXPECT_EQ(sample_solids(scene).particles.size(), 64u);
  Body ramp;
  ramp.name = "ramp";
  ramp.shape = Shape::sphere({0.2f, -1.1f, 0.2f}, 1);
  scene.bodies = {ramp};
  EXPECT_EQ(sample_solids(scene).particles.size(), 64u);
  scene.bodies[0].shape = Shape::sphere({0.2f, -0.8f, 0.2f}, 1);
  expect_contains(
      sample_error(scene),
      "solids.0 ('crate') reaches more than half a spacing into bodies.0 ('ramp'): move");
  // A container around it is allowed; it must not extend out of the container.
  scene.bodies[0].hollow = true;
  scene.bodies[0].shape = Shape::box({-1, -1, -1}, {2, 2, 2});
  EXPECT_EQ(sample_solids(scene).particles.size(), 64u);
  scene.solids[0].copies = {4, 1, 1};
  scene.solids[0].pitch = {0.6f, 0, 0};
  expect_contains(sample_error(scene), "into bodies.0");
}

TEST(SampleSolids, SolidsMayOverlapEachOther) {
  Scene scene = scene_with(Shape::sphere({0, 0, 0}, 0.3f));
  scene.solids.push_back(scene.solids[0]);
  EXPECT_EQ(sample_solids(scene).bodies.size(), 2u);
}

TEST(SampleSolids, InvalidSolidsAreRefused) {
  Scene scene = scene_with(Shape::torus({0, 0, 0}, {0, 1, 0}, 0.08f, 0.001f));
  expect_contains(
      sample_error(scene),
      "solids.0 ('crate') contains no particle: it is too small or too thin for 'spacing' "
      "0.1");
  scene.solids[0].shape = Shape();
  expect_contains(sample_error(scene), "contains no particle");
  scene.solids[0].shape = intersect(Shape::sphere({0, 0, 0}, 0.3f), Shape::sphere({2, 0, 0}, 0.3f));
  expect_contains(sample_error(scene), "contains no particle");
  scene.solids[0].shape = Shape::plane({0, 0, 0}, {0, 1, 0});
  expect_contains(sample_error(scene), "solids.0 ('crate'): its shape reaches to infinity");
  scene.solids[0].shape = Shape::box({0, 0, 0}, {1, 1, 1});
  scene.solids[0].material = 0;
  expect_contains(sample_error(scene), "is made of 'water', which is not of kind solid");
  scene.solids[0].material = 7;
  expect_contains(sample_error(scene), "is of material 7, the scene has 2");
  scene.solids[0].material = 1;
  scene.solids[0].copies = {1, 0, 1};
  expect_contains(sample_error(scene), "has 0 copies");
  scene.solids[0].copies = {1, 1, 1};
  scene.spacing = 1e-5;
  expect_contains(sample_error(scene), "'spacing' 1e-05 is too small for it");
}

TEST(SampleScene, FluidsComeFirstAndLeaveSpaceForSolids) {
  Scene scene = scene_with(Shape::sphere({0.5f, 0.5f, 0.5f}, 0.3f), 0.05);
  Fluid water;
  water.shape = Shape::box({0, 0, 0}, {1, 1, 1});
  scene.fluids = {water};
  const std::size_t all = sample_fluids(scene).size();
  for (const Filling filling : {Filling::volume, Filling::shell}) {
    scene.solids[0].filling = filling;
    const SolidParticles solids = sample_solids(scene);
    const SampledParticles set = sample_scene(scene);
    const std::size_t fluid = set.size() - solids.particles.size();
    const double displaced = static_cast<double>(all - fluid) * std::pow(0.05, 3);
    EXPECT_GE(displaced, 0.99 * 4 * pi / 3 * std::pow(0.3, 3));
    EXPECT_LE(displaced, 4 * pi / 3 * std::pow(0.3 + 0.75 * 0.05, 3));
    for (std::size_t i = 0; i < fluid; ++i) {
      EXPECT_EQ(set.phase[i], 0u);
      EXPECT_GE(length(set.position[i] - Vec3{0.5f, 0.5f, 0.5f}), 0.3f);
      for (const Vec3& x : solids.particles.position)
        EXPECT_GE(length(set.position[i] - x), 0.0374f);
    }
    for (std::size_t i = 0; i < solids.particles.size(); ++i) {
      EXPECT_EQ(set.phase[fluid + i], 1u);
      EXPECT_EQ(set.position[fluid + i], solids.particles.position[i]);
    }
  }
  scene.fluids[0].shape = Shape::box({0.45f, 0.45f, 0.45f}, {0.55f, 0.55f, 0.55f});
  expect_contains(sample_error(scene), "fluids.0 ('water') contains no particle");
}

}  // namespace
}  // namespace panta
