// Particle files, collections and result folders; and what happens when disks fail.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>

#include "file_test_fixture.h"
#include "panta/io/file.h"
#include "panta/io/json_line.h"
#include "panta/io/output.h"
#include "panta/io/vtp.h"

namespace panta {
namespace {

namespace fs = std::filesystem;

using IoFileTest = FileTest;

ParticleFrame random_frame(std::size_t n) {
  std::mt19937 random(42);
  std::uniform_real_distribution<float> uniform(-1e3f, 1e3f);
  const auto vector = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  ParticleFrame frame;
  frame.time = 1.0 / 3;
  for (std::size_t k = 0; k < n; ++k) {
    frame.id.push_back(static_cast<std::uint32_t>(random()));
    frame.phase.push_back(static_cast<std::uint32_t>(k % 3));
    frame.position.push_back(vector());
    frame.velocity.push_back(vector());
    frame.density.push_back(uniform(random));
    frame.pressure.push_back(uniform(random));
    frame.normal.push_back(vector());
  }
  return frame;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same_frame(const ParticleFrame& a, const ParticleFrame& b) {
  EXPECT_EQ(std::memcmp(&a.time, &b.time, sizeof a.time), 0);
  EXPECT_TRUE(same_bits(a.id, b.id));
  EXPECT_TRUE(same_bits(a.phase, b.phase));
  EXPECT_TRUE(same_bits(a.position, b.position));
  EXPECT_TRUE(same_bits(a.velocity, b.velocity));
  EXPECT_TRUE(same_bits(a.density, b.density));
  EXPECT_TRUE(same_bits(a.pressure, b.pressure));
  EXPECT_TRUE(same_bits(a.normal, b.normal));
}

std::vector<std::string> files_in(const std::string& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(dir))
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), dir).string());
  std::sort(names.begin(), names.end());
  return names;
}

// --- vtp -------------------------------------------------------------------------------------

TEST_F(IoFileTest, VtpRoundTripIsBitForBit) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{70000}}) {
    ParticleFrame frame = random_frame(n);
    if (n > 0) {
      frame.position[0] = {std::numeric_limits<float>::quiet_NaN(), -0.0f, 1e-42f};
      frame.pressure[0] = -std::numeric_limits<float>::infinity();
    }
    write_vtp(path("a.vtp"), frame);
    expect_same_frame(frame, read_vtp(path("a.vtp")));
  }
  EXPECT_EQ(files_in(dir_), std::vector<std::string>{"a.vtp"});
}

TEST_F(IoFileTest, VtpHeaderDescribesTheAppendedArrays) {
  const ParticleFrame frame = random_frame(5);
  write_vtp(path("a.vtp"), frame);
  const std::string content = read_binary_file(path("a.vtp"));
  expect_contains(content,
                  "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\">");
  expect_contains(content, "NumberOfPoints=\"5\" NumberOfVerts=\"5\"");
  const std::size_t data = content.find("<AppendedData encoding=\"raw\">\n_") + 31;
  struct Expected {
    const char* type;
    const char* name;
    int components;
    std::uint64_t bytes;
  };
  std::uint64_t offset = 0;
  for (const Expected& e :
       {Expected{"Float64", "TimeValue", 1, 8}, Expected{"Float32", "Points", 3, 60},
        Expected{"UInt32", "id", 1, 20}, Expected{"UInt32", "phase", 1, 20},
        Expected{"Float32", "velocity", 3, 60}, Expected{"Float32", "density", 1, 20},
        Expected{"Float32", "pressure", 1, 20}, Expected{"Float32", "normal", 3, 60},
        Expected{"Int32", "connectivity", 1, 20}, Expected{"Int32", "offsets", 1, 20}}) {
    const std::string tag = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"{} "
        "format=\"appended\" offset=\"{}\"/>",
        e.type, e.name, e.components, offset == 0 ? " NumberOfTuples=\"1\"" : "", offset);
    expect_contains(content, tag);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, content.data() + data + offset, sizeof bytes);
    EXPECT_EQ(bytes, e.bytes) << e.name;
    offset += sizeof bytes + bytes;
  }
  EXPECT_EQ(content.substr(data + offset), "\n</AppendedData>\n</VTKFile>\n");
  std::int32_t cells[2][5];
  std::memcpy(cells[0], content.data() + data + offset - 48, 20);
  std::memcpy(cells[1], content.data() + data + offset - 20, 20);
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(cells[0][k], k);
    EXPECT_EQ(cells[1][k], k + 1);
  }
}

