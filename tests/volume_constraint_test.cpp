// Volumes of closed meshes of particles: selection in scenes, whole runs, events, saved states.
// tests/device/summed_constraints_test.cpp compares solves with closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>

#include "error_of.h"
#include "geometry_cases.h"
#include "panta/load/load.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_lists.h"
#include "panta/methods/unified_macklin2014/constraints/element_layout.h"
#include "panta/methods/unified_macklin2014/constraints/registered.h"
#include "panta/run/timeline.h"
#include "unified_scenes.h"

namespace panta {
namespace {

using namespace unified;

std::vector<std::uint32_t> flat(const std::vector<Triangle>& triangles) {
  std::vector<std::uint32_t> ids;
  for (const Triangle& t : triangles) ids.insert(ids.end(), t.begin(), t.end());
  return ids;
}

// The gradient of the total volume, by vertex.
std::vector<Vec3d> volume_gradient(const TriangleMesh& mesh) {
  std::vector<Vec3d> sum(mesh.vertices.size());
  for (const Triangle& t : mesh.triangles) {
    Vec3 x[3], gradient[3];
    for (std::size_t m = 0; m < 3; ++m) x[m] = mesh.vertices[t[m]] - mesh.vertices[0];
    VolumeConstraint::element(x, gradient);
    for (std::size_t m = 0; m < 3; ++m) sum[t[m]] += to_double(gradient[m]);
  }
  return sum;
}

TEST(VolumeConstraint, GradientMatchesTheVolumeAndSumsToZero) {
  TriangleMesh mesh = test::icosphere(1, 1);
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k)
    mesh.vertices[k] = mesh.vertices[k] * (1 + 0.1f * static_cast<float>(k % 5)) + Vec3{3, 4, 5};
  EXPECT_NEAR(sum_of_elements<VolumeConstraint>(flat(mesh.triangles), mesh.vertices),
              mesh_volume(mesh), 1e-6 * mesh_volume(mesh));
  const std::vector<Vec3d> gradient = volume_gradient(mesh);
  Vec3d sum;
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
    sum += gradient[k];
    for (int axis = 0; axis < 3; ++axis) {
      constexpr float h = 1.0f / 64;
      TriangleMesh above = mesh, below = mesh;
      above.vertices[k][axis] += h;
      below.vertices[k][axis] -= h;
      const double slope = (mesh_volume(above) - mesh_volume(below)) / (2.0 * h);
      EXPECT_NEAR(gradient[k][axis], slope, 1e-5);
    }
  }
  EXPECT_LT(length(sum), 1e-5);
}

TEST(ElementLayout, ListsTheCornersOfEachMember) {
  const ElementLayout layout = lay_out_elements({7, 3, 9, 9, 3, 5, 3, 4, 7}, {2, 1}, 3);
  EXPECT_EQ(layout.members, (std::vector<std::uint32_t>{3, 5, 7, 9, 3, 4, 7}));
  EXPECT_EQ(layout.corners, (std::vector<std::uint32_t>{2, 0, 3, 3, 0, 1, 4, 5, 6}));
  EXPECT_EQ(layout.begins, (std::vector<std::uint32_t>{0, 2, 3, 4, 6, 7, 8, 9}));
  EXPECT_EQ(layout.entries, (std::vector<std::uint32_t>{1, 4, 5, 0, 2, 3, 6, 7, 8}));
  ASSERT_EQ(layout.ranges.size(), 3u);
  EXPECT_EQ(layout.ranges[1].member, 4u);
  EXPECT_EQ(layout.ranges[2].element, 3u);
  EXPECT_EQ(layout.most_elements, 2u);
}

const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                   {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}};
const std::vector<Triangle> tetrahedron = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

auto lists_of(const Constraint& constraint, const std::vector<Vec3>& start = corners) {
  return make_constraint_lists(constraint, 0, {.start = start}, RegisteredConstraints{});
}

