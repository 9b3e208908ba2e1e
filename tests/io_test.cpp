// Result folders, and failures of the disk.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/io/frame_files.h"
#include "panta/io/output.h"
#include "panta/io/vtp.h"
#include "panta/json/json_line.h"
#include "particle_frame_fixture.h"

namespace panta {
namespace {

namespace fs = std::filesystem;

using IoFileTest = FileTest;

std::vector<std::string> files_in(const std::string& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(dir))
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), dir).string());
  std::sort(names.begin(), names.end());
  return names;
}

// --- failing disks ---------------------------------------------------------------------------

TEST_F(IoFileTest, FullDiskIsAnErrorThatNamesTheFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  for (const std::size_t n : {std::size_t{1}, std::size_t{100000}}) {
    const std::string message =
        error_message(ErrorKind::io, [&] { write_vtp("/dev/full", random_frame(n)); });
    expect_contains(message, "cannot write '/dev/full'");
    expect_contains(message, std::strerror(ENOSPC));
  }
}

// Limits the size of this process's files, like a disk that becomes full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit before_{};
  void (*old_handler_)(int) = nullptr;
};

TEST_F(IoFileTest, FailedWriteKeepsTheOldFileOnly) {
  const ParticleFrame old_frame = random_frame(10);
  write_vtp(path("a.vtp"), old_frame);
  {
    const FileSizeLimit limit(100000);
    expect_contains(
        error_message(ErrorKind::io, [&] { write_vtp(path("a.vtp"), random_frame(50000)); }),
        std::strerror(EFBIG));
  }
  expect_same_frame(old_frame, read_vtp(path("a.vtp")));
  EXPECT_EQ(files_in(dir_), std::vector<std::string>{"a.vtp"});
}

TEST_F(IoFileTest, FullDiskWhileAppendingIsReported) {
  ResultFolder folder(path("run"), "{}");
  const FileSizeLimit limit(1000);
  const std::string message = error_message(ErrorKind::io, [&] {
    for (int frame = 0; frame < 10; ++frame) folder.write_stats(frame, {});
  });
  expect_contains(message, "stats.jsonl");
}

TEST_F(IoFileTest, ReadOnlyFolderIsReported) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(dir_, fs::perms::owner_read | fs::perms::owner_exec);
  expect_contains(error_message(ErrorKind::io, [&] { write_text_file(path("a"), "x"); }),
                  std::strerror(EACCES));
  expect_contains(error_message(ErrorKind::io, [&] { ResultFolder(path("run"), "{}"); }),
                  "cannot make the folder");
}

TEST_F(IoFileTest, FolderThatIsAFileIsReported) {
  write_text_file(path("taken"), "x");
  error_message(ErrorKind::io, [&] { ResultFolder(path("taken"), "{}"); });
  expect_contains(
      error_message(ErrorKind::io, [&] { write_text_file(path("no/such/folder"), "x"); }),
      "No such file or directory");
}

// --- result folder ---------------------------------------------------------------------------

TEST(JsonLine, EscapesAndRoundTrips) {
  JsonLine line;
  line.add("text", "a\"b\\c\nd\te\x01 ü").add("third", 1.0 / 3).add("n", 18446744073709551615ull);
  line.add("nan", std::nan("")).add("v", Vec3d{1, -0.5, 1e300}).add("o", JsonLine().add("k", 1));
  EXPECT_EQ(line.text(),
            "{\"text\": \"a\\\"b\\\\c\\nd\\te\\u0001 ü\", \"third\": 0.3333333333333333, "
            "\"n\": 18446744073709551615, \"nan\": null, \"v\": [1, -0.5, 1e+300], "
            "\"o\": {\"k\": 1}}");
}

TEST(JsonLine, NumbersReadBackToTheSameBits) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 10000; ++k) {
    const std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const double back = std::strtod(json_number(value).c_str(), nullptr);
    EXPECT_EQ(std::memcmp(&value, &back, sizeof value), 0);
  }
}

