// Makes surfaces flat where a liquid touches a wall.
//
// A reconstructed surface follows the outermost particles, so along walls it has bumps, gaps and
// overlaps. Vertices that face a wall and are near it are moved along the wall's normal onto it,
//
//   d -> d + s (-overlap - d),   s = near(d) facing(-n . m),
//
// where d is the distance from the wall, n the surface's normal and m the wall's. near falls from 1
// to 0 between two distances, so that the surface leaves the wall smoothly. facing falls from 1 to
// 0 as the surface turns sideways: the free surface of a pool is not pulled to the walls around it,
// nor the top of a film to the wall below it. Vertices behind a wall are always moved back to it.
// In a corner each side acts separately.
//
// Only positions change, so a closed manifold remains one.
#pragma once

#include <span>
#include <vector>

#include "panta/core/bounds.h"
#include "panta/frame/body_pose.h"
#include "panta/geometry/surface_mesh.h"
#include "panta/walls/wall.h"

namespace panta {

struct ClampOptions {
  float all = 0.75f;   // spacings: vertices nearer than this are moved onto the wall
  float none = 1.25f;  // spacings: vertices farther than this are not moved
  float overlap = 0;   // spacings that the surface extends into the wall
  int threads = 0;     // 0: all cores
};

class SolidClamp {
 public:
  // The walls of the domain and the bodies of a scene, without its events.
  explicit SolidClamp(const Scene& scene);

  bool empty() const { return list_.planes.empty() && list_.bodies.empty(); }

  // Bodies are at their poses at `time`, free ones at those in `free` (ParticleFrame::bodies).
  // `normal`: of each vertex, unit, out of the liquid. Returns for each vertex the fraction by
  // which it was moved onto a wall, from 0 (not moved) to 1. The result does not depend on the
  // number of threads.
  std::vector<float> move(SurfaceMesh& mesh, std::span<const Vec3> normal, double time,
                          const ClampOptions& options = {},
                          std::span<const BodyPose> free = {}) const;

  // Moves vertices back that smoothing or decimation took off a wall by a small part of a spacing.
  void settle(SurfaceMesh& mesh, std::span<const Vec3> normal, double time,
              const ClampOptions& options = {}, std::span<const BodyPose> free = {}) const;

 private:
  std::vector<Pose> poses_at(double time, std::span<const BodyPose> free) const;
  std::vector<WallBody> bodies_near(const Bounds& box, std::span<const Pose> poses) const;

  float spacing_;
  WallList list_;
  std::vector<int> free_numbers_;  // by motion of the list: index among the free bodies, or -1
  std::vector<DistanceGridView> grids_;
};

}  // namespace panta
