#include "panta/surface/finish_mesh.h"

#include <cmath>

#include "panta/core/error_format.h"
#include "panta/surface/clean_mesh.h"
#include "panta/surface/decimate_mesh.h"
#include "panta/surface/mesh_normals.h"
#include "panta/surface/smooth_mesh.h"

namespace panta {

namespace {

void check(const SurfaceMesh& mesh, const FinishOptions& options, std::span<const float> weight) {
  if (options.shortest_edge > 0 && !(options.cell > 0 && std::isfinite(options.cell)))
    throw Error(ErrorKind::usage,
                "finishing a mesh: the cell is {} m; give the edge of the cells it was made with, "
                "or a shortest edge of 0",
                options.cell);
  if (!(options.keep_triangles > 0 && options.keep_triangles <= 1))
    throw Error(ErrorKind::usage,
                "finishing a mesh: the share of triangles to keep is {}; it must be above 0 and at "
                "most 1",
                options.keep_triangles);
  if (!weight.empty() && weight.size() != mesh.position.size())
    throw Error(ErrorKind::usage,
                "finishing a mesh: {} smoothing weights for {} vertices; give one for each",
                weight.size(), mesh.position.size());
}

void keep_weights(std::vector<float>& weight, const std::vector<std::uint32_t>& kept) {
  if (weight.empty()) return;
  for (std::size_t v = 0; v < kept.size(); ++v) weight[v] = weight[kept[v]];
  weight.resize(kept.size());
}

void decimate(SurfaceMesh& mesh, const FinishOptions& options) {
  if (!(options.keep_triangles < 1 || options.max_deviation > 0)) return;
  DecimateOptions decimate;
  decimate.threads = options.threads;
  decimate.max_deviation = options.max_deviation;
  if (options.keep_triangles < 1)
    decimate.target_triangles = static_cast<std::size_t>(
        std::ceil(double{options.keep_triangles} * static_cast<double>(mesh.triangles.size())));
  decimate_mesh(mesh, decimate);
}

}  // namespace

void finish_mesh(SurfaceMesh& mesh, const FinishOptions& options,
                 std::span<const float> smoothing_weight) {
  check(mesh, options, smoothing_weight);
  std::vector<float> weight(smoothing_weight.begin(), smoothing_weight.end());
  if (options.min_component_triangles > 0)
    keep_weights(weight, remove_small_pieces(mesh, options.min_component_triangles));
  if (options.shortest_edge > 0)
    keep_weights(weight,
                 merge_short_edges(mesh, options.shortest_edge * options.cell, options.threads));
  const auto rings = [&] {
    return vertex_rings(mesh.triangles, mesh.position.size(), options.threads);
  };
  VertexRings known;
  if (options.smoothing_passes > 0) {
    known = rings();
    smooth_mesh(mesh, known, {options.smoothing_passes, options.feature_angle, options.threads},
                weight);
  }
  const std::size_t triangles = mesh.triangles.size();
  decimate(mesh, options);
  if (!options.normals) return;
  if (known.first.empty() || mesh.triangles.size() != triangles) known = rings();
  mesh.normal =
      vertex_normals(mesh.position, mesh.triangles, known, NormalWeights::sphere, options.threads);
}

}  // namespace panta
