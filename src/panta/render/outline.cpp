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

// A cylinder or cone in the node's own frame, axis along y.
void add_tube(std::vector<Segment>& out, const ShapeNode& n, float upper_radius) {
  const Vec3 axis = n.rotation * Vec3{0, 1, 0};
  std::vector<Segment> low, high;
  add_ring(low, n.center - axis * n.size.y, axis, n.size.x);
  add_ring(high, n.center + axis * n.size.y, axis, upper_radius);
  const std::size_t quarter = low.size() / 4;
  for (std::size_t k = 0; k < low.size(); k += quarter) out.push_back({low[k].from, high[k].from});
  out.insert(out.end(), low.begin(), low.end());
  out.insert(out.end(), high.begin(), high.end());
}

// A plane cuts each face of the box in at most one segment.
void add_plane(std::vector<Segment>& out, const ShapeNode& plane, const Bounds& box) {
  const Vec3 normal = plane.rotation * Vec3{0, 1, 0};
  const auto height = [&](const Vec3& p) { return dot(p - plane.center, normal); };
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
  // Draws the pixels across the line at one step along it.
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
  const ShapeNode* node = shape.primitive();
  if (!node) return out;
  switch (node->op) {
    case ShapeOp::box: {
      add_box(out, {-node->size, node->size});
      for (Segment& s : out)
        s = {node->rotation * s.from + node->center, node->rotation * s.to + node->center};
      break;
    }
    case ShapeOp::sphere:
      for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        add_ring(out, node->center, normal, node->size.x);
      break;
    case ShapeOp::cylinder:
      add_tube(out, *node, node->size.x);
      break;
    case ShapeOp::cone:
      add_tube(out, *node, node->size.z);
      break;
    case ShapeOp::plane:
      add_plane(out, *node, extent);
      break;
    default:
      break;
  }
  return out;
}

std::vector<Segment> box_outline(const Bounds& box) {
  std::vector<Segment> out;
  add_box(out, box);
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
