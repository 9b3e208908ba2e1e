// Post-processing of a surface mesh before it is written or drawn: cleaning, smoothing, decimation,
// normals, in this order.
#pragma once

#include <cstddef>
#include <span>

#include "panta/geometry/surface_mesh.h"

namespace panta {

struct FinishOptions {
  float cell = 0;                           // m, edge of the grid cells of the reconstruction
  float shortest_edge = 0.3f;               // fraction of a cell: shorter edges are merged; 0: none
  std::size_t min_component_triangles = 0;  // smaller pieces are removed; 0: none
  int smoothing_passes = 5;                 // 0: none
  float feature_angle = 60;  // degrees between two sides: sharper creases are kept; 0: none
  float keep_triangles = 1;  // fraction of the triangles that decimation keeps; 1: all
  float max_deviation = 0;   // m: limit of decimation; 0: no limit
  bool normals = true;
  int threads = 0;  // 0: all cores
};

// The mesh should be a closed manifold, and remains one. `smoothing_weight`, of each vertex or
// empty for 1, is from 0 (the vertex does not move) to 1. The result does not depend on the number
// of threads. Error(usage) for invalid options.
void finish_mesh(SurfaceMesh& mesh, const FinishOptions& options,
                 std::span<const float> smoothing_weight = {});

}  // namespace panta
