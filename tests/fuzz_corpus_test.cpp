// The fuzzers' inputs, without a fuzzer: files named "broken..." are refused with an Error, all
// others are accepted, without other failures. Inputs of fixed bugs belong here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "fuzz/targets.h"
#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/core/random.h"
#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"

namespace panta {
namespace {

struct Target {
  const char* name;
  void (*read)(std::string_view);
};

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

class FuzzCorpus : public testing::TestWithParam<Target> {
 protected:
  // Scenes use bundled models.
  void SetUp() override { setenv("PANTA_SCENES", PANTA_SOURCE_DIR "/scenes", 1); }
  void TearDown() override { unsetenv("PANTA_SCENES"); }
};

TEST_P(FuzzCorpus, IsReadOrRefused) {
  const std::string folder = PANTA_SOURCE_DIR "/tests/fuzz/corpus/";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder + GetParam().name)) {
    SCOPED_TRACE(entry.path());
    const std::string content = read_binary_file(entry.path());
    if (entry.path().filename().string().starts_with("broken")) {
      EXPECT_THROW(GetParam().read(content), Error);
    } else {
      EXPECT_NO_THROW(GetParam().read(content));
    }
    ++files;
  }
  EXPECT_GT(files, 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus,
                         testing::Values(Target{"expression", fuzz::fuzz_expression},
                                         Target{"obj", fuzz::fuzz_obj},
                                         Target{"ply", fuzz::fuzz_ply},
                                         Target{"scene", fuzz::fuzz_scene},
                                         Target{"stl", fuzz::fuzz_stl}),
                         [](const auto& info) { return std::string(info.param.name); });

// With corrected checksums, damage reaches the simulation, which refuses it or continues.
class FuzzCheckpoint : public testing::TestWithParam<std::string> {};

TEST_P(FuzzCheckpoint, DamageWithValidChecksumsIsHarmless) {
  const std::string example = fuzz::example_checkpoint(GetParam());
  EXPECT_NO_THROW(fuzz::fuzz_checkpoint(example));
  int refused = 0;
  constexpr int damaged = 200;
  for (std::uint64_t k = 0; k < damaged; ++k) {
    std::string content = example;
    const auto at = static_cast<std::size_t>(random_uniform(1, k, 0) * float(content.size() - 1));
    content[at] = static_cast<char>(static_cast<int>(255 * random_uniform(1, k, 1)) - 128);
    try {
      fuzz::fuzz_checkpoint(content);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, damaged);
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.push_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, FuzzCheckpoint, testing::ValuesIn(method_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
