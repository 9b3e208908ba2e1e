#include "panta/run/probes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "panta/core/error.h"
#include "panta/frame/body_places.h"
#include "panta/frame/column_values.h"
#include "panta/frame/contact_finder.h"
#include "panta/geometry/point_grid.h"
#include "panta/particles/standard_columns.h"
#include "panta/run/particle_masses.h"
#include "panta/run/wall_pressure.h"

namespace panta {

namespace {

constexpr double reach_in_spacings = 2;

// The particles that a probe measures, and their data.
class Selection {
 public:
  Selection(const Scene& scene, const Probe& probe, const Simulation& simulation,
            const ParticleFrame& frame)
      : scene_(scene),
        probe_(probe),
        frame_(frame),
        masses_(simulation, frame),
        radius_(frame.scalars(standard_columns::radius().name)) {}

  // visit(i, position) for every selected particle, in the order of ids.
  template <class F>
  void each(const F& visit) const {
    for (std::size_t i = 0; i < frame_.size(); ++i) {
      if (probe_.material >= 0 && frame_.phase()[i] != static_cast<std::uint32_t>(probe_.material))
        continue;
      if (!probe_.region.empty() && !(distance(probe_.region, frame_.position()[i]).value < 0))
        continue;
      visit(i, to_double(frame_.position()[i]));
    }
  }

  double mass(std::size_t i) const { return masses_[i]; }
  double volume(std::size_t i) const { return masses_.volume(i); }
  double radius(std::size_t i) const {
    return radius_.empty() ? 0.5 * scene_.spacing : double(radius_[i]);
  }
  double reach() const {
    return probe_.radius > 0 ? double(probe_.radius) : reach_in_spacings * scene_.spacing;
  }
  const Scene& scene() const { return scene_; }
  const Probe& probe() const { return probe_; }
  const ParticleFrame& frame() const { return frame_; }

