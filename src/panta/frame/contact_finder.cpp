#include "panta/frame/contact_finder.h"

#include <algorithm>

#include "panta/frame/body_places.h"
#include "panta/geometry/point_grid.h"
#include "panta/geometry/shape_program.h"
#include "panta/particles/standard_columns.h"
#include "panta/scene/contact_rules.h"

namespace panta {

namespace {

constexpr float slack = 0.05f;   // in spacings: largest gap of a reported contact
constexpr double moment = 1e-4;  // s, difference quotient for the velocity of a body

const Material& material_of(const Scene& scene, const ParticleFrame& frame, std::size_t i) {
  return scene.materials[frame.phase()[i]];
}

float radius_of(const Scene& scene, const ParticleFrame& frame, std::size_t i) {
  const std::vector<float>& radius = frame.scalars(standard_columns::radius().name);
  return radius.empty() ? static_cast<float>(0.5 * scene.spacing) : radius[i];
}

// The frame's velocity of a free body is that of its centre of mass.
Pose moving_pose(const BodyPose& body, const Vec3d& own_centre) {
  const Vec3d arm = body.position - point_at({body.position, body.rotation}, own_centre);
  return {rotation(body.rotation), to_float(body.position),
          to_float(body.velocity + cross(body.spin, arm)), to_float(body.spin)};
}

}  // namespace

// The pose and velocity of a body at a time.
struct ContactFinder::PlacedBody {
  Shape solid;
  Pose pose;

  bool holds(const Vec3& x) const { return distance(solid, pose.to_own(x)).value < 0; }
};

ContactFinder::ContactFinder(const Scene& scene)
    : scene_(scene), centres_(free_body_centres(scene)) {}

std::vector<ContactFinder::PlacedBody> ContactFinder::placed(const ParticleFrame& frame) const {
  const std::vector<int> numbers = free_numbers(scene_.bodies);
  std::vector<PlacedBody> all;
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const Body& body = scene_.bodies[b];
    const BodyPose* free = pose_in(frame.bodies, numbers[b]);
    all.push_back(
        {body.solid(), free ? moving_pose(*free, centres_[static_cast<std::size_t>(numbers[b])])
                            : pose_in_step(body.motion.whole_program(), body.motion.keys.data(),
                                           frame.time, frame.time - moment, moment)});
  }
  return all;
}

void ContactFinder::find_sides(const ParticleFrame& frame, std::size_t i, ContactFrame& out) const {
  const float spacing = static_cast<float>(scene_.spacing), radius = radius_of(scene_, frame, i);
  const Domain& domain = scene_.domain;
  for (std::size_t side = 0; scene_.has_domain && side < 6; ++side) {
    const int axis = static_cast<int>(side) / 2;
    if (!domain.walls[side] || axis >= scene_.dimensions) continue;
    const bool upper = side % 2 == 1;
    const double edge = upper ? domain.max[axis] : domain.min[axis];
    Vec3 normal, point = frame.position()[i];
    normal[axis] = upper ? -1.0f : 1.0f;
    point[axis] = static_cast<float>(edge);
    const float gap = dot(frame.position()[i] - point, normal);
    if (gap < radius + slack * spacing)
      out.walls.push_back({frame.id()[i], -1 - static_cast<int>(side), point, normal,
                           domain.surfaces[side].velocity, radius - gap});
  }
}

void ContactFinder::find_bodies(const ParticleFrame& frame, std::size_t i,
                                const std::vector<PlacedBody>& placed, ContactFrame& out) const {
  const float spacing = static_cast<float>(scene_.spacing), radius = radius_of(scene_, frame, i);
  const Vec3 x = frame.position()[i];
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const Body& body = scene_.bodies[b];
    const Pose& pose = placed[b].pose;
    if (body.trigger && placed[b].holds(x))
      out.inside.push_back({frame.id()[i], static_cast<int>(b)});
    if (!touches(material_of(scene_, frame, i), body)) continue;
    const SurfaceSet near = surfaces(placed[b].solid.view(), pose.to_own(x));
    for (int k = 0; k < near.count; ++k) {
      const float gap = near.item[k].value;
      if (!(gap < radius + slack * spacing)) continue;
      const Vec3 normal = pose.rotation * near.item[k].normal, point = x - normal * gap;
      const Vec3 velocity = pose.rotation * body.surface.velocity + pose.velocity_at(point);
      out.walls.push_back(
          {frame.id()[i], static_cast<int>(b), point, normal, velocity, radius - gap});
    }
  }
}

