#include "panta/bodies/body_points.h"

#include <algorithm>
#include <cmath>

#include "panta/core/eigen3.h"
#include "panta/geometry/mass_properties.h"

namespace panta {

namespace {

constexpr int cells_across = 24;

// Factors on the distance between points: corners are chosen before edges, edges before sides.
constexpr float corner_weight = 20, edge_weight = 2;

// An eigenvalue of the tensor of normals above this fraction of the trace counts as a further
// direction: sides that meet at more than about 25 degrees.
constexpr float is_sharp = 0.05f;

struct Candidate {
  BodyPoint point;
  float weight = 1;
  float apart = 0;  // m2, squared distance to the nearest chosen point
};

// Triangles are weighted by their angle at the vertex, so that the result does not depend on the
// triangulation of a side.
struct NormalTensor {
  Vec3 sum;
  Mat3 tensor = {{{}, {}, {}}};

  void add(const Vec3& normal, float angle) {
    sum += normal * angle;
    for (int k = 0; k < 3; ++k) tensor.row[k] += normal * (normal[k] * angle);
  }
  float weight() const {
    const Eigen3 e = symmetric_eigen(tensor);
    const float trace = e.value.x + e.value.y + e.value.z;
    if (e.value.z > is_sharp * trace) return corner_weight;
    return e.value.y > is_sharp * trace ? edge_weight : 1;
  }
};

std::vector<NormalTensor> normals_of(const SurfaceMesh& mesh) {
  std::vector<NormalTensor> normals(mesh.position.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3 corner[3] = {mesh.position[t[0]], mesh.position[t[1]], mesh.position[t[2]]};
    const Vec3 area = cross(corner[1] - corner[0], corner[2] - corner[0]);
    if (!(length(area) > 0)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = normalized(corner[(k + 1) % 3] - corner[k]);
      const Vec3 v = normalized(corner[(k + 2) % 3] - corner[k]);
      normals[t[k]].add(normalized(area), std::acos(std::clamp(dot(u, v), -1.0f, 1.0f)));
    }
  }
  return normals;
}

// A flat solid is meshed as a thin layer; points on the layer's cut faces are discarded.
bool on_outline(const Shape& shape, Vec3& x, float cell) {
  x.z = 0;
  return std::abs(distance(shape, x).value) < 0.1f * cell;
}

std::vector<Candidate> candidates(const Shape& shape, bool flat) {
  const SurfaceMesh mesh = body_mesh(shape, cells_across, flat);
  const std::vector<NormalTensor> normals = normals_of(mesh);
  Vec3 low = mesh.position.empty() ? Vec3{} : mesh.position[0], high = low;
  for (const Vec3& x : mesh.position)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
  const float cell = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / cells_across;
  std::vector<Candidate> all;
  for (std::size_t k = 0; k < mesh.position.size(); ++k) {
    Vec3 x = mesh.position[k];
    if (flat && !on_outline(shape, x, cell)) continue;
    Vec3 normal = normals[k].sum;
    if (flat) normal = normalized(distance(shape, x).normal);
    all.push_back({{x, normalized(normal)}, normals[k].weight(), 1e30f});
  }
  return all;
}

}  // namespace

// Farthest point sampling: the next point is the one farthest from all chosen points.
std::vector<BodyPoint> body_points(const Shape& shape, bool flat, std::size_t most) {
  std::vector<Candidate> left = candidates(shape, flat);
  std::vector<BodyPoint> taken;
  const auto score = [](const Candidate& c) { return c.apart * c.weight * c.weight; };
  while (taken.size() < most && !left.empty()) {
    const auto next = std::max_element(
        left.begin(), left.end(),
        [&](const Candidate& a, const Candidate& b) { return score(a) < score(b); });
    if (!(next->apart > 0)) break;
    const BodyPoint point = next->point;
    taken.push_back(point);
    for (Candidate& c : left) {
      const Vec3 step = c.point.place - point.place;
      c.apart = std::min(c.apart, dot(step, step));
    }
  }
  return taken;
}

}  // namespace panta
