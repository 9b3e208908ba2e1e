#include "panta/render/stage.h"

#include <cmath>

namespace panta {

namespace {

constexpr float drawn_radius = 0.6f;         // of a particle, in spacings
constexpr float largest_empty_share = 3.0f;  // a domain this much wider than its fluid is cropped

Bounds shape_bounds(const Shape& shape) {
  Bounds bounds;
  bounds.include(shape.a);
  if (shape.type != ShapeType::sphere) bounds.include(shape.b);
  if (shape.type == ShapeType::box) return bounds;
  const Vec3 axis = shape.type == ShapeType::cylinder ? normalized(shape.b - shape.a) : Vec3{};
  Vec3 reach;
  for (int k = 0; k < 3; ++k)
    reach[k] = shape.radius * std::sqrt(std::max(0.0f, 1 - axis[k] * axis[k]));
  return {bounds.min - reach, bounds.max + reach};
}

struct Ball {
  Vec3 center;
  float radius;
};

Ball enclosing_ball(const Shape& shape) {
  const Bounds bounds = shape_bounds(shape);
  return {bounds.center(), 0.5f * bounds.diagonal()};
}

// 1, 2 or 5 times a power of ten near `length`.
float round_length(float length) {
  const float power = std::pow(10.0f, std::floor(std::log10(std::max(length, 1e-6f))));
  const float factor = length / power;
  return power * (factor < 1.5f ? 1.0f : factor < 3.5f ? 2.0f : factor < 7.5f ? 5.0f : 10.0f);
}

// Follows a ray through the signed distance of a shape to its surface; infinite if it misses.
float trace(const Shape& shape, const Ball& ball, const View::Ray& ray) {
  constexpr float miss = std::numeric_limits<float>::infinity();
  const float speed = length(ray.direction);
  const float along = dot(ball.center - ray.origin, ray.direction) / (speed * speed);
  const Vec3 nearest = ray.origin + ray.direction * along - ball.center;
  const float inside = ball.radius * ball.radius - dot(nearest, nearest);
  if (inside < 0) return miss;
  const float half_chord = std::sqrt(inside) / speed, accuracy = 1e-4f * ball.radius;
  const float last = along + half_chord + accuracy;
  float depth = std::max(along - half_chord - accuracy, 0.0f);
  for (int step = 0; step < 64 && depth <= last; ++step) {
    const float gap = distance(shape, ray.origin + ray.direction * depth).value;
    if (gap < accuracy) return depth;
    depth += gap / speed;
  }
  return miss;
}

}  // namespace

Stage make_stage(const Scene& scene, const Bounds& particles) {
  Stage stage;
  stage.particle_radius = drawn_radius * static_cast<float>(scene.spacing);
  const Bounds domain{to_float(scene.domain.min), to_float(scene.domain.max)};
  const float largest = particles.empty() ? std::numeric_limits<float>::infinity()
                                          : largest_empty_share * particles.diagonal();
  if (!particles.empty()) {
    const Vec3 rim = Vec3{1, 1, 1} * stage.particle_radius;
    stage.extent = {particles.min - rim, particles.max + rim};
  }
  if (scene.has_domain && domain.diagonal() < largest) stage.extent.include(domain);
  for (const Body& body : scene.bodies) {
    if (body.shape.type == ShapeType::plane) continue;
    const Bounds bounds = shape_bounds(body.shape);
    if (bounds.diagonal() > largest) continue;
    stage.extent.include(bounds);
    if (!body.hollow) stage.solids.push_back(body.shape);
  }
  if (stage.extent.empty()) stage.extent = {{-1, -1, -1}, {1, 1, 1}};
  if (scene.has_domain && scene.domain.walls[minus_y])
    stage.extent.min.y = std::max(stage.extent.min.y, domain.min.y);
  stage.has_floor = scene.dimensions == 3 && scene.gravity.y < 0;
  stage.floor = stage.extent.min.y;
  stage.grid_step = round_length(stage.extent.diagonal() / 10);
  return stage;
}

void add_solids(const Stage& stage, const View& view, SurfaceBuffer& buffer, int threads) {
  if (stage.solids.empty()) return;
  std::vector<Ball> balls;
  for (const Shape& shape : stage.solids) balls.push_back(enclosing_ball(shape));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int y = 0; y < buffer.height; ++y) {
    for (int x = 0; x < buffer.width; ++x) {
      const View::Ray ray = view.world_ray(x, y);
      const std::size_t at = buffer.index(x, y);
      for (std::size_t k = 0; k < stage.solids.size(); ++k) {
        const float depth = trace(stage.solids[k], balls[k], ray);
        if (depth < buffer.depth[at]) {
          buffer.depth[at] = depth;
          buffer.surface[at] = solid_surface(k);
        }
      }
    }
  }
}

void add_floor(const Stage& stage, const View& view, SurfaceBuffer& buffer, int threads) {
  if (!stage.has_floor) return;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int y = 0; y < buffer.height; ++y) {
    for (int x = 0; x < buffer.width; ++x) {
      const View::Ray ray = view.world_ray(x, y);
      const float depth = (stage.floor - ray.origin.y) / ray.direction.y;
      const std::size_t at = buffer.index(x, y);
      if (depth > 0 && depth < buffer.depth[at]) {
        buffer.depth[at] = depth;
        buffer.surface[at] = floor_surface;
      }
    }
  }
}

}  // namespace panta
