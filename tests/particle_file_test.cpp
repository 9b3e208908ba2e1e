// Particle files of every format: they round-trip, and damage is detected.
#include <fmt/core.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "file_test_fixture.h"
#include "panta/core/file.h"
#include "panta/io/csv.h"
#include "panta/io/particle_file.h"
#include "panta/io/ply.h"
#include "panta/io/vtp.h"
#include "particle_frame_fixture.h"

namespace panta {
namespace {

namespace fs = std::filesystem;

using ParticleFile = FileTest;

TEST_F(ParticleFile, RoundTripIsBitForBit) {
  for (const std::string& format : particle_formats())
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{9000}}) {
      ParticleFrame frame = random_frame(n);
      if (n == 0 && format == "csv") frame.time = 0;  // a table without rows has no time
      if (n > 0) {
        frame.position()[0] = {std::numeric_limits<float>::quiet_NaN(), -0.0f, 1e-42f};
        frame.pressure()[0] = -std::numeric_limits<float>::infinity();
      }
      write_particles(path("a." + format), format, frame);
      expect_same_frame(frame, read_particles(path("a." + format)));
      EXPECT_FALSE(fs::exists(path("a." + format + ".tmp")));
    }
}

TEST_F(ParticleFile, EveryFormatKeepsColumnsOfEveryType) {
  for (const std::string& format : particle_formats()) {
    const ParticleFrame frame = random_frame_with_more_columns(5000);
    write_particles(path("a." + format), format, frame);
    expect_same_frame(frame, read_particles(path("a." + format)));
  }
}

TEST_F(ParticleFile, OnlyVtpKeepsUnits) {
  const ParticleFrame frame = random_frame_with_more_columns(2);
  const auto unit = [&](const std::string& format, const std::string& column) {
    write_particles(path("a." + format), format, frame);
    return read_particles(path("a." + format)).find(column)->info.unit;
  };
  EXPECT_EQ(unit("vtp", "stress"), "Pa");
  EXPECT_EQ(unit("ply", "stress"), "");
  EXPECT_EQ(unit("ply", "density"), "kg/m3");
}

TEST_F(ParticleFile, ColumnsThatAreNotShownAreNotWritten) {
  ParticleFrame frame = random_frame(3);
  frame.require({.name = "internal"});
  for (const std::string& format : particle_formats()) {
    write_particles(path("a." + format), format, frame);
    EXPECT_EQ(read_particles(path("a." + format)).find("internal"), nullptr) << format;
  }
}

TEST_F(ParticleFile, OnlyPositionsAreRequired) {
  ParticleFrame frame = random_frame(3);
  for (FrameColumn& column : frame.columns) column.info.shown = column.info.name == "position";
  for (const std::string& format : particle_formats()) {
    write_particles(path("a." + format), format, frame);
    const ParticleFrame read = read_particles(path("a." + format));
    EXPECT_EQ(read.position(), frame.position()) << format;
    EXPECT_EQ(read.id(), (std::vector<std::uint32_t>{0, 1, 2})) << format;
    EXPECT_EQ(read.phase(), std::vector<std::uint32_t>(3, 0)) << format;
    EXPECT_EQ(read.velocity(), std::vector<Vec3>(3)) << format;
    EXPECT_EQ(read.find("density"), nullptr) << format;
  }
}

TEST_F(ParticleFile, InvalidColumnNamesAreRefused) {
  ParticleFrame frame = random_frame(1);
  frame.require({.name = "a,b", .shown = true});
  for (const std::string& format : particle_formats())
    expect_contains(
        error_message(ErrorKind::io, [&] { write_particles(path("a"), format, frame); }), "'a,b'");
}

TEST_F(ParticleFile, FormatsAreChosenByName) {
  expect_contains(
      error_message(ErrorKind::io, [&] { write_particles(path("a"), "xyz", random_frame(1)); }),
      "vtp, ply or csv");
  expect_contains(error_message(ErrorKind::io, [&] { read_particles(path("a.xyz")); }), "a.xyz");
  expect_contains(error_message(ErrorKind::io, [&] { read_particles(path("a")); }),
                  "no known particle format");
}

