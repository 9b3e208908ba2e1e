// Bytes of columns, and the lists of columns from which memory is estimated.
#include <gtest/gtest.h>

#include <set>

#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"
#include "panta/load/load.h"
#include "panta/particles/standard_columns.h"
#include "panta/solver/common_columns.h"

namespace panta {
namespace {

TEST(ColumnBytes, AreThoseOfTwoCopiesOfSortedColumns) {
  EXPECT_EQ(bytes_of({{.name = "a"}}).device, 2 * 4);
  EXPECT_EQ(bytes_of({{.name = "a", .type = ColumnType::word}}).device, 2 * 4);
  EXPECT_EQ(bytes_of({{.name = "a", .type = ColumnType::vector}}).device, 2 * 16);
  EXPECT_EQ(bytes_of({{.name = "a", .type = ColumnType::symmetric}}).device, 2 * 24);
  EXPECT_EQ(bytes_of({{.name = "a", .type = ColumnType::vector, .sorted = false}}).device, 16);
}

TEST(ColumnBytes, PackedAndComputedColumnsTakeNoneOnTheDevice) {
  EXPECT_EQ(bytes_of({{.name = "a", .packed_in = "velocity"}}).device, 0);
  EXPECT_EQ(bytes_of({standard_columns::density()}).device, 0);
}

TEST(ColumnBytes, FramesContainShownColumnsAndCheckpointsSavedOnes) {
  const ColumnBytes bytes = bytes_of({standard_columns::position(),   // both: 12
                                      standard_columns::normal(),     // frames: 12
                                      {.name = "a"},                  // checkpoints: 4
                                      {.name = "b", .saved = false}}  // neither
  );
  EXPECT_EQ(bytes.frame, 24);
  EXPECT_EQ(bytes.checkpoint, 16);
}

std::set<std::string> stored_names(const std::vector<ColumnInfo>& columns) {
  std::set<std::string> names;
  for (const ColumnInfo& column : columns)
    if (column.stored) names.insert(column.name);
  return names;
}

// The simulation has exactly the columns that the estimate of memory counts.
void expect_declared_columns(const std::string& text) {
  const Scene scene = parse_scene(text, "scene.json");
  std::vector<ColumnInfo> listed = common_columns(&scene);
  for (const ColumnInfo& column : find_method(scene.method).columns(&scene))
    listed.push_back(column);
  const auto sim = make_simulation(scene, {.device = "cpu", .threads = 1});
  EXPECT_EQ(stored_names(sim->columns()), stored_names(listed)) << text;
}

TEST(MethodColumns, AreThoseOfTheSimulation) {
  const std::string shape =
      R"("material": "m", "shape": {"box": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.3]}})";
  const std::string emitter =
      R"(, "emitters": [{"material": "m", "at": [1, 1, 0], "speed": 1, "disc": {"radius": 0.2}}])";
  const auto scene = [&](const std::string& method, const std::string& material,
                         const std::string& more) {
    return R"({"method": ")" + method + R"(", "spacing": 0.1, "materials": {"m": {)" + material +
           R"(}}, "fluids": [{)" + shape + "}]" + more + "}";
  };
  for (const std::string method : {"sph", "unified", "viscoelastic"})
    for (const std::string& more : {std::string(), emitter})
      expect_declared_columns(scene(method, "", more));
  expect_declared_columns(scene("unified", R"("kind": "granular", "rest_distance": 0.1)", ""));
  expect_declared_columns(scene("viscoelastic", R"("viscoelastic": {"springs": 0.3})", ""));
}

// `panta info METHOD` lists all columns that a scene may need.
TEST(MethodColumns, WithoutASceneAreAll) {
  for (const MethodInfo& method : methods()) {
    Scene scene;
    scene.materials = {Material{}};
    const std::set<std::string> all = stored_names(method.columns(nullptr));
    for (const std::string& name : stored_names(method.columns(&scene)))
      EXPECT_TRUE(all.contains(name)) << method.name << ": " << name;
  }
}

}  // namespace
}  // namespace panta
