// Limits of inputs: files without end, files and models that fan out, values that other libraries
// cannot represent.
#include <sys/stat.h>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/load/load.h"

namespace panta {
namespace {

using InputLimits = FileTest;

std::string scene_with(const std::string& keys) {
  return R"({"method": "sph", "spacing": 0.1, "materials": {"water": {}}, "fluids": [
    {"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}], )" +
         keys + "}";
}

TEST_F(InputLimits, OnlyFilesOfLimitedLengthAreIncluded) {
  ASSERT_EQ(mkfifo(path("pipe.json").c_str(), 0600), 0);
  make_folder(path("folder.json"));
  write_text_file(path("long.json"), "{}");
  std::filesystem::resize_file(path("long.json"), (std::uintmax_t{64} << 20) + 1);
  const auto including = [&](const std::string& file) {
    write_text_file(path("scene.json"), scene_with(R"("include": [")" + file + R"("])"));
    return error_message(ErrorKind::io, [&] { load_scene(path("scene.json")); });
  };
  expect_contains(including("/dev/zero"), "scene.json:2:");
  expect_contains(including("/dev/zero"), "'/dev/zero': it is a device or pipe, not a file");
  expect_contains(including("pipe.json"), "it is a device or pipe");
  expect_contains(including("folder.json"), "it is a folder");
  expect_contains(including("long.json"), "is longer than 67108864 bytes");
  expect_contains(error_message(ErrorKind::io, [] { load_scene("/dev/zero"); }), "is longer than");
}

// The last of these files would be read 2^15 times.
TEST_F(InputLimits, IncludesThatFanOutAreRefused) {
  for (int k = 0; k < 15; ++k) {
    const std::string next = "\"" + std::to_string(k + 1) + ".json\"";
    write_text_file(path(std::to_string(k) + ".json"),
                    "{\"include\": [" + next + ", " + next + "]}");
  }
  write_text_file(path("15.json"), "{}");
  expect_contains(error_message(ErrorKind::usage, [&] { load_scene(path("0.json")); }),
                  "more than 1000 files are included");
}

// The last of these models would be read 10^5 times.
TEST_F(InputLimits, ModelsThatFanOutAreRefused) {
  make_folder(path("models"));
  for (int k = 0; k < 5; ++k) {
    const std::string next = "{\"model\": \"" + std::to_string(k + 1) + "\"}";
    std::string list = next;
    for (int more = 1; more < 10; ++more) list += ", " + next;
    write_text_file(path("models/" + std::to_string(k) + ".json"),
                    "{\"shape\": {\"intersection\": [" + list + "]}}");
  }
  write_text_file(path("models/5.json"),
                  R"({"shape": {"sphere": {"center": [0, 0, 0], "radius": 1}}})");
  write_text_file(path("scene.json"), scene_with(R"("bodies": [{"shape": {"model": "0"}}])"));
  expect_contains(error_message(ErrorKind::usage, [&] { load_scene(path("scene.json")); }),
                  "the scene has more than 10000 models");
}

TEST_F(InputLimits, DistantCamerasAreRefused) {
  const auto with_camera = [](const std::string& keys) {
    return error_message(ErrorKind::usage, [&] {
      parse_scene(scene_with("\"camera\": {" + keys + "}"), "scene.json");
    });
  };
  expect_contains(with_camera(R"("eye": [1e19, 0, 0], "target": [0, 0, 0])"),
                  "'camera.eye.0' must be");
  expect_contains(with_camera(R"("zoom": 1e-20)"), "'camera.zoom' must be");
  expect_contains(with_camera(R"("aperture": 1e20)"), "'camera.aperture' must be");
}

}  // namespace
}  // namespace panta
