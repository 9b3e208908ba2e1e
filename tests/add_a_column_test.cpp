// The example of docs/add-a-column.md: a column that is declared only here appears in files, probes
// and colours.
#include <gtest/gtest.h>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/io/particle_file.h"
#include "panta/load/load.h"
#include "panta/render/coloring.h"
#include "panta/run/probes.h"
#include "panta/surface/run_surfaces.h"
#include "still_solver.h"

namespace panta {
namespace {

// [declaration]
inline ColumnInfo temperature_column() {
  return {.name = "temperature",
          .unit = "K",
          .doc = "temperature of the particle",
          .initial = {293},
          .shown = true};
}
// [declaration]

// Particles at the initial temperature, of which the last is warmer.
ParticleFrame warm_frame() {
  ParticleFrame frame;
  frame.resize(3);
  for (std::uint32_t k = 0; k < 3; ++k) {
    frame.id()[k] = k;
    frame.position()[k] = {0.1f * static_cast<float>(k), 0, 0};
  }
  frame.require(temperature_column());
  frame.scalars("temperature")[2] = 313.5f;
  return frame;
}

const std::vector<float> temperatures = {293, 293, 313.5f};

using AddAColumn = FileTest;

// The guide must show the code that is tested.
TEST(ColumnGuide, ShowsTheTestedCode) {
  const std::string source = PANTA_SOURCE_DIR;
  const std::string guide = read_binary_file(source + "/docs/add-a-column.md");
  const std::string code = read_binary_file(source + "/tests/add_a_column_test.cpp");
  const std::string mark = "// [declaration]\n";
  const std::size_t begin = code.find(mark) + mark.size();
  const std::string shown = code.substr(begin, code.find(mark, begin) - begin);
  EXPECT_GT(shown.size(), 20u);
  EXPECT_NE(guide.find(shown), std::string::npos) << shown;
}

TEST_F(AddAColumn, NewParticlesHaveItsInitialValue) {
  EXPECT_EQ(warm_frame().scalars("temperature"), temperatures);
}

TEST_F(AddAColumn, EveryFileHasIt) {
  for (const std::string& format : particle_formats()) {
    write_particles(path("a." + format), format, warm_frame());
    const ParticleFrame read = read_particles(path("a." + format));
    EXPECT_EQ(read.scalars("temperature"), temperatures) << format;
    EXPECT_EQ(read.find("temperature")->info.unit, format == "vtp" ? "K" : "") << format;
  }
}

TEST_F(AddAColumn, ProbesMeasureIt) {
  const Scene scene = parse_scene(R"({"method": "sph", "spacing": 0.1,
      "bodies": [{"shape": {"sphere": {"center": [0, 0, 0], "radius": 1}}}], "probes": {
      "mean": {"type": "column", "column": "temperature"},
      "most": {"type": "column", "column": "temperature", "reduce": "max"}}})",
                                  "s.json");
  const Simulation sim(scene, std::make_unique<StillSolver>());
  const std::vector<ProbeValue> values = measure_probes(scene, sim, warm_frame());
  EXPECT_NEAR(values.at(0).value.at(0), (293 + 293 + 313.5) / 3, 1e-9);
  EXPECT_EQ(values.at(1).value.at(0), 313.5);
}

TEST_F(AddAColumn, PicturesAreColouredByIt) {
  const ParticleFrame frame = warm_frame();
  RunExtent extent("temperature");
  extent.include(frame);
  EXPECT_EQ(extent.unit(), "K");
  const std::vector<LinearColor> colors = Coloring(extent, Scene{}).particle_colors(frame);
  EXPECT_EQ(colors[0], colors[1]);
  EXPECT_NE(colors[0], colors[2]);
}

TEST_F(AddAColumn, SurfacesHaveItOnTheirVertices) {
  Scene scene;
  scene.spacing = 0.1;
  scene.materials = {Material{}};
  const ParticleFrame frame = warm_frame();
  const ColumnNumbers numbers = ParticleQuantity("temperature").numbers(frame);
  std::vector<float> values;
  for (std::size_t i = 0; i < frame.size(); ++i) values.push_back(static_cast<float>(numbers[i]));
  const std::vector<LiquidSurface> surfaces = RunSurfaces(scene, {}).make(frame, values);
  ASSERT_EQ(surfaces.size(), 1u);
  ASSERT_FALSE(surfaces[0].mesh.value.empty());
  for (const float value : surfaces[0].mesh.value) {
    EXPECT_GE(value, 293 - 1e-3f);
    EXPECT_LE(value, 313.5f + 1e-3f);
  }
}

}  // namespace
}  // namespace panta
