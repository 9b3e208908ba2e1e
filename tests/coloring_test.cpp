// Colours of particles by any column.
#include "panta/render/coloring.h"

#include <gtest/gtest.h>

#include "file_test_fixture.h"
#include "panta/core/error.h"

namespace panta {
namespace {

// Three particles with a temperature, a velocity, and a group out of two.
ParticleFrame warm_frame() {
  ParticleFrame frame;
  frame.resize(3);
  frame.velocity() = {{3, 4, 0}, {0, 0, 1}, {-2, 0, 0}};
  frame.require({.name = "temperature", .unit = "K", .shown = true});
  frame.scalars("temperature") = {300, 310, 320};
  frame.require({.name = "group", .type = ColumnType::word, .shown = true});
  frame.words("group") = {7, 40000, 7};
  frame.require({.name = "internal"});
  return frame;
}

std::vector<LinearColor> colors(const ParticleFrame& frame, const std::string& name) {
  RunExtent extent(name);
  extent.include(frame);
  return Coloring(extent, Scene{}).particle_colors(frame);
}

TEST(Coloring, ScalarColumnUsesARampOverItsRange) {
  RunExtent extent("temperature");
  extent.include(warm_frame());
  EXPECT_EQ(extent.values().low, 300);
  EXPECT_EQ(extent.values().high, 320);
  EXPECT_EQ(extent.unit(), "K");
  const std::vector<LinearColor> found = colors(warm_frame(), "temperature");
  EXPECT_EQ(found[0], value_ramp().at(0));
  EXPECT_EQ(found[1], value_ramp().at(0.5f));
  EXPECT_EQ(found[2], value_ramp().at(1));
}

TEST(Coloring, VectorsUseTheirLengthOrAComponent) {
  const auto range = [](const char* name) {
    RunExtent extent(name);
    extent.include(warm_frame());
    return extent.values();
  };
  EXPECT_EQ(range("velocity").high, 5);
  EXPECT_EQ(range("velocity").low, 1);
  EXPECT_EQ(range("velocity_x").low, -2);
  EXPECT_EQ(range("velocity_x").high, 3);
  EXPECT_EQ(range("speed").low, 0);
}

TEST(Coloring, FewWordsAreCategoriesAndManyUseARamp) {
  const std::vector<LinearColor> found = colors(warm_frame(), "group");
  EXPECT_EQ(found[0], phase_color(0));
  EXPECT_EQ(found[1], phase_color(1));
  EXPECT_EQ(found[2], phase_color(0));
  ParticleFrame many;
  many.resize(100);
  for (std::uint32_t k = 0; k < 100; ++k) many.id()[k] = k;
  RunExtent extent("id");
  extent.include(many);
  EXPECT_TRUE(extent.categories().empty());
  EXPECT_EQ(colors(many, "id")[0], value_ramp().at(0));
}

TEST(Coloring, UnknownNameIsAnErrorThatListsTheNames) {
  const auto message = [](const char* name) {
    return error_message(ErrorKind::usage, [&] { colors(warm_frame(), name); });
  };
  for (const char* name : {"heat", "heat_x"})
    expect_contains(message(name), std::string("no '") + name +
                                       "': there are speed, id, phase, position, velocity, "
                                       "temperature, group,");
  expect_contains(message("temperature_x"), "'temperature' is a scalar and has no component 'x'");
  expect_contains(message("velocity_w"), "'velocity' is a vector and has no component 'w'");
}

TEST(Coloring, LegendHasNameAndUnit) {
  const auto legend = [](const std::string& name, const std::string& unit) {
    ParticleFrame frame = warm_frame();
    frame.find("temperature")->info.unit = unit;
    RunExtent extent(name);
    extent.include(frame);
    Image image(300, 200);
    Coloring(extent, Scene{}).draw_legend(image);
    return image.rgb;
  };
  EXPECT_NE(legend("temperature", "K"), legend("temperature", ""));
  EXPECT_NE(legend("temperature", "K"), legend("group", ""));
}

}  // namespace
}  // namespace panta
