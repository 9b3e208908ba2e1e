// Mesh files: the three formats, messages for broken files, random damage, writing.
#include <fmt/core.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "file_test_fixture.h"
#include "geometry_cases.h"
#include "panta/core/random.h"
#include "panta/geometry/read_mesh.h"
#include "panta/geometry/write_mesh.h"

namespace panta {
namespace {

using namespace panta::test;

using Parser = TriangleMesh (*)(std::string_view, const std::string&);

std::string parse_error(Parser parse, const std::string& content) {
  return error_message(ErrorKind::io, [&] { parse(content, "file"); });
}

// Bytes of numbers in the requested byte order.
template <class T>
void put(std::string& out, T value, bool big_endian = false) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big))
    std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}

std::string binary_stl(const TriangleMesh& mesh, const std::string& title) {
  std::string out = title;
  out.resize(80, ' ');
  put(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) put(out, 0.0f);
    for (const std::uint32_t v : t)
      for (int axis = 0; axis < 3; ++axis) put(out, mesh.vertices[v][axis]);
    put(out, std::uint16_t{0});
  }
  return out;
}

std::string text_stl(const TriangleMesh& mesh) {
  std::string out = "solid a thing with facet in its name\n";
  for (const Triangle& t : mesh.triangles) {
    out += "  facet normal 0 0 0\n    OUTER LOOP\r\n";
    for (const std::uint32_t v : t)
      out += fmt::format("      vertex {} {:e} +{}\n", mesh.vertices[v].x, mesh.vertices[v].y,
                         mesh.vertices[v].z);
    out += "    endloop\n  endfacet\n";
  }
  return out + "endsolid\n";
}

const std::string ply_head =
    "format ascii 1.0\ncomment two elements\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

TEST(Obj, ReadsCornersOfAllKindsAndPolygons) {
  const TriangleMesh mesh = parse_obj(
      "# comment\r\no thing\nvt 0 0\nvn 0 0 1\nv 0 0 0\nv 1 0 0 1.0\n v\t1 1 0 0.5 0.5 0.5\n"
      "f -3/1/1 2//1 3/1 4 # which comes later\nv +0 1e0 0\n",
      "quad");
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_DOUBLE_EQ(mesh_area(mesh), 1);
}

TEST(Obj, ErrorsHaveLineNumbers) {
  const std::string square = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(parse_error(parse_obj, "v 0 0\n"), "file:1: a vertex needs three coordinates");
  expect_contains(parse_error(parse_obj, "\nv 0 zero 0\n"), "file:2: 'zero' is not a number");
  expect_contains(parse_error(parse_obj, "v 0 nan 0\n"), "file:1: the coordinate 'nan' is not");
  expect_contains(parse_error(parse_obj, "v 0 1e39 0\n"), "is not finite");
  expect_contains(parse_error(parse_obj, square + "f 1 2 4\n"),
                  "file:4: vertex 4 does not exist; the file has 3");
  expect_contains(parse_error(parse_obj, square + "f 1 2 0\n"), "file:4: there is no vertex '0'");
  expect_contains(parse_error(parse_obj, square + "f 1 2 -4\n"), "file:4: there is no vertex '-4'");
  expect_contains(parse_error(parse_obj, square + "f 1 2\n"), "at least three corners, not 2");
  expect_contains(parse_error(parse_obj, square + "f 1 2 x/1\n"), "'x/1' is not a vertex index");
  EXPECT_EQ(parse_error(parse_obj, square), "file: there are no triangles in this file");
  expect_contains(parse_error(parse_obj, ""), "no triangles");
}

TEST(Ply, ReadsTextWithUnknownElementsAndProperties) {
  const TriangleMesh mesh = parse_ply(
      "ply\nformat ascii 1.0\nobj_info none\nelement camera 1\nproperty list uchar float view\n"
      "property int id\nelement vertex 4\nproperty uchar red\nproperty double z\nproperty float y\n"
      "property float x\nelement face 1\nproperty list int short vertex_index\n"
      "property float quality\nend_header\n2 0.5 0.5 7\n1 0 0 0\n2 0 0 1 3 0 1\n1\n4 0 1 0\n"
      "4 0 1 2 3 0.5\n",
      "quad");
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_DOUBLE_EQ(mesh_area(mesh), 1);
  EXPECT_EQ(mesh.vertices[2], (Vec3{1, 1, 0}));
}

