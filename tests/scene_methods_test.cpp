// Bundled scenes with other methods than their own: `panta scenes --methods` must predict the
// result of loading them.
#include <map>

#include "command_test_fixture.h"
#include "panta/core/error.h"
#include "panta/engine/methods.h"
#include "scene_run.h"

namespace panta {
namespace {

std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t start = 0; start < line.size();) {
    const std::size_t end = std::min(line.find("  ", start), line.size());
    cells.push_back(line.substr(start, end - start));
    start = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return cells;
}

// The result of loading the scene with the method, in the words of the table.
std::string loaded_with(const std::string& name, const std::string& method) {
  const std::string path = std::string(PANTA_SOURCE_DIR) + "/scenes/" + name + ".json";
  try {
    const Scene scene = load_scene(path, {"method=" + method});
    check_contents(scene);
    EXPECT_EQ(scene.method, method);
    return "yes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    const std::string text = error.what(), before = "the method '" + method + "' has no ";
    const std::size_t at = text.find(before);
    if (at == std::string::npos) return text;
    EXPECT_NE(text.find(": use '", at), std::string::npos) << text;
    const std::size_t what = at + before.size();
    return "no: " + text.substr(what, text.find(", and ", what) - what);
  }
}

using SceneMethods = CommandTest;

TEST_F(SceneMethods, TableMatchesLoading) {
  const Outcome table = panta("scenes --methods");
  ASSERT_EQ(table.code, 0) << table.text;
  std::istringstream lines(table.text);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> head = split_line(line);
  ASSERT_EQ(head.size(), methods().size() + 1) << line;
  std::map<std::string, std::vector<std::string>> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = split_line(line);
    ASSERT_EQ(cells.size(), head.size()) << line;
    for (std::size_t k = 1; k < head.size(); ++k)
      EXPECT_EQ(cells[k], loaded_with(cells[0], head[k])) << cells[0] << " with " << head[k];
    rows[cells[0]] = {cells.begin() + 1, cells.end()};
  }
  using Cells = std::vector<std::string>;
  EXPECT_EQ(head, (Cells{"scene", "sph", "unified", "viscoelastic"}));
  EXPECT_EQ(rows["basics/dam_break"], (Cells{"yes", "yes", "yes"}));
  EXPECT_EQ(rows["presets/honey"], (Cells{"yes", "yes", "yes"}));
  EXPECT_EQ(rows["papers/macklin2014/dry_sand"], (Cells{"no: grains", "yes", "no: grains"}));
  EXPECT_EQ(rows["papers/macklin2014/buoyancy_row"], (Cells{"no: solids", "yes", "no: solids"}));
  EXPECT_GT(rows.size(), 50u);
}

struct Foreign {
  const char *scene, *method, *resolution;
};

class ForeignScene : public testing::TestWithParam<Foreign> {};

TEST_P(ForeignScene, Runs) {
  SceneRun run(GetParam().scene,
               {std::string("method=") + GetParam().method, GetParam().resolution});
  run.advance(0.03);
  EXPECT_GT(run.frame().size(), 0u);
  EXPECT_LT(run.stats().max_speed, 20);
}

INSTANTIATE_TEST_SUITE_P(
    Runs, ForeignScene,
    testing::Values(Foreign{"presets/water", "sph", "variables.across=8"},
                    Foreign{"papers/macklin2014/dam_break_column", "sph", "variables.across=8"},
                    Foreign{"papers/clavet2005/meeting_jets", "sph", "variables.across=40"},
                    Foreign{"basics/dam_break", "unified", "spacing=0.05"},
                    Foreign{"papers/mueller2003/swirl_glass", "unified", "spacing=0.008"},
                    Foreign{"presets/honey", "unified", "variables.across=10"},
                    Foreign{"basics/fountain", "viscoelastic", "spacing=0.04"},
                    Foreign{"papers/mueller2003/drop_in_pool", "viscoelastic", "spacing=0.008"},
                    Foreign{"papers/macklin2014/rayleigh_taylor", "viscoelastic",
                            "variables.across=12"}),
    [](const testing::TestParamInfo<Foreign>& info) {
      std::string name = std::string(info.param.method) + "_" + info.param.scene;
      std::replace(name.begin(), name.end(), '/', '_');
      return name;
    });

}  // namespace
}  // namespace panta