TEST_F(ParticleFile, FrameWithMissingArrayIsRefused) {
  ParticleFrame frame = random_frame(3);
  frame.normal().clear();
  for (const std::string& format : particle_formats())
    expect_contains(
        error_message(ErrorKind::io, [&] { write_particles(path("a"), format, frame); }),
        "0 values of normal for 3 particles");
}

// --- ply -------------------------------------------------------------------------------------

TEST_F(ParticleFile, PlyHeaderDescribesItsRows) {
  const ParticleFrame frame = random_frame(2);
  write_ply(path("a.ply"), frame);
  const std::string content = read_binary_file(path("a.ply"));
  const std::string header =
      "ply\nformat binary_little_endian 1.0\ncomment panta particles\n"
      "comment time 0.3333333333333333\nelement vertex 2\n"
      "property uint id\nproperty uint phase\n"
      "property float x\nproperty float y\nproperty float z\n"
      "property float vx\nproperty float vy\nproperty float vz\n"
      "property float density\nproperty float pressure\n"
      "property float nx\nproperty float ny\nproperty float nz\nend_header\n";
  EXPECT_EQ(content.substr(0, header.size()), header);
  constexpr std::size_t row = 13 * 4;
  ASSERT_EQ(content.size(), header.size() + 2 * row);
  float y = 0;
  std::memcpy(&y, content.data() + header.size() + row + 3 * 4, sizeof y);
  EXPECT_EQ(y, frame.position()[1].y);
}

TEST_F(ParticleFile, DamagedPlyIsRefused) {
  write_ply(path("a.ply"), random_frame(3));
  const std::string content = read_binary_file(path("a.ply"));
  for (std::size_t length = 0; length < content.size(); ++length) {
    write_text_file(path("b.ply"), content.substr(0, length));
    EXPECT_THROW(read_ply(path("b.ply")), Error) << length;
  }
  const auto message = [&](const std::string& text) {
    write_text_file(path("b.ply"), text);
    return error_message(ErrorKind::io, [&] { read_ply(path("b.ply")); });
  };
  expect_contains(message(content.substr(0, content.size() - 60)),
                  "truncated: 3 particles are announced, 1 are there");
  expect_contains(message(content + "x"), "damaged");
  std::string huge = content;
  huge.replace(huge.find("vertex 3"), 8, "vertex 3000000000000000000");
  expect_contains(message(huge), "truncated");
  expect_contains(message("solid cube"), "not a PLY file");
  expect_contains(message("ply\nformat ascii 1.0\nelement vertex 0\nend_header\n"),
                  "no particles written by panta");
}

// --- csv -------------------------------------------------------------------------------------

TEST_F(ParticleFile, CsvIsATableWithNames) {
  ParticleFrame frame = random_frame(1);
  frame.id() = {7};
  frame.position() = {{0.5f, -1, 2}};
  frame.velocity() = frame.normal() = {{0, 0, 0.1f}};
  frame.density() = {1000};
  frame.pressure() = {-3};
  frame.time = 0.25;
  write_csv(path("a.csv"), frame);
  EXPECT_EQ(read_binary_file(path("a.csv")),
            "time,id,phase,x,y,z,vx,vy,vz,density,pressure,nx,ny,nz\n"
            "0.25,7,0,0.5,-1,2,0,0,0.1,1000,-3,0,0,0.1\n");
}

