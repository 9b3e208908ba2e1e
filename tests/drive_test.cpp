// Control of a simulation by a program: column views, written values, forces on particles.
#include <gtest/gtest.h>

#include "device_list.h"
#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"

namespace panta {
namespace {

struct Case {
  std::string method, device;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.method << " on " << c.device; }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MethodInfo& method : methods())
    for (const std::string& device : devices()) cases.push_back({method.name, device});
  return cases;
}

class Drive : public testing::TestWithParam<Case> {
 protected:
  Drive() {
    scene_.method = GetParam().method;
    scene_.spacing = 0.05;
    scene_.gravity = {};
    scene_.materials = {Material{}};
    scene_.fluids = {{.shape = Shape::box({0, 0, 0}, {0.2f, 0.2f, 0.2f})}};
    if (scene_.method == "sph") scene_.solver["sound_speed"] = 5.0;
    sim_ = make_simulation(scene_, {GetParam().device, 0, false});
  }

  Vec3d momentum() {
    Vec3d sum;
    for (const Vec3& v : sim_->snapshot().velocity()) sum += to_double(v) * sim_->particle_mass(0);
    return sum;
  }

  Scene scene_;
  std::unique_ptr<Simulation> sim_;
};

TEST_P(Drive, AdvancesByAndTo) {
  sim_->advance_by(0.01);
  sim_->advance_by(0.01);
  EXPECT_NEAR(sim_->time(), 0.02, 1e-15);
  sim_->advance_to(0.01);
  EXPECT_NEAR(sim_->time(), 0.02, 1e-15);
}

TEST_P(Drive, ViewsShowTheColumnsUntilInvalidated) {
  const ColumnView view = sim_->view("position");
  EXPECT_EQ(view.count, sim_->size());
  EXPECT_EQ(view.info.unit, "m");
  EXPECT_FALSE(view.stale());
  if (view.device == DeviceKind::cpu) {
    double sum = 0;
    for (std::size_t i = 0; i < view.count; ++i) sum += view.component(1)[i * view.stride];
    EXPECT_NEAR(sum / double(view.count), 0.1, 1e-6);
  }
  sim_->advance_by(0.01);
  EXPECT_TRUE(view.stale());
  EXPECT_THROW(view.component(0), Error);
  EXPECT_THROW(sim_->view("temperature"), Error);
}

TEST_P(Drive, WrittenVelocitiesMoveTheParticles) {
  std::vector<float> values;
  for (std::size_t i = 0; i < sim_->size(); ++i) values.insert(values.end(), {2.0f, 0.0f, 0.0f});
  const Vec3d before = middle(sim_->snapshot(), 0);
  sim_->write("velocity", values);
  sim_->advance_by(0.05);
  EXPECT_NEAR(middle(sim_->snapshot(), 0).x - before.x, 0.1, 1e-4);
  values.pop_back();
  EXPECT_THROW(sim_->write("velocity", values), Error);
}

TEST_P(Drive, ForcesChangeTheMomentum) {
  const Vec3d before = momentum();
  sim_->set_forces(std::vector<Vec3>(sim_->size(), Vec3{0, 3, 0}));
  sim_->advance_by(0.1);
  const Vec3d gained = momentum() - before;
  const double expected = 3.0 * 0.1 * double(sim_->size());
  EXPECT_NEAR(gained.y, expected, 0.05 * expected);
  sim_->set_forces(std::vector<Vec3>(sim_->size(), Vec3{}));
  const Vec3d now = momentum();
  sim_->advance_by(0.1);
  EXPECT_NEAR(momentum().y, now.y, 0.01 * expected);
}

TEST_P(Drive, SavedForcesStillActAfterRestore) {
  sim_->set_forces(std::vector<Vec3>(sim_->size(), Vec3{0, 3, 0}));
  sim_->advance_by(0.05);
  State state;
  sim_->save(state);
  const auto again = make_simulation(scene_, {GetParam().device, 0, false});
  again->restore(state);
  sim_->advance_by(0.05);
  again->advance_by(0.05);
  const ParticleFrame a = sim_->snapshot(), b = again->snapshot();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.velocity()[i], b.velocity()[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(All, Drive, testing::ValuesIn(all_cases()), [](const auto& info) {
  return info.param.method + "_" + info.param.device;
});

}  // namespace
}  // namespace panta
