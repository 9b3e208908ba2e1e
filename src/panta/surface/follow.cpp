#include "panta/surface/follow.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "panta/surface/blob_field.h"
#include "panta/surface/marching_cubes.h"

namespace panta {
namespace {

constexpr int coordinate_bits = 21;
// A lattice point; also identifies the cell that starts there.
struct LatticePoint {
  std::int32_t x = 0, y = 0, z = 0;

  std::uint64_t key() const {
    return (static_cast<std::uint64_t>(z) << coordinate_bits | static_cast<std::uint64_t>(y))
               << coordinate_bits |
           static_cast<std::uint64_t>(x);
  }
  LatticePoint corner(int k) const { return {x + (k & 1), y + (k >> 1 & 1), z + (k >> 2 & 1)}; }
  LatticePoint moved(int axis, int by) const {
    return {x + (axis == 0 ? by : 0), y + (axis == 1 ? by : 0), z + (axis == 2 ? by : 0)};
  }
  Vec3 place() const {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  }
};

class Follower {
 public:
  Follower(const TileGrid& grid, const BlobSet& set, float iso)
      : grid_(grid), field_(grid, set), iso_(iso) {}

  // Goes along +x from a position inside to the surface, and then follows the surface.
  void start_at(const Vec3& seed) {
    LatticePoint cell{static_cast<std::int32_t>(std::floor(seed.x)),
                      static_cast<std::int32_t>(std::floor(seed.y)),
                      static_cast<std::int32_t>(std::floor(seed.z))};
    while (corners_inside(cell) == 255) cell = cell.moved(0, 1);
    if (corners_inside(cell) == 0) return;  // too small for the lattice
    visit(cell);
    for (; !waiting_.empty(); waiting_.pop_front()) cut(waiting_.front());
  }

  SurfaceMesh take() { return std::move(mesh_); }

 private:
  float value(const LatticePoint& p) {
    const auto [at, is_new] = values_.try_emplace(p.key());
    if (is_new) at->second = field_.value<SmoothBump>(p.place());
    return at->second;
  }
  unsigned corners_inside(const LatticePoint& cell) {
    unsigned inside = 0;
    for (int k = 0; k < 8; ++k) inside |= static_cast<unsigned>(value(cell.corner(k)) >= iso_) << k;
    return inside;
  }
  void visit(const LatticePoint& cell) {
    if (visited_.insert(cell.key()).second) waiting_.push_back(cell);
  }

  void cut(const LatticePoint& cell) {
    const unsigned inside = corners_inside(cell);
    float values[8];
    for (int k = 0; k < 8; ++k) values[k] = value(cell.corner(k)) - iso_;
    const MarchingCubes& table = MarchingCubes::table();
    const CellSurface& surface =
        table.surface(inside, joined_faces(table.ambiguous_faces(inside), inside, values));
    std::vector<std::uint32_t> middles;
    for (const auto& polygon : surface.middles) {
      Vec3 sum;
      for (const int edge : polygon) sum += mesh_.position[vertex(cell, edge)];
      middles.push_back(static_cast<std::uint32_t>(mesh_.position.size()));
      mesh_.position.push_back(sum * (1 / static_cast<float>(polygon.size())));
    }
    for (const auto& triangle : surface.triangles) {
      Triangle corners;
      for (std::size_t k = 0; k < 3; ++k)
        corners[k] = triangle[k] < cell_edges
                         ? vertex(cell, triangle[k])
                         : middles[static_cast<std::size_t>(triangle[k] - cell_edges)];
      mesh_.triangles.push_back(corners);
    }
    for (int axis = 0; axis < 3; ++axis) {
      const unsigned low = axis == 0   ? 0x55u
                           : axis == 1 ? 0x33u
                                       : 0x0fu;  // corners of its low face
      if (const unsigned face = inside & low; face != 0 && face != low) visit(cell.moved(axis, -1));
      if (const unsigned face = inside & ~low; face != 0 && face != (~low & 255u))
        visit(cell.moved(axis, 1));
    }
  }

  std::uint32_t vertex(const LatticePoint& cell, int edge) {
    const int axis = edge_axis(edge);
    const LatticePoint from = cell.corner(edge_corner(edge));
    const auto [at, is_new] = vertices_[static_cast<std::size_t>(axis)].try_emplace(
        from.key(), static_cast<std::uint32_t>(mesh_.position.size()));
    if (is_new) {
      const float a = value(from) - iso_, b = value(from.moved(axis, 1)) - iso_;
      Vec3 place = from.place();
      place[axis] += crossing(a, b);
      mesh_.position.push_back(grid_.to_space(place));
    }
    return at->second;
  }

  const TileGrid& grid_;
  BlobField field_;
  float iso_;
  SurfaceMesh mesh_;
  std::unordered_map<std::uint64_t, float> values_;
  std::unordered_map<std::uint64_t, std::uint32_t> vertices_[3];
  std::unordered_set<std::uint64_t> visited_;
  std::deque<LatticePoint> waiting_;
};

}  // namespace

SurfaceMesh follow_surface(const TileGrid& grid, const BlobSet& set, float iso,
                           const std::vector<Vec3>& seeds) {
  Follower follower(grid, set, iso);
  for (const Vec3& seed : seeds) follower.start_at(seed);
  return follower.take();
}

}  // namespace panta
