#include "panta/frame/body_places.h"

#include "panta/geometry/mass_properties.h"

namespace panta {

std::vector<int> free_numbers(const std::vector<Body>& bodies) {
  std::vector<int> numbers;
  int next = 0;
  for (const Body& body : bodies) numbers.push_back(body.free ? next++ : -1);
  return numbers;
}

std::vector<std::string> free_body_names(const std::vector<Body>& bodies) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies[k].free)
      names.push_back(bodies[k].name.empty() ? "body " + std::to_string(k + 1) : bodies[k].name);
  return names;
}

std::vector<Vec3d> free_body_centres(const Scene& scene) {
  std::vector<Vec3d> centres;
  for (const Body& body : scene.bodies)
    if (body.free) centres.push_back(mass_properties(body.shape, scene.dimensions == 2).centre);
  return centres;
}

}  // namespace panta
