// Cleaning of closed surface meshes of marching cubes: removes slivers and tiny pieces.
//
// Marching cubes puts vertices close to each other if the surface passes near a corner of the grid.
// Edges much shorter than a cell are collapsed, as far as surface/edge_collapse.h allows, into the
// point above or below their middle that keeps the volume (as in Lindstrom and Turk 1998). Vertices
// are divided into blocks of consecutive indices. Edges whose surroundings lie in one block are
// collapsed first, all blocks in parallel; the rest follows on one thread. The result does not
// depend on the number of threads (0: all cores).
#pragma once

#include <cstdint>
#include <vector>

#include "panta/geometry/surface_mesh.h"

namespace panta {

// Collapses edges shorter than this (m), and triangles with almost no height; removes pieces that
// would be left with four triangles. Normals are dropped. Returns the former index of each
// remaining vertex.
std::vector<std::uint32_t> merge_short_edges(SurfaceMesh& mesh, float shortest, int threads = 0);

// Collapses triangles lower than this (m) if their neighbours allow it; the remaining vertices do
// not move. Returns whether there were any; if so, normals are dropped.
bool remove_flat_triangles(SurfaceMesh& mesh, float lowest, int threads = 0);

// Removes pieces of fewer triangles than this. Returns the former index of each remaining vertex.
std::vector<std::uint32_t> remove_small_pieces(SurfaceMesh& mesh, std::size_t fewest_triangles);

}  // namespace panta
