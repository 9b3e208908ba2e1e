// Shapes of a scene file: a solid such as {"box": {…}}, or a combination such as {"union": [{…},
// {…}]}, with the transforms "scale", "rotate" and "translate" applied in this order.
#include "panta/geometry/bounds.h"
#include "panta/load/load_models.h"
#include "panta/load/load_parts.h"

namespace panta {
namespace {

// Half the depth of a box in two dimensions, so that its faces in z are never the nearest.
constexpr float plane_depth = 1e6f;
constexpr int most_nested = 32;

void expect_space(ObjectReader& reader) {
  reader.expect(reader.dimensions() == 3, "", "needs 3 dimensions: in 2 use a sphere for a disc");
}

Shape read_box(ObjectReader& reader) {
  Vec3 low, high;
  reader.required("min", low, as_point, "the corner with the lowest coordinates");
  reader.required("max", high, as_point, "the corner with the highest coordinates");
  for (int axis = 0; axis < reader.dimensions(); ++axis)
    reader.expect(low[axis] < high[axis], "",
                  "has no volume: min must be below max along {}, got {} and {}", "xyz"[axis],
                  low[axis], high[axis]);
  if (reader.dimensions() == 2) low.z = -plane_depth, high.z = plane_depth;
  return Shape::box(low, high);
}

Shape read_sphere(ObjectReader& reader) {
  Vec3 center;
  float radius = 0;
  reader.required("center", center, as_point, "its centre");
  reader.required("radius", radius, positive("m"), "its radius");
  return Shape::sphere(center, radius);
}

Shape read_ellipsoid(ObjectReader& reader) {
  Vec3 center, radii{0, 0, 1};
  reader.required("center", center, as_point, "its centre");
  reader.required("radii", radii, as_point, "half its size along x, y and z");
  if (reader.dimensions() == 2) radii.z = plane_depth;
  for (int axis = 0; axis < reader.dimensions(); ++axis)
    reader.expect(radii[axis] > 0, "radii", "must be > 0 along {}, got {}", "xyz"[axis],
                  radii[axis]);
  return Shape::ellipsoid(center, radii);
}

Shape read_plane(ObjectReader& reader) {
  Vec3 point, normal;
  reader.required("point", point, as_point, "any point of it");
  reader.required("normal", normal, as_direction, "points out of the solid half-space behind it");
  reader.expect(length(normal) > 0, "normal", "must not be zero");
  return Shape::plane(point, normal);
}

// The ends of a solid along a line.
struct Line {
  Vec3 from, to;
};

Line read_line(ObjectReader& reader) {
  Line line;
  reader.required("from", line.from, as_point, "the centre of one end");
  reader.required("to", line.to, as_point, "the centre of the other end");
  reader.expect(length(line.to - line.from) > 0, "",
                "has no volume: 'from' and 'to' are the same point");
  return line;
}

Shape read_cylinder(ObjectReader& reader) {
  expect_space(reader);
  const Line line = read_line(reader);
  float radius = 0;
  reader.required("radius", radius, positive("m"), "its radius");
  return Shape::cylinder(line.from, line.to, radius);
}

Shape read_capsule(ObjectReader& reader) {
  const Line line = read_line(reader);
  float radius = 0;
  reader.required("radius", radius, positive("m"), "radius around the line, with round ends");
  return Shape::capsule(line.from, line.to, radius);
}

Shape read_cone(ObjectReader& reader) {
  expect_space(reader);
  const Line line = read_line(reader);
  float radius_from = 0, radius_to = 0;
  reader.required("radius_from", radius_from, not_negative("m"), "the radius at 'from'");
  reader.required("radius_to", radius_to, not_negative("m"), "the radius at 'to'; 0: a tip");
  reader.expect(radius_from > 0 || radius_to > 0, "", "has no volume: both radii are 0");
  return Shape::cone(line.from, line.to, radius_from, radius_to);
}

Shape read_torus(ObjectReader& reader) {
  Vec3 center, axis = {0, 1, 0};
  float ring = 0, tube = 0;
  reader.required("center", center, as_point, "its centre");
  read_axis(reader, axis);
  reader.required("ring_radius", ring, positive("m"), "from the centre to the middle of the tube");
  reader.required("tube_radius", tube, positive("m"), "of the tube");
  return Shape::torus(center, axis, ring, tube);
}

void read_shape_keys(ObjectReader& reader, Shape& shape);

// The shape under `key` of a combination.
Shape read_part(ObjectReader& reader, const char* key, const char* doc) {
  Shape part;
  read_shape(reader, key, doc, true, part);
  return part;
}

Shape read_offset(ObjectReader& reader) {
  float by = 0;
  const Shape part = read_part(reader, "shape", "the shape to grow");
  reader.required("by", by, any_number("m"), "how far; negative: it shrinks");
  return offset(part, by);
}

Shape read_shell(ObjectReader& reader) {
  float thickness = 0;
  const Shape part = read_part(reader, "shape", "the shape to make hollow");
  reader.required("thickness", thickness, positive("m"), "of the remaining layer");
  return shell(part, thickness);
}

using Combine = Shape (*)(const Shape&, const Shape&, float);

// A list of shapes, combined in order.
void read_combination(ObjectReader& reader, const char* key, const char* doc, Combine combine,
                      float blend, Shape& shape) {
  int count = 0;
  const bool given = reader.each_item(key, {"shape", doc}, [&](ObjectReader& item) {
    Shape part;
    read_shape_keys(item, part);
    shape =
        count++ == 0 ? part : located(item.place(), [&] { return combine(shape, part, blend); });
  });
  reader.expect(!given || count > 0, key, "is empty: list at least one shape");
}

void read_solids(ObjectReader& reader, Shape& shape) {
  struct Solid {
    const char *key, *doc;
    Shape (*read)(ObjectReader&);
  };
  constexpr Solid solids[] = {
      {"box", "a box along the axes", read_box},
      {"sphere", "a ball; in two dimensions a disc", read_sphere},
      {"ellipsoid", "a ball stretched along the axes", read_ellipsoid},
      {"plane", "the half-space behind a plane", read_plane},
      {"cylinder", "a cylinder between two points", read_cylinder},
      {"capsule", "a cylinder with round ends beyond its two points", read_capsule},
      {"cone", "a cone, or with two radii a truncated one", read_cone},
      {"torus", "a ring", read_torus},
      {"mesh", "the inside of a triangle mesh in a file", read_mesh_shape},
      {"hull", "the convex hull of points", read_hull},
      {"polygon", "a polygon in the plane; in three dimensions the prism over it", read_polygon},
      {"height_field", "ground given by heights on a grid", read_height_field},
      {"offset", "a shape grown or shrunk on all sides", read_offset},
      {"shell", "the outermost layer of a shape", read_shell},
  };
  for (const Solid& solid : solids)
    reader.object(solid.key, {std::string("shape_") + solid.key, solid.doc},
                  [&](ObjectReader& r) { shape = solid.read(r); });
}

void read_combinations(ObjectReader& reader, Shape& shape) {
  float blend = 0;
  reader.if_given("blend", blend, not_negative("m"),
                  "for union, intersection and difference: surfaces closer than this blend");
  read_combination(reader, "union", "the points in any of these shapes", unite, blend, shape);
  read_combination(reader, "intersection", "the points in all of these shapes", intersect, blend,
                   shape);
  read_combination(reader, "difference", "the first shape without the others", subtract, blend,
                   shape);
  reader.object("complement", {"shape", "the points outside a shape"}, [&](ObjectReader& r) {
    read_shape_keys(r, shape);
    shape = shape.complement();
  });
}

void read_transforms(ObjectReader& reader, Shape& shape) {
  float factor = 1;
  if (reader.if_given("scale", factor, positive(), "about the origin, applied first"))
    shape = shape.scaled(factor);
  reader.one_or_more("rotate", {"rotation", "about the origin, applied after scale"},
                     [&](ObjectReader& r) { shape = shape.rotated(read_turn(r).rotation()); });
  Vec3 by;
  if (reader.if_given("translate", by, as_point, "applied last")) shape = shape.moved(by);
}

void read_shape_keys(ObjectReader& reader, Shape& shape) {
  reader.expect(++reader.context().nested_shapes <= most_nested, "",
                "is nested too deeply: does a model contain itself?");
  if (!reader.describing()) expand_model(reader.value(), reader.context());
  reader.about(
      "a solid, or a combination of solids; the transforms are applied in the order scale, rotate, "
      "translate");
  read_solids(reader, shape);
  read_combinations(reader, shape);
  declare_model(reader);
  read_transforms(reader, shape);
  reader.exactly_one({"box", "sphere", "ellipsoid", "plane", "cylinder", "capsule", "cone", "torus",
                      "mesh", "hull", "polygon", "height_field", "union", "intersection",
                      "difference", "offset", "shell", "complement", "model"});
  reader.expect(shape.empty() || !shape_bounds(shape).empty(), "", "has no volume");
  --reader.context().nested_shapes;
}

}  // namespace

bool read_shape(ObjectReader& owner, const std::string& key, const char* doc, bool required,
                Shape& shape) {
  return owner.object(key, {"shape", doc, required},
                      [&](ObjectReader& reader) { read_shape_keys(reader, shape); });
}

void read_axis(ObjectReader& reader, Vec3& axis) {
  const bool flat = reader.dimensions() == 2;
  if (flat) axis = {0, 0, 1};
  reader.optional("axis", axis, as_axis, "the direction of the axis");
  reader.expect(length(axis) > 0, "axis", "must not be zero");
  reader.expect(!flat || (axis.x == 0 && axis.y == 0), "axis",
                "must point along z in a scene with 2 dimensions");
  axis = normalized(axis);
}

Turn read_turn(ObjectReader& reader) {
  reader.about("a rotation about an axis");
  Turn turn;
  read_axis(reader, turn.axis);
  reader.required("degrees", turn.degrees, any_number("degrees"),
                  "counterclockwise about the axis");
  return turn;
}

}  // namespace panta
