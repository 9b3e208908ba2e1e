// Coupling of particles and free bodies.
#include <cstring>

#include "body_world.h"
#include "panta/core/random.h"

namespace panta::test {
namespace {

constexpr double dt = 1.0 / 60;

// Particles that move freely for one step, and the body that they hit.
class Shower {
 public:
  Shower(const Body& body, float particle_mass, const D& exec = executor())
      : world(scene_of(body), dt, exec), mass_{particle_mass} {}
  Shower(const Scene& scene, float particle_mass) : world(scene, dt), mass_{particle_mass} {}

  void add(const Vec3& end, const Vec3& velocity, float gone = 0) {
    const Vec3 began = end - velocity * float(dt);
    began_.push_back({began.x, began.y, began.z, 0});
    ends_.push_back({end.x, end.y, end.z, gone});
  }

  void couple(int turns, float radius = 0.02f) {
    Field4<D> began, position;
    fill(began, began_);
    fill(position, ends_);
    const Buffer<D, std::uint32_t> phase{std::vector<std::uint32_t>(size())};
    const Buffer<D, float> mass(std::vector<float>{mass_});
    const auto count = static_cast<Index>(size());
    world.bodies.reserve(count);
    before_momentum = world.momentum();
    for (std::size_t i = 0; i < size(); ++i)
      before_momentum += (given(i) - to_double(began_[i].xyz())) * (double{mass_} / dt);
    world.begin();
    world.bodies.couple(world.exec, world.gate(),
                        {.began = began.view(),
                         .position = position.view(),
                         .phase = phase.data(),
                         .mass = {mass.data(), phase.data()},
                         .radius = radius,
                         .count = count,
                         .stick_distance = stick_distance},
                        world.walls, turns);
    world.finish();
    pushed_ = position.download();
  }

  float stick_distance = 0;

  Vec3d place(std::size_t i) const { return to_double(pushed_[i].xyz()); }

  std::size_t size() const { return ends_.size(); }
  Vec3d given(std::size_t i) const { return to_double(ends_[i].xyz()); }
  Vec3d velocity(std::size_t i) const { return (place(i) - to_double(began_[i].xyz())) * (1 / dt); }
  // Normal velocity of a particle below the body relative to it.
  double approach(std::size_t i, const FreeBodyState& body) const {
    const Vec3d spin = spin_of(world.bodies.specs()[0], body);
    return velocity(i).y - velocity_at(body, spin, place(i)).y;
  }
  Vec3d momentum() const {
    Vec3d sum = world.momentum();
    for (std::size_t i = 0; i < began_.size(); ++i) sum += velocity(i) * double{mass_};
    return sum;
  }

  BodyWorld world;

  Vec3d before_momentum;

 private:
  static Scene scene_of(const Body& body) {
    Scene scene;
    scene.gravity = {};
    scene.bodies = {body};
    return scene;
  }
  static void fill(Field4<D>& field, const std::vector<Vec4>& values) {
    field.resize(values.size());
    field.upload(0, values);
  }