 private:
  const Scene& scene_;
  const Probe& probe_;
  const ParticleFrame& frame_;
  ParticleMasses masses_;
  const std::vector<float>& radius_;
};

using Values = std::vector<double>;

Values extent(const Selection& s) {
  const double sign = s.probe().upper ? 1 : -1;
  double farthest = -1e300;
  s.each([&](std::size_t i, const Vec3d& x) {
    farthest = std::max(farthest, sign * x[s.probe().axis] + s.radius(i));
  });
  if (farthest == -1e300) return {};
  return {sign * farthest};
}

// Particles are connected where the gap between them is less than twice their sum of radii.
Values height(const Selection& s) {
  const Vec3d at = to_double(s.probe().at);
  std::vector<std::pair<double, double>> found;  // y and radius
  s.each([&](std::size_t i, const Vec3d& x) {
    const double sideways = std::hypot(x.x - at.x, s.scene().dimensions == 2 ? 0 : x.z - at.z);
    if (sideways < s.reach()) found.push_back({x.y, s.radius(i)});
  });
  if (found.empty()) return {};
  std::sort(found.begin(), found.end());
  double top = -1e300;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto& [y, radius] = found[k];
    if (k > 0 && !(y - found[k - 1].first < 2 * (radius + found[k - 1].second))) break;
    top = std::max(top, y + radius);
  }
  return {top};
}

// The weighted mean of value(i), a list of numbers, around the probe's position.
template <class Value>
Values mean(const Selection& s, std::size_t numbers, const Value& value) {
  const Vec3d at = to_double(s.probe().at);
  const double reach2 = s.reach() * s.reach();
  Values total(numbers, 0);
  double weights = 0;
  s.each([&](std::size_t i, const Vec3d& x) {
    const Vec3d arm = x - at;
    const double closeness = 1 - dot(arm, arm) / reach2;
    if (closeness <= 0) return;
    const double weight = closeness * closeness * closeness;
    weights += weight;
    const Values own = value(i);
    for (std::size_t k = 0; k < numbers; ++k) total[k] += weight * own[k];
  });
  if (weights == 0) return {};
  for (double& component : total) component /= weights;
  return total;
}

Values flux(const Selection& s) {
  const Vec3d at = to_double(s.probe().at), normal = to_double(s.probe().normal);
  const double width = reach_in_spacings * s.scene().spacing;
  double total = 0;
  s.each([&](std::size_t i, const Vec3d& x) {
    const double share = 1 - std::abs(dot(x - at, normal)) / width;
    if (share > 0)
      total += s.mass(i) * dot(to_double(s.frame().velocity()[i]), normal) * share / width;
  });
  return {total};
}

Values center_of_mass(const Selection& s) {
  Vec3d moment;
  double mass = 0;
  s.each([&](std::size_t i, const Vec3d& x) {
    moment += x * s.mass(i);
    mass += s.mass(i);
  });
  if (mass == 0) return {};
  moment = moment * (1 / mass);
  return {moment.x, moment.y, moment.z};
}

Values volume(const Selection& s) {
  double total = 0;
  s.each([&](std::size_t i, const Vec3d&) { total += s.volume(i); });
  return {total};
}

Values count(const Selection& s) {
  double total = 0;
  s.each([&](std::size_t, const Vec3d&) { ++total; });
  return {total};
}

// Union-find: each particle starts as its own piece; neighbours are joined.
Values pieces(const Selection& s) {
  std::vector<std::uint32_t> joined_to;
  const auto piece_of = [&](std::uint32_t k) {
    while (joined_to[k] != k) k = joined_to[k] = joined_to[joined_to[k]];
    return k;
  };
  PointGrid before(s.reach(), s.scene().dimensions);
  double total = 0;
  s.each([&](std::size_t i, const Vec3d&) {
    const auto own = static_cast<std::uint32_t>(joined_to.size());
    const Vec3 x = s.frame().position()[i];
    joined_to.push_back(own);
    ++total;
    before.each_within(x, s.reach(), [&](std::uint32_t other) {
      const std::uint32_t a = piece_of(own), b = piece_of(other);
      if (a == b) return;
      joined_to[std::max(a, b)] = std::min(a, b);
      --total;
    });
    before.add(x, own);
  });
  return {total};
}

Vec3d quantity_of(const BodyPose& pose, BodyQuantity quantity) {
  switch (quantity) {
    case BodyQuantity::place:
      return pose.position;
    case BodyQuantity::velocity:
      return pose.velocity;
    case BodyQuantity::spin:
      return pose.spin;
    case BodyQuantity::force:
      return pose.force_particles + pose.force_contacts;
    case BodyQuantity::torque:
      return pose.torque_particles + pose.torque_contacts;
    case BodyQuantity::force_particles:
      return pose.force_particles;
    case BodyQuantity::torque_particles:
      return pose.torque_particles;
    case BodyQuantity::force_contacts:
      return pose.force_contacts;
    case BodyQuantity::torque_contacts:
      return pose.torque_contacts;
  }
  return {};
}

Values body(const Selection& s) {
  const std::vector<Body>& bodies = s.scene().bodies;
  const auto body = static_cast<std::size_t>(s.probe().body);
  if (body >= bodies.size()) return {};
  const int number = free_numbers(bodies)[body];
  Vec3d value;
  if (s.probe().quantity == BodyQuantity::place) {
    const Placement place = place_of(bodies[body].motion, number, s.frame().time, s.frame().bodies);
    value = point_at(place, to_double(s.probe().at));
  } else if (const BodyPose* pose = pose_in(s.frame().bodies, number)) {
    value = quantity_of(*pose, s.probe().quantity);
  } else {
    return {};
  }
  return {value.x, value.y, value.z};
}

Values wall_pressure(const Selection& s) {
  const Probe& probe = s.probe();
  const auto body = static_cast<std::size_t>(probe.body);
  Placement place;
  if (probe.body >= 0 && body < s.scene().bodies.size())
    place = place_of(s.scene().bodies[body].motion, free_numbers(s.scene().bodies)[body],
                     s.frame().time, s.frame().bodies);
  const Vec3d at = to_double(probe.at), center = point_at(place, at);
  const WallPatch patch{.center = center,
                        .normal = point_at(place, at + to_double(probe.normal)) - center,
                        .radius = probe.radius,
                        .size = to_double(probe.size),
                        .spacing = s.scene().spacing,
                        .dimensions = s.scene().dimensions};
  const ColumnNumbers pressure(find_column(s.frame(), "pressure"));
  std::vector<PressurePoint> points;
  s.each([&](std::size_t i, const Vec3d& x) { points.push_back({x, pressure[i], s.volume(i)}); });
  return {mean_pressure(patch, points)};
}

// One number of the chosen particles.
Values reduced(const Selection& s, const ColumnNumbers& numbers) {
  double sum = 0, least = std::numeric_limits<double>::infinity(), largest = -least;
  std::size_t count = 0;
  s.each([&](std::size_t i, const Vec3d&) {
    const double value = numbers[i];
    sum += value;
    least = std::min(least, value);
    largest = std::max(largest, value);
    ++count;
  });
  switch (s.probe().reduce) {
    case Reduce::sum:
      return {sum};
    case Reduce::mean:
      return count > 0 ? Values{sum / static_cast<double>(count)} : Values{};
    case Reduce::min:
      return count > 0 ? Values{least} : Values{};
    case Reduce::max:
      return count > 0 ? Values{largest} : Values{};
  }
  return {};
}

Values column(const Selection& s) {
  const FrameColumn& found = find_column(s.frame(), s.probe().column);
  if (!s.probe().component.empty()) return reduced(s, {found, s.probe().component});
  Values values;
  for (const std::string& component : component_names(found.info.type)) {
    const Values one = reduced(s, {found, component});
    values.insert(values.end(), one.begin(), one.end());
  }
  return values;
}

Values measure(const Selection& s) {
  const ParticleFrame& frame = s.frame();
  switch (s.probe().type) {
    case ProbeType::extent:
      return extent(s);
    case ProbeType::height:
      return height(s);
    case ProbeType::pressure: {
      const ColumnNumbers pressure(find_column(frame, "pressure"));
      return mean(s, 1, [&](std::size_t i) { return Values{pressure[i]}; });
    }
    case ProbeType::velocity:
      return mean(s, 3, [&](std::size_t i) {
        return Values{frame.velocity()[i].x, frame.velocity()[i].y, frame.velocity()[i].z};
      });
    case ProbeType::flux:
      return flux(s);
    case ProbeType::center_of_mass:
      return center_of_mass(s);
    case ProbeType::volume:
      return volume(s);
    case ProbeType::count:
      return count(s);
    case ProbeType::body:
      return body(s);
    case ProbeType::pieces:
      return pieces(s);
    case ProbeType::column:
      return column(s);
    case ProbeType::wall_pressure:
      return wall_pressure(s);
  }
  return {};
}

}  // namespace

std::vector<ProbeValue> measure_probes(const Scene& scene, const Simulation& simulation,
                                       const ParticleFrame& frame) {
  std::vector<ProbeValue> values;
  for (const Probe& probe : scene.probes) {
    try {
      values.push_back({probe.name, measure(Selection(scene, probe, simulation, frame))});
    } catch (const Error& error) {
      throw error.with_context("probes." + probe.name);
    }
  }
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (const Body& body = scene.bodies[k]; body.trigger)
      values.push_back({body.name.empty() ? "bodies." + std::to_string(k) : body.name,
                        {double(count_inside(body, frame))}});
  return values;
}

}  // namespace panta
