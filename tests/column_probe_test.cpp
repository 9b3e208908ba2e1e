// Probes of any column, and masses of single particles in statistics.
#include <gtest/gtest.h>

#include <cmath>

#include "file_test_fixture.h"
#include "panta/core/error.h"
#include "panta/load/load.h"
#include "panta/run/probes.h"
#include "panta/run/stats.h"
#include "still_solver.h"

namespace panta {
namespace {

// Four particles on a line, of two materials.
ParticleFrame frame_on_a_line() {
  ParticleFrame frame;
  frame.resize(4);
  for (std::uint32_t k = 0; k < 4; ++k) {
    frame.id()[k] = k;
    frame.phase()[k] = k / 2;
    frame.position()[k] = {static_cast<float>(k), 0, 0};
    frame.velocity()[k] = {3, static_cast<float>(4 * k), 0};
  }
  frame.density() = {1000, 1010, 990, 1000};
  frame.require({.name = "stress", .type = ColumnType::symmetric, .unit = "Pa", .shown = true});
  std::get<std::vector<SymmetricMatrix>>(frame.find("stress")->values)[3] = {1, 2, 2, 4, 0, 0};
  return frame;
}

Scene scene_with(const std::string& probe) {
  return parse_scene(R"({"method": "sph", "spacing": 0.1,
    "materials": {"water": {}, "oil": {"density": 900}},
    "fluids": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}],
    "probes": {"it": )" + probe +
                         "}}",
                     "s.json");
}

std::vector<double> measure(const std::string& probe) {
  const Scene scene = scene_with(probe);
  const Simulation sim(scene, std::make_unique<StillSolver>());
  return measure_probes(scene, sim, frame_on_a_line()).at(0).value;
}

using Values = std::vector<double>;

// A particle extends from its centre by its radius; without the column by half the spacing.
TEST(ColumnProbe, ExtentAndHeightUseTheRadiusOfParticles) {
  const std::string right = R"({"type": "extent", "axis": "+x"})";
  const std::string left = R"({"type": "extent", "axis": "-x"})";
  const std::string height = R"({"type": "height", "at": [0, 0, 0], "radius": 1})";
  const auto measure_frame = [](const std::string& probe, const ParticleFrame& frame) {
    const Scene scene = scene_with(probe);
    const Simulation sim(scene, std::make_unique<StillSolver>());
    return measure_probes(scene, sim, frame).at(0).value.at(0);
  };
  ParticleFrame frame = frame_on_a_line();
  for (const float y : {0.0f, 0.15f, 0.5f}) {  // the last one is not connected to the others
    frame.resize(frame.size() + 1);
    frame.position().back() = {0, y, 0};
  }
  EXPECT_NEAR(measure_frame(right, frame), 3.05, 1e-6);
  EXPECT_NEAR(measure_frame(left, frame), -0.05, 1e-6);
  EXPECT_NEAR(measure_frame(height, frame), 0.2, 1e-6);
  frame.scalars("radius").assign(frame.size(), 0.05f);
  EXPECT_NEAR(measure_frame(right, frame), 3.05, 1e-6);
  EXPECT_NEAR(measure_frame(height, frame), 0.2, 1e-6);
  frame.scalars("radius") = {0.08f, 0.05f, 1.4f, 0.01f, 0.05f, 0.08f, 0.1f};
  EXPECT_NEAR(measure_frame(right, frame), 2 + 1.4, 1e-6);
  EXPECT_NEAR(measure_frame(left, frame), -0.1, 1e-6);
  EXPECT_NEAR(measure_frame(height, frame), 0.6, 1e-6);
}

TEST(ColumnProbe, ReducesAScalarOverSelectedParticles) {
  EXPECT_EQ(measure(R"({"type": "column", "column": "density"})"), (Values{1000}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "density", "reduce": "min"})"), (Values{990}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "density", "reduce": "max"})"), (Values{1010}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "density", "reduce": "sum"})"), (Values{4000}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "id", "reduce": "sum", "material": "oil"})"),
            (Values{5}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "id", "reduce": "max",
                        "region": {"sphere": {"center": [0, 0, 0], "radius": 1.5}}})"),
            (Values{1}));
}

TEST(ColumnProbe, VectorsGiveAllComponentsOrOne) {
  EXPECT_EQ(measure(R"({"type": "column", "column": "velocity"})"), (Values{3, 6, 0}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "velocity", "component": "y",
                        "reduce": "max"})"),
            (Values{12}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "velocity", "component": "length",
                        "reduce": "min"})"),
            (Values{3}));
  EXPECT_EQ(measure(R"({"type": "column", "column": "stress", "reduce": "sum"})").size(), 6u);
  // sqrt(1 + 4 + 4 + 2 * 16)
  EXPECT_NEAR(measure(R"({"type": "column", "column": "stress", "component": "length",
                          "reduce": "max"})")[0],
              std::sqrt(41.0), 1e-12);
}

TEST(ColumnProbe, WithoutParticlesOnlyTheSumHasAValue) {
  const std::string nowhere =
      R"("region": {"sphere": {"center": [9, 9, 9], "radius": 0.1}}, "column": "density"})";
  EXPECT_EQ(measure(R"({"type": "column", )" + nowhere), Values{});
  EXPECT_EQ(measure(R"({"type": "column", "reduce": "sum", )" + nowhere), (Values{0}));
}

TEST(ColumnProbe, ErrorsNameUnknownColumnsAndComponents) {
  const auto message = [](const std::string& probe) {
    return error_message(ErrorKind::usage, [&] { measure(probe); });
  };
  expect_contains(message(R"({"type": "column", "column": "heat"})"),
                  "probes.it: the particles have no column 'heat': there are id, phase, position, "
                  "velocity, density, stress");
  expect_contains(message(R"({"type": "column", "column": "density", "component": "x"})"),
                  "probes.it: the column 'density' is a scalar and has no component 'x'");
  expect_contains(message(R"({"type": "column", "column": "velocity", "component": "w"})"),
                  "'probes.it.component'");
  expect_contains(message(R"({"type": "column"})"), "'probes.it.column'");
}

TEST(Statistics, UseTheMassColumnIfPresent) {
  const Scene scene = scene_with(R"({"type": "center_of_mass"})");
  const Simulation sim(scene, std::make_unique<StillSolver>());
  ParticleFrame frame = frame_on_a_line();
  EXPECT_EQ(compute_stats(sim, frame, {}).mass, 4);
  frame.scalars("mass") = {0, 0, 0, 5};
  const FrameStats stats = compute_stats(sim, frame, {});
  EXPECT_EQ(stats.mass, 5);
  EXPECT_EQ(stats.momentum.x, 15);
  EXPECT_EQ(measure_probes(scene, sim, frame).at(0).value, (Values{3, 0, 0}));
}

}  // namespace
}  // namespace panta
