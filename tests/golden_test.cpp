// Stored hashes of short runs of every method on the CPU. They detect unintended changes of
// results, and dependences on the number of threads or the instruction set.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"
#include "panta/load/load.h"

namespace panta {
namespace {

// A column of water flows into oil; a jet, a swirl and a rotating paddle stir both.
constexpr const char* sph_scene = R"({
  "method": "sph", "spacing": 0.02, "duration": 0.1,
  "domain": {"min": [0, 0, -0.08], "max": [0.5, 0.5, 0.08], "surfaces": {"-x": {"no_slip": true}}},
  "materials": {
    "water": {"density": 1000, "viscosity": 0.001, "surface_tension": 0.07},
    "oil": {"density": 800, "viscosity": 0.1, "surface_tension": 0.03}
  },
  "fluids": [
    {"material": "water", "jitter": 0, "velocity": [1, 0, 0], "shape": {"box": {"min": [0, 0, -0.08], "max": [0.16, 0.3, 0.08]}}},
    {"material": "oil", "jitter": 0.1, "shape": {"box": {"min": [0.16, 0, -0.08], "max": [0.5, 0.08, 0.08]}}}
  ],
  "bodies": [
    {"name": "paddle", "friction": 0.2, "shape": {"box": {"min": [0.3, 0.06, -0.04], "max": [0.34, 0.2, 0.04]}},
     "motion": {"translate": ["-0.5*t", 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": "400*t"}}}
  ],
  "emitters": [
    {"name": "jet", "material": "water", "at": [0.42, 0.3, 0], "direction": [-0.3, -1, 0], "speed": 2,
     "disc": {"radius": 0.04}}
  ],
  "sinks": [{"name": "drain", "shape": {"box": {"min": [0.46, -1, -1], "max": [1, 0.04, 1]}}}],
  "fields": [{"name": "stir", "type": "swirl", "center": [0.1, 0.2, 0], "axis": [0, 0, 1], "rate": 10, "strength": 5,
              "radius": 0.1}],
  "solver": {"sound_speed": 12}
})";

// Water flows into a heap of sand and moves a cork and a rotating stone.
constexpr const char* unified_scene = R"({
  "method": "unified", "spacing": 0.036, "duration": 0.34,
  "domain": {"min": [0, 0, 0], "max": [0.9, 0.8, 0.36], "surfaces": {"all": {"friction": 0.4}}},
  "materials": {
    "water": {"density": 1000, "viscosity": 0.01, "surface_tension": 0.07},
    "sand": {"kind": "granular", "density": 1600},
    "cork": {"kind": "solid", "density": 250},
    "stone": {"kind": "solid", "density": 2500}
  },
  "fluids": [
    {"material": "water", "jitter": 0, "velocity": [1, 0, 0], "shape": {"box": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.36]}}},
    {"material": "sand", "jitter": 0.1, "shape": {"box": {"min": [0.6, 0, 0], "max": [0.9, 0.21, 0.36]}}}
  ],
  "solids": [
    {"name": "cork", "material": "cork", "velocity": [0, -2, 0],
     "shape": {"box": {"min": [0.09, 0.33, 0.12], "max": [0.21, 0.45, 0.24]}}},
    {"name": "stones", "material": "stone", "velocity": [0, -2, 0], "spin": [3, 2, 1], "copies": [2, 2, 1],
     "pitch": [0.16, 0.16, 0], "shape": {"sphere": {"center": [0.5, 0.2, 0.18], "radius": 0.07}}}
  ],
  "bodies": [
    {"name": "ramp", "friction": 0.5, "shape": {"box": {"min": [0.36, -0.1, 0], "max": [0.6, 0.03, 0.36]},
                                                "rotate": {"axis": [0, 0, 1], "degrees": 5}}}
  ]
})";