TEST(Ply, ReadsBinaryOfBothByteOrders) {
  for (const bool big : {false, true}) {
    std::string content = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                          "_endian 1.0\r\nelement vertex 3\nproperty short x\nproperty double y\n"
                          "property float z\nelement face 1\nproperty list ushort char skip\n"
                          "property list uchar uint vertex_indices\nend_header\n";
    for (const Vec3& v : {Vec3{-300, 0.25f, 0}, Vec3{2, 0, 1}, Vec3{0, 3, 7}}) {
      put(content, static_cast<std::int16_t>(v.x), big);
      put(content, double{v.y}, big);
      put(content, v.z, big);
    }
    put(content, std::uint16_t{2}, big);
    content += "ab\3";
    for (const std::uint32_t index : {2u, 0u, 1u}) put(content, index, big);
    const TriangleMesh mesh = parse_ply(content, "triangle");
    EXPECT_EQ(mesh.vertices[0], (Vec3{-300, 0.25f, 0}));
    EXPECT_EQ(mesh.vertices[2], (Vec3{0, 3, 7}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{2, 0, 1}}));
  }
}

TEST(Ply, ErrorsHaveFilePositions) {
  const std::string head = "ply\n" + ply_head;
  expect_contains(parse_error(parse_ply, "plywood\n"), "file:1: a PLY file begins with");
  expect_contains(parse_error(parse_ply, "ply\nformat ascii 1.0\n"), "no line 'end_header'");
  expect_contains(parse_error(parse_ply, "ply\nformat morse 1.0\n"), "file:2: the format 'morse'");
  expect_contains(parse_error(parse_ply, "ply\nelement vertex -3\n"), "'-3' is not a number of");
  expect_contains(parse_error(parse_ply, "ply\nproperty float x\n"), "before the first element");
  expect_contains(parse_error(parse_ply, head + "0 0 0\n1 0 0\n0 1 inf\n3 0 1 2\n"),
                  "file:13: a coordinate is not finite");
  expect_contains(parse_error(parse_ply, head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
                  "names vertex 3, counted from 0; the file has 3");
  expect_contains(parse_error(parse_ply, head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 -2\n"),
                  "file:14: a corner of a face is not a vertex index");
  expect_contains(parse_error(parse_ply, head + "0 0 0\n1 0 0\n0 1 0\n3 0 1\n"),
                  "the file ends early");
  expect_contains(parse_error(parse_ply, head + "0 0 0\n1 0 0\n0 1 0\n2000000000 0 1\n"),
                  "a list cannot have the length");
  const std::string binary =
      "ply\nformat binary_little_endian 1.0\nelement vertex 18446744073709551615\nproperty float "
      "x\nproperty float y\nproperty float z\nend_header\n";
  expect_contains(parse_error(parse_ply, binary + "0123456789"),
                  fmt::format("file: at byte {}: the file ends early", binary.size()));
}

TEST(Stl, TextAndBinaryGiveTheSameMesh) {
  const TriangleMesh box = box_mesh({0, 0, 0}, {1, 2, 3});
  for (const std::string& content :
       {text_stl(box), binary_stl(box, "made by a program"), binary_stl(box, "solid binary")}) {
    const TriangleMesh mesh = parse_stl(content, "box");
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_DOUBLE_EQ(mesh_volume(mesh), 6);
    EXPECT_TRUE(inspect_mesh(mesh).has_no_defects());
  }
}

TEST(Stl, BrokenFilesAreErrors) {
  const TriangleMesh box = box_mesh({0, 0, 0}, {1, 2, 3});
  std::string content = binary_stl(box, "cut");
  content.resize(content.size() - 1);
  expect_contains(parse_error(parse_stl, content), "announces 12 triangles and holds 11");
  expect_contains(parse_error(parse_stl, "cut"), "at byte 3: the file ends within its header");
  content = text_stl(box);
  expect_contains(parse_error(parse_stl, content.substr(0, content.size() - 9)), "not 'endsolid'");
  expect_contains(parse_error(parse_stl, "solid\nvertex 0 0 0\n"),
                  "file:2: a vertex stands outside");
  expect_contains(parse_error(parse_stl, "solid\nvertices\n"), "'vertices' is not a keyword");
  content = binary_stl(box, "far");
  content.replace(84 + 12, 4, std::string("\0\0\x80\x7f", 4));  // infinity
  expect_contains(parse_error(parse_stl, content), "at byte 96: a coordinate is not finite");
}

TEST(ReadMesh, InsideOutMeshIsFlipped) {
  TriangleMesh box = box_mesh({0, 0, 0}, {1, 2, 3});
  flip_triangles(box);
  EXPECT_DOUBLE_EQ(mesh_volume(box), -6);
  EXPECT_DOUBLE_EQ(mesh_volume(parse_stl(binary_stl(box, ""), "box")), 6);
}

// Any damage to a file gives a mesh with valid indices or an Error.
TEST(ReadMesh, SurvivesDamage) {
  const TriangleMesh sphere = icosphere(1, 1);
  std::string obj, ply_text =
                       "ply\nformat ascii 1.0\nelement vertex 42\nproperty float x\n"
                       "property float y\nproperty float z\nelement face 80\n"
                       "property list uchar int vertex_indices\nend_header\n";
  std::string ply = ply_text;
  ply.replace(ply.find("ascii"), 5, "binary_little_endian");
  for (const Vec3& v : sphere.vertices) {
    obj += fmt::format("v {} {} {}\n", v.x, v.y, v.z);
    ply_text += fmt::format("{} {} {}\n", v.x, v.y, v.z);
    for (int axis = 0; axis < 3; ++axis) put(ply, v[axis]);
  }
  for (const Triangle& t : sphere.triangles) {
    obj += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    ply_text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    put(ply, std::uint8_t{3});
    for (const std::uint32_t v : t) put(ply, v);
  }
  const std::pair<Parser, std::string> files[] = {{parse_obj, obj},
                                                  {parse_ply, ply_text},
                                                  {parse_ply, ply},
                                                  {parse_stl, text_stl(sphere)},
                                                  {parse_stl, binary_stl(sphere, "solid")}};
  for (const auto& [parse, whole] : files) {
    EXPECT_NEAR(mesh_volume(parse(whole, "whole")), mesh_volume(sphere), 1e-5);
    for (std::uint64_t trial = 0; trial < 400; ++trial) {
      std::string content = whole;
      for (std::uint64_t change = 0; change < 1 + trial % 4; ++change) {
        const std::uint64_t bits = mix_bits(trial * 8 + change + 1);
        const std::size_t region =
            change % 2 ? content.size() : std::min<std::size_t>(content.size(), 250);
        content[bits % region] = static_cast<char>(bits >> 40);
      }
      if (trial % 5 == 0) content.resize(mix_bits(trial) % content.size());
      try {
        const TriangleMesh mesh = parse(content, "damaged");
        for (const Triangle& t : mesh.triangles)
          for (const std::uint32_t v : t) ASSERT_LT(v, mesh.vertices.size());
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), ErrorKind::io) << error.what();
      }
    }
  }
}

using MeshFile = FileTest;

TEST_F(MeshFile, WrittenMeshesAreReadBackExactly) {
  const TriangleMesh torus = torus_mesh(1, 0.4f, 20, 10);
  write_ply(path("a.ply"), torus);
  write_obj(path("b.OBJ"), torus);
  for (const char* name : {"a.ply", "b.OBJ"}) {
    const TriangleMesh mesh = read_mesh(path(name));
    EXPECT_EQ(mesh.vertices, torus.vertices);
    EXPECT_EQ(mesh.triangles, torus.triangles);
    EXPECT_EQ(mesh.source, path(name));
  }
}

TEST_F(MeshFile, UnknownAndMissingFilesAreErrors) {
  expect_contains(error_message(ErrorKind::io, [&] { read_mesh(path("a.fbx")); }),
                  "meshes end in .obj, .ply or .stl");
  expect_contains(error_message(ErrorKind::io, [&] { read_mesh(path("none.obj")); }),
                  "cannot read");
}

}  // namespace
}  // namespace panta