TEST_F(IoFileTest, TruncatedVtpIsRefusedAtEveryLength) {
  write_vtp(path("a.vtp"), random_frame(3));
  const std::string content = read_binary_file(path("a.vtp"));
  const std::size_t needed = content.size() - std::strlen("\n</AppendedData>\n</VTKFile>\n");
  for (std::size_t length = 0; length < needed; ++length) {
    write_text_file(path("cut.vtp"), content.substr(0, length));
    EXPECT_THROW(read_vtp(path("cut.vtp")), Error) << length;
  }
  write_text_file(path("cut.vtp"), content.substr(0, needed - 1));
  expect_contains(error_message(ErrorKind::io, [&] { read_vtp(path("cut.vtp")); }),
                  "cut.vtp': truncated: the array 'offsets'");
}

TEST_F(IoFileTest, VtpOfAnotherMakeIsRefused) {
  write_vtp(path("a.vtp"), random_frame(3));
  const std::string content = read_binary_file(path("a.vtp"));
  const auto message_after = [&](const std::string& from, const std::string& to) {
    std::string changed = content;
    changed.replace(changed.find(from), from.size(), to);
    write_text_file(path("b.vtp"), changed);
    return error_message(ErrorKind::io, [&] { read_vtp(path("b.vtp")); });
  };
  expect_contains(message_after("PolyData", "Unstructured"), "type is 'Unstructured'");
  expect_contains(message_after("UInt64", "UInt32"), "header_type is 'UInt32'");
  expect_contains(message_after("\"UInt32\" Name=\"id\"", "\"Float64\" Name=\"id\""),
                  "the array 'id' is Float64 x 1, not UInt32 x 1");
  expect_contains(message_after("Name=\"velocity\"", "Name=\"speed\""), "'velocity' is missing");
  expect_contains(message_after("Points=\"3\"", "Points=\"99999999999\""), "truncated");
  expect_contains(message_after("Points=\"3\"", "Points=\"2\""), "has 36 bytes, not 24");
  write_text_file(path("b.vtp"), "hello");
  expect_contains(error_message(ErrorKind::io, [&] { read_vtp(path("b.vtp")); }),
                  "not a VTK XML file");
  expect_contains(error_message(ErrorKind::io, [&] { read_vtp(path("none.vtp")); }),
                  "No such file");
}

TEST_F(IoFileTest, FrameWithMissingArrayIsRefused) {
  ParticleFrame frame = random_frame(3);
  frame.normal.clear();
  expect_contains(error_message(ErrorKind::io, [&] { write_vtp(path("a.vtp"), frame); }),
                  "0 values of normal for 3 particles");
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

// Files of this process may not grow beyond a size, as on a disk that fills up midway.
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

TEST_F(IoFileTest, FailedWriteLeavesTheOldFileAndNoRemains) {
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
                                      "run.json", "scene.json", "stats.jsonl", "timings.jsonl"}));
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

TEST_F(IoFileTest, FolderIsReadableWhileTheRunGoesOn) {
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
  expect_contains(line, "\"density_error_max\": 5e-324}");
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
  expect_contains(message, "choose another --out or pass --overwrite");
  EXPECT_EQ(read_binary_file(path("run/scene.json")), "{\"old\": 1}");

  const ResultFolder second(path("run"), "{}", true);
  EXPECT_EQ(files_in(path("run")),
            (std::vector<std::string>{"notes.txt", "particles.pvd", "particles/other.vtp",
                                      "run.json", "scene.json", "stats.jsonl", "timings.jsonl"}));
  EXPECT_EQ(read_binary_file(path("run/stats.jsonl")), "");
}

TEST_F(IoFileTest, FolderWithoutRunIsUsedAsItIs) {
  write_text_file(path("notes.txt"), "mine");
  const ResultFolder folder(dir_, "{}");
  EXPECT_EQ(read_binary_file(path("notes.txt")), "mine");
  expect_contains(error_message(ErrorKind::io, [&] { list_frames(dir_); }),
                  "holds no particle frames");
}

}  // namespace
}  // namespace panta
