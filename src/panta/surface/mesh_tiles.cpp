#include "panta/surface/mesh_tiles.h"

#include <omp.h>

#include "panta/surface/marching_cubes.h"

namespace panta {
namespace {

constexpr std::uint32_t foreign = 1u << 31;  // marks a corner owned by another tile
constexpr int side_shift = 24;               // bits of sides x, y, z, above the number of the edge
constexpr std::uint32_t edge_mask = (1u << side_shift) - 1;

// Bits of the edges whose ends differ, for these inside corners.
constexpr std::array<std::uint16_t, 256> crossed_edges = [] {
  std::array<std::uint16_t, 256> crossed{};
  for (unsigned inside = 0; inside < 256; ++inside)
    for (int edge = 0; edge < cell_edges; ++edge) {
      const int from = edge_corner(edge), to = from | 1 << edge_axis(edge);
      const unsigned differ = (inside >> from ^ inside >> to) & 1;
      crossed[inside] = static_cast<std::uint16_t>(crossed[inside] | differ << edge);
    }
  return crossed;
}();

// Output of one thread: its tiles append to it.
struct Pieces {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> edges;  // of the vertices: point * 4 + axis, axis 3: middle of a cell
  std::vector<Triangle> triangles;   // corners: vertices of the tile, or `foreign` ones
};

struct TilePiece {
  int thread = 0;
  std::size_t vertex = 0, triangle = 0;  // start of its part
  std::uint32_t vertices = 0, triangles = 0;
};

class TileMesher {
 public:
  TileMesher(const TileGrid& grid, float iso)
      : grid_(grid),
        iso_(iso),
        field_(grid.lattice().cells_per_bin),
        across_(field_.cells()),
        inside_(static_cast<std::size_t>(field_.points() * field_.points())),
        vertex_at_(static_cast<std::size_t>(across_ * across_ * across_) * 3) {}

  Pieces pieces;

  TilePiece mesh(std::size_t tile, const EvaluateTile& evaluate) {
    evaluate(tile, field_);
    TilePiece piece;
    piece.vertex = first_vertex_ = pieces.vertices.size();
    piece.triangle = pieces.triangles.size();
    const BinCoordinates& first = grid_.tiles()[tile].first;
    const int per_bin = grid_.lattice().cells_per_bin;
    origin_ = {static_cast<float>(first.x * per_bin), static_cast<float>(first.y * per_bin),
               static_cast<float>(first.z * per_bin)};
    if (find_inside()) {
      place_vertices();
      place_triangles();
    }
    piece.vertices = static_cast<std::uint32_t>(pieces.vertices.size() - piece.vertex);
    piece.triangles = static_cast<std::uint32_t>(pieces.triangles.size() - piece.triangle);
    return piece;
  }

 private:
  std::uint64_t& inside(int y, int z) {
    return inside_[static_cast<std::size_t>(z * field_.points() + y)];
  }
  std::uint32_t point(int x, int y, int z) const {
    return static_cast<std::uint32_t>((z * across_ + y) * across_ + x);
  }

  // Sets bit x of a row if the point is inside. False if all points are inside, or none.
  bool find_inside() {
    std::uint64_t some = 0, all = ~0ull;
    const int points = field_.points();
    for (int z = 0; z < points; ++z)
      for (int y = 0; y < points; ++y) {
        const float* row = field_.row(y, z);
        std::uint64_t bits = 0;
        for (int x = 0; x < points; x += pack_width)
          bits |= static_cast<std::uint64_t>(~lanes_below(load(row + x), iso_) & 0xffffu) << x;
        bits &= (1ull << points) - 1;
        inside(y, z) = bits;
        some |= bits;
        all &= bits;
      }
    return some != 0 && all != (1ull << points) - 1;
  }

  void place_vertices() {
    const std::uint64_t own = (1ull << across_) - 1;
    for (int z = 0; z < across_; ++z)
      for (int y = 0; y < across_; ++y) {
        const std::uint64_t here = inside(y, z);
        const std::uint64_t cut[3] = {(here ^ here >> 1) & own, (here ^ inside(y + 1, z)) & own,
                                      (here ^ inside(y, z + 1)) & own};
        for (std::uint64_t rest = cut[0] | cut[1] | cut[2]; rest != 0; rest &= rest - 1) {
          const int x = __builtin_ctzll(rest);
          for (int axis = 0; axis < 3; ++axis)
            if (cut[axis] >> x & 1) place_vertex(x, y, z, axis);
        }
      }
  }

