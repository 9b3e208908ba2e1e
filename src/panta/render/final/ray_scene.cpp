#include "panta/render/final/ray_scene.h"

#include <cmath>

#include "panta/render/final/embree.h"

namespace panta {

// Exactly one of mesh and balls holds something.
struct RayScene::Body {
  std::vector<Triangle> triangles;
  std::vector<Vec3> normals;  // in the picture's frame; empty: flat triangles
  std::vector<LinearColor> ball_colors;
  Appearance appearance;
  int medium = -1;
};

struct RayScene::Embree {
  // One thread builds: several put the triangles of a leaf in an order that depends on them, which
  // shows where a ray meets two triangles at once.
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = nullptr;

  Embree() {
    if (!device)
      throw Error(ErrorKind::device, "Embree cannot start (its error number is {})",
                  static_cast<int>(rtcGetDeviceError(nullptr)));
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);  // no ray slips between two triangles
  }
  ~Embree() {
    if (scene) rtcReleaseScene(scene);
    if (device) rtcReleaseDevice(device);
  }
  Embree(const Embree&) = delete;
  Embree& operator=(const Embree&) = delete;

  template <class T>
  T* buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) const {
    void* memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), count);
    if (!memory)
      throw Error(ErrorKind::device, "not enough memory for a picture of {} surface elements",
                  count);
    return static_cast<T*>(memory);
  }
  void attach(RTCGeometry geometry) const {
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
  }
};

namespace {

bool is_finite(const Vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

float largest_coordinate(const Vec3& p) {
  return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
}

void check(const SurfaceMesh& mesh, const char* kind) {
  for (std::size_t k = 0; k < mesh.position.size(); ++k)
    if (!is_finite(mesh.position[k]))
      throw Error(ErrorKind::usage,
                  "the mesh of a {} cannot be drawn: vertex {} is not finite; mend the mesh or, if "
                  "it comes from particles, the simulation",
                  kind, k);
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
    for (const std::uint32_t corner : mesh.triangles[k])
      if (corner >= mesh.position.size())
        throw Error(ErrorKind::usage,
                    "the mesh of a {} cannot be drawn: triangle {} names vertex {} of only {}",
                    kind, k, corner, mesh.position.size());
  if (!mesh.normal.empty() && mesh.normal.size() != mesh.position.size())
    throw Error(ErrorKind::usage, "the mesh of a {} cannot be drawn: {} normals for {} vertices",
                kind, mesh.normal.size(), mesh.position.size());
}

RTCRay embree_ray(const Ray& ray, float limit) {
  RTCRay r{};
  r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
  r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
  r.tfar = limit;
  r.mask = ~0u;
  return r;
}

}  // namespace

RayScene::RayScene(const LitScene& scene) : embree_(std::make_unique<Embree>()) {
  for (const PictureMesh& mesh : scene.liquids) add(mesh, "liquid");
  for (const PictureMesh& mesh : scene.solids) add(mesh, "solid");
  for (const BallSet& balls : scene.balls) add(balls);
  rtcCommitScene(embree_->scene);
  if (const RTCError problem = rtcGetDeviceError(embree_->device))
    throw Error(ErrorKind::device, "Embree cannot prepare the picture (its error number is {})",
                static_cast<int>(problem));
}

RayScene::~RayScene() = default;

void RayScene::add(const PictureMesh& placed, const char* kind) {
  if (!placed.mesh || placed.mesh->empty()) return;
  const SurfaceMesh& mesh = *placed.mesh;
  check(mesh, kind);
  RTCGeometry geometry = rtcNewGeometry(embree_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  Vec3* position = embree_->buffer<Vec3>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3,
                                         mesh.position.size());
  for (std::size_t k = 0; k < mesh.position.size(); ++k) {
    position[k] = placed.rotation * mesh.position[k] + placed.position;
    size_ = std::max(size_, largest_coordinate(position[k]));
  }
  Triangle* triangles = embree_->buffer<Triangle>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3,
                                                  mesh.triangles.size());
  std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
  embree_->attach(geometry);

  Body body;
  body.appearance = placed.appearance;
  if (placed.appearance.finish == Finish::clear)
    body.medium = media_.add({placed.appearance.refraction, placed.appearance.absorption});
  if (!mesh.normal.empty()) {
    body.triangles = mesh.triangles;
    body.normals.reserve(mesh.normal.size());
    for (const Vec3& n : mesh.normal) body.normals.push_back(placed.rotation * n);
  }
  bodies_.push_back(std::move(body));
}

void RayScene::add(const BallSet& balls) {
  if (balls.center.empty()) return;
  RTCGeometry geometry = rtcNewGeometry(embree_->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  Vec4* center = embree_->buffer<Vec4>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4,
                                       balls.center.size());
  for (std::size_t k = 0; k < balls.center.size(); ++k) {
    const Vec3& c = balls.center[k];
    const bool shown = is_finite(c);  // particles that have exploded are left out
    center[k] = shown ? Vec4{c.x, c.y, c.z, balls.radius} : Vec4{};
    if (shown) size_ = std::max(size_, largest_coordinate(c));
  }
  embree_->attach(geometry);
  Body body;
  body.appearance.finish = balls.finish;
  body.ball_colors = balls.color;
  bodies_.push_back(std::move(body));
}

bool RayScene::nearest(const Ray& ray, float limit, SurfaceHit& hit) const {
  RTCRayHit query{embree_ray(ray, limit), {}};
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  embree_nearest(embree_->scene, query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  const Body& body = bodies_[query.hit.geomID];
  hit.distance = query.ray.tfar;
  hit.point = ray.origin + ray.direction * hit.distance;
  hit.normal = normalized(Vec3{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
  hit.smooth = hit.normal;
  hit.front = dot(hit.normal, ray.direction) < 0;
  hit.medium = body.medium;
  hit.finish = body.appearance.finish;
  hit.color = body.ball_colors.empty() ? body.appearance.color : body.ball_colors[query.hit.primID];
  if (!body.normals.empty()) {
    const Triangle& corner = body.triangles[query.hit.primID];
    hit.smooth = normalized(body.normals[corner[0]] * (1 - query.hit.u - query.hit.v) +
                                body.normals[corner[1]] * query.hit.u +
                                body.normals[corner[2]] * query.hit.v,
                            hit.normal);
  }
  return true;
}

bool RayScene::blocked(const Ray& ray, float limit) const {
  RTCRay query = embree_ray(ray, limit);
  return embree_blocked(embree_->scene, query);
}

}  // namespace panta
