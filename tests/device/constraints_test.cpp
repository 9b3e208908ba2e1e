// Constraints between named particles on this device, against closed forms.
#include <numbers>

#include "../stay_above_constraint.h"
#include "constraint_world.h"
#include "panta/core/memory.h"

namespace panta::test {
namespace {

using namespace unified;

constexpr float g = 9.81f;

// A particle on a stick or string of length 1, fixed at the origin and released at an angle (rad).
struct Pendulum : ConstraintWorld<> {
  std::uint32_t hook, bob;
  explicit Pendulum(float angle) {
    gravity = {0, -g, 0};
    hook = add({0, 0, 0});
    bob = add({std::sin(angle), -std::cos(angle), 0});
    lists.of<AttachConstraint>().add({hook}, {});
    lists.of<DistanceConstraint>().add({hook, bob}, {1, false});
  }
};

TEST(Constraints, PendulumKeepsItsLengthAndPeriod) {
  Pendulum world(0.2f);
  world.counts = {.substeps = 8, .iterations = 8};
  world.begin();
  double farthest = 0, last_crossing = 0, first_crossing = -1;
  int crossings = 0;
  for (int k = 0; k < 1200; ++k) {
    const float before = world.x(world.bob).x;
    world.step(1.0 / 120);
    const float now = world.x(world.bob).x;
    farthest =
        std::max(farthest, std::abs(double(length(world.x(world.bob) - world.x(world.hook))) - 1));
    if (before > 0 && now <= 0) {
      last_crossing = world.time() - double(now) / (now - before) / 120;
      if (first_crossing < 0) first_crossing = last_crossing;
      ++crossings;
    }
  }
  const double period = (last_crossing - first_crossing) / (crossings - 1);
  const double amplitude = 0.2;
  const double expected =
      2 * std::numbers::pi / std::sqrt(double(g)) * (1 + amplitude * amplitude / 16);
  RecordProperty("period_error", std::to_string(period / expected - 1));
  RecordProperty("length_error", std::to_string(farthest));
  EXPECT_LT(farthest, 0.01);
  EXPECT_NEAR(period, expected, 0.01 * expected);
  EXPECT_LT(length(world.x(world.hook)), 0.01f);
}

// XPBD: m g compliance, for any number of iterations and substeps.
TEST(Constraints, HangingMassStretchesByItsWeight) {
  const double mass = 2, compliance = 0.01, damping = 28;  // about critical
  for (const int substeps : {1, 3, 10})
    for (const int iterations : {1, 4, 20}) {
      ConstraintWorld<> world;
      world.gravity = {0, -g, 0};
      world.counts = {.substeps = substeps, .iterations = iterations};
      const auto hook = world.add({0, 0, 0}, unmovable), weight = world.add({0, -1, 0}, mass);
      world.lists.of<DistanceConstraint>().add({hook, weight}, {1, false},
                                               {float(compliance), float(damping)});
      world.begin();
      world.run(4, 1.0 / 60);
      const double stretch = -world.x(weight).y - 1;
      EXPECT_NEAR(stretch, mass * g * compliance, 0.01 * mass * g * compliance)
          << substeps << " substeps, " << iterations << " iterations";
      const double dt = 1.0 / 60 / substeps;
      const double force = world.groups.of<DistanceConstraint>().multipliers()[0] / (dt * dt);
      EXPECT_NEAR(-force, mass * g, 0.01 * mass * g);
    }
}

// Both constraints of the upper mass act on it, and the meaning of the compliance is unchanged.
TEST(Constraints, ChainLinksStretchByTheWeightBelow) {
  const float compliance = 0.01f;
  for (const Averaging averaging : {Averaging::local, Averaging::global})
    for (const int iterations : {20, 60}) {
      ConstraintWorld<> world;
      world.gravity = {0, -g, 0};
      world.counts = {.substeps = 2, .iterations = iterations};
      world.relaxation = {1, averaging};
      std::uint32_t above = world.add({0, 0, 0}, unmovable);
      for (int k = 1; k <= 3; ++k) {
        const auto next = world.add({0, float(-k), 0});
        world.lists.of<DistanceConstraint>().add({above, next}, {1, false}, {compliance, 10});
        above = next;
      }
      world.begin();
      world.run(6, 1.0 / 60);
      for (std::uint32_t k = 1; k <= 3; ++k) {
        const double stretch = length(world.x(k) - world.x(k - 1)) - 1.0;
        const double expected = (4 - k) * double(g) * compliance;
        EXPECT_NEAR(stretch, expected, 0.01 * expected) << "link " << k;
      }
    }
}

TEST(Constraints, DampingRemovesEnergyAtItsRate) {
  const double mass = 1, compliance = 0.01, damping = 4;
  ConstraintWorld<> world;
  const auto hook = world.add({0, 0, 0}, unmovable), weight = world.add({1.5f, 0, 0}, mass);
  world.lists.of<DistanceConstraint>().add({hook, weight}, {1, false},
                                           {float(compliance), float(damping)});
  world.begin();
  // x = e^(-b t) (cos w t + b/w sin w t) after release at rest; at whole periods e^(-b t).
  const double b = damping / (2 * mass), w = std::sqrt(1 / (compliance * mass) - b * b);
  const double period = 2 * std::numbers::pi / w;
  world.run(2 * period, period / 1000);
  const double left = (world.x(weight).x - 1) / 0.5, rate = -std::log(left) / (2 * period);
  EXPECT_NEAR(rate, b, 0.03 * b);
}

// A random network of springs between particles of several masses.
void add_random_springs(ConstraintWorld<>& world, std::size_t particles, std::size_t ties) {
  Random random(7);
  for (std::size_t k = 0; k < particles; ++k)
    world.add(random.in_box({-1, -1, -1}, {1, 1, 1}), 1.0 + double(k % 3),
              random.in_box({-1, -1, -1}, {1, 1, 1}));
  for (std::size_t k = 0; k < ties; ++k) {
    const auto a = static_cast<std::uint32_t>(random.bits() % particles);
    const auto b =
        static_cast<std::uint32_t>((a + 1 + random.bits() % (particles - 1)) % particles);
    world.lists.of<DistanceConstraint>().add({a, b}, {random.uniform(0.2f, 1), k % 4 == 0},
                                             {k % 3 == 0 ? 1e-3f : 0.0f, 0});
  }
}

TEST(Constraints, PairsKeepMomentum) {
  for (const Averaging averaging : {Averaging::local, Averaging::global}) {
    ConstraintWorld<> world;
    add_random_springs(world, 60, averaging == Averaging::local ? 200 : 20);
    world.relaxation.averaging = averaging;
    world.counts = {.substeps = 2, .iterations = 4};
    world.begin();
    const Vec3d before = world.momentum();
    world.run(0.5, 1.0 / 100);
    double size = 0;
    for (std::uint32_t id = 0; id < world.size(); ++id)
      size += world.mass(id) * double(length(world.v(id)));
    const double drift = length(world.momentum() - before) / size;
    RecordProperty(averaging == Averaging::local ? "local" : "global", std::to_string(drift));
    EXPECT_LT(drift, 1e-4);
  }
}

// Fig. 2 of the paper: a particle held at the origin by equal constraints.
double position_after(int constraints, int iterations, Averaging averaging) {
  ConstraintWorld<> world;
  const auto particle = world.add({1, 0, 0});
  for (int k = 0; k < constraints; ++k) world.lists.of<AttachConstraint>().add({particle}, {});
  world.relaxation.averaging = averaging;
  world.begin();
  for (int k = 0; k < iterations; ++k) world.project();
  return world.x(particle).x;
}

TEST(Constraints, EqualConstraintsNeedAveraging) {
  EXPECT_EQ(position_after(2, 9, Averaging::global), -1);  // oscillates between two sides
  EXPECT_EQ(position_after(2, 10, Averaging::global), 1);
  EXPECT_EQ(position_after(3, 10, Averaging::global), 1024);  // diverges with three
  EXPECT_EQ(position_after(2, 1, Averaging::local), 0);
  EXPECT_NEAR(position_after(3, 1, Averaging::local), 0, 1e-7);
}

// A block of particles connected to all 26 neighbours, stretched by 10 %.
double worst_strain(Averaging averaging, float omega) {
  ConstraintWorld<> world;
  world.exec = executors()[0];
  constexpr int side = 4;
  const auto id = [](int i, int j, int k) {
    return static_cast<std::uint32_t>((i * side + j) * side + k);
  };
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) world.add(Vec3{float(i), float(j), float(k)} * 1.1f);
  auto& ties = world.lists.of<DistanceConstraint>();
  for (std::uint32_t a = 0; a < id(side - 1, side - 1, side - 1); ++a)
    for (std::uint32_t b = a + 1; b < side * side * side; ++b) {
      const float rest = length(world.x(b) - world.x(a)) / 1.1f;
      if (rest < 1.8f) ties.add({a, b}, {rest, false});
    }
  world.relaxation = {omega, averaging};
  world.begin();
  for (int k = 0; k < 300; ++k) world.project();
  double worst = 0;
  for (std::size_t c = 0; c < ties.size(); ++c) {
    const Vec3 d = world.x(ties.particles[2 * c]) - world.x(ties.particles[2 * c + 1]);
    worst = std::max(worst, std::abs(length(d) / double(ties.data[c].rest_length) - 1));
  }
  return worst;
}

TEST(Constraints, DenseNetworksConvergeWithAveraging) {
  EXPECT_LT(worst_strain(Averaging::local, 1), 1e-4);
  EXPECT_LT(worst_strain(Averaging::local, 1.5f), 1e-4);
  EXPECT_FALSE(worst_strain(Averaging::global, 1) < 0.5);
}

TEST(Constraints, StringActsOnlyWhenTaut) {
  ConstraintWorld<> world;
  world.gravity = {0, -g, 0};
  world.counts = {.substeps = 4, .iterations = 2};
  const auto hook = world.add({0, 0, 0}, unmovable), bob = world.add({0, -0.2f, 0});
  world.lists.of<DistanceConstraint>().add({hook, bob}, {1, true});
  world.begin();
  world.run(0.2, 1.0 / 100);
  const double dt = 1.0 / 400, n = 80;  // with symplectic Euler the fall is g dt^2 n (n + 1) / 2
  EXPECT_NEAR(world.x(bob).y, -0.2 - g * dt * dt * n * (n + 1) / 2, 1e-5);
  world.run(1, 1.0 / 100);
  EXPECT_NEAR(world.x(bob).y, -1, 1e-4);
  EXPECT_NEAR(world.v(bob).y, 0, 1e-3);
}

TEST(Constraints, AttachedParticleFollowsItsPoint) {
  ConstraintWorld<> world;
  world.gravity = {0, -g, 0};
  const auto stiff = world.add({1, 0, 0}), soft = world.add({2, 0, 0});
  const Vec3 velocity{0.5f, 0, 0};
  world.lists.of<AttachConstraint>().add({stiff}, {{1, 0, 0}, velocity});
  world.lists.of<AttachConstraint>().add({soft}, {{2, 0, 0}, velocity}, {0.01f, 20});
  world.begin();
  world.run(3, 1.0 / 100);
  EXPECT_LT(length(world.x(stiff) - Vec3{2.5f, 0, 0}), 1e-5f);
  // Damping does not slow it: it hangs below its point by m g compliance.
  EXPECT_LT(length(world.x(soft) - Vec3{3.5f, -0.0981f, 0}), 2e-3f);
}

TEST(Constraints, AttachmentPointMovesUniformlyAtLateTimes) {
  ConstraintWorld<> world;
  const auto particle = world.add({0, 0, 0});
  world.lists.of<AttachConstraint>().add({particle}, {{-1000, 0, 0}, {1, 0, 0}});
  world.set_time(1000);
  world.begin();
  for (int k = 0; k < 5; ++k) {
    world.step(1.0 / 128);
    EXPECT_NEAR(world.x(particle).x, (k + 1) / 128.0, 1e-6);
  }
}

TEST(Constraints, MissingParticleDisablesItsConstraints) {
  ConstraintWorld<> world;
  const auto a = world.add({0, 0, 0}), b = world.add({2, 0, 0}), c = world.add({0, 2, 0});
  world.lists.of<DistanceConstraint>().add({a, b}, {1, false});
  world.lists.of<DistanceConstraint>().add({a, c}, {2, false});
  world.begin();
  world.remove(b);
  world.run(0.1, 0.01);
  EXPECT_EQ(world.x(a), (Vec3{0, 0, 0}));
  EXPECT_EQ(world.x(c), (Vec3{0, 2, 0}));
}

TEST(Constraints, WorkAcrossAPeriodicBorder) {
  ConstraintWorld<> world;
  world.period = {1, 0, 0};
  const auto a = world.add({0.1f, 0, 0}), b = world.add({0.9f, 0, 0});
  world.lists.of<DistanceConstraint>().add({a, b}, {0.1f, false});
  world.begin();
  world.project();
  EXPECT_NEAR(world.x(a).x, 0.05f, 1e-6);
  EXPECT_NEAR(world.x(b).x, 0.95f, 1e-6);
}

TEST(Constraints, ClosedStepChangesNothing) {
  ConstraintWorld<> world;
  const auto particle = world.add({1, 0, 0});
  world.lists.of<AttachConstraint>().add({particle}, {});
  world.begin();
  world.close_gate();
  world.project();
  EXPECT_EQ(world.x(particle), (Vec3{1, 0, 0}));
}

TEST(Constraints, SolveAllocatesNothing) {
  ConstraintWorld<> world;
  add_random_springs(world, 60, 200);
  world.begin();
  world.step(0.01);
  const std::uint64_t before = allocation_count();
  world.step(0.01);
  EXPECT_EQ(allocation_count(), before);
}

// Large enough to use several threads.
TEST(Constraints, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<Vec3>> results;
  for (const int threads : {1, 2, 5}) {
    ConstraintWorld<> world;
    world.exec = make_exec<D>(threads);
    add_random_springs(world, 2000, 8000);
    for (std::uint32_t id = 0; id < 2000; id += 3)
      world.lists.of<AttachConstraint>().add({id}, {}, {0.01f, 1});
    world.counts = {.substeps = 2, .iterations = 3};
    world.gravity = {0, -g, 0};
    world.begin();
    world.run(0.02, 0.01);
    results.push_back(world.positions());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Constraints, TypeAddedByTheDocumentedStepsIsSolved) {
  ConstraintWorld<OneMoreType> world;
  world.gravity = {0, -g, 0};
  const auto thrown = world.add({0, 1, 0}, 1, {1, 0, 0}), free = world.add({1, 1, 0});
  world.lists.of<StayAboveConstraint>().add({thrown}, {0.5f});
  world.begin();
  world.run(1, 1.0 / 100);
  EXPECT_NEAR(world.x(thrown).y, 0.5, 1e-5);
  EXPECT_NEAR(world.x(thrown).x, 1, 1e-4);
  EXPECT_LT(world.x(free).y, -3);
}

}  // namespace
}  // namespace panta::test
