#include "panta/methods/unified_macklin2014/constraints/volume.h"

#include <fmt/format.h>

#include <utility>

#include "panta/geometry/triangle_mesh.h"
#include "panta/methods/unified_macklin2014/constraints/incidence.h"

namespace panta::unified {

std::string VolumeConstraint::element_flaw(const std::vector<std::uint32_t>& ids,
                                           const std::vector<Vec3>& start) {
  const RankedIds vertices = ranked(ids);
  TriangleMesh mesh;
  for (const std::uint32_t id : vertices.distinct) mesh.vertices.push_back(start[id]);
  for (std::size_t k = 0; k < ids.size(); k += 3)
    mesh.triangles.push_back({vertices.rank[k], vertices.rank[k + 1], vertices.rank[k + 2]});
  const MeshReport report = inspect_mesh(mesh);
  for (const auto& [defect, problem] :
       {std::pair{report.open_edges, "edges belong to one triangle only"},
        {report.crowded_edges, "edges belong to more than two triangles"},
        {report.misoriented_edges, "both triangles run along an edge in the same direction"}})
    if (defect.count > 0)
      return fmt::format(
          "the triangles are no closed mesh: {} ({} in all, the first between particles {} and {})",
          problem, defect.count, vertices.distinct[defect.from_vertex],
          vertices.distinct[defect.to_vertex]);
  return "";
}

}  // namespace panta::unified