bool ContactFinder::near_at_start(const ParticleFrame& frame, std::size_t i, std::size_t j) const {
  const std::vector<Vec3>& start = frame.vectors(standard_columns::start().name);
  if (start.empty() || frame.phase()[i] != frame.phase()[j]) return false;
  return length(start[i] - start[j]) <
         static_cast<float>(material_of(scene_, frame, i).rest_distance);
}

// Particles of one solid do not touch each other.
bool ContactFinder::may_touch(const ParticleFrame& frame, const ParticleObjects& objects,
                              std::size_t i, std::size_t j) const {
  const Material &a = material_of(scene_, frame, i), &b = material_of(scene_, frame, j);
  const Object* object = objects[i];
  const bool one_solid = object && object->kind == ObjectKind::solid && object == objects[j];
  return materials_meet(a, b) && !near_at_start(frame, i, j) && !one_solid;
}

// The displacements of a particle's images across the borders of periodic axes.
std::vector<Vec3> ContactFinder::images() const {
  std::vector<Vec3> shifts = {{}};
  for (int axis = 0; scene_.has_domain && axis < scene_.dimensions; ++axis) {
    if (!scene_.domain.periodic[static_cast<std::size_t>(axis)]) continue;
    const float period = static_cast<float>(scene_.domain.max[axis] - scene_.domain.min[axis]);
    const std::vector<Vec3> before = shifts;
    for (const float way : {-period, period})
      for (Vec3 shift : before) {
        shift[axis] += way;
        shifts.push_back(shift);
      }
  }
  return shifts;
}

void ContactFinder::find_pairs(const ParticleFrame& frame, ContactFrame& out) const {
  const float spacing = static_cast<float>(scene_.spacing);
  const std::vector<float>& radius = frame.scalars(standard_columns::radius().name);
  float widest = spacing;
  for (const float r : radius) widest = std::max(widest, 2 * r);
  const double reach = double(widest) + slack * scene_.spacing;
  PointGrid grid(reach, scene_.dimensions);
  const auto is_dry = [&](std::size_t i) {
    return material_of(scene_, frame, i).kind != MaterialKind::liquid;
  };
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (is_dry(i)) grid.add(frame.position()[i], static_cast<std::uint32_t>(i));
  const std::vector<Vec3> shifts = images();
  const ParticleObjects objects(frame);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (!is_dry(i)) continue;
    std::vector<PairTouch> found;
    for (const Vec3& shift : shifts) {
      const Vec3 x = frame.position()[i] + shift;
      grid.any_within(x, reach, [&](std::uint32_t j) {
        if (j <= i || !may_touch(frame, objects, i, j)) return false;
        const Vec3 arm = x - frame.position()[j];
        const float r = length(arm),
                    depth = radius_of(scene_, frame, i) + radius_of(scene_, frame, j) - r;
        if (depth < -slack * spacing) return false;
        found.push_back({frame.id()[i], frame.id()[j], frame.position()[i] - arm * 0.5f,
                         r > 0 ? arm * (1 / r) : Vec3{0, 1, 0}, depth});
        return false;
      });
    }
    const auto by_second = [](const PairTouch& a, const PairTouch& b) {
      return a.second < b.second;
    };
    const auto same = [](const PairTouch& a, const PairTouch& b) { return a.second == b.second; };
    std::stable_sort(found.begin(), found.end(), by_second);
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    out.pairs.insert(out.pairs.end(), found.begin(), found.end());
  }
}

ContactFrame ContactFinder::find(const ParticleFrame& frame) const {
  ContactFrame out;
  out.time = frame.time;
  const std::vector<PlacedBody> bodies = placed(frame);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    find_sides(frame, i, out);
    find_bodies(frame, i, bodies, out);
  }
  find_pairs(frame, out);
  return out;
}

std::size_t count_inside(const Body& trigger, const ParticleFrame& frame) {
  const Shape solid = trigger.solid();
  const Pose pose = pose_at(trigger.motion, frame.time);
  std::size_t count = 0;
  for (const Vec3& x : frame.position()) count += distance(solid, pose.to_own(x)).value < 0;
  return count;
}

}  // namespace panta