TEST_F(IoFileTest, ResultFolderHasItsLayout) {
  ResultFolder folder(path("run"), "{\"scene\": 1}");
  expect_contains(read_binary_file(path("run/run.json")), "\"status\": \"running\"");
  EXPECT_EQ(read_binary_file(path("run/scene.json")), "{\"scene\": 1}");
  ParticleFrame frame = random_frame(4);
  for (int k = 0; k < 3; ++k) {
    frame.time = k / 60.0;
    folder.write_frame(k, frame);
    FrameStats stats;
    stats.time = frame.time;
    stats.kinetic_energy = 0.1;
    folder.write_stats(k, stats);
    folder.write_timings(k, {{"sort", 1.25}, {"density", 2.5}}, 0.5);
  }
  folder.finish({"1.2.3", "cpu", "panta run \"x\"", "done", 2, 3, 99, 1.5, 4});
  EXPECT_EQ(files_in(path("run")),
            (std::vector<std::string>{"particles.pvd", "particles/frame_000000.vtp",
                                      "particles/frame_000001.vtp", "particles/frame_000002.vtp",
                                      "run.json", "scene.json", "stats.jsonl", "timings.jsonl",
                                      "write.lock"}));
  const std::string pvd = read_binary_file(path("run/particles.pvd"));
  expect_contains(pvd, "<VTKFile type=\"Collection\"");
  expect_contains(pvd,
                  "<DataSet timestep=\"0.016666666666666666\" group=\"\" part=\"0\" "
                  "file=\"particles/frame_000001.vtp\"/>");
  const std::string run = read_binary_file(path("run/run.json"));
  expect_contains(run, "\"status\": \"done\"");
  expect_contains(run, "\"command\": \"panta run \\\"x\\\"\"");
  expect_contains(run, "\"steps\": 99");
  expect_contains(read_binary_file(path("run/timings.jsonl")),
                  "{\"frame\": 1, \"wall_seconds\": 0.5, \"stages_ms\": {\"sort\": 1.25, "
                  "\"density\": 2.5}, \"peak_memory_bytes\": ");
  const std::vector<FrameFile> files = list_frames(path("run"));
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[2].frame, 2);
}

TEST_F(IoFileTest, FolderIsReadableDuringTheRun) {
  ResultFolder folder(path("run"), "{}");
  folder.write_frame(0, random_frame(2));
  folder.write_stats(0, {});
  expect_contains(read_binary_file(path("run/particles.pvd")), "frame_000000.vtp\"/>\n</Coll");
  const std::string stats = read_binary_file(path("run/stats.jsonl"));
  EXPECT_EQ(stats.back(), '\n');
}

TEST_F(IoFileTest, StatsAreReproducible) {
  FrameStats stats;
  stats.time = 0.1;
  stats.momentum = {1.0 / 7, -2e-17, 3e22};
  stats.density_error_max = 5e-324;
  for (const char* name : {"a", "b"}) ResultFolder(path(name), "{}").write_stats(7, stats);
  const std::string line = read_binary_file(path("a/stats.jsonl"));
  EXPECT_EQ(line, read_binary_file(path("b/stats.jsonl")));
  expect_contains(line, "\"frame\": 7, \"time\": 0.1,");
  expect_contains(line, "\"momentum\": [0.14285714285714285, -2e-17, 3e+22]");
  expect_contains(line, "\"density_error_max\": 5e-324, \"emitted\": 0, \"removed\": 0}");
}

TEST_F(IoFileTest, EarlierRunIsRefusedOrOverwritten) {
  {
    ResultFolder first(path("run"), "{\"old\": 1}");
    for (int k = 0; k < 3; ++k) first.write_frame(k, random_frame(2));
    first.write_stats(0, {});
  }
  write_text_file(path("run/notes.txt"), "mine");
  write_text_file(path("run/particles/other.vtp"), "mine");
  write_text_file(path("run/particles/frame_000003.vtp.tmp"), "left by a killed run");
  const std::string message =
      error_message(ErrorKind::io, [&] { ResultFolder(path("run"), "{}"); });
  expect_contains(message, "choose another --out, resume it with --resume or pass --overwrite");
  EXPECT_EQ(read_binary_file(path("run/scene.json")), "{\"old\": 1}");

  const ResultFolder second(path("run"), "{}", true);
  EXPECT_EQ(
      files_in(path("run")),
      (std::vector<std::string>{"notes.txt", "particles.pvd", "particles/other.vtp", "run.json",
                                "scene.json", "stats.jsonl", "timings.jsonl", "write.lock"}));
  EXPECT_EQ(read_binary_file(path("run/stats.jsonl")), "");
}