std::string error_with(const std::vector<Triangle>& triangles) {
  return error_of([&] { lists_of({.type = "volume", .particles = flat(triangles)}); });
}

TEST(VolumeSelection, TrianglesOfAnEntryAreOneConstraint) {
  std::vector<Triangle> both = tetrahedron;  // two chambers
  for (const Triangle& t : tetrahedron) both.push_back({t[0] + 4, t[1] + 4, t[2] + 4});
  const Constraint given{.type = "volume",
                         .parameters = {{"pressure", 1.5}, {"compliance", 0.25}},
                         .particles = flat(both)};
  const auto list = lists_of(given).of<VolumeConstraint>();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list.elements, (std::vector<std::uint32_t>{8}));
  EXPECT_NEAR(list.data[0].volume, 1.5 * 2 / 6.0, 1e-7);
  EXPECT_EQ(list.softness[0].compliance, 0.25f);
}

TEST(VolumeSelection, ErrorsAreSpecific) {
  std::vector<Triangle> open = tetrahedron, twisted = tetrahedron, crowded = tetrahedron,
                        inside_out = tetrahedron, twice = tetrahedron;
  open.pop_back();
  std::swap(twisted[3][0], twisted[3][1]);
  crowded.insert(crowded.end(), tetrahedron.begin(), tetrahedron.end());
  for (Triangle& t : inside_out) std::swap(t[0], t[1]);
  twice[0] = {0, 2, 2};
  const std::string no_mesh = "constraints.0: the triangles are no closed mesh: ";
  EXPECT_EQ(error_with(open), no_mesh +
                                  "edges belong to one triangle only (3 in all, the first "
                                  "between particles 1 and 2)");
  EXPECT_EQ(error_with(twisted), no_mesh +
                                     "both triangles run along an edge in the same direction "
                                     "(3 in all, the first between particles 1 and 2)");
  EXPECT_EQ(error_with(crowded), no_mesh +
                                     "edges belong to more than two triangles (6 in all, the "
                                     "first between particles 0 and 1)");
  EXPECT_EQ(error_with(inside_out),
            "constraints.0: its triangles are inside out: name their "
            "particles counter-clockwise, seen from outside");
  EXPECT_EQ(error_with(twice), "constraints.0: particle 2 is named twice in one triangle");
  const std::vector<Vec3> flattened = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(
      error_of([&] { lists_of({.type = "volume", .particles = flat(tetrahedron)}, flattened); }),
      "constraints.0: its triangles enclose no volume where they start");
  EXPECT_EQ(error_of([] {
              lists_of({.type = "volume", .particles = {0, 1, 2, 3}});
            }),
            "constraints.0: 'particles' must name 3 for each triangle, got 4 in all");
  EXPECT_EQ(error_of([] {
              lists_of({.type = "volume", .particles = {0, 1, 99}});
            }),
            "constraints.0: there is no particle 99: there have been 8, counted from 0");
  EXPECT_EQ(error_of([] { lists_of({.type = "volume", .within = Shape::sphere({}, 9)}); }),
            "constraints.0: 'within' and 'nearest' do not apply: 'particles' must name the 3 of "
            "each triangle");
  EXPECT_EQ(error_of([] { lists_of({.type = "volume"}); }),
            "constraints.0: 'particles' must name the 3 particles of each triangle");
}

constexpr float radius = 0.3f;
const TriangleMesh ball = test::icosphere(radius, 1);
const double rest_volume = mesh_volume(ball);

std::string triangles_text() {
  std::string text;
  for (const Triangle& t : ball.triangles)
    text += fmt::format("{}[{}, {}, {}]", text.empty() ? "" : ", ", t[0], t[1], t[2]);
  return "[" + text + "]";
}