  float mass_;
  std::vector<Vec4> began_, ends_, pushed_;
};

// Particles from below and from one side, at random positions of a face.
void rain_on_box(Shower& shower, int count) {
  for (int k = 0; k < count; ++k) {
    const auto random = [&](std::uint64_t n) {
      return random_uniform(7, static_cast<std::uint64_t>(k), n) - 0.5f;
    };
    if (k % 2) {
      shower.add({0.3f * random(0), -0.11f, 0.3f * random(1)},
                 {0.1f * random(2), 1 + random(3), 0});
    } else {
      shower.add({-0.21f, 0.15f * random(0), 0.3f * random(1)}, {2, 0, 0.2f * random(2)});
    }
  }
}

Body box_body(float friction) {
  Body body = free_box({}, {0.4f, 0.2f, 0.4f}, 500);
  body.surface.friction = friction;
  return body;
}

TEST(BodyCoupling, KeepsMomentum) {
  Shower shower(box_body(0.3f), 0.005f);
  rain_on_box(shower, 3000);
  shower.couple(5);
  const double size = length(shower.before_momentum);
  EXPECT_GT(length(shower.world.momentum()), 0.1 * size);
  EXPECT_LT(length(shower.momentum() - shower.before_momentum), 1e-12 * size);
}

// Equal and opposite impulses at the same points; torques about the centre, which has not moved
// yet.
TEST(BodyCoupling, BodyGetsTheAngularMomentumThatParticlesLose) {
  const float mass = 0.005f;
  Shower shower(box_body(0.3f), mass);
  rain_on_box(shower, 3000);
  shower.couple(1);
  Vec3d gained;
  for (std::size_t i = 0; i < shower.size(); ++i) {
    const Vec3d x = shower.place(i);
    gained += cross(x, x - shower.given(i)) * (double{mass} / dt);
  }
  EXPECT_GT(length(gained), 0.005);
  EXPECT_LT(length(shower.world.bodies.states()[0].angular_momentum + gained), 1e-12);
}

Body sticky_box(double density) {
  Body body = free_box({}, {0.4f, 0.2f, 0.4f}, density);
  body.surface.stickiness = 100;  // 1/s2
  return body;
}

// One particle below the middle of the box.
TEST(BodyCoupling, StickyBodyAndParticleAttractEachOther) {
  const double mass = 2, body_mass = 500 * 0.032;
  for (const float gap : {0.01f, 0.03f, 0.05f, 0.07f}) {
    Shower shower(sticky_box(500), float(mass));
    shower.stick_distance = 0.04f;
    shower.add({0, -0.1f - gap, 0}, {});
    shower.couple(4);
    const double d = double{gap} - 0.02;
    const double pull = d > 0 && d < 0.04 ? dt * 100 * d * (1 - d / 0.04) : 0;
    const double impulse = pull / (1 / mass + 1 / body_mass);
    EXPECT_NEAR(shower.velocity(0).y, impulse / mass, 1e-5) << gap;
    EXPECT_NEAR(shower.world.bodies.states()[0].velocity.y, -impulse / body_mass, 1e-5) << gap;
  }
}

// For any number of particles and any stickiness, the body moves to the particles, not beyond them.
TEST(BodyCoupling, ManyParticlesAttractALightBodyNoFasterThanOne) {
  Body body = sticky_box(1);
  body.surface.stickiness = 1e9f;
  Shower shower(body, 0.1f);
  shower.stick_distance = 0.04f;
  for (int k = 0; k < 900; ++k)
    shower.add({0.01f * float(k % 30) - 0.145f, -0.14f, 0.01f * float(k / 30) - 0.145f}, {});
  shower.couple(4);
  const FreeBodyState pulled = shower.world.bodies.states()[0];
  const double most = 0.02 / 2 / dt;  // d (1 - d / d_stick) / dt
  EXPECT_LT(pulled.velocity.y, -0.3 * most);
  EXPECT_GT(pulled.velocity.y, -1.001 * most);
  EXPECT_LT(length(shower.momentum()), 1e-12);
}

void lift(Shower& shower) {
  for (int k = 0; k < 1000; ++k)
    shower.add({0.01f * float(k % 30) - 0.145f, -0.11f, 0.01f * float(k / 30) - 0.165f}, {0, 1, 0});
}

TEST(BodyCoupling, ManyHeavyParticlesAccelerateALightBodyToTheirSpeed) {
  for (const int passes : {1, 4, 20}) {
    Shower shower(box_body(0), 16);  // total mass 1000 times that of the body
    lift(shower);
    shower.couple(passes, 0.08f);
    const FreeBodyState body = shower.world.bodies.states()[0];
    EXPECT_GT(body.velocity.y, 0.5) << passes;
    for (std::size_t i = 0; i < shower.size(); ++i) {
      ASSERT_GT(shower.approach(i, body), -0.01) << passes << " passes, particle " << i;
      ASSERT_LT(shower.approach(i, body), passes == 20 ? 0.01 : 1.0) << passes;
    }
  }
}

TEST(BodyCoupling, FewLightParticlesStopAtAHeavyBody) {
  Shower shower(box_body(0), 0.001f);
  lift(shower);
  shower.couple(4, 0.08f);
  const FreeBodyState body = shower.world.bodies.states()[0];
  for (std::size_t i = 0; i < shower.size(); ++i)
    ASSERT_NEAR(shower.approach(i, body), 0, 0.01) << i;
}

// The paper's mu: the fraction of the tangential velocity that is removed.
TEST(BodyCoupling, FrictionRemovesItsFractionOfTheSlip) {
  for (const float mu : {0.0f, 0.4f, 1.0f}) {
    Shower shower(box_body(mu), 1e-6f);
    shower.add({0, -0.11f, 0}, {1, 1, 0});
    shower.couple(1);
    EXPECT_NEAR(shower.velocity(0).x, 1 - mu, 1e-4);
    EXPECT_NEAR(shower.velocity(0).y, 0, 1e-4);
  }
}

TEST(BodyCoupling, IgnoresSeparatingDistantAndRemovedParticles) {
  Shower shower(box_body(1), 0.01f);
  shower.add({0, -0.11f, 0}, {0.5f, -1, 0});
  shower.add({0, -0.4f, 0}, {0, 1, 0});
  shower.add({0, -0.11f, 0}, {0, 1, 0}, 1);
  shower.couple(3);
  EXPECT_EQ(length(shower.world.momentum()), 0);
  for (std::size_t i = 0; i < shower.size(); ++i) EXPECT_EQ(shower.place(i), shower.given(i));
}

// Gravity acts in every step on a body that lies on the ground; particles beside it are not
// affected.
TEST(BodyCoupling, BodyAtRestDoesNotDragNearbyParticles) {
  Scene scene;
  Body box = free_box({0, 0.1f, 0}, {0.4f, 0.2f, 0.4f});
  box.surface.no_slip = true;
  scene.bodies = {floor_at(0), box};
  Shower shower(scene, 0.01f);
  shower.world.run(0.5);
  shower.add({-0.21f, 0.1f, 0}, {});
  shower.couple(4);
  EXPECT_LT(length(shower.velocity(0)), 1e-3);
  EXPECT_LT(length(shower.world.momentum()), 1e-2);
}

TEST(BodyCoupling, SameBitsForEveryExecutor) {
  std::vector<FreeBodyState> first;
  for (const D& exec : executors()) {
    Shower shower(box_body(0.3f), 0.005f, exec);
    rain_on_box(shower, 5000);
    shower.couple(3);
    const auto states = shower.world.bodies.states();
    if (first.empty()) first = states;
    EXPECT_EQ(std::memcmp(states.data(), first.data(), sizeof(first[0])), 0);
  }
}

}  // namespace
}  // namespace panta::test
