// The domain of a scene file: its extent, its walls, its periodic axes, and the surface properties
// of the walls.
#include <algorithm>

#include "panta/load/load_parts.h"

namespace panta {
namespace {

const std::vector<std::string> axis_names = {"x", "y", "z"};

// The valid names for this number of dimensions.
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

void read_extent(ObjectReader& reader, Domain& domain) {
  reader.required("min", domain.min, as_point, "the corner with the lowest coordinates");
  reader.required("max", domain.max, as_point, "the corner with the highest coordinates");
  for (int axis = 0; axis < reader.dimensions(); ++axis)
    reader.expect(domain.min[axis] < domain.max[axis], "max",
                  "must be above 'min' along {}, got {} and {}",
                  axis_names[static_cast<std::size_t>(axis)], domain.max[axis], domain.min[axis]);
  const double half = 0.5 * reader.context().spacing;
  if (reader.dimensions() == 2) domain.min.z = -half, domain.max.z = half;
}

void read_periodic(ObjectReader& reader, Domain& domain) {
  const json::Value* list = reader.special(
      "periodic", "list of axes", R"({"type": "array", "items": {"enum": ["x", "y", "z"]}})",
      "particles that leave along these axes enter on the other side");
  if (!list) return;
  for (const std::string& name :
       reader.names(*list, reader.path_of("periodic"), axes(reader.dimensions())))
    domain.periodic[index_of(axis_names, name)] = true;
}

// "all" (the default) means all sides that are not periodic.
void read_walls(ObjectReader& reader, Domain& domain) {
  const json::Value* walls =
      reader.special("walls", "all, none or a list of sides",
                     R"({"anyOf": [{"enum": ["all", "none"]}, {"type": "array",
          "items": {"enum": ["-x", "+x", "-y", "+y", "-z", "+z"]}}]})",
                     "which sides are solid, for example [\"-y\"]; all leaves out periodic axes",
                     false, json::Value("all"));
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
  if (walls) {
    reader.expect(walls->type == json::Type::string, "walls",
                  "must be \"all\", \"none\" or a list of sides such as \"-y\", got {}",
                  json::describe(*walls));
    word = walls->string;
    located(walls->place, [&] { check_choice(path, {"all", "none"}, word); });
  }
  for (std::size_t side = 0; side < valid.size(); ++side)
    domain.walls[side] = word == "all" && !domain.periodic[side / 2];
}

void read_surfaces(ObjectReader& reader, Domain& domain) {
  reader.object(
      "surfaces", {"surfaces", "surface properties of the walls"}, [&](ObjectReader& surfaces) {
        Surface common;
        surfaces.object("all", {"surface", "all walls, unless they have their own"},
                        [&](ObjectReader& r) {
                          r.about("properties of a solid surface in contact");
                          read_surface(r, common);
                        });
        domain.surfaces.fill(common);
        for (const std::string& name : sides(reader.dimensions())) {
          const std::size_t side = index_of(side_names, name);
          const bool given = surfaces.object(name, {"surface", "this wall"}, [&](ObjectReader& r) {
            read_surface(r, domain.surfaces[side]);
          });
          if (given && !domain.walls[side])
            fail_at(surfaces.place_of(name), "'{}': the side '{}' is not a wall",
                    surfaces.path_of(name), name);
        }
      });
}

}  // namespace

void read_domain(ObjectReader& root, Scene& scene) {
  scene.has_domain =
      root.object("domain", {"domain", "the box of the scene; absent: unbounded space"},
                  [&](ObjectReader& reader) {
                    read_extent(reader, scene.domain);
                    read_periodic(reader, scene.domain);
                    read_walls(reader, scene.domain);
                    read_surfaces(reader, scene.domain);
                  });
}

}  // namespace panta
