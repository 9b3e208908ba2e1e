// The domain of a scene file: its extent, which sides are walls, which axes are periodic, and how
// the walls act.
#include <algorithm>

#include "panta/scene/load_parts.h"

namespace panta {
namespace {

const std::vector<std::string> axis_names = {"x", "y", "z"};

// The names that make sense in this many dimensions.
std::vector<std::string> sides(int dimensions) {
  return {side_names.begin(), side_names.begin() + 2 * dimensions};
}
std::vector<std::string> axes(int dimensions) {
  return {axis_names.begin(), axis_names.begin() + dimensions};
}

template <class Names>
std::size_t index_of(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

void read_extent(ObjectReader& reader, double spacing, Domain& domain) {
  reader.required("min", domain.min, VectorKind::point);
  reader.required("max", domain.max, VectorKind::point);
  for (int axis = 0; axis < reader.dimensions(); ++axis)
    if (!(domain.min[axis] < domain.max[axis]))
      fail_at(reader.place_of("max"), "'{}' must be above 'min' along {}, got {} and {}",
              reader.path_of("max"), axis_names[static_cast<std::size_t>(axis)], domain.max[axis],
              domain.min[axis]);
  if (reader.dimensions() == 2) domain.min.z = -0.5 * spacing, domain.max.z = 0.5 * spacing;
}

void read_periodic(ObjectReader& reader, Domain& domain) {
  const json::Value* list = reader.find("periodic");
  if (!list) return;
  for (const std::string& name :
       reader.names(*list, reader.path_of("periodic"), axes(reader.dimensions())))
    domain.periodic[index_of(axis_names, name)] = true;
}

// "all" (the default) means all sides that are not periodic.
void read_walls(ObjectReader& reader, Domain& domain) {
  const json::Value* walls = reader.find("walls");
  const std::string path = reader.path_of("walls");
  const std::vector<std::string> valid = sides(reader.dimensions());
  if (walls && walls->type == json::Type::array) {
    for (const std::string& name : reader.names(*walls, path, valid)) {
      const std::size_t side = index_of(side_names, name);
      if (domain.periodic[side / 2])
        fail_at(walls->place, "'{}': '{}' cannot be a wall, its axis is periodic", path, name);
      domain.walls[side] = true;
    }
    return;
  }
  std::string word = "all";
  if (walls && walls->type != json::Type::string)
    fail_at(walls->place,
            "'{}' must be \"all\", \"none\" or a list of sides such as \"-y\", got {}", path,
            json::describe(*walls));
  reader.optional("walls", word, std::vector<std::string>{"all", "none"});
  for (std::size_t side = 0; side < valid.size(); ++side)
    domain.walls[side] = word == "all" && !domain.periodic[side / 2];
}

void read_surfaces(ObjectReader& reader, Domain& domain) {
  reader.object("surfaces", [&](ObjectReader& surfaces) {
    Surface common;
    surfaces.object("all", [&](ObjectReader& r) { read_surface(r, common); });
    domain.surfaces.fill(common);
    for (const std::string& name : sides(reader.dimensions())) {
      const std::size_t side = index_of(side_names, name);
      const bool given =
          surfaces.object(name, [&](ObjectReader& r) { read_surface(r, domain.surfaces[side]); });
      if (given && !domain.walls[side])
        fail_at(surfaces.place_of(name), "'{}': the side '{}' is not a wall",
                surfaces.path_of(name), name);
    }
  });
}

}  // namespace

void read_surface(ObjectReader& reader, Surface& surface) {
  reader.optional("velocity", surface.velocity, VectorKind::direction);
  reader.optional("restitution", surface.restitution, Number{"", 0, 1});
  reader.optional("friction", surface.friction, not_negative);
  reader.optional("no_slip", surface.no_slip);
}

void read_domain(ObjectReader& root, Scene& scene) {
  scene.has_domain = root.object("domain", [&](ObjectReader& reader) {
    read_extent(reader, scene.spacing, scene.domain);
    read_periodic(reader, scene.domain);
    read_walls(reader, scene.domain);
    read_surfaces(reader, scene.domain);
  });
}

}  // namespace panta
