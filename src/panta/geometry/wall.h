// Walls: the smooth pieces of the solids' surfaces, each with a distance and a normal into the
// fluid. A container is several pieces (a hollow box six planes, a hollow cylinder its side and two
// ends), so that a particle in a corner feels each of them.
#pragma once

#include <vector>

#include "panta/geometry/shape.h"
#include "panta/scene/scene.h"

namespace panta {

enum class WallPiece { solid, hollow_sphere, hollow_side };

struct Wall {
  WallPiece piece = WallPiece::solid;
  Shape shape;
  Surface surface;
};

// Distance to the wall, positive in the fluid, and the normal into the fluid.
PANTA_HD Distance wall_distance(const Wall& wall, const Vec3& x) {
  switch (wall.piece) {
    case WallPiece::solid:
      return distance(wall.shape, x);
    case WallPiece::hollow_sphere: {
      const Distance d = distance(wall.shape, x);
      return {-d.value, -d.normal};
    }
    case WallPiece::hollow_side: {
      const Vec3 axis = normalized(wall.shape.b - wall.shape.a);
      const Vec3 arm = x - wall.shape.a;
      const Vec3 radial = arm - axis * dot(arm, axis);
      return {wall.shape.radius - length(radial), -normalized(radial)};
    }
  }
  return {};
}

// The walls of a scene. The first `planes` are axis-aligned sides of the domain: a particle inside
// the box [clear_min, clear_max] is farther than `reach` from all of them.
struct WallList {
  std::vector<Wall> walls;
  int planes = 0;
  Vec3 clear_min, clear_max;
};
WallList make_walls(const Scene& scene, float reach);

// The same on a device.
struct WallsView {
  const Wall* walls = nullptr;
  int planes = 0, count = 0;
  Vec3 clear_min, clear_max;

  // Index of the first wall that can be within reach of x.
  PANTA_HD int first(const Vec3& x) const {
    const bool clear = x.x >= clear_min.x && x.y >= clear_min.y && x.z >= clear_min.z &&
                       x.x <= clear_max.x && x.y <= clear_max.y && x.z <= clear_max.z;
    return clear ? planes : 0;
  }
};

}  // namespace panta
