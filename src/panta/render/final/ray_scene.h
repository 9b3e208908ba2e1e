// The surfaces of a scene prepared for ray queries with Embree.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "panta/render/final/lit_scene.h"
#include "panta/render/final/media.h"

namespace panta {

struct Ray {
  Vec3 origin, direction;  // unit
};

struct SurfaceHit {
  float distance = std::numeric_limits<float>::infinity();
  Vec3 point;
  Vec3 normal;        // unit, of the surface itself, out of the body
  Vec3 smooth;        // unit, interpolated if the mesh has normals
  bool front = true;  // met from outside the body
  int medium = -1;    // number in media(); -1: not clear
  Finish finish = Finish::matte;
  LinearColor color;
  bool is_ground = false;
};

class RayScene {
 public:
  // Error(usage) for meshes with vertices that are not finite or with invalid vertex indices. The
  // scene is needed during construction only.
  explicit RayScene(const LitScene& scene);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  // The first surface nearer than `limit`; false if there is none.
  bool nearest(const Ray& ray, float limit, SurfaceHit& hit) const;
  bool blocked(const Ray& ray, float limit) const;

  const MediaTable& media() const { return media_; }

  // A start point for a ray on the side of `towards` that does not hit its own surface again.
  Vec3 lifted(const Vec3& point, const Vec3& normal, const Vec3& towards) const {
    const float reach = std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z), size_});
    const float lift = 3e-6f * reach;
    return point + normal * (dot(normal, towards) < 0 ? -lift : lift);
  }

 private:
  struct Body;
  struct Embree;

  void add(const std::vector<PictureMesh>& meshes, const char* kind);
  void add(const BallSet& balls);

  std::unique_ptr<Embree> embree_;
  std::vector<Body> bodies_;  // by Embree's geometry numbers
  MediaTable media_;
  float size_ = 0;  // m, the largest coordinate
};

}  // namespace panta