  void place_vertex(int x, int y, int z, int axis) {
    const float a = field_.row(y, z)[x] - iso_;
    const float b = field_.row(y + (axis == 1), z + (axis == 2))[x + (axis == 0)] - iso_;
    Vec3 at = origin_ + Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    at[axis] += crossing(a, b);
    const std::uint32_t p = point(x, y, z);
    vertex_at_[p * 3 + static_cast<std::uint32_t>(axis)] = next_vertex();
    add_vertex(at, p * 4 + static_cast<std::uint32_t>(axis));
  }

  std::uint32_t next_vertex() const {
    return static_cast<std::uint32_t>(pieces.vertices.size() - first_vertex_);
  }
  void add_vertex(const Vec3& at, std::uint32_t edge) {
    pieces.vertices.push_back(at);
    pieces.edges.push_back(edge);
  }

  void place_triangles() {
    const std::uint64_t own = (1ull << across_) - 1;
    for (int z = 0; z < across_; ++z)
      for (int y = 0; y < across_; ++y) {
        const std::uint64_t a = inside(y, z), b = inside(y + 1, z), c = inside(y, z + 1),
                            d = inside(y + 1, z + 1);
        const std::uint64_t any = a | b | c | d, all = a & b & c & d;
        for (std::uint64_t rest = (any | any >> 1) & ~(all & all >> 1) & own; rest != 0;
             rest &= rest - 1) {
          const int x = __builtin_ctzll(rest);
          const auto pair = [&](std::uint64_t bits) {
            return static_cast<unsigned>(bits >> x & 3);
          };
          cut_cell(x, y, z, pair(a) | pair(b) << 2 | pair(c) << 4 | pair(d) << 6);
        }
      }
  }

  void cut_cell(int x, int y, int z, unsigned corners) {
    const MarchingCubes& table = MarchingCubes::table();
    unsigned joined = 0;
    if (const unsigned ambiguous = table.ambiguous_faces(corners)) {
      float values[8];
      for (int k = 0; k < 8; ++k)
        values[k] = field_.row(y + (k >> 1 & 1), z + (k >> 2))[x + (k & 1)] - iso_;
      joined = joined_faces(ambiguous, corners, values);
    }
    const CellSurface& surface = table.surface(corners, joined);
    std::array<std::uint32_t, cell_edges + 4> corner_of;
    for (unsigned rest = crossed_edges[corners]; rest != 0; rest &= rest - 1) {
      const int edge = __builtin_ctz(rest);
      corner_of[static_cast<std::size_t>(edge)] = vertex_on(x, y, z, edge);
    }
    for (std::size_t k = 0; k < surface.middles.size(); ++k) {
      corner_of[cell_edges + k] = next_vertex();
      add_vertex(middle(x, y, z, surface.middles[k]), middle_mark);
    }
    for (const auto& triangle : surface.triangles)
      pieces.triangles.push_back(
          {corner_of[triangle[0]], corner_of[triangle[1]], corner_of[triangle[2]]});
  }

  std::uint32_t vertex_on(int x, int y, int z, int edge) const {
    const int corner = edge_corner(edge);
    x += corner & 1, y += corner >> 1 & 1, z += corner >> 2;
    const unsigned sides =
        unsigned(x == across_) | unsigned(y == across_) << 1 | unsigned(z == across_) << 2;
    const auto axis = static_cast<std::uint32_t>(edge_axis(edge));
    if (sides == 0) return vertex_at_[point(x, y, z) * 3 + axis];
    const std::uint32_t p = point(x == across_ ? 0 : x, y == across_ ? 0 : y, z == across_ ? 0 : z);
    return foreign | sides << side_shift | (p * 4 + axis);
  }

  // The mean of the polygon's edge crossings.
  Vec3 middle(int x, int y, int z, const std::vector<std::uint8_t>& polygon) const {
    Vec3 sum;
    for (const int edge : polygon) {
      const int corner = edge_corner(edge), axis = edge_axis(edge);
      const int px = x + (corner & 1), py = y + (corner >> 1 & 1), pz = z + (corner >> 2);
      const float a = field_.row(py, pz)[px] - iso_;
      const float b = field_.row(py + (axis == 1), pz + (axis == 2))[px + (axis == 0)] - iso_;
      Vec3 at{static_cast<float>(px), static_cast<float>(py), static_cast<float>(pz)};
      at[axis] += a / (a - b);
      sum += at;
    }
    return origin_ + sum * (1 / static_cast<float>(polygon.size()));
  }

