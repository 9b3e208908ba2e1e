#include "panta/solver/common_columns.h"

#include <algorithm>

#include "panta/particles/standard_columns.h"

namespace panta {

namespace {

bool has_several_objects(const Scene& scene) {
  std::size_t objects = scene.fluids.size() + scene.emitters.size();
  for (const Solid& solid : scene.solids)
    objects += static_cast<std::size_t>(solid.copies[0]) *
               static_cast<std::size_t>(solid.copies[1]) *
               static_cast<std::size_t>(solid.copies[2]);
  return objects > 1 || std::any_of(scene.events.begin(), scene.events.end(),
                                    [](const Event& event) { return !event.added.empty(); });
}

}  // namespace

std::vector<ColumnInfo> common_columns(const Scene* scene) {
  namespace standard = standard_columns;
  std::vector<ColumnInfo> columns = {standard::position(), standard::velocity(), standard::id(),
                                     standard::phase()};
  if (!scene || !scene->emitters.empty()) columns.push_back(standard::held());
  if (!scene || has_several_objects(*scene)) columns.push_back(standard::object());
  return columns;
}

}  // namespace panta