// Grains at the vertices of a ball, without gravity.
std::string ball_file(const std::string& constraint_keys, const std::string& events = "") {
  std::string grains;
  for (const Vec3& x : ball.vertices)
    grains += fmt::format(
        R"({}{{"material": "sand", "jitter": 0, "shape": {{"box": {{"min": [{}, {}, {}],
                                                        "max": [{}, {}, {}]}}}}}})",
        grains.empty() ? "" : ", ", x.x - 1e-3f, x.y - 1e-3f, x.z - 1e-3f, x.x + 1e-3f, x.y + 1e-3f,
        x.z + 1e-3f);
  return fmt::format(R"({{"method": "unified", "spacing": 0.05, "gravity": [0, 0, 0],
    "materials": {{"sand": {{"kind": "granular"}}}}, "fluids": [{}],
    "constraints": [{{"name": "ball", "type": "volume", "particles": {}{}}}],
    "solver": {{"time_step": 0.002, "iterations": 4}}, "events": [{}]}})",
                     grains, triangles_text(), constraint_keys, events);
}
Scene ball_scene(const std::string& constraint_keys, const std::string& events = "") {
  return parse_scene(ball_file(constraint_keys, events), "test.json");
}

double volume_in(const ParticleFrame& frame) {
  return mesh_volume(TriangleMesh{frame.position(), ball.triangles, "frame"});
}

TEST(VolumeFile, ErrorsHaveFilePositions) {
  const auto error = [](const std::string& keys) {
    const std::string text = error_of([&] { ball_scene(keys); });
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(ball_scene("").constraints.at(0).particles, flat(ball.triangles));
  EXPECT_EQ(error(R"(, "pressure": 0)"),
            "'constraints.0.pressure' must be > 0 and <= 1000000, got 0");
  EXPECT_EQ(error(R"(, "within": {"sphere": {"center": [0, 0, 0], "radius": 1}})"),
            "unknown key 'constraints.0.within' (valid: name, type, pressure, compliance, damping, "
            "particles)");
}

class VolumeRuns : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) {
    return make_simulation(scene, {GetParam(), threads, false});
  }
  ParticleFrame at(const Scene& scene, double time, int threads = 1) {
    Timeline timeline(scene);
    const auto sim = start(scene, threads);
    timeline.advance(*sim, time);
    return sim->snapshot();
  }
};

TEST_P(VolumeRuns, EventsInflateReleaseAndAdd) {
  const Scene scene = ball_scene("", fmt::format(R"(
    {{"at": 0.1, "set": {{"constraints.ball.pressure": 1.5}}}},
    {{"at": 0.1, "add_constraints": [{{"type": "distance", "particles": [0, 1]}}]}},
    {{"at": 0.2, "remove_constraints": ["ball"]}},
    {{"at": 0.3, "add_constraints": [{{"type": "volume", "particles": {}}}]}})",
                                                 triangles_text()));
  EXPECT_NEAR(volume_in(at(scene, 0.1)), rest_volume, 1e-5 * rest_volume);
  EXPECT_NEAR(volume_in(at(scene, 0.2)), 1.5 * rest_volume, 1e-3 * rest_volume);
  // Without the constraint the vertices continue with their velocities.
  EXPECT_GT(std::abs(volume_in(at(scene, 0.3)) - 1.5 * rest_volume), 0.02 * rest_volume);
  EXPECT_NEAR(volume_in(at(scene, 0.4)), rest_volume, 1e-3 * rest_volume);
}

// A constraint that is added after a vertex was removed has no effect either.
TEST_P(VolumeRuns, MissingVertexDisablesIt) {
  const Vec3 x = ball.vertices[0];
  const Scene scene = ball_scene(R"(, "pressure": 1.0)", fmt::format(R"(
    {{"at": 0.01, "remove": {{"sphere": {{"center": [{}, {}, {}], "radius": 0.02}}}}}},
    {{"at": 0.02, "set": {{"constraints.ball.pressure": 2}}}})",
                                                                     x.x, x.y, x.z));
  const ParticleFrame frame = at(scene, 0.1);
  ASSERT_EQ(frame.size(), ball.vertices.size() - 1);
  for (std::size_t k = 0; k < frame.size(); ++k)
    EXPECT_LT(length(frame.position()[k] - ball.vertices[k + 1]), 1e-5f);
}

