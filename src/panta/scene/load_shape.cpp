// Shapes of a scene file: {"box": {…}}, {"sphere": {…}}, {"plane": {…}} or {"cylinder": {…}}.
#include "panta/scene/load_parts.h"

namespace panta {
namespace {

// Half the depth given to a box in two dimensions, so that its faces in z are never the nearest.
constexpr float plane_depth = 1e6f;

Shape read_box(ObjectReader& reader) {
  Vec3 low, high;
  reader.required("min", low, VectorKind::point);
  reader.required("max", high, VectorKind::point);
  for (int axis = 0; axis < reader.dimensions(); ++axis)
    if (!(low[axis] < high[axis]))
      fail_at(reader.place(), "'{}' has no volume: min must be below max along {}, got {} and {}",
              reader.path(), "xyz"[axis], low[axis], high[axis]);
  if (reader.dimensions() == 2) low.z = -plane_depth, high.z = plane_depth;
  return Shape::box(low, high);
}

Shape read_sphere(ObjectReader& reader) {
  Vec3 center;
  float radius = 0;
  reader.required("center", center, VectorKind::point);
  reader.required("radius", radius, positive);
  return Shape::sphere(center, radius);
}

Shape read_plane(ObjectReader& reader) {
  Vec3 point, normal;
  reader.required("point", point, VectorKind::point);
  reader.required("normal", normal, VectorKind::direction);
  if (!(length(normal) > 0))
    fail_at(reader.place_of("normal"), "'{}' must not be zero", reader.path_of("normal"));
  return Shape::plane(point, normal);
}

Shape read_cylinder(ObjectReader& reader) {
  if (reader.dimensions() == 2)
    fail_at(reader.place(), "'{}' needs 3 dimensions: in 2 use a sphere for a disc", reader.path());
  Vec3 from, to;
  float radius = 0;
  reader.required("from", from, VectorKind::point);
  reader.required("to", to, VectorKind::point);
  reader.required("radius", radius, positive);
  if (!(length(to - from) > 0))
    fail_at(reader.place(), "'{}' has no volume: 'from' and 'to' are the same point",
            reader.path());
  return Shape::cylinder(from, to, radius);
}

struct ShapeReader {
  const char* name;
  Shape (*read)(ObjectReader&);
};
constexpr ShapeReader shape_readers[] = {
    {"box", read_box}, {"sphere", read_sphere}, {"plane", read_plane}, {"cylinder", read_cylinder}};

}  // namespace

Shape read_shape(ObjectReader& owner) {
  owner.require("shape");
  Shape shape;
  owner.object("shape", [&](ObjectReader& reader) {
    int found = 0;
    for (const ShapeReader& entry : shape_readers)
      found += reader.object(entry.name, [&](ObjectReader& r) { shape = entry.read(r); });
    if (found != 1 && reader.unread_keys().empty())
      fail_at(reader.place(), "'{}' must hold one of box, sphere, plane, cylinder, got {}",
              reader.path(), found == 0 ? "none" : "several");
  });
  return shape;
}

}  // namespace panta
