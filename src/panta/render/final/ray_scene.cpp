#include "panta/render/final/ray_scene.h"

#include <cmath>
#include <map>

#include "panta/core/error_format.h"
#include "panta/render/final/embree.h"

namespace panta {

// A mesh or balls.
struct RayScene::Body {
  std::shared_ptr<const SurfaceMesh> mesh;
  Mat3 rotation;  // of the mesh
  std::vector<LinearColor> ball_colors;
  Appearance appearance;
  int medium = -1;
};

struct RayScene::Embree {
  // Built with one thread: with several, the order of the triangles in a leaf depends on their
  // timing, which is visible where a ray meets two triangles at the same distance.
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = nullptr;

  Embree() {
    if (!device)
      throw Error(ErrorKind::device, "Embree cannot start (its error number is {})",
                  static_cast<int>(rtcGetDeviceError(nullptr)));
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);  // no ray passes between two triangles
  }
  ~Embree() {
    if (scene) rtcReleaseScene(scene);
    for (const auto& [mesh, own] : shared_) rtcReleaseScene(own);
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
  void attach(RTCGeometry geometry, RTCScene to) const {
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(to, geometry);
    rtcReleaseGeometry(geometry);
  }
  void attach(RTCGeometry geometry) const { attach(geometry, scene); }

  RTCGeometry triangles(const SurfaceMesh& mesh, const Mat3& turn, const Vec3& by) const {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    Vec3* position =
        buffer<Vec3>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, mesh.position.size());
    for (std::size_t k = 0; k < mesh.position.size(); ++k)
      position[k] = turn * mesh.position[k] + by;
    Triangle* corners =
        buffer<Triangle>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, mesh.triangles.size());
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), corners);
    return geometry;
  }

  // A mesh that several bodies share is stored once, in its own Embree scene.
  RTCScene shared(const SurfaceMesh& mesh) {
    RTCScene& own = shared_[&mesh];
    if (own) return own;
    own = rtcNewScene(device);
    rtcSetSceneFlags(own, RTC_SCENE_FLAG_ROBUST);
    attach(triangles(mesh, {}, {}), own);
    rtcCommitScene(own);
    return own;
  }

  RTCGeometry instance(const PictureMesh& placed) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(geometry, shared(*placed.mesh));
    float transform[12];  // by columns
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row)
        transform[3 * column + row] = placed.rotation.row[row][column];
    for (int row = 0; row < 3; ++row) transform[9 + row] = placed.position[row];
    rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform);
    return geometry;
  }

 private:
  std::map<const SurfaceMesh*, RTCScene> shared_;
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
      throw Error(
          ErrorKind::usage,
          "the mesh of a {} cannot be drawn: vertex {} is not finite; repair the mesh or, if "
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
  add(scene.liquids, "liquid");
  add(scene.solids, "solid");
  for (const BallSet& balls : scene.balls) add(balls);
  rtcCommitScene(embree_->scene);
  if (const RTCError problem = rtcGetDeviceError(embree_->device))
    throw Error(ErrorKind::device, "Embree cannot prepare the picture (its error number is {})",
                static_cast<int>(problem));
}

RayScene::~RayScene() = default;

void RayScene::add(const std::vector<PictureMesh>& meshes, const char* kind) {
  std::map<const SurfaceMesh*, int> uses;
  for (const PictureMesh& placed : meshes)
    if (placed.mesh && !placed.mesh->empty() && uses[placed.mesh.get()]++ == 0)
      check(*placed.mesh, kind);
  for (const PictureMesh& placed : meshes) {
    if (!placed.mesh || placed.mesh->empty()) continue;
    for (const Vec3& p : placed.mesh->position)
      size_ = std::max(size_, largest_coordinate(placed.rotation * p + placed.position));
    Body body;
    body.mesh = placed.mesh;
    body.rotation = placed.rotation;
    body.appearance = placed.appearance;
    if (placed.appearance.finish == Finish::clear)
      body.medium = media_.add({placed.appearance.refraction, placed.appearance.absorption});
    embree_->attach(uses[placed.mesh.get()] > 1
                        ? embree_->instance(placed)
                        : embree_->triangles(*placed.mesh, placed.rotation, placed.position));
    bodies_.push_back(std::move(body));
  }
}

void RayScene::add(const BallSet& balls) {
  if (balls.center.empty()) return;
  RTCGeometry geometry = rtcNewGeometry(embree_->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  Vec4* center = embree_->buffer<Vec4>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4,
                                       balls.center.size());
  for (std::size_t k = 0; k < balls.center.size(); ++k) {
    const Vec3& c = balls.center[k];
    const bool shown = is_finite(c);  // particles that are not finite are skipped
    const float radius = balls.radius * (balls.size.empty() ? 1 : balls.size[k]);
    center[k] = shown ? Vec4{c.x, c.y, c.z, radius} : Vec4{};
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
  query.hit.geomID = query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  embree_nearest(embree_->scene, query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  const bool in_instance = query.hit.instID[0] != RTC_INVALID_GEOMETRY_ID;
  const Body& body = bodies_[in_instance ? query.hit.instID[0] : query.hit.geomID];
  hit.distance = query.ray.tfar;
  hit.point = ray.origin + ray.direction * hit.distance;
  hit.normal = normalized(Vec3{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
  if (in_instance) hit.normal = body.rotation * hit.normal;
  hit.smooth = hit.normal;
  hit.front = dot(hit.normal, ray.direction) < 0;
  hit.medium = body.medium;
  hit.finish = body.appearance.finish;
  hit.color = body.ball_colors.empty() ? body.appearance.color : body.ball_colors[query.hit.primID];
  if (body.mesh && !body.mesh->normal.empty()) {
    const Triangle& corner = body.mesh->triangles[query.hit.primID];
    const std::vector<Vec3>& normals = body.mesh->normal;
    const Vec3 own = normals[corner[0]] * (1 - query.hit.u - query.hit.v) +
                     normals[corner[1]] * query.hit.u + normals[corner[2]] * query.hit.v;
    hit.smooth = normalized(body.rotation * own, hit.normal);
  }
  return true;
}

bool RayScene::blocked(const Ray& ray, float limit) const {
  RTCRay query = embree_ray(ray, limit);
  return embree_blocked(embree_->scene, query);
}

}  // namespace panta