const char* const changes = R"(
    {"at": 0.03, "set": {"constraints.ball.pressure": 1.4}},
    {"at": 0.06, "set": {"constraints.ball.compliance": 1e-6}},
    {"at": 0.06, "add_constraints": [{"type": "distance", "particles": [[0, 1], [2, 3]],
                                      "one_sided": true}]},
    {"at": 0.11, "remove_constraints": ["ball"]})";

TEST_P(VolumeRuns, RestoredRunsEqualUninterruptedRuns) {
  const Scene scene = ball_scene("", changes);
  constexpr double frame = 0.05;
  Timeline whole_line(scene);
  const auto whole = start(scene);
  std::vector<State> states(4);
  for (std::size_t k = 1; k <= 3; ++k) {
    whole_line.advance(*whole, static_cast<double>(k) * frame);
    whole->save(states[k]);
  }
  for (int from = 1; from < 3; ++from) {
    Timeline line(scene, from * frame);
    const auto part = start(scene, from);
    line.restore(*part, states[static_cast<std::size_t>(from)]);
    for (int k = from + 1; k <= 3; ++k) line.advance(*part, k * frame);
    if (GetParam() == "cpu") {
      EXPECT_TRUE(same_bits(part->snapshot(), whole->snapshot()));
    }
    EXPECT_LT(mean_distance(part->snapshot(), whole->snapshot()), 1e-5);
  }
}

TEST_P(VolumeRuns, SavedStatesAreBitwiseEqual) {
  const Scene scene = ball_scene("", changes);
  std::map<std::string, std::vector<std::byte>> saved[2];
  for (int run = 0; run < 2; ++run) {
    Timeline timeline(scene);
    const auto sim = start(scene, 1 + 2 * run);
    timeline.advance(*sim, 0.1);
    State state;
    sim->save(state);
    for (const StateArray& array : state.arrays())
      if (array.name.starts_with("constraints ")) saved[run][array.name] = array.bytes;
  }
  EXPECT_EQ(saved[0].count("constraints volume elements"), 1u);
  EXPECT_EQ(saved[0].count("constraints distance data"), 1u);
  EXPECT_EQ(saved[0].count("constraints attach data"), 0u);
  EXPECT_EQ(saved[0], saved[1]);
}

TEST_P(VolumeRuns, DamagedStatesAreRefused) {
  const Scene scene = ball_scene("", changes);
  Timeline timeline(scene);
  const auto sim = start(scene);
  timeline.advance(*sim, 0.05);
  State state;
  sim->save(state);
  for (const std::uint32_t elements : {0u, 79u, 81u}) {
    State damaged;
    for (StateArray array : state.arrays()) {
      if (array.name == "constraints volume elements")
        std::memcpy(array.bytes.data(), &elements, sizeof elements);
      damaged.add(array);
    }
    const std::string error =
        error_of([&] { Timeline(scene, 0.05).restore(*start(scene), damaged); });
    EXPECT_NE(error.find("it has other constraints"), std::string::npos) << error;
  }
}

TEST_P(VolumeRuns, SameBitsForAnyNumberOfThreads) {
  const Scene scene = ball_scene(R"(, "pressure": 1.3, "compliance": 1e-6, "damping": 1e4)");
  const ParticleFrame one = at(scene, 0.05, 1);
  EXPECT_GT(volume_in(one), 1.01 * rest_volume);
  for (const int threads : {2, 3}) EXPECT_TRUE(same_bits(at(scene, 0.05, threads), one)) << threads;
}

INSTANTIATE_TEST_SUITE_P(Devices, VolumeRuns, ::testing::ValuesIn(devices()));

}  // namespace
}  // namespace panta
