// Checkpoint files: they round-trip, and damaged or other files are refused.
#include "panta/io/checkpoint.h"

#include <fmt/core.h>

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "file_test_fixture.h"
#include "panta/core/file.h"

namespace panta {
namespace {

using CheckpointFile = FileTest;

Checkpoint example(std::size_t n) {
  std::mt19937 random(7);
  std::vector<double> position(n);
  std::vector<std::uint32_t> id(n);
  for (std::size_t k = 0; k < n; ++k) {
    position[k] = std::uniform_real_distribution<double>(-1, 1)(random);
    id[k] = static_cast<std::uint32_t>(random());
  }
  Checkpoint checkpoint;
  checkpoint.info = {"0.1.0", "sph", "00ff", "cpu", 41, 1.0 / 3, 123456789012345, n};
  checkpoint.state.put("position", position);
  checkpoint.state.put("id", id);
  checkpoint.state.put_value("half a step", 1);
  checkpoint.state.put("none", std::vector<float>{});
  return checkpoint;
}

void expect_same(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.info.version, b.info.version);
  EXPECT_EQ(a.info.method, b.info.method);
  EXPECT_EQ(a.info.scene_key, b.info.scene_key);
  EXPECT_EQ(a.info.device, b.info.device);
  EXPECT_EQ(a.info.frame, b.info.frame);
  EXPECT_EQ(a.info.time, b.info.time);
  EXPECT_EQ(a.info.steps, b.info.steps);
  EXPECT_EQ(a.info.particles, b.info.particles);
  ASSERT_EQ(a.state.arrays().size(), b.state.arrays().size());
  for (std::size_t k = 0; k < a.state.arrays().size(); ++k) {
    EXPECT_EQ(a.state.arrays()[k].name, b.state.arrays()[k].name);
    EXPECT_EQ(a.state.arrays()[k].element_size, b.state.arrays()[k].element_size);
    EXPECT_EQ(a.state.arrays()[k].bytes, b.state.arrays()[k].bytes);
  }
}

std::string content_of(const std::string& path, const Checkpoint& checkpoint) {
  write_checkpoint(path, checkpoint.info, checkpoint.state);
  return read_binary_file(path);
}

std::string message_for(std::string_view content) {
  return error_message(ErrorKind::io, [&] { parse_checkpoint(content, "run/checkpoint.panta"); });
}

TEST_F(CheckpointFile, RoundTrip) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{10000}}) {
    const Checkpoint checkpoint = example(n);
    write_checkpoint(path("c"), checkpoint.info, checkpoint.state);
    expect_same(read_checkpoint(path("c")), checkpoint);
  }
  EXPECT_FALSE(std::filesystem::exists(path("c.tmp")));
}

// After a power cut or on a full disk, truncation is detected and its extent reported.
TEST_F(CheckpointFile, TruncatedFileIsRefused) {
  const std::string content = content_of(path("c"), example(20));
  for (std::size_t length = 0; length < content.size(); ++length) {
    const std::string message = message_for(std::string_view(content).substr(0, length));
    expect_contains(message, "run/checkpoint.panta");
    expect_contains(message, "--overwrite");
    if (length > 8) expect_contains(message, "truncated");
  }
  expect_contains(message_for(std::string_view(content).substr(0, 200)),
                  fmt::format("truncated: 200 of {} bytes", content.size()));
  expect_contains(message_for(content + "x"), "1 bytes follow the end");
}

TEST_F(CheckpointFile, EveryFlippedBitIsDetected) {
  const std::string content = content_of(path("c"), example(5));
  for (std::size_t bit = 0; bit < 8 * content.size(); ++bit) {
    std::string damaged = content;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(parse_checkpoint(damaged, "c"), Error) << "bit " << bit;
  }
  std::string damaged = content;
  damaged.back() ^= 1;
  expect_contains(message_for(damaged), "the checksum of the section 'half a step' is wrong");
  damaged = content;
  damaged[content.find("sph")] = 'S';
  expect_contains(message_for(damaged), "the checksum of the header is wrong");
}

TEST_F(CheckpointFile, OtherFilesAreRefused) {
  expect_contains(message_for(""), "is not a checkpoint");
  expect_contains(message_for("{\"status\": \"done\"}"), "is not a checkpoint");
  expect_contains(error_message(ErrorKind::io, [&] { read_checkpoint(path("none")); }),
                  "No such file");
}

TEST_F(CheckpointFile, OtherFormatVersionsNameTheirProgram) {
  std::string content = content_of(path("c"), example(5));
  const std::uint32_t next = checkpoint_format + 1;
  std::memcpy(content.data() + 8, &next, sizeof next);
  expect_contains(message_for(content),
                  fmt::format("written by format version {} of Panta 0.1.0; this program reads "
                              "version {}: finish the run with that version",
                              next, checkpoint_format));
}

TEST_F(CheckpointFile, FailedWriteLeavesTheOldOne) {
  const Checkpoint old = example(10);
  write_checkpoint(path("c"), old.info, old.state);
  std::filesystem::create_directory(path("c.tmp"));  // in the way of the new file
  expect_contains(
      error_message(ErrorKind::io,
                    [&] { write_checkpoint(path("c"), example(99).info, example(99).state); }),
      "cannot open");
  expect_same(read_checkpoint(path("c")), old);
}

// Random bytes after a valid start must give an error, not a crash or a huge allocation.
TEST_F(CheckpointFile, GarbageIsRefused) {
  const std::string content = content_of(path("c"), example(5));
  std::mt19937 random(11);
  for (int k = 0; k < 20000; ++k) {
    std::string garbage = content;
    for (int change = 0; change < 4; ++change)
      garbage[8 + random() % (garbage.size() - 8)] = static_cast<char>(random());
    try {
      expect_same(parse_checkpoint(garbage, "c"), example(5));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
    }
  }
}

}  // namespace
}  // namespace panta