TEST_F(ParticleFile, CsvOfOtherProgramsIsRead) {
  write_text_file(path("a.csv"),
                  "x,y,z,kind,heat,axis_x,axis_y,axis_z,wind_x\n"
                  "1,2,3,4,5,0.5,1,2,7\n"
                  "-1,2,3,8,5.5,0,1,2,9\n");
  const ParticleFrame frame = read_csv(path("a.csv"));
  ASSERT_EQ(frame.size(), 2u);
  EXPECT_EQ(frame.time, 0);
  EXPECT_EQ(frame.position()[1], (Vec3{-1, 2, 3}));
  EXPECT_EQ(frame.words("kind"), (std::vector<std::uint32_t>{4, 8}));
  EXPECT_EQ(frame.scalars("heat"), (std::vector<float>{5, 5.5f}));
  EXPECT_EQ(frame.vectors("axis")[0], (Vec3{0.5f, 1, 2}));
  EXPECT_EQ(frame.words("wind_x"), (std::vector<std::uint32_t>{7, 9}));
}

TEST_F(ParticleFile, DamagedCsvIsRefusedWithItsLine) {
  write_csv(path("a.csv"), random_frame(3));
  const std::string content = read_binary_file(path("a.csv"));
  const auto message = [&](const std::string& text) {
    write_text_file(path("b.csv"), text);
    return error_message(ErrorKind::io, [&] { read_csv(path("b.csv")); });
  };
  expect_contains(message(""), "line 1: its first line names no columns");
  expect_contains(message("time,x,y\n"), "it has no positions: 'z' is missing");
  expect_contains(message("x,y,z,x\n"), "'x' is there twice");
  expect_contains(message(content.substr(0, content.size() - 1)), "the last line is cut short");
  expect_contains(message(content + "0.5,1,2\n"), "line 5: 'x' is missing");
  expect_contains(message(content + "0.5,one\n"), "line 5: 'id' is not a number");
  expect_contains(message(content.substr(0, content.size() - 1) + ",1\n"),
                  "line 4: ',1' follows the last column");
}

// --- vtp -------------------------------------------------------------------------------------

TEST_F(ParticleFile, VtpHeaderDescribesTheAppendedArrays) {
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
    const char* unit = "";
  };
  std::uint64_t offset = 0;
  for (const Expected& e :
       {Expected{"Float64", "TimeValue", 1, 8}, Expected{"Float32", "Points", 3, 60, "m"},
        Expected{"UInt32", "id", 1, 20}, Expected{"UInt32", "phase", 1, 20},
        Expected{"Float32", "velocity", 3, 60, "m/s"},
        Expected{"Float32", "density", 1, 20, "kg/m3"},
        Expected{"Float32", "pressure", 1, 20, "Pa"}, Expected{"Float32", "normal", 3, 60},
        Expected{"Int32", "connectivity", 1, 20}, Expected{"Int32", "offsets", 1, 20}}) {
    const std::string tag = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"{} "
        "format=\"appended\" offset=\"{}\"{}/>",
        e.type, e.name, e.components, offset == 0 ? " NumberOfTuples=\"1\"" : "", offset,
        *e.unit ? fmt::format(" unit=\"{}\"", e.unit) : "");
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

TEST_F(ParticleFile, TruncatedVtpIsRefusedAtEveryLength) {
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

TEST_F(ParticleFile, VtpOfAnotherProgramIsRefused) {
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
  expect_contains(message_after("Name=\"Points\"", "Name=\"Places\""), "'Points' is missing");
  expect_contains(message_after("Name=\"velocity\"", "Name=\"id\""), "'id' is there twice");
  expect_contains(
      message_after("\"UInt32\" Name=\"phase\"", "\"Int8\" Name=\"sort\""),
      "the array 'sort' is Int8 x 1: particles have Float32 x 1, 3 or 6, and UInt32 x 1");
  expect_contains(message_after("Points=\"3\"", "Points=\"99999999999\""), "truncated");
  expect_contains(message_after("Points=\"3\"", "Points=\"2\""), "has 36 bytes, not 24");
  write_text_file(path("b.vtp"), "hello");
  expect_contains(error_message(ErrorKind::io, [&] { read_vtp(path("b.vtp")); }),
                  "not a VTK XML file");
  expect_contains(error_message(ErrorKind::io, [&] { read_vtp(path("none.vtp")); }),
                  "No such file");
}

}  // namespace
}  // namespace panta