TEST_F(IoFileTest, FolderWithoutRunIsUsed) {
  write_text_file(path("notes.txt"), "mine");
  const ResultFolder folder(dir_, "{}");
  EXPECT_EQ(read_binary_file(path("notes.txt")), "mine");
  expect_contains(error_message(ErrorKind::io, [&] { list_frames(dir_); }),
                  "contains no particle frames");
}

TEST_F(IoFileTest, FramesOfEveryFormatAreListed) {
  ResultFolder folder(path("run"), "{}");
  folder.write_frame(0, random_frame(2), "ply");
  folder.write_frame(1, random_frame(2), "csv");
  folder.write_frame(2, random_frame(2));
  const std::vector<FrameFile> files = list_frames(path("run"));
  ASSERT_EQ(files.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(files[static_cast<std::size_t>(k)].frame, k);
  const std::string pvd = read_binary_file(path("run/particles.pvd"));
  EXPECT_EQ(pvd.find(".ply"), std::string::npos);
  expect_contains(pvd, "frame_000002.vtp");
}

TEST_F(IoFileTest, ProbesHaveTheirOwnFile) {
  ResultFolder folder(path("run"), "{}");
  folder.write_probes(0, {});
  EXPECT_FALSE(fs::exists(path("run/probes.jsonl")));
  FrameStats stats;
  stats.time = 0.5;
  stats.probes = {{"front", {1.25}}, {"speed", {1, 2, 3}}, {"dry", {}}};
  folder.write_probes(3, stats);
  EXPECT_EQ(read_binary_file(path("run/probes.jsonl")),
            "{\"frame\": 3, \"time\": 0.5, \"front\": 1.25, \"speed\": [1, 2, 3], "
            "\"dry\": null}\n");
}

// The collection of a long run is not rewritten for each frame, but is complete at the end.
TEST_F(IoFileTest, CollectionOfALongRunIsComplete) {
  ResultFolder folder(path("run"), "{}");
  const auto listed = [&] {
    const std::string pvd = read_binary_file(path("run/particles.pvd"));
    EXPECT_TRUE(pvd.ends_with("</Collection>\n</VTKFile>\n"));
    std::size_t count = 0;
    for (std::size_t at = 0; (at = pvd.find("<DataSet", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const ParticleFrame frame = random_frame(1);
  for (int k = 0; k < 300; ++k) {
    folder.write_frame(k, frame);
    EXPECT_GE(listed() + 5, static_cast<std::size_t>(k) + 1);
  }
  folder.finish({});
  EXPECT_EQ(listed(), 300u);
}

// --- resuming --------------------------------------------------------------------------------

void write_frames(ResultFolder& folder, int first, int last) {
  for (int k = first; k <= last; ++k) {
    ParticleFrame frame = random_frame(3);
    FrameStats stats;
    frame.time = stats.time = k / 60.0;
    stats.probes = {{"front", {stats.time}}};
    frame.bodies = {{{stats.time, 0, 0}, {}, {}, {}}};
    folder.write_bodies(k, {"crate"}, frame);
    folder.write_frame(k, frame);
    folder.write_stats(k, stats);
    folder.write_probes(k, stats);
    folder.write_timings(k, {}, 0.5);
  }
}

CheckpointInfo at_frame(int frame) {
  CheckpointInfo info;
  info.frame = frame;
  return info;
}

TEST_F(IoFileTest, FolderResumesFromItsCheckpoint) {
  {
    ResultFolder whole(path("whole"), "{}");
    write_frames(whole, 0, 9);
    whole.finish({});
    ResultFolder cut(path("cut"), "{}");
    write_frames(cut, 0, 4);
    cut.write_checkpoint(at_frame(4), {});
    write_frames(cut, 5, 7);
  }
  write_text_file(path("cut/particles/frame_000008.vtp.tmp"), "half");
  write_text_file(path("cut/checkpoint.panta.tmp"), "half");
  for (const char* name : {"cut/stats.jsonl", "cut/bodies.jsonl"}) {
    OutputFile torn(path(name), OutputFile::Mode::append);
    torn.write("{\"frame\": 8, \"ti");
  }
  const Checkpoint checkpoint = read_checkpoint(checkpoint_path(path("cut")));
  ResultFolder resumed(path("cut"), "{}", checkpoint);
  EXPECT_EQ(list_frames(path("cut")).size(), 5u);
  write_frames(resumed, 5, 9);
  resumed.finish({});
  std::vector<std::string> names = files_in(path("whole"));
  names.push_back("checkpoint.panta");
  names.push_back("write.lock");  // as long as the folder is in use
  std::sort(names.begin(), names.end());
  EXPECT_EQ(files_in(path("cut")), names);
  for (const std::string& name : files_in(path("whole"))) {
    if (name == "run.json" || name == "timings.jsonl") continue;  // contain wall-clock times
    EXPECT_EQ(read_binary_file(path("cut/" + name)), read_binary_file(path("whole/" + name)))
        << name;
  }
}

// Checkpoints of versions without free bodies have one file less.
TEST_F(IoFileTest, EarlierCheckpointsCanBeResumed) {
  {
    ResultFolder folder(path("run"), "{}");
    write_frames(folder, 0, 4);
    folder.write_checkpoint(at_frame(4), {});
  }
  const Checkpoint written = read_checkpoint(checkpoint_path(path("run")));
  const std::string sizes_name = "output.line_file_sizes";
  const auto with_sizes = [&](std::size_t count) {
    Checkpoint out{written.info, {}};
    std::vector<std::uint64_t> sizes = written.state.get<std::uint64_t>(sizes_name);
    sizes.resize(count);
    out.state.put(sizes_name, sizes);
    out.state.put("output.listed_frames", written.state.get<std::int32_t>("output.listed_frames"));
    out.state.put("output.listed_times", written.state.get<double>("output.listed_times"));
    return out;
  };
  for (const std::size_t wrong : {0u, 2u, 6u})
    expect_contains(
        error_message(ErrorKind::io, [&] { ResultFolder(path("run"), "{}", with_sizes(wrong)); }),
        "does not describe a result folder");
  const ResultFolder resumed(path("run"), "{}", with_sizes(3));
  EXPECT_FALSE(fs::exists(path("run/bodies.jsonl")));
  EXPECT_TRUE(fs::exists(path("run/timings.jsonl")));
}

TEST_F(IoFileTest, ChangedFilesCannotBeResumed) {
  {
    ResultFolder folder(path("run"), "{}");
    write_frames(folder, 0, 4);
    folder.write_checkpoint(at_frame(4), {});
  }
  const Checkpoint checkpoint = read_checkpoint(checkpoint_path(path("run")));
  write_text_file(path("run/stats.jsonl"), "edited\n");
  expect_contains(
      error_message(ErrorKind::io, [&] { ResultFolder(path("run"), "{}", checkpoint); }),
      "stats.jsonl' was changed: it has 7 bytes");
  Checkpoint foreign;
  expect_contains(error_message(ErrorKind::io, [&] { ResultFolder(path("run"), "{}", foreign); }),
                  "output.line_file_sizes");
}

// Neither a folder that was moved nor a new one with its name is written to.
TEST_F(IoFileTest, RemovedFolderIsReported) {
  ResultFolder folder(path("run"), "{}");
  write_frames(folder, 0, 0);
  fs::rename(path("run"), path("moved"));
  const auto expect_refused = [&] {
    for (const auto& action : std::vector<std::function<void()>>{
             [&] { folder.write_frame(1, random_frame(3)); }, [&] { folder.write_stats(1, {}); },
             [&] { folder.write_checkpoint(at_frame(1), {}); }, [&] { folder.finish({}); }})
      expect_contains(error_message(ErrorKind::io, action), "was moved, removed or replaced");
  };
  expect_refused();
  EXPECT_FALSE(fs::exists(path("run")));
  fs::create_directories(path("run/particles"));
  expect_refused();
  EXPECT_TRUE(files_in(path("run")).empty());
}

}  // namespace
}  // namespace panta
