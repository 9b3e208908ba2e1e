// Common interface to Embree 3 and Embree 4 for the one call that differs. Included by
// ray_scene.cpp only.
#pragma once

#if PANTA_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace panta {

inline void embree_nearest(RTCScene scene, RTCRayHit& ray) {
#if PANTA_EMBREE_MAJOR >= 4
  rtcIntersect1(scene, &ray);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &ray);
#endif
}

inline bool embree_blocked(RTCScene scene, RTCRay& ray) {
#if PANTA_EMBREE_MAJOR >= 4
  rtcOccluded1(scene, &ray);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene, &context, &ray);
#endif
  return ray.tfar < 0;
}

}  // namespace panta
