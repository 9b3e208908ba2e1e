// Tidying of closed surface meshes as marching cubes makes them: slivers and specks.
//
// Marching cubes puts vertices close to each other wherever the surface passes close to a corner of
// the grid. Edges much shorter than a cell are collapsed, as far as surface/edge_collapse.h allows,
// into the point above or below their middle that leaves the volume as it is (as Lindstrom and Turk
// 1998 do). Vertices are cut into blocks of consecutive indices, and edges
// whose surroundings lie in one block are done first, the blocks side by side; what is left follows
// in one go. The result does not depend on the number of threads (0: all cores).
#pragma once

#include <cstdint>
#include <vector>

#include "panta/geometry/surface_mesh.h"

namespace panta {

// Collapses edges shorter than this (m), and triangles with hardly any height; specks of which four
// triangles would be left vanish. Normals are dropped. Returns the former index of each vertex that
// is left.
std::vector<std::uint32_t> merge_short_edges(SurfaceMesh& mesh, float shortest, int threads = 0);

// Collapses triangles lower than this (m) wherever their neighbours allow it; vertices that stay do
// not move. Returns whether there were any; if so, normals are dropped.
bool remove_flat_triangles(SurfaceMesh& mesh, float lowest, int threads = 0);

// Drops pieces of fewer triangles than this. Returns the former index of each vertex that is left.
std::vector<std::uint32_t> remove_small_pieces(SurfaceMesh& mesh, std::size_t fewest_triangles);

}  // namespace panta
