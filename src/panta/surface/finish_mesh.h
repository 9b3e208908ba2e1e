// What is done to a surface mesh between its reconstruction and a file or picture: cleaning,
// smoothing, decimation, normals, in this order.
#pragma once

#include <cstddef>
#include <span>

#include "panta/geometry/surface_mesh.h"

namespace panta {

struct FinishOptions {
  float cell = 0;                           // m, edge of the grid cells the mesh was made with
  float shortest_edge = 0.3f;               // share of a cell: shorter edges are merged; 0: none
  std::size_t min_component_triangles = 0;  // smaller pieces are dropped; 0: none
  int smoothing_passes = 5;                 // 0: none
  float feature_angle = 60;  // degrees between two sides: sharper creases stay; 0: none do
  float keep_triangles = 1;  // share of the triangles that decimation leaves; 1: all
  float max_deviation = 0;   // m: decimate as far as this allows; 0: no such bound
  bool normals = true;
  int threads = 0;  // 0: all cores
};

// The mesh should be a closed manifold, and stays one. `smoothing_weight`, of each vertex or empty
// for 1, is from 0 (a vertex to be left where it is) to 1. The result does not depend on the number
// of threads. Error(usage) for options that make no sense.
void finish_mesh(SurfaceMesh& mesh, const FinishOptions& options,
                 std::span<const float> smoothing_weight = {});

}  // namespace panta
