#include "panta/render/final/light_transport.h"

#include "panta/render/final/paint.h"

namespace panta {

namespace {

constexpr int most_surfaces = 48;            // limit per path
constexpr float least_split = 0.02f;         // least weight for a branch of its own
constexpr float full_shading = 0.15f;        // surfaces below this weight are shaded at random only
constexpr float full_survival_seen = 0.02f;  // the next limit, for what the camera sees
constexpr float full_survival = 0.25f;       // paths below this weight may end at random
constexpr float least_survival = 0.05f;
constexpr int most_clear_surfaces = 32;  // on the way to a light
constexpr float least_light = 2e-3f;     // least transmission for which a light ray is followed

float square(float v) { return v * v; }

// Veach's power heuristic for one sample of each technique.
float balance(float mine, float other) { return square(mine) / (square(mine) + square(other)); }

// Distance along the ray to the light's emitting side; infinite if it misses.
float meet_light(const AreaLight& light, const Ray& ray) {
  constexpr float never = std::numeric_limits<float>::infinity();
  const Vec3 n = light.normal();
  const float towards = -dot(n, ray.direction);
  if (towards <= 0) return never;
  const float distance = dot(n, ray.origin - light.center) / towards;
  if (distance <= 0) return never;
  const Vec3 p = ray.origin + ray.direction * distance - light.center;
  const bool inside = std::abs(dot(p, light.u)) <= dot(light.u, light.u) &&
                      std::abs(dot(p, light.v)) <= dot(light.v, light.v);
  return inside ? distance : never;
}

// Solid-angle density of a ray sent to a uniformly distributed point of the light.
float light_probability(const AreaLight& light, const Vec3& direction, float distance) {
  return square(distance) / (std::abs(dot(light.normal(), direction)) * light.area());
}

// A normal on the side of -direction: the smooth one, unless it points away.
Vec3 facing_normal(const SurfaceHit& hit, const Vec3& direction) {
  const Vec3 smooth = dot(hit.normal, direction) < 0 ? hit.smooth : -hit.smooth;
  if (dot(smooth, direction) < 0) return smooth;
  return dot(hit.normal, direction) < 0 ? hit.normal : -hit.normal;
}

}  // namespace

LightTransport::LightTransport(const LitScene& scene, const Brightest& brightest)
    : surfaces_(scene),
      lights_(scene.lights),
      sky_(scene.sky),
      ground_(scene.ground),
      brightest_(brightest) {}

LinearColor LightTransport::radiance(const Ray& ray, const Sampler& sampler,
                                     std::uint64_t& rays) const {
  Estimate estimate;
  follow({.ray = ray, .sampler = sampler}, estimate);
  while (estimate.pending_count > 0) follow(estimate.pending[--estimate.pending_count], estimate);
  rays += estimate.rays;
  return estimate.light;
}

void LightTransport::add(const Branch& branch, const LinearColor& light, Estimate& estimate) const {
  const LinearColor arrives = times(branch.weight, light);
  const float most = branch.certain ? brightest_.certain : brightest_.by_chance;
  estimate.light += arrives * std::min(1.0f, most / std::max(brightest(arrives), 1e-20f));
}

void LightTransport::follow(Branch branch, Estimate& estimate) const {
  for (int surface = 0; surface < most_surfaces; ++surface) {
    SurfaceHit hit;
    ++estimate.rays;
    bool met = surfaces_.nearest(branch.ray, hit.distance, hit);
    met = meet_ground(branch.ray, hit) || met;
    add_lights(branch, hit.distance, estimate);
    if (!met) {
      add(branch, sky_.radiance(branch.ray.direction), estimate);
      return;
    }
    branch.weight = times(branch.weight, dimming(branch.media, hit.distance));
    const bool goes_on =
        hit.medium >= 0 ? cross(hit, branch, estimate) : scatter(hit, branch, estimate);
    const float full = branch.seen ? full_survival_seen : full_survival;
    if (!goes_on || !survives(branch, full * branch.reference)) return;
  }
}

LinearColor LightTransport::dimming(MediaSet media, float distance) const {
  const Vec3& absorption = surfaces_.media().at(media).absorption;
  return brightest(absorption) > 0 ? beer(absorption, distance) : LinearColor{1, 1, 1};
}

// Replaces `hit` if the ground is nearer.
bool LightTransport::meet_ground(const Ray& ray, SurfaceHit& hit) const {
  if (!ground_ || ray.direction.y >= 0) return false;
  const float distance = (ground_->center.y - ray.origin.y) / ray.direction.y;
  if (distance <= 0 || distance >= hit.distance) return false;
  hit = {.distance = distance,
         .point = ray.origin + ray.direction * distance,
         .normal = {0, 1, 0},
         .smooth = {0, 1, 0},
         .color = ground_->color};
  hit.point.y = ground_->center.y;
  hit.is_ground = true;
  return true;
}

void LightTransport::add_lights(const Branch& branch, float limit, Estimate& estimate) const {
  if (branch.lights == LightSeen::no) return;
  for (const AreaLight& light : lights_) {
    const float distance = meet_light(light, branch.ray);
    if (distance >= limit) continue;
    const float share =
        branch.lights == LightSeen::fully
            ? 1
            : balance(branch.probability, light_probability(light, branch.ray.direction, distance));
    add(branch, times(dimming(branch.media, distance), light.radiance) * share, estimate);
  }
}

// At a clear surface: continues along one direction; the other may become a branch.
bool LightTransport::cross(const SurfaceHit& hit, Branch& branch, Estimate& estimate) const {
  const Crossing crossing(branch.media, hit.medium, hit.front);
  const Vec3 direction = branch.ray.direction;
  if (!MediaTable::is_boundary(crossing)) {
    branch.media = crossing.after;
    pass(hit, direction, branch);
    return true;
  }
  const float from = surfaces_.media().at(crossing.before).refraction;
  const float to = surfaces_.media().at(crossing.after).refraction;
  const Vec3 side = hit.front ? hit.normal : -hit.normal;
  Vec3 n = facing_normal(hit, direction);
  if (dot(mirrored(direction, n), side) <= 0) n = side;
  const float reflectance = fresnel(-dot(direction, n), from, to);
  branch.lights = branch.seen ? LightSeen::fully : LightSeen::no;

  const bool splits =
      branch.seen && branch.splits < most_splits &&
      brightest(branch.weight) * std::min(reflectance, 1 - reflectance) > least_split;
  const bool is_mirrored = splits ? false : branch.sampler.next().x < reflectance;
  if (!splits && reflectance < 1) branch.certain = false;
  if (splits) {
    ++branch.splits;
    Branch other = branch;
    other.sampler = branch.sampler.fork();
    other.media = crossing.before;
    other.weight = branch.weight * reflectance;
    other.reference = std::max(brightest(other.weight), 1e-6f);
    pass(hit, mirrored(direction, n), other);
    estimate.pending[estimate.pending_count++] = other;
    branch.weight = branch.weight * (1 - reflectance);
  }
  if (is_mirrored) {
    branch.media = crossing.before;
    pass(hit, mirrored(direction, n), branch);
    return true;
  }
  Vec3 onwards = refracted(direction, n, from, to);
  if (dot(onwards, side) >= 0) onwards = refracted(direction, side, from, to);
  branch.media = crossing.after;
  branch.weight = branch.weight * square(from / to);
  pass(hit, onwards, branch);
  return true;
}

void LightTransport::pass(const SurfaceHit& hit, const Vec3& direction, Branch& branch) const {
  branch.ray = {surfaces_.lifted(hit.point, hit.normal, direction), direction};
}

// At a matte or glossy surface: samples the lights and continues in a random direction.
bool LightTransport::scatter(const SurfaceHit& hit, Branch& branch, Estimate& estimate) const {
  if (hit.is_ground) {
    const float faded = ground_->faded(hit.point);
    add(branch, sky_.horizon * faded, estimate);
    branch.weight = branch.weight * (1 - faded);
    if (faded >= 1) return false;
  }
  if (branch.seen && !survives(branch, full_shading)) return false;
  const Vec3 side = dot(hit.normal, branch.ray.direction) < 0 ? hit.normal : -hit.normal;
  const Vec3 n = facing_normal(hit, branch.ray.direction);
  const Finish finish = branch.seen ? hit.finish : Finish::matte;
  const Paint paint(finish, hit.color, n, -branch.ray.direction);
  add(branch, lit_directly(paint, hit, side, branch, estimate), estimate);

  const Vec3 in = paint.sample(branch.sampler.next());
  const Paint::Value value = paint.value(in);
  if (value.probability <= 0 || dot(in, side) <= 0) return false;
  branch.weight = times(branch.weight, value.light * (1 / value.probability));
  branch.probability = value.probability;
  branch.lights = LightSeen::weighted;
  branch.seen = branch.certain = false;
  pass(hit, in, branch);
  return true;
}

// Sends rays to every light at surfaces that the camera sees, elsewhere to one random light.
LinearColor LightTransport::lit_directly(const Paint& paint, const SurfaceHit& hit,
                                         const Vec3& side, Branch& branch,
                                         Estimate& estimate) const {
  if (lights_.empty()) return {};
  const auto count = static_cast<float>(lights_.size());
  branch.light_share = branch.seen ? 1 : 1 / count;
  LinearColor sum;
  if (branch.seen) {
    for (const AreaLight& light : lights_) sum += lit_by(light, paint, hit, side, branch, estimate);
  } else {
    const auto chosen = static_cast<std::size_t>(count * branch.sampler.next().x);
    sum = lit_by(lights_[chosen], paint, hit, side, branch, estimate);
  }
  return sum;
}

LinearColor LightTransport::lit_by(const AreaLight& light, const Paint& paint,
                                   const SurfaceHit& hit, const Vec3& side, Branch& branch,
                                   Estimate& estimate) const {
  const Pair u = branch.sampler.next();
  const Vec3 there = light.center + light.u * (2 * u.x - 1) + light.v * (2 * u.y - 1);
  const Vec3 from = surfaces_.lifted(hit.point, hit.normal, side);
  const float distance = length(there - from);
  const Vec3 in = (there - from) * (1 / distance);
  if (dot(in, side) <= 0 || dot(in, light.normal()) >= 0) return {};
  const Paint::Value value = paint.value(in);
  if (brightest(value.light) <= 0) return {};
  const Straight way = straight_light({from, in}, distance, branch.media, estimate);
  const float probability = branch.light_share * light_probability(light, in, distance);
  const float share = way.clear ? balance(probability, value.probability) : 1;
  return times(times(value.light, way.share), light.radiance) * (share / probability);
}

LightTransport::Straight LightTransport::straight_light(Ray ray, float distance, MediaSet media,
                                                        Estimate& estimate) const {
  if (surfaces_.media().empty()) {
    ++estimate.rays;
    return surfaces_.blocked(ray, distance) ? Straight{{}, true} : Straight{{1, 1, 1}, true};
  }
  Straight way{{1, 1, 1}, true};
  for (int surface = 0; surface < most_clear_surfaces; ++surface) {
    SurfaceHit hit;
    ++estimate.rays;
    const bool met = surfaces_.nearest(ray, distance, hit);
    way.share = times(way.share, dimming(media, met ? hit.distance : distance));
    if (!met) return way;
    if (hit.medium < 0) break;
    const Crossing crossing(media, hit.medium, hit.front);
    if (MediaTable::is_boundary(crossing)) {
      const float a = surfaces_.media().at(crossing.before).refraction;
      const float b = surfaces_.media().at(crossing.after).refraction;
      const float cosine = std::abs(dot(hit.smooth, ray.direction));
      way.share = way.share * (1 - fresnel(cosine, std::min(a, b), std::max(a, b)));
      way.clear = false;
    }
    if (brightest(way.share) < least_light) break;
    media = crossing.after;
    ray.origin = surfaces_.lifted(hit.point, hit.normal, ray.direction);
    distance -= hit.distance;
  }
  return {{}, false};
}

// Russian roulette: ends paths of less weight than `full` at random and increases the weight of the
// others.
bool LightTransport::survives(Branch& branch, float full) const {
  const float bundled = square(surfaces_.media().at(branch.media).refraction);
  const float left = brightest(branch.weight) * bundled / full;
  if (left >= 1) return true;
  const float chance = std::max(left, least_survival);
  if (!(left > 0) || branch.sampler.next().x >= chance) return false;
  branch.weight = branch.weight * (1 / chance);
  return true;
}

}  // namespace panta
