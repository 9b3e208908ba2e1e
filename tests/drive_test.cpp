// Control of a simulation by a program: column views, written values, forces on particles.
#include <gtest/gtest.h>

#include <functional>

#include "device_list.h"
#include "error_of.h"
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

TEST_P(Drive, ViewsAreStaleAfterEachChange) {
  scene_.fluids[0].shape = Shape::box({0, 0, 0}, {0.3f, 0.2f, 0.2f});
  sim_ = make_simulation(scene_, {GetParam().device, 0, false});
  State saved;
  sim_->save(saved);
  const auto kept = sim_->keep();
  const Fluid more{.shape = Shape::box({1, 0, 0}, {1.2f, 0.2f, 0.2f})};
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"snapshot", [&] { sim_->snapshot(); }},
      {"change", [&] { sim_->change(scene_); }},
      {"clear",
       [&] {
         sim_->clear(Shape::box({-1, -1, -1}, {0.1f, 1, 1}));
       }},
      {"add", [&] { sim_->add({more}); }},
      {"restore", [&] { sim_->restore(saved); }},
      {"restore of a kept state", [&] { sim_->restore(*kept); }},
      {"restore_changed", [&] { sim_->restore_changed(scene_, saved); }},
      {"advance", [&] { sim_->advance_by(0.01); }}};
  for (const auto& [name, change] : changes) {
    const ColumnView view = sim_->view("position");
    ASSERT_FALSE(view.stale()) << name;
    change();
    EXPECT_TRUE(view.stale()) << name;
    EXPECT_THROW(view.component(0), Error) << name;
    EXPECT_EQ(sim_->view("position").count, sim_->size()) << name;
  }
}

TEST_P(Drive, ComputedColumnsAreInFramesOnly) {
  for (const std::string name : {"density", "pressure"}) {
    if (!sim_->snapshot().find(name)) continue;
    for (const std::string& message : {error_of([&] { sim_->view(name); }), error_of([&] {
                                         sim_->write(name, std::vector<float>(sim_->size()));
                                       })})
      EXPECT_NE(message.find("use snapshot()"), std::string::npos) << message;
  }
}

TEST_P(Drive, MaterialsOfParticlesCanBeWritten) {
  scene_.materials = {{.name = "red"}, {.name = "blue"}, {.name = "sand"}};
  scene_.materials[2].kind = MaterialKind::granular;
  if (scene_.method != "unified") scene_.materials.pop_back();
  sim_ = make_simulation(scene_, {GetParam().device, 0, false});
  std::vector<std::uint32_t> phase(sim_->size());
  for (std::size_t k = 0; k < phase.size(); ++k) phase[k] = k % 3 == 0;
  sim_->write_words("phase", phase);
  EXPECT_EQ(sim_->snapshot().phase(), phase);
  sim_->advance_by(0.01);
  EXPECT_EQ(sim_->snapshot().phase(), phase);
  const auto message = [&](const std::string& column, std::vector<std::uint32_t> values) {
    return error_of([&] { sim_->write_words(column, values); });
  };
  EXPECT_NE(message("velocity", phase).find("use write()"), std::string::npos);
  EXPECT_NE(message("id", phase).find("can be read only"), std::string::npos);
  EXPECT_NE(error_of([&] {
              sim_->write("phase", std::vector<float>(phase.size()));
            }).find("use write_words()"),
            std::string::npos);
  phase[5] = 7;
  EXPECT_NE(message("phase", phase).find("no material 7"), std::string::npos);
  phase[5] = 2;
  EXPECT_NE(message("phase", phase), "no error");
  phase.pop_back();
  EXPECT_NE(message("phase", phase).find("takes 1 whole numbers"), std::string::npos);
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
