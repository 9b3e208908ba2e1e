// Additional data for programs that import surfaces, in surface.json: the run's frames per second,
// the appearance of its liquids, and its bodies with their motion, as meshes in a folder `solids`.
#pragma once

#include <functional>
#include <string>

#include "panta/io/body_file.h"
#include "panta/scene/scene.h"
#include "panta/surface/surface_record.h"

namespace panta {

// A material's name as part of a file name: invalid characters are replaced.
std::string file_name_of(const std::string& name);

// `several`: the names of frame files contain the liquid's name. Bodies that cannot be meshed are
// skipped with a warning. `free`: the poses of the free bodies; null if there are none.
void describe_scene(SurfaceRecord& record, const Scene& scene, const BodyFile* free,
                    const std::string& folder, bool several,
                    const std::function<void(const std::string&)>& warning);

}  // namespace panta