// Jelly falls into a viscous liquid with a floating crate; a sticky ball moves through both.
constexpr const char* viscoelastic_scene = R"({
  "method": "viscoelastic", "spacing": 0.022, "duration": 0.25,
  "domain": {"min": [0, 0, 0], "max": [0.6, 0.6, 0.24],
             "surfaces": {"-y": {"no_slip": true}, "-x": {"friction": 0.3}}},
  "materials": {
    "syrup": {"density": 1000, "viscosity": 2},
    "jelly": {"density": 800, "viscosity": 0.5,
              "viscoelastic": {"springs": 3, "plasticity": 0.3, "yield": 0.1}}
  },
  "fluids": [
    {"material": "syrup", "jitter": 0.1, "shape": {"box": {"min": [0, 0, 0], "max": [0.6, 0.1, 0.24]}}},
    {"material": "jelly", "jitter": 0, "velocity": [0.5, -1.5, 0],
     "shape": {"box": {"min": [0.1, 0.12, 0.06], "max": [0.24, 0.26, 0.18]}}}
  ],
  "bodies": [
    {"name": "crate", "friction": 0.3, "free": {"density": 500, "velocity": [-0.5, -1, 0], "spin": [0, 2, 1]},
     "shape": {"box": {"min": [0.42, 0.11, 0.06], "max": [0.54, 0.23, 0.18]}}},
    {"name": "ball", "stickiness": 20000, "shape": {"sphere": {"center": [0.32, 0.18, 0.12], "radius": 0.05}},
     "motion": {"interpolation": "smooth", "keys": [{"time": 0}, {"time": 0.2, "translate": [-0.05, -0.1, 0]}]}}
  ],
  "emitters": [
    {"name": "spout", "material": "syrup", "at": [0.3, 0.45, 0.12], "speed": 1.5, "disc": {"radius": 0.03}}
  ],
  "solver": {"time_step": 0.005}
})";

struct Golden {
  const char* name;
  const char* scene;
  std::vector<std::string> settings;
  std::uint64_t hash;
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all = {
      {"Sph", sph_scene, {}, 0xf8d8f0aa069cd781},
      {"SphOfThePaper",
       sph_scene,
       {"solver.kernels=mueller2003", "solver.surface_tension=mueller2003"},
       0xe622e32ad86ffdee},
      {"SphInTwoDimensions", sph_scene, {"dimensions=2", "spacing=0.008"}, 0xce981c7f49f20a07},
      {"Unified", unified_scene, {}, 0x4b76e80dfb1c12f5},
      {"UnifiedWithCohesion", unified_scene, {"solver.cohesion=1000"}, 0x5fd20f951c35103f},
      {"UnifiedWithFrictionOfVelocities",
       unified_scene,
       {"solver.friction_model=velocities"},
       0x977c6a845a834090},
      {"Viscoelastic", viscoelastic_scene, {}, 0xa00ae610e13e5311},
      {"ViscoelasticWithChosenSteps",
       viscoelastic_scene,
       {"solver.time_step=0"},
       0xba9cf50d1f29d69d},
      {"ViscoelasticLeapfrog",
       viscoelastic_scene,
       {"solver.velocity_update=leapfrog"},
       0xa9f8093d4f41009},
      {"ViscoelasticColoured",
       viscoelastic_scene,
       {"solver.relaxation=coloured"},
       0x8638ff2e2cd1fdee},
      {"ViscoelasticSequential",
       viscoelastic_scene,
       {"solver.relaxation=sequential"},
       0xa9d286545a41e147},
  };
  return all;
}

// FNV-1a of 64 bits.
class Hash {
 public:
  void add(std::uint32_t word) {
    for (int byte = 0; byte < 4; ++byte)
      value_ = (value_ ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3u;
  }
  void add(const Vec3& v) {
    for (const float component : {v.x, v.y, v.z}) add(std::bit_cast<std::uint32_t>(component));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::uint64_t hash_of(const ParticleFrame& frame) {
  Hash hash;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    hash.add(frame.id()[i]);
    hash.add(frame.position()[i]);
    hash.add(frame.velocity()[i]);
  }
  return hash.value();
}

class GoldenRun : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenRun, HasTheStoredHashForAnyNumberOfThreads) {
  const Golden& golden = GetParam();
  const Scene scene = parse_scene(golden.scene, golden.name, golden.settings);
  for (const int threads : {1, 2, 3}) {
    const auto sim = make_simulation(scene, {"cpu", threads, false});
    sim->advance_to(scene.duration);
    const std::uint64_t hash = hash_of(sim->snapshot());
    EXPECT_EQ(hash, golden.hash) << "the result of " << scene.method
                                 << " has changed: if intended, replace the stored hash of "
                                 << golden.name << " with 0x" << std::hex << hash
                                 << ", and say why in the commit (" << std::dec << threads
                                 << " threads)";
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, GoldenRun, ::testing::ValuesIn(goldens()),
                         [](const auto& info) { return info.param.name; });

TEST(Golden, EveryMethodHasAStoredHash) {
  for (const MethodInfo& method : methods()) {
    bool stored = false;
    for (const Golden& golden : goldens())
      stored = stored || parse_scene(golden.scene, golden.name).method == method.name;
    EXPECT_TRUE(stored) << method.name;
  }
}

}  // namespace
}  // namespace panta
