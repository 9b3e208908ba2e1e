// Runs the command like a user, in a separate folder with a small scene.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

// The runtime of the thread sanitizer fails with a small limit on file sizes.
#if defined(__SANITIZE_THREAD__)
#define PANTA_THREAD_SANITIZER 1
#elif defined(__has_feature)
#define PANTA_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define PANTA_THREAD_SANITIZER 0
#endif

namespace panta {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string text;  // stdout and stderr
};

class CommandTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("panta_command_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "tiny.json") << R"({
      "method": "sph", "spacing": 0.1, "duration": 0.05, "fps": 100,
      "domain": {"min": [0, 0, 0], "max": [0.6, 0.6, 0.6]},
      "materials": {"water": {}},
      "fluids": [{"material": "water", "jitter": 0,
                  "shape": {"box": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.3]}}}]
    })";
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Runs a shell command line in the test's folder, $PANTA being the binary.
  Outcome shell(const std::string& line) const {
    const std::string command =
        "cd '" + folder_.string() + "' && PANTA='" PANTA_BINARY "' && { " + line + "; } 2>&1";
    Outcome outcome;
    std::FILE* pipe = popen(command.c_str(), "r");
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
      outcome.text.append(buffer, n);
    outcome.code = WEXITSTATUS(pclose(pipe));
    return outcome;
  }
  Outcome panta(const std::string& args) const { return shell("$PANTA " + args); }

  void expect_error(const std::string& args, int code, const std::string& message) const {
    const Outcome outcome = panta(args);
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find("panta: error: "), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
  }
  void expect_output(const std::string& args, const std::string& text) const {
    const Outcome outcome = panta(args);
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find(text), std::string::npos) << outcome.text;
  }

  std::string read(const std::string& file) const {
    std::stringstream text;
    text << std::ifstream(folder_ / file).rdbuf();
    return text.str();
  }
  std::size_t lines(const std::string& file) const {
    const std::string text = read(file);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  fs::path folder_;
};

}  // namespace panta
