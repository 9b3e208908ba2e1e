#include "panta/render/outline.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace panta {

namespace {

constexpr float hidden_opacity = 0.22f;

void add_box(std::vector<Segment>& out, const Bounds& box) {
  for (int corner = 0; corner < 8; ++corner)
    for (int axis = 0; axis < 3; ++axis)
      if (!(corner >> axis & 1))
        out.push_back({box.corner(corner), box.corner(corner | 1 << axis)});
}

void add_ring(std::vector<Segment>& out, const Vec3& center, const Vec3& normal, float radius) {
  constexpr int pieces = 72;
  const Vec3 any = std::abs(normal.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = normalized(cross(normal, any)), v = cross(normal, u);
  const auto at = [&](int k) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k % pieces) / pieces;
    return center + u * (radius * std::cos(angle)) + v * (radius * std::sin(angle));
  };
  for (int k = 0; k < pieces; ++k) out.push_back({at(k), at(k + 1)});
}

void add_cylinder(std::vector<Segment>& out, const Shape& cylinder) {
  const Vec3 axis = normalized(cylinder.b - cylinder.a);
  std::vector<Segment> rim;
  add_ring(rim, cylinder.a, axis, cylinder.radius);
  const std::size_t quarter = rim.size() / 4;
  for (std::size_t k = 0; k < rim.size(); k += quarter)
    out.push_back({rim[k].from, rim[k].from + (cylinder.b - cylinder.a)});
  out.insert(out.end(), rim.begin(), rim.end());
  add_ring(out, cylinder.b, axis, cylinder.radius);
}

// A plane cuts each face of the box in at most one segment.
void add_plane(std::vector<Segment>& out, const Shape& plane, const Bounds& box) {
  const auto height = [&](const Vec3& p) { return dot(p - plane.a, plane.b); };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    for (const int side : {0, 1 << axis}) {
      const int loop[5] = {side, side | u, side | u | v, side | v, side};
      std::vector<Vec3> cuts;
      for (int k = 0; k < 4; ++k) {
        const Vec3 from = box.corner(loop[k]), to = box.corner(loop[k + 1]);
        const float a = height(from), b = height(to);
        if ((a < 0) != (b < 0)) cuts.push_back(from + (to - from) * (a / (a - b)));
      }
      for (std::size_t k = 0; k + 1 < cuts.size(); k += 2) out.push_back({cuts[k], cuts[k + 1]});
    }
  }
}

// Draws one segment, given in view space, as a line of the given width.
class LinePen {
 public:
  LinePen(const View& view, const SurfaceBuffer& buffer, float line_pixels, float tolerance)
      : view_(view),
        buffer_(buffer),
        half_width_(0.5f * line_pixels),
        tolerance_(tolerance),
        opacity_(buffer.depth.size(), 0.0f) {}

  void draw(Vec3 a, Vec3 b) {
    const float near = 0.05f * tolerance_;
    if (a.z < near && b.z < near) return;
    if (a.z < near) a = b + (a - b) * ((b.z - near) / (b.z - a.z));
    if (b.z < near) b = a + (b - a) * ((a.z - near) / (a.z - b.z));
    Vec3 p = view_.project(a), q = view_.project(b);
    const bool steep = std::abs(q.y - p.y) > std::abs(q.x - p.x);
    if (steep) std::swap(p.x, p.y), std::swap(q.x, q.y);
    if (p.x > q.x) std::swap(p, q);
    const float length_x = q.x - p.x;
    if (!(length_x > 0)) return;
    const float slope = (q.y - p.y) / length_x;
    const float reach = half_width_ * std::sqrt(1 + slope * slope);
    const auto limit = static_cast<float>(steep ? buffer_.height : buffer_.width);
    const int first = static_cast<int>(std::floor(std::clamp(p.x, 0.0f, limit)));
    const int last = static_cast<int>(std::ceil(std::clamp(q.x, 0.0f, limit)));
    for (int major = first; major < last; ++major) {
      const float t = std::clamp((static_cast<float>(major) + 0.5f - p.x) / length_x, 0.0f, 1.0f);
      const float depth =
          view_.orthographic() ? p.z + t * (q.z - p.z) : 1 / ((1 - t) / p.z + t / q.z);
      across(major, p.y + t * (q.y - p.y), reach, depth, steep);
    }
  }

  std::vector<float> take() { return std::move(opacity_); }

 private:
  // The line's pixels across its run at one step along it.
  void across(int major, float minor, float reach, float depth, bool steep) {
    const int limit = steep ? buffer_.width : buffer_.height;
    const float bound = static_cast<float>(limit) + reach + 1;
    if (!(minor > -reach - 1 && minor < bound)) return;
    const int low = std::max(0, static_cast<int>(std::floor(minor - reach)));
    const int high = std::min(limit - 1, static_cast<int>(std::floor(minor + reach)));
    for (int k = low; k <= high; ++k) {
      const float from = std::max(static_cast<float>(k), minor - reach);
      const float to = std::min(static_cast<float>(k + 1), minor + reach);
      const std::size_t at = steep ? buffer_.index(k, major) : buffer_.index(major, k);
      const bool hidden = depth > buffer_.depth[at] + tolerance_;
      opacity_[at] =
          std::max(opacity_[at], std::max(0.0f, to - from) * (hidden ? hidden_opacity : 1.0f));
    }
  }

  const View& view_;
  const SurfaceBuffer& buffer_;
  float half_width_, tolerance_;
  std::vector<float> opacity_;
};

}  // namespace

std::vector<Segment> shape_outline(const Shape& shape, const Bounds& extent) {
  std::vector<Segment> out;
  switch (shape.type) {
    case ShapeType::box:
      add_box(out, {shape.a, shape.b});
      break;
    case ShapeType::sphere:
      for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        add_ring(out, shape.a, normal, shape.radius);
      break;
    case ShapeType::cylinder:
      add_cylinder(out, shape);
      break;
    case ShapeType::plane:
      add_plane(out, shape, extent);
      break;
  }
  return out;
}

std::vector<Segment> scene_outlines(const Scene& scene, const Bounds& extent) {
  std::vector<Segment> out;
  if (scene.has_domain) add_box(out, {to_float(scene.domain.min), to_float(scene.domain.max)});
  for (const Body& body : scene.bodies) {
    const std::vector<Segment> outline = shape_outline(body.shape, extent);
    out.insert(out.end(), outline.begin(), outline.end());
  }
  return out;
}

std::vector<float> draw_lines(const View& view, const std::vector<Segment>& segments,
                              const SurfaceBuffer& buffer, float line_pixels, float tolerance) {
  LinePen pen(view, buffer, line_pixels, tolerance);
  for (const Segment& segment : segments)
    pen.draw(view.to_view(segment.from), view.to_view(segment.to));
  return pen.take();
}

}  // namespace panta