  static constexpr std::uint32_t middle_mark = ~0u;  // a value that is never looked up

  const TileGrid& grid_;
  float iso_;
  TileField field_;
  int across_;
  std::vector<std::uint64_t> inside_;
  std::vector<std::uint32_t> vertex_at_;  // on cut edges of the tile itself
  std::size_t first_vertex_ = 0;
  Vec3 origin_;
};

// Joins all pieces, in the order of tiles, to one mesh.
class Joiner {
 public:
  Joiner(const TileGrid& grid, const std::vector<TilePiece>& tiles,
         const std::vector<TileMesher>& meshers)
      : grid_(grid),
        tiles_(tiles),
        meshers_(meshers),
        first_vertex_(tiles.size() + 1),
        first_triangle_(tiles.size() + 1) {
    for (std::size_t t = 0; t < tiles.size(); ++t) {
      first_vertex_[t + 1] = first_vertex_[t] + tiles[t].vertices;
      first_triangle_[t + 1] = first_triangle_[t] + tiles[t].triangles;
    }
  }

  SurfaceMesh join() const {
    SurfaceMesh mesh;
    mesh.position.resize(first_vertex_.back());
    mesh.triangles.resize(first_triangle_.back());
#pragma omp parallel for schedule(dynamic, 16) num_threads(grid_.threads())
    for (std::int64_t t = 0; t < static_cast<std::int64_t>(tiles_.size()); ++t)
      join_tile(static_cast<std::size_t>(t), mesh);
    return mesh;
  }

 private:
  const Pieces& pieces(const TilePiece& piece) const {
    return meshers_[static_cast<std::size_t>(piece.thread)].pieces;
  }

  void join_tile(std::size_t t, SurfaceMesh& mesh) const {
    const TilePiece& piece = tiles_[t];
    const Pieces& from = pieces(piece);
    for (std::size_t k = 0; k < piece.vertices; ++k)
      mesh.position[first_vertex_[t] + k] = grid_.to_space(from.vertices[piece.vertex + k]);
    for (std::size_t k = 0; k < piece.triangles; ++k) {
      const Triangle& triangle = from.triangles[piece.triangle + k];
      Triangle& to = mesh.triangles[first_triangle_[t] + k];
      for (std::size_t c = 0; c < 3; ++c)
        to[c] = (triangle[c] & foreign) != 0
                    ? foreign_vertex(t, triangle[c])
                    : static_cast<std::uint32_t>(first_vertex_[t]) + triangle[c];
    }
  }

  std::uint32_t foreign_vertex(std::size_t t, std::uint32_t corner) const {
    const int sides = static_cast<int>(corner >> side_shift & 7);
    const auto other = static_cast<std::size_t>(grid_.tiles()[t].neighbor[static_cast<std::size_t>(
        neighbor_slot(sides & 1, sides >> 1 & 1, sides >> 2))]);
    const TilePiece& piece = tiles_[other];
    const std::uint32_t* const edges = pieces(piece).edges.data() + piece.vertex;
    // Vertices on edges come first, in the order of edges; middles follow, with larger numbers.
    const std::uint32_t* const found =
        std::lower_bound(edges, edges + piece.vertices, corner & edge_mask);
    return static_cast<std::uint32_t>(first_vertex_[other]) +
           static_cast<std::uint32_t>(found - edges);
  }

  const TileGrid& grid_;
  const std::vector<TilePiece>& tiles_;
  const std::vector<TileMesher>& meshers_;
  std::vector<std::size_t> first_vertex_, first_triangle_;
};

}  // namespace

SurfaceMesh mesh_tiles(const TileGrid& grid, const std::vector<std::uint8_t>& marked, float iso,
                       const EvaluateTile& evaluate) {
  std::vector<TilePiece> tiles(grid.tiles().size());
  std::vector<TileMesher> meshers(static_cast<std::size_t>(grid.threads()), TileMesher(grid, iso));
#pragma omp parallel for schedule(dynamic, 4) num_threads(grid.threads())
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(tiles.size()); ++t) {
    const auto tile = static_cast<std::size_t>(t);
    if (!marked[tile]) continue;
    const int thread = omp_get_thread_num();
    tiles[tile] = meshers[static_cast<std::size_t>(thread)].mesh(tile, evaluate);
    tiles[tile].thread = thread;
  }
  return Joiner(grid, tiles, meshers).join();
}

}  // namespace panta
