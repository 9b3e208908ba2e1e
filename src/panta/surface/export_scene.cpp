#include "panta/surface/export_scene.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <iterator>

#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/frame/body_places.h"
#include "panta/geometry/shape_mesh.h"
#include "panta/io/surface_file.h"
#include "panta/surface/run_surfaces.h"

namespace panta {

namespace {

constexpr double cells_across = 160;  // of a body's mesh, at most
constexpr int most_frames = 100000;   // of a moving body's path

json::Value list_of(const std::vector<double>& numbers) {
  std::vector<json::Value> items;
  for (const double number : numbers) items.emplace_back(number);
  return json::Value::array(std::move(items));
}

json::Value color_list(const Vec3& color) { return list_of({color.x, color.y, color.z}); }

json::Value describe_liquid(const Material& material, bool several) {
  json::Value liquid = json::Value::object();
  liquid.add("name", json::Value(material.name));
  liquid.add("suffix", json::Value(several ? "_" + file_name_of(material.name) : std::string()));
  liquid.add("clear", json::Value(material.clarity == Clarity::clear));
  liquid.add("refraction", json::Value(material.refraction));
  if (material.color) liquid.add("color", color_list(*material.color));
  if (material.color_depth > 0) liquid.add("color_depth", json::Value(material.color_depth));
  return liquid;
}

// The poses of free bodies in a frame, or in the last known frame before it if the run was cut
// short.
std::span<const BodyPose> free_poses(const BodyFile* free, int frame) {
  if (!free) return {};
  const auto later = free->frames().upper_bound(frame);
  if (later == free->frames().begin()) return {};
  return std::prev(later)->second;
}

// The path of the body: for each frame position, then rotation as a quaternion, real part first.
json::Value describe_path(const Motion& motion, int free_number, const Scene& scene,
                          const BodyFile* free) {
  const int last =
      static_cast<int>(std::min(std::floor(scene.duration * scene.fps + 0.5), double(most_frames)));
  std::vector<json::Value> path;
  for (int frame = 0; frame <= last; ++frame) {
    const Placement at = place_of(motion, free_number, frame / scene.fps, free_poses(free, frame));
    path.push_back(list_of({at.position.x, at.position.y, at.position.z, at.rotation.w,
                            at.rotation.x, at.rotation.y, at.rotation.z}));
  }
  return json::Value::array(std::move(path));
}

// The material of a container is around its shape: a wall of one spacing.
Shape visible_shape(const Body& body, double spacing) {
  return body.hollow ? subtract(offset(body.shape, static_cast<float>(spacing)), body.shape)
                     : body.shape;
}

SurfaceMesh mesh_body(const Body& body, const Scene& scene) {
  const Shape shape = visible_shape(body, scene.spacing);
  ShapeBounds bounds = shape_bounds(shape);
  const bool cut = !bounds.finite();
  if (cut && !scene.has_domain)
    throw Error(ErrorKind::usage, "it has no end, and the scene no domain to cut it at");
  if (cut) bounds = {scene.domain.min, scene.domain.max};
  const double size = length(bounds.max - bounds.min);
  const auto cell =
      static_cast<float>(std::max(body.hollow ? 0.5 * scene.spacing : 0.0, size / cells_across));
  return cut ? mesh_shape(shape, bounds, cell) : mesh_shape(shape, cell);
}

}  // namespace

std::string file_name_of(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return out;
}

void describe_scene(SurfaceRecord& record, const Scene& scene, const BodyFile* free,
                    const std::string& folder, bool several,
                    const std::function<void(const std::string&)>& warning) {
  record.set("title", json::Value(scene.title));
  record.set("fps", json::Value(scene.fps));
  record.set("spacing", json::Value(scene.spacing));
  std::vector<json::Value> liquids, solids;
  for (const std::uint32_t phase : liquids_of(scene))
    liquids.push_back(describe_liquid(scene.materials[phase], several));
  const std::vector<int> numbers = free_numbers(scene.bodies);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const Body& body = scene.bodies[k];
    if (body.hidden()) continue;
    const std::string name = body.name.empty() ? fmt::format("body{}", k + 1) : body.name;
    const std::string file = fmt::format("solids/{}.ply", file_name_of(name));
    try {
      const SurfaceMesh mesh = mesh_body(body, scene);
      if (solids.empty()) make_folder(folder + "/solids");
      write_surface_ply(folder + "/" + file, mesh, 0);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      warning(fmt::format("the body '{}' is not exported: {}", name, error.what()));
      continue;
    }
    json::Value solid = json::Value::object();
    solid.add("name", json::Value(name));
    solid.add("file", json::Value(file));
    solid.add("glass", json::Value(body.look == Look::glass || body.hollow));
    if (body.color) solid.add("color", color_list(*body.color));
    if (body.motion.moves() || body.free)
      solid.add("path", describe_path(body.motion, numbers[k], scene, free));
    solids.push_back(std::move(solid));
  }
  record.set("liquids", json::Value::array(std::move(liquids)));
  record.set("solids", json::Value::array(std::move(solids)));
}

}  // namespace panta
